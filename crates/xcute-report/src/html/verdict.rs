//! The verdict in one sentence, and what to do next.
//!
//! **Invariant.** It is green only where the search is complete and found nothing.

use maud::{Markup, html};

use super::copy::command;
use crate::groups::counted;
use crate::pruning;
use crate::report::Report;
use crate::summary::Summary;
use crate::terminal::stop;

/// The verdict.
pub(super) fn verdict(report: &Report) -> Markup {
    let summary = &report.summary;
    let class = match (summary.failures.len() + summary.unconfirmed.len(), summary.complete) {
        (0, true) => "good",
        (0, false) => "open",
        _ => "bad",
    };
    let found = counted(summary);
    let found = found[..1].to_uppercase() + &found[1..];
    let far = match summary.no_input() {
        Some(what) => format!("nothing is an input: {what}"),
        None if summary.complete => pruning::complete(summary),
        None => format!("the search is not complete: {}", stop(summary)),
    };
    html! {
        p class={ "verdict " (class) } { (found) "; " (far) "." } "\n"
        (next(report, summary))
    }
}

/// How to go on where the search is not complete.
fn next(report: &Report, summary: &Summary) -> Markup {
    let ended = ["runs", "time", "memory", "interrupted", "unwritten", "first-failure", "full-coverage"].contains(&summary.stop.as_str());
    let hidden = summary.limits.iter().filter(|limit| limit.incomplete && limit.kind != xcute_trace::Limit::NO_INPUT).count();
    html! {
        @if !summary.complete && summary.no_input().is_none() {
            @if let Some(provenance) = report.provenance.as_ref().filter(|_| ended) {
                p class="next" { "To go on: " (command(&provenance.go_on)) } "\n"
            }
            @if hidden > 0 {
                p class="next" {
                    a href="#limits" { (hidden) (if hidden == 1 { " thing was" } else { " things were" }) " not followed exactly" }
                    ", and may hide paths."
                } "\n"
            }
        }
    }
}
