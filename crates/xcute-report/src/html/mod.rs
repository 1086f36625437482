//! The report as one HTML page: failures, their inputs, and the source with coverage next to it.
//!
//! **Invariant.** The page loads nothing from anywhere, and every text that comes from the subject is escaped: `maud` writes it.

mod drawing;
mod failure;
mod picture;
mod place;
mod section;
mod source;
mod timeline;
mod tree;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use xcute_trace::covered;

use crate::groups::{counted, groups};
use crate::pruning;
use crate::ratio::Ratio;
use crate::report::Report;
use crate::summary::{Limit, SolverShare, Summary, Unconfirmed};
use crate::terminal::{arms, paths, schedules, spent};

const STYLE: &str = include_str!("page.css");

/// Renders the page.
#[must_use]
pub fn render(report: &Report) -> String {
    let summary = &report.summary;
    let title = format!("xcute: {}", summary.subject);
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                title { (title) } "\n"
                style { "\n" (PreEscaped(STYLE)) } "\n"
            } "\n"
            body { "\n"
                h1 { (title) } "\n"
                (verdict(summary))
                @for group in groups(&summary.failures) {
                    (failure::failure(report, group.first, None))
                    (failure::ways(report, &group))
                }
                @for Unconfirmed { failure, why } in &summary.unconfirmed {
                    (failure::failure(report, failure, Some(why)))
                }
                (figures(report))
                (limits(&summary.limits))
                (timeline::curve(summary))
                @for picture in report.words.pictures.iter().filter(|picture| picture.of.is_none()) {
                    (drawing::drawing(picture))
                }
                @for section in &report.words.sections {
                    (section::table(report, section))
                }
                (tree::tree(report))
                @for (path, file) in &report.coverage.files {
                    (source::listing(path, file, report))
                }
            } "\n"
        } "\n"
    };
    xcute_markup::document(page)
}

fn verdict(summary: &Summary) -> Markup {
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
        None => format!("not complete (stop: {})", summary.stop),
    };
    html! { p class={ "verdict " (class) } { (found) "; " (far) "." } "\n" }
}

fn figures(report: &Report) -> Markup {
    let summary = &report.summary;
    let rows = [("paths", paths(summary)), ("arms", arms(&summary.arms)), ("branches", summary.coverage.arms(" of "))];
    // Where there are no functions, say, nothing is said of them.
    let counted = report.counted().into_iter().filter(|(_, covered)| covered.total > 0).map(|(what, covered)| (what, ratio(covered)));
    let others = [
        (
            "solver",
            match &summary.solver {
                SolverShare { queries, sat, unsat, unknown: 0, .. } => format!("{queries} queries: {sat} sat, {unsat} unsat"),
                SolverShare { queries, sat, unsat, unknown, .. } => {
                    format!("{queries} queries: {sat} sat, {unsat} unsat, {unknown} unknown")
                }
            },
        ),
        ("time", spent(&summary.seconds)),
        ("search", format!("{}, seed {}", summary.strategy, summary.seed)),
    ];
    let bounds = (!summary.bounds.is_empty()).then(|| ("inputs", covered(&summary.bounds).trim_start_matches(" for ").to_owned()));
    let sections = report.words.sections.iter().map(|section| (section.name.as_str(), section.line.shown(ratio)));
    let schedules = summary.interleaved.as_ref().map(|interleaved| ("schedules", schedules(interleaved)));
    let pruned = summary.pruning.as_ref().map(|pruned| ("pruning", pruning::lines(pruned).join("; ")));
    html! {
        h2 { "The search" } "\n"
        table { "\n"
            @for (name, value) in bounds.into_iter().chain(rows).chain(counted).chain(others).chain(sections).chain(schedules).chain(pruned) {
                tr { th { (name) } td { (value) } } "\n"
            }
        } "\n"
    }
}

fn limits(limits: &[Limit]) -> Markup {
    html! {
        @if !limits.is_empty() {
            h2 { "What was not exact" } "\n"
            table { "\n"
                tr { th { "kind" } th { "what" } th { "times" } th { "may hide paths" } } "\n"
                @for limit in limits {
                    tr { td { (limit.kind) } td { (limit.what) } td { (limit.count) } td { (if limit.incomplete { "yes" } else { "no" }) } } "\n"
                }
            } "\n"
        }
    }
}

fn ratio(ratio: Ratio) -> String {
    format!("{} of {} ({} %)", ratio.covered, ratio.total, ratio.percent())
}
