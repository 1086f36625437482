//! One campaign from a subject that is ready to a results directory that is complete. The same for every language.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use xcute_engine::{Campaign, Found};
use xcute_report::{InputValue, Report, terminal};
use xcute_term::Terms;
use xcute_trace::Subject;

use crate::exit::Exit;
use crate::front::FrontEnd;
use crate::interrupt::Interrupt;
use crate::observer::Watch;
use crate::plan::{OutputPlan, SearchPlan, Show};
use crate::progress::Progress;
use crate::results::Directory;
use crate::{solvers, summary, talk};

/// Searches, writes the results directory and prints the summary.
pub fn run<F: FrontEnd>(front: &mut F, subject: &mut F::Subject, search: &SearchPlan, output: &OutputPlan) -> Result<Exit> {
    let directory = Directory::create(&output.dir)?;
    let interrupt = Interrupt::listen()?;
    let progress = Progress::new(output.progress, front.name());
    let seeds = front.seeds();
    let strategy = search.strategy.build(subject.sites(), search.seed);
    let mut watch = Watch {
        front,
        directory: &directory,
        keep: output.keep,
        time: search.time,
        interrupt,
        progress,
        start: Instant::now(),
        trouble: None,
    };
    let mut campaign = Campaign::new(subject, solvers::chain(search.layers), strategy, search.options);
    campaign.begin_with(seeds);
    let ended = campaign.run(&mut watch).map(|_| ());
    let Watch { front, interrupt, progress, trouble, .. } = watch;
    drop(progress);
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    let results = campaign.results().clone();
    let (failures, inputs) = failures(front, campaign.terms(), results.confirmed(), &directory)?;
    drop(campaign);
    let coverage = front.coverage(subject);
    let frame = summary::Frame {
        language: front.language(),
        subject: front.name(),
        strategy: search.strategy.as_str(),
        seed: search.seed,
        interrupted: interrupt.came(),
        coverage: coverage.totals(),
        failures,
    };
    let summary = summary::of(&results, frame);
    let sources = read_sources(coverage.files.keys().chain(summary.failures.iter().map(|failure| &failure.file)));
    let report = Report { summary, inputs, coverage, sources };
    directory.finish(&report)?;
    show(&report, output.show)?;
    if let Err(error) = ended {
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

type Failures = (Vec<xcute_report::Failure>, BTreeMap<String, Vec<InputValue>>);

/// Writes the files of each failure.
fn failures<'a, F: FrontEnd>(front: &F, terms: &Terms, found: impl Iterator<Item = &'a Found>, directory: &Directory) -> Result<Failures> {
    let (mut list, mut inputs) = (Vec::new(), BTreeMap::new());
    for (number, found) in (1..).zip(found) {
        let id = format!("f{number}");
        let mut failure = found.failure.clone();
        failure.stack.iter_mut().for_each(|frame| frame.file = front.file(&frame.file));
        let case = directory.failure(&id, &front.case_file(terms, &found.case, Some(&failure)))?;
        if let Some(test) = front.standalone(terms, &found.case, &failure, &id) {
            directory.failure(&id, &test)?;
        }
        front.export(&found.case, Some(&failure))?;
        for (name, text) in front.beside() {
            directory.beside(name, text)?;
        }
        inputs.insert(id.clone(), front.inputs(terms, &found.case));
        let place = failure.stack.first();
        list.push(xcute_report::Failure {
            id,
            kind: failure.kind,
            message: failure.message.clone(),
            file: place.map_or_else(String::new, |frame| frame.file.clone()),
            line: place.map_or(0, |frame| frame.line),
            function: place.map_or_else(String::new, |frame| frame.function.clone()),
            stack: failure.stack.clone(),
            case: case.display().to_string(),
            replay: format!("xcute replay {}", quoted(&case)),
            replayed: found.confirmed,
        });
    }
    Ok((list, inputs))
}

/// A path as a shell needs it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "/._-+,:@%".contains(c));
    if plain { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests;
