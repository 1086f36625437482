//! `xcute ci`: repeats the cases that are kept with a project, searches its entries, and fails only on what is new.
//!
//! **Invariant.** What is known is shown as known, and never dropped; an entry that could not be tested is not a success.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;
use xcute_report::Failure;

use super::entries::{Project, Ran, names};
use super::exchange;
use crate::arguments::CiArguments;
use crate::exit::Exit;
use crate::project::{Baseline, Budget, Entry, Keeper, KnownFailure, Reach, Reruns};
use crate::talk;

/// What a pipeline has to know of an entry.
struct Judged {
    ran: Ran,
    reruns: Reruns,
    /// What was found: known or not, and the command that repeats it.
    found: Vec<(KnownFailure, Failure)>,
    /// What was known, and was not found.
    gone: Vec<KnownFailure>,
    /// Whether it has to be complete, and is not.
    incomplete: bool,
}

/// Judges a project.
pub fn run(low: &CiArguments) -> Result<Exit> {
    let project = Project::open(&low.project)?;
    let ci = &project.manifest.ci;
    let entries = project.chosen(&low.names)?;
    let mut baseline = Baseline::read(&ci.baseline)?;
    let time = low.project.time.or(ci.time);
    let begin = Instant::now();
    // At least half of the time is left for what is not known yet.
    let until = time.map(|time| begin + time / 2);
    let mut reruns = Vec::new();
    for entry in &entries {
        reruns.push(keeper(&project, entry).rerun(until)?);
    }
    let mut budget = Budget::new(time.map(|time| time.saturating_sub(begin.elapsed())), entries.len());
    let mut all = Vec::new();
    for (entry, reruns) in entries.iter().zip(reruns) {
        if project.interrupt.came() {
            break;
        }
        let ran = project.search(entry, &mut budget, false)?;
        let judged = judge(&project, ran, reruns, &baseline, low.require_complete || ci.complete.includes(&entry.name))?;
        if !project.show.json {
            talk::result(&text(&judged, &baseline, &project))?;
        }
        all.push(judged);
    }
    let left_out: Vec<&str> = entries[all.len()..].iter().map(|entry| entry.name.as_str()).collect();
    if project.show.json {
        talk::result(&document(&all, &baseline, &left_out)?)?;
    } else {
        talk::result(&total(&all, &baseline, &left_out))?;
    }
    let ran: Vec<&Ran> = all.iter().map(|judged| &judged.ran).collect();
    project.write_reports(&ran)?;
    let mut exits: Vec<Exit> = all.iter().map(|judged| exit(judged, &baseline)).collect();
    exits.extend((!left_out.is_empty()).then_some(Exit::Interrupted));
    if low.update_baseline {
        update(&project, &all, &mut baseline)?;
        exits.iter_mut().filter(|exit| **exit == Exit::Failures).for_each(|exit| *exit = Exit::NoFailure);
    }
    Ok(Exit::worst(exits))
}

fn keeper<'a>(project: &'a Project, entry: &Entry) -> Keeper<'a> {
    Keeper { root: &project.manifest.root, directory: project.manifest.ci.cases.join(&entry.name), interrupt: &project.interrupt }
}

fn judge(project: &Project, ran: Ran, reruns: Reruns, baseline: &Baseline, required: bool) -> Result<Judged> {
    let known = |(failure, fingerprint): (Failure, String)| {
        let record = KnownFailure {
            entry: ran.name.clone(),
            fingerprint,
            kind: failure.kind.name().to_owned(),
            message: failure.message.clone(),
            file: failure.file.clone(),
            line: failure.line,
            function: failure.function.clone(),
        };
        (record, failure)
    };
    let found: Vec<_> = exchange::fingerprinted(&ran.dirs, &project.manifest.root, project.show)?.into_iter().map(known).collect();
    let records: Vec<KnownFailure> = found.iter().map(|(record, _)| record.clone()).collect();
    let gone = if ran.whole { baseline.gone(&ran.name, &records).into_iter().cloned().collect() } else { Vec::new() };
    let incomplete = required && ran.whole && !ran.complete();
    Ok(Judged { ran, reruns, found, gone, incomplete })
}

/// What one entry alone ends with.
fn exit(judged: &Judged, baseline: &Baseline) -> Exit {
    let Judged { ran, reruns, found, incomplete, .. } = judged;
    let new = found.iter().any(|(record, _)| !baseline.knows(record)) || !reruns.failing.is_empty();
    match ran.exit {
        _ if new => Exit::Failures,
        _ if !ran.whole => Exit::CouldNot,
        Exit::Interrupted => Exit::Interrupted,
        _ if *incomplete => Exit::Incomplete,
        _ => Exit::NoFailure,
    }
}

/// Records what was found, and keeps the cases of entries that were searched.
fn update(project: &Project, all: &[Judged], baseline: &mut Baseline) -> Result<()> {
    let (mut kept, mut more) = (0, 0);
    for Judged { ran, found, gone, .. } in all {
        let records: Vec<KnownFailure> = found.iter().map(|(record, _)| record.clone()).collect();
        let reach = match (ran.whole, ran.complete()) {
            (false, _) => Reach::Nothing,
            (true, true) => Reach::Complete,
            (true, false) => Reach::Partly,
        };
        baseline.update(&ran.name, &records, reach);
        let entry = project.manifest.entries.iter().find(|entry| entry.name == ran.name);
        // Where a known failure was not found this time, its case is the only one there is.
        if let Some(entry) = entry.filter(|_| ran.whole && (gone.is_empty() || reach == Reach::Complete)) {
            let (own, others) = keeper(project, entry).keep(&ran.dirs)?;
            (kept, more) = (kept + own, more + others);
        }
    }
    let file = &project.manifest.ci.baseline;
    baseline.write(file)?;
    let rest = if more == 0 { String::new() } else { format!("; {more} more are not kept") };
    let failures = counted(baseline.failures.len(), "failure");
    talk::say(&format!(
        "wrote {} with {failures}, and {} to {}{rest}",
        file.display(),
        counted(kept, "case"),
        project.manifest.ci.cases.display()
    ));
    Ok(())
}

