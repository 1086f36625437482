//! `xcute report`: shows results directories again, to people or to other tools.

use anyhow::Result;
use xcute_report::Report;

use super::exchange;
use super::reread::read;
use super::show::{exit, rendered};
use crate::arguments::{ReportArguments, ReportFormat};
use crate::exit::Exit;
use crate::plan::{self, Show};
use crate::talk;

/// What `summary.json` looks like.
const SCHEMA: &str = include_str!("../../../../docs/summary.schema.json");

/// Reads the directories and prints what they hold; ends as the worst of the campaigns did.
pub fn run(low: &ReportArguments) -> Result<Exit> {
    if low.schema {
        talk::result(SCHEMA)?;
        return Ok(Exit::NoFailure);
    }
    let mut dirs = Vec::new();
    for dir in &low.dirs {
        dirs.extend(exchange::below(dir)?);
    }
    let mut how = plan::show(&low.show, low.format == ReportFormat::Json);
    if low.output.is_some() {
        how.style.coloured = false;
    }
    let reports = dirs.iter().map(|dir| read(dir)).collect::<Result<Vec<_>>>()?;
    let text = match low.format {
        ReportFormat::Other(form) => exchange::document(&dirs, form, low.root.as_deref(), how)?,
        ReportFormat::Json if reports.len() > 1 => together(&reports, how),
        ReportFormat::Text | ReportFormat::Json => {
            reports.iter().map(|report| rendered(report, how)).collect::<Vec<_>>().join(if how.quiet { "" } else { "\n" })
        }
    };
    match &low.output {
        Some(file) => exchange::write(file, &text)?,
        None => talk::result(&text)?,
    }
    Ok(Exit::worst(reports.iter().map(|report| exit(report, how))))
}

/// Several campaigns as one JSON object, as a search of several prints it.
fn together(reports: &[Report], how: Show) -> String {
    let campaigns: Vec<String> = reports.iter().map(|report| rendered(report, how)).collect();
    let failing = reports.iter().filter(|report| exit(report, how) == Exit::Failures).map(|report| report.summary.subject.as_str());
    let failing = serde_json::Value::from(failing.collect::<Vec<_>>());
    format!("{{\"campaigns\": [\n{}\n], \"failing\": {failing}}}\n", campaigns.join(",\n"))
}
