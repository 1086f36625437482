//! One campaign from a subject that is ready to a results directory that is complete. The same for every language.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use xcute_engine::{Equipment, Observer, StopReason, run_all};
use xcute_report::{Report, terminal};
use xcute_solver_z3::Interrupt as Queries;
use xcute_trace::Subject;

use crate::exit::Exit;
use crate::failures::Failures;
use crate::front::FrontEnd;
use crate::interrupt::Interrupt;
use crate::observer::Watch;
use crate::plan::{OutputPlan, SearchPlan, Show};
use crate::progress::Progress;
use crate::until::until;
use crate::{explain, resume, solvers, summary, talk};

/// What is asked after the search may take this part of its time again, beside what is left of it.
const AFTERWARDS: u32 = 4;

/// Searches with all subjects, one worker each, writes the results directory and prints the summary.
pub fn run<F: FrontEnd>(front: &F, subjects: &mut [F::Subject], search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
    if let Some(wanted) = &output.explain {
        return explain::answer(front, &mut subjects[0], search, output, wanted);
    }
    let sites = subjects[0].sites().clone();
    let begun = resume::begin(front, &subjects[0], search.options.depth, output)?;
    let interrupt = Interrupt::listen()?;
    let progress = Progress::new(output.progress, front.name());
    let watch = Watch::new(front, &begun, output.keep, search.time, interrupt.clone(), progress);
    let queries = Queries::default();
    let equipment = Equipment {
        solver: &|| solvers::chain(search.layers, &queries),
        strategy: &|sites, worker| search.strategy.build(sites, search.seed.wrapping_add(worker)),
        options: search.options,
        seeds: &front.seeds(),
        past: &begun.past,
    };
    let (mut results, error) = until(|| watch.stop(), &queries, || drop(begun.journal.flush()), || run_all(subjects, &equipment, &watch));
    begun.journal.flush()?;
    if results.stop == Some(StopReason::Exhausted) && results.inputs == 0 {
        front.no_input().into_iter().for_each(|limit| results.note(limit));
    }
    let begun_at = watch.start;
    let mut failures = watch.into_failures()?;
    failures.conclude(&results.failures);
    let Failures { list, inputs, .. } = failures;
    let coverage = front.coverage(subjects);
    let allowed = search.time.map(|time| time + time / AFTERWARDS);
    let choices = front.choices(subjects, search, &|| interrupt.came() || allowed.is_some_and(|allowed| begun_at.elapsed() >= allowed));
    let frame = summary::Frame {
        language: front.language(),
        subject: front.name(),
        strategy: search.strategy.as_str(),
        schedules: &search.options.scheduling.to_string(),
        prune: search.options.prune,
        bounds: front.bounds(),
        seed: search.seed,
        jobs: subjects.len() as u64,
        interrupted: interrupt.came(),
        coverage: coverage.totals(),
        choices: xcute_report::choice_counts(&choices),
        failures: list,
    };
    let summary = summary::of(&results, frame);
    let sources = read_sources(coverage.files.keys().chain(summary.failures.iter().flat_map(|failure| failure.files())));
    let tree = summary::tree(front, &results, &sites);
    let report = Report { summary, inputs, coverage, choices, tree, sources };
    begun.directory.finish(&report)?;
    show(&report, output.show)?;
    if let Some(advice) = front.advice(&report.summary).filter(|_| !output.show.quiet) {
        talk::say(&advice);
    }
    if let Some(error) = error {
        bail!("{error} (the results so far are in {})", output.dir.display());
    }
    Ok(exit(&report))
}

/// Prints a report in the form that was asked for.
pub fn show(report: &Report, show: Show) -> Result<()> {
    if show.json {
        return talk::result(&xcute_report::json(&report.summary));
    }
    let text = terminal::render(report, show.verbose, show.style);
    match text.split_inclusive('\n').next() {
        Some(verdict) if show.quiet => talk::result(verdict),
        _ => talk::result(&text),
    }
}

/// The exit code that a report asks for.
pub fn exit(report: &Report) -> Exit {
    if report.summary.failures.is_empty() { Exit::NoFailure } else { Exit::Failures }
}

/// The texts of these files, as far as they can be read.
pub fn read_sources<'a>(paths: impl Iterator<Item = &'a String>) -> BTreeMap<String, String> {
    paths.filter_map(|path| Some((path.clone(), String::from_utf8_lossy(&std::fs::read(path).ok()?).into_owned()))).collect()
}

#[cfg(test)]
mod tests;
