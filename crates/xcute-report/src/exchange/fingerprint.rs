//! What makes a failure the same in the next campaign, also after lines were inserted above it.
//!
//! It is made of what was tested, the kind, the file, the functions of the stack and the text of the failing line, but of no number of a line. Failures that have
//! all of it in common are numbered, in the order of their places.
//!
//! **Invariant.** The same results give the same fingerprints, and no two failures of a document have the same.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::{Campaign, Project};
use crate::summary::Failure;

/// The fingerprints of all failures of all campaigns, in their order.
#[must_use]
pub fn all(campaigns: &[Campaign], project: &Project) -> Vec<String> {
    let failures: Vec<(&Campaign, &Failure)> =
        campaigns.iter().flat_map(|campaign| campaign.failures().map(move |(failure, _)| (campaign, failure))).collect();
    let mut equal: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for (at, (campaign, failure)) in failures.iter().enumerate() {
        equal.entry(parts(campaign, failure, project)).or_default().push(at);
    }
    let mut prints = vec![String::new(); failures.len()];
    for (parts, mut members) in equal {
        members.sort_by_key(|&at| {
            let failure = failures[at].1;
            let places: Vec<(u32, u32)> = failure.stack.iter().map(|frame| (frame.line, frame.column)).collect();
            (failure.line, failure.column, places, at)
        });
        for (nth, at) in members.into_iter().enumerate() {
            prints[at] = digest(&parts, nth);
        }
    }
    prints
}

fn parts(campaign: &Campaign, failure: &Failure, project: &Project) -> Vec<String> {
    let summary = &campaign.report.summary;
    let text = campaign.report.sources.get(&failure.file).and_then(|text| text.lines().nth((failure.line as usize).checked_sub(1)?));
    let line = text.map_or_else(|| failure.line.to_string(), |text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut parts = vec![summary.language.clone(), summary.subject.clone(), failure.kind.name().to_owned()];
    parts.extend([project.path(&campaign.origin, &failure.file), line]);
    let mut functions: Vec<String> = failure.stack.iter().map(|frame| frame.function.clone()).collect();
    // A recursion is the same however deep it goes.
    functions.dedup();
    parts.extend(functions);
    parts
}

fn digest(parts: &[String], nth: usize) -> String {
    let text = format!("{}\n{nth}", parts.join("\n"));
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