/// What one entry is like, for people.
fn text(judged: &Judged, baseline: &Baseline, project: &Project) -> String {
    let Judged { ran, reruns, found, gone, incomplete } = judged;
    let mut out = format!("{}: {}\n", ran.name, ran.verdict);
    // Writing to a string cannot fail.
    for kept in &reruns.failing {
        let _ = writeln!(out, "  new: {} passed, and fails now", kept.file.display());
    }
    for (record, failure) in found.iter().filter(|(record, _)| !baseline.knows(record)) {
        let _ = writeln!(out, "  new: {}\n    {}", record.text(), failure.replay);
    }
    if *incomplete {
        out += "  it has to be complete, and is not\n";
    }
    if project.show.quiet {
        return out;
    }
    for (record, _) in found.iter().filter(|(record, _)| baseline.knows(record)) {
        let _ = writeln!(out, "  known: {}", record.text());
    }
    for record in gone {
        let what = if ran.complete() { "fixed" } else { "not found this time" };
        let _ = writeln!(out, "  {what}: {}", record.text());
    }
    for kept in &reruns.passing {
        let _ = writeln!(out, "  {} failed, and passes now", kept.file.display());
    }
    for (kept, why) in &reruns.lost {
        let _ = writeln!(out, "  {} cannot be repeated: {why}", kept.file.display());
    }
    if reruns.left > 0 {
        let _ = writeln!(out, "  there was no time to repeat {}", counted(reruns.left, "kept case"));
    }
    out
}

/// How many failures are new, known, and fixed; a kept case that fails now is a new one.
fn counts(all: &[Judged], baseline: &Baseline) -> [usize; 3] {
    let known = all.iter().flat_map(|judged| &judged.found).filter(|(record, _)| baseline.knows(record)).count();
    let found: usize = all.iter().map(|judged| judged.found.len() + judged.reruns.failing.len()).sum();
    let fixed = all.iter().filter(|judged| judged.ran.complete()).map(|judged| judged.gone.len()).sum();
    [found - known, known, fixed]
}

/// What all entries are like.
fn total(all: &[Judged], baseline: &Baseline, left_out: &[&str]) -> String {
    let [new, known, fixed] = counts(all, baseline);
    let mut out = format!("{} new, {known} known, {fixed} fixed", counted(new, "failure"));
    let of = |which: &dyn Fn(&&Judged) -> bool| all.iter().filter(which).map(|judged| judged.ran.name.as_str()).collect::<Vec<_>>();
    let parts = [
        ("not tested", of(&|judged| !judged.ran.whole)),
        ("not complete, and has to be", of(&|judged| judged.incomplete)),
        ("interrupted before", left_out.to_vec()),
    ];
    for (what, which) in parts.into_iter().filter(|(_, which)| !which.is_empty()) {
        let _ = write!(out, "; {what}: {}", names(which));
    }
    let rerun: usize = all.iter().map(|judged| judged.reruns.count).sum();
    let _ = write!(out, "; {} repeated", counted(rerun, "kept case"));
    out + "\n"
}

/// The same for programs.
fn document(all: &[Judged], baseline: &Baseline, left_out: &[&str]) -> Result<String> {
    let found = |known: bool| {
        let found = all.iter().flat_map(|judged| &judged.found).filter(move |(record, _)| baseline.knows(record) == known);
        found.map(|(record, failure)| json!({ "failure": record, "replay": failure.replay })).collect::<Vec<_>>()
    };
    let gone = |complete: bool| {
        all.iter().filter(move |judged| judged.ran.complete() == complete).flat_map(|judged| &judged.gone).collect::<Vec<_>>()
    };
    let cases = |which: fn(&Reruns) -> Vec<PathBuf>| all.iter().flat_map(|judged| which(&judged.reruns)).collect::<Vec<_>>();
    let incomplete: Vec<&str> = all.iter().filter(|judged| judged.incomplete).map(|judged| judged.ran.name.as_str()).collect();
    let document = json!({
        "new": found(false),
        "known": found(true),
        "fixed": gone(true),
        "not_found": gone(false),
        "incomplete": incomplete,
        "kept": {
            "repeated": all.iter().map(|judged| judged.reruns.count).sum::<usize>(),
            "failing": cases(|reruns| reruns.failing.iter().map(|kept| kept.file.clone()).collect()),
            "passing": cases(|reruns| reruns.passing.iter().map(|kept| kept.file.clone()).collect()),
            "lost": cases(|reruns| reruns.lost.iter().map(|(kept, _)| kept.file.clone()).collect()),
            "left": all.iter().map(|judged| judged.reruns.left).sum::<usize>(),
        },
        "entries": all.iter().map(|judged| judged.ran.json()).collect::<Vec<_>>(),
        "left_out": left_out,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
