//! One campaign from a subject that is ready to a results directory that is complete. The same for every language.

use std::time::Duration;

use anyhow::{Result, bail};
use xcute_engine::{Equipment, Fuzz, Options, Results, StopReason, run_all};
use xcute_report::{Coverage, Report, SourceCoverage, Words};
use xcute_strategy::StrategyName;
use xcute_term::profile::phase;
use xcute_trace::{Sites, Subject};

use super::progress::Progress;
use super::show::{exit, read_sources, show, shown_files, words};
use super::watch::{Budget, Watch};
use super::{exchange, profile, provenance, reread};
use crate::exit::Exit;
use crate::front::{Conclusion, FrontEnd};
use crate::here::seen_from_here;
use crate::interrupt::Interrupt;
use crate::plan::{OutputPlan, SearchPlan};
use crate::results::Sources;
use crate::results::failures::Failures;
use crate::results::origin::{self, Begun};
use crate::results::summary::{self, Asked, Frame};
use crate::until::until;
use crate::{bug, size, solvers, talk};

/// What is asked after the search may take this part of its time again, and at least [`A_MOMENT`], besides what is left of it.
const AFTERWARDS: u32 = 16;
const A_MOMENT: Duration = Duration::from_millis(300);

/// Searches with all subjects, one worker each, writes the results directory and prints the summary.
pub fn run<F: FrontEnd>(front: &F, subjects: &mut [F::Subject], search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
    if search.strategy == StrategyName::Testing && !front.random_inputs() {
        bail!(
            "random testing needs inputs that are made up at random, which xcute {} does not do (choose another --strategy)",
            front.language()
        );
    }
    if search.options.fuzz == Fuzz::Only && !front.random_inputs() {
        bail!("cannot use --fuzz only: xcute {} does not change inputs at random", front.language());
    }
    // What chance has no part in is searched as if there were none.
    let options = Options { fuzz: if front.random_inputs() { search.options.fuzz } else { Fuzz::Off }, ..search.options };
    let sites = subjects[0].sites().clone();
    // From here on a signal leaves results: whoever sees the directory may send one.
    let interrupt = Interrupt::listen();
    if output.if_changed && origin::unchanged(front, &subjects[0], search.options.depth, output)? {
        talk::say(&format!("nothing changed since the campaign in {}", seen_from_here(&output.dir).display()));
        return reread::shown(&output.dir, output.show);
    }
    let mut begun = origin::begin(front, &subjects[0], search.options.depth, output)?;
    if output.resume && origin::complete(&output.dir) {
        talk::say(&format!("the campaign in {} is already complete", seen_from_here(&output.dir).display()));
        return reread::shown(&output.dir, output.show);
    }
    let (budget, jobs, mut earlier) = (Budget { time: search.time, memory: search.memory }, subjects.len() as u64, None);
    let mut slower = Results::default();
    let (watch, (mut results, error)) = loop {
        let progress = Progress::new(output.progress, front.name()).within(search.time);
        let watch = Watch::new(front, &begun, output.keep, budget, interrupt.clone(), progress).after(earlier.take());
        let equipment = Equipment {
            solver: &|| solvers::logged(search.layers, search.log.as_ref()),
            strategy: &|sites, worker| front.strategy(search.strategy.build(sites, search.seed.wrapping_add(worker)), sites),
            options,
            seeds: &front.seeds(),
            past: &begun.past,
        };
        let last_will = LastWill { front, sites: &sites, search, output, jobs, begun: &begun, watch: &watch };
        front.begins(&watch.flag);
        let found = until(|| watch.look(), &watch.flag, || last_will.execute(), || bug::caught(|| run_all(subjects, &equipment, &watch)));
        let found = match found {
            Ok(found) => found,
            Err(error) => return Err(last_will.left(error)),
        };
        if found.0.stop != Some(StopReason::Asked) || found.1.is_some() || watch.asked() != Asked::Faster {
            break (watch, found);
        }
        let (journal, past) = match begun.again() {
            Ok(again) => again,
            Err(error) => {
                watch.written(Err(error));
                break (watch, found);
            }
        };
        slower.spent(&found.0);
        earlier = Some(watch.into_earlier());
        {
            let _line = Progress::building(output.progress, front.name());
            let _phase = phase("building");
            front.speed_up(subjects);
        }
        (begun.journal, begun.past) = (journal, past);
    };
    results.spent(&slower);
    let (begun_at, asked, caught_up) = (watch.start, watch.asked(), watch.caught_up());
    let (timeline, first) = (watch.timeline(), watch.first());
    let (mut failures, mut trouble) = watch.into_failures();
    let line = Progress::new(output.progress, front.name());
    line.say("writing results");
    let writing = phase("writing");
    // Whatever cannot be written, what was found is shown.
    let mut tried = |result: Result<()>| trouble = trouble.take().or(result.err());
    tried(begun.journal.flush());
    if !caught_up && error.is_none() {
        return trouble.map_or_else(|| not_caught_up(asked, search, output), Err);
    }
    if results.stop == Some(StopReason::Exhausted) && results.inputs == 0 {
        front.no_input().into_iter().for_each(|limit| results.note(limit));
    }
    failures.conclude(&results.failures);
    let unconfirmed = failures.unconfirmed();
    let Failures { mut list, mut inputs, .. } = failures;
    let coverage = front.coverage(subjects);
    let allowed = search.time.map(|time| time + (time / AFTERWARDS).max(A_MOMENT));
    let over = || interrupt.came() || asked == Asked::Memory || allowed.is_some_and(|allowed| begun_at.elapsed() >= allowed);
    let concluding = phase("concluding");
    let Conclusion { figures, files, found, limits } = front.conclude(subjects, search, &over);
    drop(concluding);
    limits.into_iter().for_each(|limit| results.note(limit));
    for (failure, input) in found {
        inputs.insert(failure.id.clone(), input);
        list.push(failure);
    }
    if front.counts_reached_files() {
        results.branches.1 = coverage.totals().branches.total.max(results.branches.0);
    }
    // What a complete search met and never took cannot be taken; where paths were left to others it was not looked at.
    let branchless = coverage.files.values().all(|file| file.branches.is_empty());
    let missed = || if branchless { provenance::missed(&sites, &first) } else { coverage.missed() };
    let infeasible = if results.complete && results.arms.subsumed == 0 { missed() } else { 0 };
    let frame = Frame {
        coverage: Coverage { infeasible, ..coverage.totals() },
        own: figures,
        failures: list,
        unconfirmed,
        timeline,
        ..Frame::of(front, search, jobs, asked)
    };
    let summary = summary::of(&results, frame);
    let sources = read_sources(coverage.files.keys().chain(shown_files(&summary)));
    let (tree, paths) = (summary::tree(front, &results, &sites), summary::paths(front, &results, &sites));
    // What was written while the search ran is there already.
    let written = |name: &str| std::fs::read_to_string(output.dir.join(name)).ok();
    let file = |name: &str| files.iter().find(|(known, _)| *known == name).map(|(_, text)| text.clone()).or_else(|| written(name));
    let words = words(&summary, &file).unwrap_or_else(|error| {
        tried(Err(error));
        Words::default()
    });
    let arms = provenance::arms(&sites, &first, &begun.directory);
    let reached = provenance::reached(&coverage, &first, &begun.directory);
    let (provenance, failing) = (Some(provenance::of(&summary, output)), provenance::files(&summary, &begun.directory));
    let report = Report { summary, inputs, coverage, words, provenance, files: failing, arms, reached, paths, tree, sources };
    for (name, text) in &files {
        tried(begun.directory.add(name, text).map(|_| ()));
    }
    tried(begun.directory.finish(&report, &Sources::of(&report.sources, output.began)));
    drop(line);
    show(&report, output.show)?;
    if let Some(advice) = front.advice(&report.summary).filter(|_| !output.show.quiet) {
        talk::say(&advice);
    }
    let line = Progress::new(output.progress, front.name());
    line.say("writing tests");
    tried(front.last(&|name, text| begun.directory.add(name, text), output.show));
    drop(line);
    drop(writing);
    tried(profile::conclude(&report, &begun.directory, output));
    tried(begun.directory.conclude(&report));
    if let Some(error) = error {
        bail!("{error} (the results so far are in {})", output.dir.display());
    }
    match trouble {
        Some(trouble) => Err(trouble.context("not all results could be written")),
        None => Ok(exit(&report, output.show)),
    }
}

