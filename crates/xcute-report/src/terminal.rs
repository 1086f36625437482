//! The report a person reads at the end of a campaign: the verdict first, then each failure, then how far the search got. Where that is more than a screen, it ends with
//! the verdict and the failures once more, in a line each.

use std::fmt::Write;

use xcute_trace::{FailureKind, covered};

use crate::excerpt;
use crate::fold;
use crate::groups::{Group, counted, groups, way};
use crate::lanes;
use crate::pruning;
use crate::ratio::Ratio;
use crate::report::Report;
use crate::section::Section;
use crate::style::Style;
use crate::summary::{Arms, Failure, Fuzzed, Interleaved, LayerShare, Limit, Seconds, Summary, Unconfirmed};

/// How many inputs of a failure, and how many limits, are shown before "and N more".
const SHOWN: usize = 16;

/// Lines after which the verdict is out of sight.
const SCREEN: usize = 40;

/// Renders the report. `verbose` adds the share of queries that each layer of the solver answered, and every limit.
#[must_use]
pub fn render(report: &Report, verbose: bool, style: Style) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, report, verbose, style);
    if text.lines().count() > SCREEN {
        let _ = write_end(&mut text, &report.summary, style);
    }
    text
}

/// Renders one failure, as `xcute replay` shows it too.
#[must_use]
pub fn failure(report: &Report, failure: &Failure, style: Style) -> String {
    let mut text = String::new();
    let _ = write_failure(&mut text, report, failure, style);
    text
}

fn write(out: &mut String, report: &Report, verbose: bool, style: Style) -> std::fmt::Result {
    let summary = &report.summary;
    writeln!(out, "{}", verdict(summary, style))?;
    for group in groups(&summary.failures) {
        writeln!(out)?;
        write_failure(out, report, group.first, style)?;
        write_ways(out, &group, style)?;
    }
    for Unconfirmed { failure, why } in &summary.unconfirmed {
        writeln!(out)?;
        write_failure(out, report, failure, style)?;
        writeln!(out, "  {}", style.warning(&format!("not confirmed: {why}")))?;
    }
    writeln!(out)?;
    write_search(out, report)?;
    write_limits(out, &summary.limits, verbose, style)?;
    if verbose {
        for section in &report.words.sections {
            write_table(out, section)?;
        }
        write_layers(out, summary)?;
    }
    Ok(())
}

/// The verdict once more, and all failures in one line.
fn write_end(out: &mut String, summary: &Summary, style: Style) -> std::fmt::Result {
    writeln!(out, "\n{}", verdict(summary, style))?;
    let all: Vec<&Failure> = summary.failures.iter().chain(summary.unconfirmed.iter().map(|unconfirmed| &unconfirmed.failure)).collect();
    let brief = |failure: &&Failure| {
        let at = if failure.file.is_empty() { String::new() } else { format!(" {}:{}", failure.file, failure.line) };
        format!("{} {}{at}", style.bad(&failure.id), failure.kind.name())
    };
    let listed: Vec<String> = all.iter().take(SHOWN).map(brief).collect();
    let more = all.len().saturating_sub(SHOWN);
    match (listed.is_empty(), more) {
        (true, _) => Ok(()),
        (_, 0) => writeln!(out, "{}", listed.join(", ")),
        _ => writeln!(out, "{}, and {more} more", listed.join(", ")),
    }
}

/// A section in detail, one line for each row.
fn write_table(out: &mut String, section: &Section) -> std::fmt::Result {
    let Some(table) = &section.table else { return Ok(()) };
    writeln!(out, "\n{:<9} {}", section.name, table.brief)?;
    let width = table.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in &table.rows {
        writeln!(out, "  {:<width$}  {}", row.name, row.text)?;
    }
    Ok(())
}

pub(crate) fn verdict(summary: &Summary, style: Style) -> String {
    let subject = &summary.subject;
    let far = match summary.no_input() {
        Some(what) => format!("nothing is an input: {what}"),
        None if summary.complete => pruning::complete(summary),
        None => format!("the search is not complete: {}", stop(summary)),
    };
    let found = counted(summary);
    let found = if summary.failures.is_empty() && summary.unconfirmed.is_empty() { style.good(&found) } else { style.bad(&found) };
    format!("{found} in {subject}; {far}")
}

/// Why the campaign ended, in words that fit after "the search is not complete:".
pub(crate) fn stop(summary: &Summary) -> String {
    match summary.stop.as_str() {
        "runs" => format!("it stopped after {} run{}", summary.runs, if summary.runs == 1 { "" } else { "s" }),
        "time" => "time is up".into(),
        "memory" => "memory is used up (xcute resume continues with more: --memory)".into(),
        "unwritten" => "its results cannot be written".into(),
        "first-failure" => "it stopped at the first failure".into(),
        "full-coverage" => "it stopped at full coverage".into(),
        "interrupted" => "it was interrupted".into(),
        "broken" => "xcute itself failed".into(),
        "subject" => "the program could not be run again".into(),
        "complete" | "exhausted" => "what was cut is listed below".into(),
        other => other.to_owned(),
    }
}

