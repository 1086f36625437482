//! `xcute test`: searches every entry of a project, with a line for each, and a total.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::json;

use super::entries::{Project, Ran, brief, names};
use super::show::rendered;
use crate::arguments::TestArguments;
use crate::exit::Exit;
use crate::project::Budget;
use crate::talk;

/// Searches the entries that were asked for.
pub fn run(low: &TestArguments) -> Result<Exit> {
    let project = Project::open(&low.project)?;
    let entries = project.chosen(&low.names)?;
    let width = entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let mut budget = Budget::new(low.project.time, entries.len());
    let mut all = Vec::new();
    for entry in &entries {
        if project.interrupt.came() {
            break;
        }
        let ran = project.search(entry, &mut budget, low.if_changed)?;
        if !project.show.json {
            talk::result(&line(&ran, width, &project))?;
        }
        all.push(ran);
    }
    let left_out: Vec<&str> = entries[all.len()..].iter().map(|entry| entry.name.as_str()).collect();
    if project.show.json {
        let failing: Vec<&str> = all.iter().filter(|ran| ran.exit == Exit::Failures).map(|ran| ran.name.as_str()).collect();
        let document = json!({ "entries": all.iter().map(Ran::json).collect::<Vec<_>>(), "failing": failing, "left_out": left_out });
        talk::result(&(serde_json::to_string_pretty(&document)? + "\n"))?;
    } else {
        talk::result(&total(&all, &left_out))?;
    }
    project.write_reports(&all.iter().collect::<Vec<_>>())?;
    let cut = (!left_out.is_empty()).then_some(Exit::Interrupted);
    Ok(Exit::worst(all.iter().map(|ran| ran.exit).chain(cut)))
}

/// What became of one entry.
fn line(ran: &Ran, width: usize, project: &Project) -> String {
    let mut out = format!("{:<width$}  {}\n", ran.name, ran.verdict);
    if project.show.verbose {
        ran.reports.iter().for_each(|report| out += &(rendered(report, project.show) + "\n"));
    } else if !project.show.quiet {
        ran.failures(project.show).for_each(|(failure, doubt)| out += &brief(failure, doubt));
    }
    out
}

/// What became of all of them.
fn total(all: &[Ran], left_out: &[&str]) -> String {
    let of = |exit: Exit| all.iter().filter(move |ran| ran.exit == exit).map(|ran| ran.name.as_str());
    let count = all.len() + left_out.len();
    let entries = format!("{count} {}", if count == 1 { "entry" } else { "entries" });
    let mut out = match of(Exit::Failures).count() {
        0 => format!("no failure in {entries}"),
        failing => format!("{failing} of {entries} can fail: {}", names(of(Exit::Failures))),
    };
    // Writing to a string cannot fail.
    let mut add = |what: &str, which: Vec<&str>| _ = if which.is_empty() { Ok(()) } else { write!(out, "; {what}: {}", names(which)) };
    add("not tested", all.iter().filter(|ran| !ran.whole).map(|ran| ran.name.as_str()).collect());
    let open = all.iter().filter(|ran| ran.whole && !ran.complete()).map(|ran| ran.name.as_str());
    add("not complete", open.collect());
    add("interrupted before", left_out.to_vec());
    out + "\n"
}
