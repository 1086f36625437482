//! A report on stdout, the sources it shows, and the exit code it asks for.

use std::collections::BTreeMap;

use anyhow::Result;
use xcute_report::{LIMIT_KINDS, Report, Summary, Words, terminal};

use crate::exit::Exit;
use crate::front::Files;
use crate::language;
use crate::plan::Show;
use crate::results::summary::INTERRUPTED;
use crate::talk;

/// Prints a report in the form that was asked for.
pub fn show(report: &Report, show: Show) -> Result<()> {
    talk::result(&rendered(report, show))
}

/// The same as text.
pub fn rendered(report: &Report, show: Show) -> String {
    if show.json {
        return xcute_report::json(&report.summary);
    }
    let text = terminal::render(report, show.verbose, show.style);
    match text.split_inclusive('\n').next() {
        Some(verdict) if show.quiet => verdict.to_owned(),
        _ => text,
    }
}

/// The exit code that a report asks for.
pub fn exit(report: &Report, show: Show) -> Exit {
    let Summary { failures, unconfirmed, .. } = &report.summary;
    let none = failures.is_empty() && (show.ignore_unconfirmed || unconfirmed.is_empty());
    match none {
        false => Exit::Failures,
        true if report.summary.stop == INTERRUPTED => Exit::Interrupted,
        true => Exit::NoFailure,
    }
}

/// What its language says of a campaign.
pub fn words(summary: &Summary, files: Files<'_>) -> Result<Words> {
    let language = language::ALL.iter().find(|language| language.cases() == summary.language);
    let Some(language) = language else { return Ok(Words::default()) };
    let limits = language.limits();
    let unexplained = summary.limits.iter().find(|limit| LIMIT_KINDS.iter().chain(limits).all(|kind| kind.name != limit.kind));
    debug_assert_eq!(unexplained, None, "docs/not-complete.md does not explain it");
    Ok(Words { limits, ..language.words(summary, files)? })
}

/// The files that failures have to do with.
pub fn shown_files(summary: &Summary) -> impl Iterator<Item = &String> {
    let unconfirmed = summary.unconfirmed.iter().map(|unconfirmed| &unconfirmed.failure);
    summary.failures.iter().chain(unconfirmed).flat_map(|failure| failure.files())
}

/// The texts of these files, as far as they can be read.
pub fn read_sources<'a>(paths: impl Iterator<Item = &'a String>) -> BTreeMap<String, String> {
    paths.filter_map(|path| Some((path.clone(), String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned()))).collect()
}
