//! The report as one HTML page: failures, their inputs, and the source with coverage beside it.
//!
//! **Invariant.** The page loads nothing from anywhere, and every text that comes from the subject is escaped.

use std::fmt::Write;

use xcute_trace::{Frame, covered};

use crate::choices;
use crate::coverage::FileCoverage;
use crate::groups::{Group, counted, groups, way};
use crate::picture;
use crate::pruning;
use crate::report::Report;
use crate::summary::{Failure, Limit, Ratio, Summary, Unconfirmed};
use crate::terminal::{schedules, spent};

const STYLE: &str = include_str!("html.css");

/// Renders the page.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut page, report);
    page
}

fn write(out: &mut String, report: &Report) -> std::fmt::Result {
    let summary = &report.summary;
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<title>xcute: {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>", escape(&summary.subject))?;
    writeln!(out, "<h1>xcute: {}</h1>", escape(&summary.subject))?;
    write_verdict(out, summary)?;
    for group in groups(&summary.failures) {
        write_failure(out, report, group.first, None)?;
        write_ways(out, report, &group)?;
    }
    for Unconfirmed { failure, why } in &summary.unconfirmed {
        write_failure(out, report, failure, Some(why))?;
    }
    write_figures(out, report)?;
    write_limits(out, &summary.limits)?;
    choices::write_table(out, report)?;
    pruning::write_tree(out, report)?;
    for (path, file) in &report.coverage.files {
        write_source(out, path, file, report)?;
    }
    writeln!(out, "</body>\n</html>")
}

fn write_verdict(out: &mut String, summary: &Summary) -> std::fmt::Result {
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
    writeln!(out, "<p class=\"verdict {class}\">{found}; {}.</p>", escape(&far))
}

/// The other failures of a group, each with its inputs.
fn write_ways(out: &mut String, report: &Report, group: &Group<'_>) -> std::fmt::Result {
    if group.more.is_empty() {
        return Ok(());
    }
    let ways = if group.more.len() == 1 { "way" } else { "ways" };
    writeln!(out, "<details><summary>{} more {ways} to reach it</summary>", group.more.len())?;
    for other in &group.more {
        writeln!(out, "<p>{} {}</p>", escape(&other.id), escape(&way(group.first, other)))?;
        write_failure(out, report, other, None)?;
    }
    writeln!(out, "</details>")
}

/// A failure; `why` it is not confirmed, if it is not.
fn write_failure(out: &mut String, report: &Report, failure: &Failure, why: Option<&String>) -> std::fmt::Result {
    writeln!(out, "<section class=\"failure\" id=\"{}\">", escape(&failure.id))?;
    writeln!(out, "<h2>{} {}: {}</h2>", escape(&failure.id), failure.kind.name(), escape(&failure.message))?;
    for (at, frame) in failure.stack.iter().enumerate() {
        write_place(out, report, if at == 0 { "at" } else { "called by" }, frame)?;
    }
    for note in &failure.notes {
        let lead = if note.at.file.is_empty() { note.what.clone() } else { format!("{} at", note.what) };
        write_place(out, report, &lead, &note.at)?;
    }
    if let Some(said) = failure.other_order() {
        writeln!(out, "<div>in the other order: {}</div>", escape(&said))?;
    }
    if let Some(inputs) = report.inputs.get(&failure.id)
        && !inputs.is_empty()
    {
        writeln!(out, "<table class=\"inputs\">")?;
        for input in &crate::fold::folded(inputs) {
            writeln!(out, "<tr><td><code>{}</code></td><td><code>{}</code></td></tr>", escape(&input.name), escape(&input.value))?;
        }
        writeln!(out, "</table>")?;
    }
    picture::write(out, report, failure)?;
    if let Some(why) = why {
        writeln!(out, "<p class=\"warning\">Not confirmed: {}.</p>", escape(why))?;
    }
    writeln!(out, "<p>Replay: <code>{}</code></p>\n</section>", escape(&failure.replay))
}

/// A place, linked to its line further down, with the text of that line.
fn write_place(out: &mut String, report: &Report, lead: &str, frame: &Frame) -> std::fmt::Result {
    write!(out, "<div>{}", escape(lead))?;
    if !frame.function.is_empty() {
        write!(out, " <code>{}</code>", escape(&frame.function))?;
    }
    if !frame.file.is_empty() {
        let place = escape(&format!("{}:{}", frame.file, frame.line));
        let known = report.coverage.files.contains_key(&frame.file);
        let place = if known { format!("<a href=\"#{}\">{place}</a>", anchor(&frame.file, frame.line)) } else { place };
        write!(out, " ({place})")?;
    }
    if let Some(line) = report.line(frame) {
        write!(out, " <code class=\"line\">{}</code>", escape(line.trim()))?;
    }
    writeln!(out, "</div>")
}

fn write_figures(out: &mut String, report: &Report) -> std::fmt::Result {
    let summary = &report.summary;
    let arms = &summary.arms;
    let rows = [
        ("paths", format!("{} in {} runs, {} rejected by assumptions", summary.paths, summary.runs, summary.rejected)),
        (
            "arms",
            format!(
                "{} taken, {} infeasible, {} open, {} unknown, {} diverged, {} pruned, {} subsumed",
                arms.taken, arms.infeasible, arms.open, arms.unknown, arms.diverged, arms.pruned, arms.subsumed
            ),
        ),
        ("branches", summary.coverage.arms(" of ")),
    ];
    let counted = report.counted().into_iter().map(|(what, covered)| (what, ratio(covered)));
    let others = [
        (
            "solver",
            format!(
                "{} queries: {} sat, {} unsat, {} unknown",
                summary.solver.queries, summary.solver.sat, summary.solver.unsat, summary.solver.unknown
            ),
        ),
        ("time", spent(&summary.seconds)),
        ("search", format!("{}, seed {}", summary.strategy, summary.seed)),
    ];
    writeln!(out, "<h2>The search</h2>\n<table>")?;
    let bounds = (!summary.bounds.is_empty()).then(|| ("inputs", covered(&summary.bounds).trim_start_matches(" for ").to_owned()));
    let sections = report.words.sections.iter().map(|section| (section.name.as_str(), section.line.shown(ratio)));
    let schedules = summary.interleaved.as_ref().map(|interleaved| ("schedules", schedules(interleaved)));
    let pruned = summary.pruning.as_ref().map(|pruned| ("pruning", pruning::lines(pruned).join("; ")));
    for (name, value) in bounds.into_iter().chain(rows).chain(counted).chain(others).chain(sections).chain(schedules).chain(pruned) {
        writeln!(out, "<tr><th>{}</th><td>{}</td></tr>", escape(name), escape(&value))?;
    }
    writeln!(out, "</table>")
}

fn write_limits(out: &mut String, limits: &[Limit]) -> std::fmt::Result {
    if limits.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>What was not exact</h2>\n<table>\n<tr><th>kind</th><th>what</th><th>times</th><th>may hide paths</th></tr>")?;
    for limit in limits {
        let hides = if limit.incomplete { "yes" } else { "no" };
        writeln!(out, "<tr><td>{}</td><td>{}</td><td>{}</td><td>{hides}</td></tr>", escape(&limit.kind), escape(&limit.what), limit.count)?;
    }
    writeln!(out, "</table>")
}

fn write_source(out: &mut String, path: &str, file: &FileCoverage, report: &Report) -> std::fmt::Result {
    let Some(text) = report.sources.get(path) else { return Ok(()) };
    writeln!(out, "<h2>{}</h2>\n<table class=\"source\">", escape(path))?;
    for (number, source) in (1..).zip(text.lines()) {
        let arms: Vec<_> = file.branches.iter().filter(|arm| arm.line == number).collect();
        let (taken, total) = (arms.iter().filter(|arm| arm.taken).count(), arms.len());
        let class = match file.lines.get(&number) {
            None => "",
            Some(false) => "missed",
            Some(true) if taken < total => "partly",
            Some(true) => "ran",
        };
        let failed = report.summary.failures.iter().any(|failure| failure.file == path && failure.line == number);
        let class = if failed { format!("{class} fails") } else { class.to_owned() };
        let arms = if total > 0 { format!("{taken}/{total}") } else { String::new() };
        writeln!(
            out,
            "<tr class=\"{}\" id=\"{}\"><td>{number}</td><td>{arms}</td><td><pre>{}</pre></td></tr>",
            class.trim(),
            anchor(path, number),
            escape(source)
        )?;
    }
    writeln!(out, "</table>")
}

fn ratio(ratio: Ratio) -> String {
    format!("{} of {} ({} %)", ratio.covered, ratio.total, ratio.percent())
}

pub(crate) fn anchor(path: &str, line: u32) -> String {
    let name: String = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{name}-{line}")
}

pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_everything_that_could_be_markup() {
        assert_eq!(escape("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    }
}
