//! How the search went: figures, where the time went, and the layers of the solver.

use maud::{Markup, html};
use xcute_trace::covered;

use super::timeline;
use crate::pruning;
use crate::ratio::Ratio;
use crate::report::Report;
use crate::summary::{LayerShare, Seconds, SolverShare, Summary};
use crate::terminal::{arms, paths, schedules, spent};

/// The section.
pub(super) fn section(report: &Report) -> Markup {
    html! {
        section id="search" { "\n"
            h2 { "The search" } "\n"
            (figures(report))
            (phases(&report.summary))
            @if let Some(profile) = report.provenance.as_ref().and_then(|provenance| provenance.profile.as_ref()) { p { "Phase by phase: " a href=(profile) { (profile) } } "\n" }
            (layers(&report.summary.solver))
            (timeline::curve(&report.summary))
        } "\n"
    }
}

fn figures(report: &Report) -> Markup {
    let summary = &report.summary;
    let rows = [("paths", paths(summary)), ("arms", arms(&summary.arms))];
    let SolverShare { queries, sat, unsat, unknown, .. } = summary.solver;
    let given_up = if unknown > 0 { format!(", {unknown} unknown") } else { String::new() };
    let solver = (queries > 0).then(|| ("solver", format!("{queries} queries: {sat} sat, {unsat} unsat{given_up}")));
    let others = [("time", spent(&summary.seconds)), ("search", format!("{}, seed {}", summary.strategy, summary.seed))];
    let bounds = (!summary.bounds.is_empty()).then(|| ("inputs", covered(&summary.bounds).trim_start_matches(" for ").to_owned()));
    let sections = report.words.sections.iter().map(|section| (section.name.as_str(), section.line.shown(ratio)));
    let schedules = summary.interleaved.as_ref().map(|interleaved| ("schedules", schedules(interleaved)));
    let pruned = summary.pruning.as_ref().map(|pruned| ("pruning", pruning::lines(pruned).join("; ")));
    html! {
        table class="figures" { "\n"
            @for (name, value) in bounds.into_iter().chain(rows).chain(solver).chain(others).chain(sections).chain(schedules).chain(pruned) {
                tr { th { (name) } td { (value) } } "\n"
            }
        } "\n"
    }
}

/// Where the time of all workers went, as a bar. Phases that took no time are left out.
fn phases(summary: &Summary) -> Markup {
    let Seconds { total, subject, solver, confirming } = summary.seconds;
    let pruning = summary.pruning.as_ref().map_or(0.0, |pruning| pruning.seconds + pruning.build_seconds);
    let known = subject + solver + confirming + pruning;
    #[allow(clippy::cast_precision_loss, reason = "a picture")]
    let all = (total * summary.jobs.max(1) as f64).max(known).max(1e-9);
    let phases =
        [("subject", subject), ("solver", solver), ("confirming", confirming), ("pruning", pruning), ("everything else", all - known)];
    html! {
        div class="phases" role="img" aria-label="Where the time went" {
            @for (at, (name, seconds)) in phases.iter().enumerate().filter(|(_, (_, seconds))| *seconds / all >= 0.005) {
                span class={ "phase p" (at) } style=(format!("width:{:.1}%", 100.0 * seconds / all)) title=(format!("{name}: {seconds:.2} s")) { (name) }
            }
        } "\n"
    }
}

/// Which layer answered how many queries; those that saw none are left out.
fn layers(solver: &SolverShare) -> Markup {
    let busy: Vec<&LayerShare> = solver.layers.iter().filter(|layer| layer.sat + layer.unsat + layer.unknown > 0).collect();
    html! {
        @if !busy.is_empty() {
            details { summary { "Layers of the solver" } "\n"
                table { "\n"
                    thead { tr { th { "layer" } th { "queries" } th { "sat" } th { "unsat" } th { "unknown" } th { "share of all" } } } "\n"
                    tbody { @for layer in busy {
                        tr { td { (layer.layer) } td { (layer.seen) } (some(layer.sat)) (some(layer.unsat)) (some(layer.unknown)) td { @if layer.share >= 0.005 { (format!("{:.0} %", 100.0 * layer.share)) } } } "\n"
                    } }
                }
            } "\n"
        }
    }
}

/// A count; nothing for zero.
fn some(count: u64) -> Markup {
    html! { td { @if count > 0 { (count) } } }
}

fn ratio(ratio: Ratio) -> String {
    format!("{} of {} ({} %)", ratio.covered, ratio.total, ratio.percent())
}