/// Ends a campaign that had to stop before it had repeated what an earlier one recorded: what is known now is less than what the directory holds.
fn not_caught_up(asked: Asked, search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
    let dir = output.dir.display();
    match (asked, search.memory) {
        (Asked::Memory, Some(most)) => {
            let most = size::shown(most);
            bail!(
                "cannot resume {dir}: its runs so far need more than {most} of memory (allow more with --memory; the results are as they were)"
            )
        }
        _ => bail!("cannot resume {dir}: interrupted while its runs were repeated (the results are as they were)"),
    }
}

/// What is done where a search does not end though it has to: all that was found is written and shown, and the process ends.
struct LastWill<'a, F: FrontEnd> {
    front: &'a F,
    sites: &'a Sites,
    search: &'a SearchPlan,
    output: &'a OutputPlan,
    jobs: u64,
    begun: &'a Begun,
    watch: &'a Watch<'a, F>,
}

impl<F: FrontEnd> LastWill<'_, F> {
    fn execute(&self) {
        let ended = self.write().unwrap_or_else(|error| {
            talk::error(&error);
            Exit::CouldNot
        });
        talk::say("the search ignored the request to stop and was abandoned; coverage is not known (xcute resume continues it)");
        crate::exit::leave(ended.code());
    }

    /// The same where the search ended with a panic: then xcute ends, too.
    fn left(&self, error: anyhow::Error) -> anyhow::Error {
        self.watch.break_off();
        match self.write() {
            Ok(_) => error.context(format!("what was found so far is in {}", self.output.dir.display())),
            Err(more) => more.context(error),
        }
    }

    fn write(&self) -> Result<Exit> {
        let flushed = self.begun.journal.flush();
        if !self.watch.caught_up() {
            return flushed.and_then(|()| not_caught_up(self.watch.asked(), self.search, self.output));
        }
        let (list, unconfirmed, inputs, figures) = self.watch.so_far();
        let mut results = Results { stop: Some(StopReason::Asked), total_time: self.watch.start.elapsed(), ..Results::default() };
        (results.runs, results.paths, results.branches, results.arms.open) = (figures.runs, figures.paths, figures.branches, figures.open);
        let (coverage, front) = (SourceCoverage::default(), self.front);
        let frame = Frame {
            coverage: coverage.totals(),
            failures: list,
            unconfirmed,
            ..Frame::of(front, self.search, self.jobs, self.watch.asked())
        };
        let summary = summary::of(&results, frame);
        let sources = read_sources(shown_files(&summary));
        let tree = summary::tree(front, &results, self.sites);
        let words = words(&summary, &|_| None)?;
        let provenance = Some(provenance::of(&summary, self.output));
        let report = Report { inputs, coverage, words, provenance, tree, sources, ..Report::of(summary) };
        // Whatever cannot be written, what was found is shown.
        let directory = &self.begun.directory;
        let sources = Sources::of(&report.sources, self.output.began);
        let written = flushed.and_then(|()| directory.finish(&report, &sources)).and_then(|()| directory.conclude(&report));
        show(&report, self.output.show)?;
        let dirs: Vec<_> = self.output.earlier.iter().chain([&self.output.dir]).cloned().collect();
        written.and_then(|()| exchange::write_all(&dirs, &self.output.reports, self.output.show))?;
        Ok(exit(&report, self.output.show))
    }
}

#[cfg(test)]
mod tests;