fn write_failure(out: &mut String, report: &Report, failure: &Failure, style: Style) -> std::fmt::Result {
    writeln!(out, "{} {}: {}", style.bad(&failure.id), style.strong(failure.kind.name()), failure.message)?;
    if !failure.file.is_empty() {
        writeln!(out, "  {} {}:{} in {}", style.frame("at"), failure.file, failure.line, failure.function)?;
        if let Some(source) = report.sources.get(&failure.file) {
            out.push_str(&excerpt::around(source, failure.line, "  ", style));
        }
    }
    if failure.stack.len() > 1 {
        for frame in &failure.stack[1..] {
            writeln!(out, "  {} {} ({}:{})", style.frame("called by"), frame.function, frame.file, frame.line)?;
        }
    }
    for (at, note) in failure.notes.iter().enumerate() {
        if note.at.file.is_empty() {
            writeln!(out, "  {}", style.frame(&note.what))?;
            continue;
        }
        writeln!(out, "  {} {}:{} in {}", style.frame(&format!("{} at", note.what)), note.at.file, note.at.line, note.at.function)?;
        // The first note of a data race is its other access, which matters as much as this one.
        if let Some(source) = report.sources.get(&note.at.file).filter(|_| at == 0 && failure.kind == FailureKind::DataRace) {
            out.push_str(&excerpt::around(source, note.at.line, "  ", style));
        }
    }
    if let Some(said) = failure.other_order() {
        writeln!(out, "  {} {said}", style.frame("in the other order:"))?;
    }
    if let Some(inputs) = report.inputs.get(&failure.id) {
        let mut rest = fold::folded(inputs);
        let first: Vec<_> = rest.by_ref().take(SHOWN).collect();
        let width = first.iter().map(|input| input.name.chars().count()).max().unwrap_or(0);
        for (at, input) in first.iter().enumerate() {
            let label = if at == 0 { style.frame("with") } else { "    ".into() };
            if input.name.is_empty() {
                writeln!(out, "  {label} {}", input.value)?;
            } else {
                writeln!(out, "  {label} {:<width$} = {}", input.name, input.value)?;
            }
        }
        let more = rest.count();
        if more > 0 {
            writeln!(out, "       and {more} more in {}", failure.case)?;
        }
        // With threads it takes the interleaving below.
        if inputs.is_empty() && failure.interleaving.is_empty() {
            writeln!(out, "  {} no input: it fails on every run", style.frame("with"))?;
        }
    }
    if !failure.interleaving.is_empty() {
        writeln!(out, "  {}", style.frame("interleaving:"))?;
        out.push_str(&lanes::render(&failure.interleaving, "    ", style));
    }
    writeln!(out, "  {} {}", style.frame("replay:"), failure.replay)
}

/// The other failures of a group.
fn write_ways(out: &mut String, group: &Group<'_>, style: Style) -> std::fmt::Result {
    let more = match group.more.len() {
        0 => return Ok(()),
        1 => "1 more way to reach it:".to_owned(),
        many => format!("{many} more ways to reach it:"),
    };
    writeln!(out, "  {}", style.frame(&more))?;
    for other in group.more.iter().take(SHOWN) {
        writeln!(out, "    {} {}", style.bad(&other.id), way(group.first, other))?;
    }
    match (group.more.len().checked_sub(SHOWN), group.more.last()) {
        (Some(left @ 1..), Some(last)) => writeln!(out, "    and {left} more, up to {}", last.id),
        _ => Ok(()),
    }
}

/// How schedules were explored, in one line.
pub(crate) fn schedules(interleaved: &Interleaved) -> String {
    let choices = interleaved.choices;
    let mut text = format!("{}, {choices} choice{}", interleaved.schedules, if choices == 1 { "" } else { "s" });
    let parts = [
        (interleaved.sleep_blocked, "run sleep-blocked", "runs sleep-blocked"),
        (interleaved.data_races, "data race", "data races"),
        (interleaved.restarts, "restart for memory that is shared", "restarts for memory that is shared"),
    ];
    for (count, one, many) in parts.into_iter().filter(|(count, ..)| *count > 0) {
        let _ = write!(text, ", {count} {}", if count == 1 { one } else { many });
    }
    text
}

