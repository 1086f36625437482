//! Results directories read back: the summary, the inputs of failures, the sources they are in.

use std::path::Path;

use anyhow::{Context, Result, bail};
use xcute_report::{InputValue, Report, Summary};

use super::replay;
use super::show::{exit, read_sources, show, shown_files, words};
use crate::exit::Exit;
use crate::plan::Show;

/// Shows one directory as it was asked for.
pub fn shown(dir: &Path, how: Show) -> Result<Exit> {
    let report = read(dir)?;
    show(&report, how)?;
    Ok(exit(&report, how))
}

/// What a results directory holds.
pub fn read(dir: &Path) -> Result<Report> {
    let path = dir.join("summary.json");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {} (is {} a results directory?)", path.display(), dir.display()))?;
    let summary = xcute_report::parse(&text).with_context(|| format!("cannot understand {}", path.display()))?;
    if summary.version > Summary::VERSION {
        bail!(
            "cannot understand {}: it has version {} of the format, this xcute knows {}",
            path.display(),
            summary.version,
            Summary::VERSION
        );
    }
    let words = words(&summary, &|name| std::fs::read_to_string(dir.join(name)).ok()).with_context(|| dir.display().to_string())?;
    let mut report = Report { words, ..Report::of(summary) };
    let unconfirmed = report.summary.unconfirmed.iter().map(|unconfirmed| &unconfirmed.failure);
    for failure in report.summary.failures.iter().chain(unconfirmed) {
        // The directory may have been moved, so the case is looked for next to the summary. A missing case costs its inputs only.
        if let Some(inputs) = inputs(&dir.join("failures").join(format!("{}.json", failure.id))) {
            report.inputs.insert(failure.id.clone(), inputs);
        }
    }
    report.sources = read_sources(shown_files(&report.summary));
    Ok(report)
}

/// The inputs of a case file; `None` if it cannot be read.
fn inputs(case: &Path) -> Option<Vec<InputValue>> {
    Some(replay::read(case).ok()?.inputs())
}
