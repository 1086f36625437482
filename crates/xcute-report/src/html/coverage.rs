//! What was covered: a sentence, and tables of files and functions.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::place::{anchor, linked};
use crate::coverage::{FileCoverage, FunctionCoverage};
use crate::ratio::Ratio;
use crate::report::Report;
use crate::section::Units;

/// Tables with more rows than this can be searched.
const FEW: usize = 8;
/// Of tables with more rows than this, the first ones are shown, and the others when they are searched or asked for.
const MANY: usize = 300;
const FIRST: usize = 100;

/// The section; nothing where nothing is known.
pub(super) fn section(report: &Report) -> Markup {
    let files: Vec<_> = report.coverage.files.iter().filter(|(_, file)| !file.lines.is_empty() || !file.functions.is_empty()).collect();
    let functions: Vec<_> = files.iter().flat_map(|(path, file)| functions(report, path, file)).collect();
    let Units { lines, branches, functions: all, function } = report.words.units;
    html! {
        section id="coverage" { "\n"
            h2 { "Coverage" } "\n"
            p { (sentence(report)) } "\n"
            @if files.len() > 1 {
                (table(("files", "files"), &["file", lines, "missed", branches, all, "failures"], &files.iter().map(|(path, file)| file_row(report, path, file)).collect::<Vec<_>>()))
            }
            @if !functions.is_empty() { (table(("functions", all), &[function, "place", lines, "missed", branches, "reachable", "failures"], &functions)) }
        } "\n"
    }
}

/// How many branches were taken, of those that can be.
fn sentence(report: &Report) -> String {
    let coverage = &report.summary.coverage;
    let Ratio { covered, total } = coverage.branches;
    let feasible = total.saturating_sub(coverage.infeasible);
    let mut text = match (coverage.infeasible, total) {
        (_, 0) => "There are no branches".to_owned(),
        (0, _) if report.summary.settled() => format!("{covered} of {feasible} branches"),
        (0, _) => format!("{covered} of {feasible} branches so far"),
        (proved, _) => format!("{covered} of {feasible} feasible branches; {proved} proved unreachable"),
    };
    for (what, ratio) in report.counted().into_iter().filter(|(_, ratio)| ratio.total > 0) {
        text += &format!("; {} of {} {what}", ratio.covered, ratio.total);
    }
    text + "."
}

/// A table: its id and what its rows are, the heads of its columns, and its rows.
fn table((id, what): (&str, &str), heads: &[&str], rows: &[Markup]) -> Markup {
    let (first, later) = rows.split_at(if rows.len() > MANY { FIRST } else { rows.len() });
    html! {
        @if rows.len() > FEW { p { input class="filter" type="search" data-table=(id) placeholder={ "Search " (rows.len()) " " (what) } aria-label={ "Search " (what) }; } "\n" }
        table class="sortable" id=(id) { "\n"
            thead { tr { @for head in heads { th { button { (head) } } } } } "\n"
            tbody { "\n" @for row in first { (row) } } "\n"
            @if !later.is_empty() { tbody class="later" { "\n" @for row in later { (row) } } "\n" }
        } "\n"
        @if !later.is_empty() { p { button class="all" data-table=(id) { "Show all " (rows.len()) " " (what) } } "\n" }
    }
}

fn file_row(report: &Report, path: &str, file: &FileCoverage) -> Markup {
    let failures = report.summary.failures.iter().filter(|failure| failure.file == path).count();
    let name = html! { code { (path) } };
    html! {
        tr {
            td { @if report.sources.contains_key(path) { a href={ "#" (anchor(path, 0)) } { (name) } } @else { (name) } }
            (share(file.lines.values().copied())) (missed(file.lines.values().copied())) (share(file.branches.iter().map(|arm| arm.taken))) (share(file.functions.iter().map(|f| f.entered)))
            td { @if failures > 0 { (failures) } }
        } "\n"
    }
}

/// The functions of a file. A line belongs to the last function that begins at it or before it.
fn functions<'a>(report: &'a Report, path: &'a str, file: &'a FileCoverage) -> impl Iterator<Item = Markup> + 'a {
    let starts: BTreeMap<u32, usize> = file.functions.iter().enumerate().map(|(at, function)| (function.line, at)).collect();
    let of = move |line: u32| starts.range(..=line).next_back().map(|(_, at)| *at);
    let mut lines: Vec<Vec<bool>> = vec![Vec::new(); file.functions.len()];
    let mut arms = lines.clone();
    let mut failures = vec![0; file.functions.len()];
    file.lines.iter().for_each(|(line, ran)| of(*line).into_iter().for_each(|at| lines[at].push(*ran)));
    file.branches.iter().for_each(|arm| of(arm.line).into_iter().for_each(|at| arms[at].push(arm.taken)));
    for failure in report.summary.failures.iter().filter(|failure| failure.file == path) {
        of(failure.line).into_iter().for_each(|at| failures[at] += 1);
    }
    let figures = lines.into_iter().zip(arms).zip(failures);
    file.functions.iter().zip(figures).map(move |(function, ((lines, arms), failures))| {
        let place = html! { code { (path) ":" (function.line) } };
        html! {
            tr class=[(!function.entered).then_some("missed-row")] {
                td { code { (function.name) } }
                td { (linked(report, path, function.line, &place)) }
                (share(lines.iter().copied())) (missed(lines.into_iter())) (share(arms.into_iter()))
                (reachable(report, function))
                td { @if failures > 0 { (failures) } }
            } "\n"
        }
    })
}

/// Whether the entry comes to a function, and how that is known.
fn reachable(report: &Report, function: &FunctionCoverage) -> Markup {
    let (word, why) = match (function.entered, function.called) {
        (true, _) => ("yes", ""),
        (false, Some(false)) => ("no", "nothing calls it"),
        (false, _) if report.summary.settled() => ("no", "no input leads there"),
        (false, Some(true)) => ("perhaps", "not called yet"),
        (false, None) => ("not known", "not called yet"),
    };
    html! { td { (word) @if !why.is_empty() { span class="note" { ": " (why) } } } }
}

/// How many lines did not run; nothing where all did.
fn missed(lines: impl Iterator<Item = bool>) -> Markup {
    let missed = lines.filter(|ran| !ran).count();
    html! { td data-by=(missed) { @if missed > 0 { (missed) } } }
}

/// How much of something, as a cell that can be sorted by its share.
fn share(items: impl Iterator<Item = bool>) -> Markup {
    let (mut covered, mut total) = (0u64, 0u64);
    items.for_each(|item| (covered, total) = (covered + u64::from(item), total + 1));
    let percent = Ratio { covered, total }.percent();
    html! { td class="share" data-by=(if total == 0 { "-1".to_owned() } else { percent.to_string() }) { @if total > 0 { (covered) "/" (total) " " span class="bar" style=(format!("--p:{percent}%")) {} } } }
}
