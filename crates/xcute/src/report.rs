//! `xcute report`: shows a results directory again.

use anyhow::{Context, Result};
use xcute_report::Report;

use crate::arguments::ReportArguments;
use crate::campaign;
use crate::exit::Exit;
use crate::results::CHOICES;
use crate::{c, clp, erl, plan, program};

/// Reads the directory and prints its summary; ends as the campaign did.
pub fn run(low: &ReportArguments) -> Result<Exit> {
    let path = low.dir.join("summary.json");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {} (is {} a results directory?)", path.display(), low.dir.display()))?;
    let summary = xcute_report::parse(&text).with_context(|| format!("cannot understand {}", path.display()))?;
    let mut report = Report::of(summary);
    let unconfirmed = report.summary.unconfirmed.iter().map(|unconfirmed| &unconfirmed.failure);
    for failure in report.summary.failures.iter().chain(unconfirmed) {
        // The directory may have been moved, so the case is looked for beside the summary. A missing case costs its inputs only.
        let case = low.dir.join("failures").join(format!("{}.json", failure.id));
        let inputs = program::read_inputs(&case).or_else(|| clp::read_inputs(&case)).or_else(|| erl::read_inputs(&case));
        if let Some(inputs) = inputs.or_else(|| c::read_inputs(&case)) {
            report.inputs.insert(failure.id.clone(), inputs);
        }
    }
    // Likewise the choices of a logic program.
    if let Ok(text) = std::fs::read_to_string(low.dir.join(CHOICES)) {
        report.choices = serde_json::from_str(&text).with_context(|| format!("cannot understand {}", low.dir.join(CHOICES).display()))?;
    }
    report.sources = campaign::read_sources(campaign::shown_files(&report.summary));
    let show = plan::show(&low.show);
    campaign::show(&report, show)?;
    Ok(campaign::exit(&report, show))
}