fn write_search(out: &mut String, report: &Report) -> std::fmt::Result {
    let summary = &report.summary;
    let seconds = &summary.seconds;
    writeln!(out, "paths     {}", paths(summary))?;
    if let Some(interleaved) = &summary.interleaved {
        writeln!(out, "schedules {}", schedules(interleaved))?;
    }
    if let Some(Fuzzed { runs, joined }) = summary.fuzzed {
        writeln!(out, "fuzzing   {runs} runs of changed inputs, {joined} did something new")?;
    }
    // A complete search names them in its verdict.
    if !summary.complete && !summary.bounds.is_empty() {
        writeln!(out, "inputs   {}", covered(&summary.bounds).trim_start_matches(" for"))?;
    }
    writeln!(out, "arms      {}", arms(&summary.arms))?;
    if let Some(pruned) = &summary.pruning {
        let mut label = "pruning  ";
        for line in pruning::lines(pruned) {
            writeln!(out, "{label} {line}")?;
            label = "         ";
        }
    }
    for section in &report.words.sections {
        writeln!(out, "{:<9} {}", section.name, section.line.shown(ratio))?;
    }
    let branches = ("branches", summary.coverage.arms("/"));
    let branches = Some(branches).filter(|_| report.words.counted.is_empty() && summary.coverage.branches.total > 0);
    let others = report.counted().into_iter().filter(|(_, covered)| covered.total > 0).map(|(what, covered)| (what, ratio(covered)));
    let covered: Vec<String> = branches.into_iter().chain(others).map(|(what, covered)| format!("{what} {covered}")).collect();
    if !covered.is_empty() {
        writeln!(out, "coverage  {}", covered.join(", "))?;
    }
    writeln!(out, "time      {}", spent(seconds))?;
    writeln!(out, "search    {}, seed {}", summary.strategy, summary.seed)
}

/// How many paths and runs there were, in one line.
pub(crate) fn paths(summary: &Summary) -> String {
    let rejected = if summary.rejected > 0 { format!(", {} rejected by assumptions", summary.rejected) } else { String::new() };
    let jobs = if summary.jobs > 1 { format!(", {} jobs", summary.jobs) } else { String::new() };
    format!("{} in {} runs{rejected}{jobs}", summary.paths, summary.runs)
}

/// The arms by state, in one line: what there is none of is left out.
pub(crate) fn arms(arms: &Arms) -> String {
    let mut text = format!("{} taken, {} infeasible", arms.taken, arms.infeasible);
    let others =
        [(arms.open, "open"), (arms.unknown, "unknown"), (arms.diverged, "diverged"), (arms.pruned, "pruned"), (arms.subsumed, "subsumed")];
    for (count, state) in others.into_iter().filter(|(count, _)| *count > 0) {
        let _ = write!(text, ", {count} {state}");
    }
    text
}

/// Where the time went, in one line.
pub(crate) fn spent(seconds: &Seconds) -> String {
    let mut text = format!("{:.2} s: subject {:.2} s, solver {:.2} s", seconds.total, seconds.subject, seconds.solver);
    if seconds.confirming > 0.0 {
        let _ = write!(text, ", confirming {:.2} s", seconds.confirming);
    }
    text
}

fn ratio(ratio: Ratio) -> String {
    format!("{}/{} ({} %)", ratio.covered, ratio.total, ratio.percent())
}

fn write_limits(out: &mut String, limits: &[Limit], verbose: bool, style: Style) -> std::fmt::Result {
    // What may hide paths comes first and is never left out; the rest is for -v.
    // That nothing is an input is the verdict.
    let shown = limits.iter().filter(|limit| limit.kind != xcute_trace::Limit::NO_INPUT);
    let (cut, told): (Vec<&Limit>, Vec<&Limit>) = shown.partition(|limit| limit.incomplete);
    let shown = if verbose { usize::MAX } else { SHOWN };
    for (at, limit) in cut.iter().take(shown).enumerate() {
        let label = if at == 0 { style.warning("cut     ") } else { "        ".into() };
        writeln!(out, "{label}  {}: {} ({})", limit.kind, limit.what, times(limit.count))?;
    }
    if cut.len() > shown {
        writeln!(out, "          and {} more (-v shows all)", cut.len() - shown)?;
    }
    if verbose {
        for (at, limit) in told.iter().enumerate() {
            let label = if at == 0 { "note    " } else { "        " };
            writeln!(out, "{label}  {}: {} ({})", limit.kind, limit.what, times(limit.count))?;
        }
    } else if !told.is_empty() {
        writeln!(out, "notes     {} (-v shows them)", told.len())?;
    }
    Ok(())
}

pub(crate) fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{count} times") }
}

/// Table V's OPT columns: who answered which share of the queries.
fn write_layers(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let solver = &summary.solver;
    writeln!(
        out,
        "\nsolver    {} queries: {} sat, {} unsat, {} unknown, {:.3} s",
        solver.queries, solver.sat, solver.unsat, solver.unknown, solver.seconds
    )?;
    if solver.layers.is_empty() {
        return Ok(());
    }
    let width = solver.layers.iter().map(|layer| layer.layer.chars().count()).max().unwrap_or(0).max(5);
    writeln!(out, "  {:<width$} {:>9} {:>9} {:>9} {:>8} {:>8}  constraints", "layer", "seen", "sat", "unsat", "unknown", "answered")?;
    for layer in &solver.layers {
        writeln!(out, "  {}", row(layer, width).trim_end())?;
    }
    Ok(())
}

fn row(layer: &LayerShare, width: usize) -> String {
    let constraints =
        if layer.constraints_in == 0 { String::new() } else { format!("{} -> {}", layer.constraints_in, layer.constraints_out) };
    format!(
        "{:<width$} {:>9} {:>9} {:>9} {:>8} {:>6.1} %  {constraints}",
        layer.layer,
        layer.seen,
        layer.sat,
        layer.unsat,
        layer.unknown,
        layer.share * 100.0
    )
}
