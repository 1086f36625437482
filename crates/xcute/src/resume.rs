//! `xcute resume`, and `--resume`: goes on with a campaign that ended, or was ended, before it was complete.
//!
//! A results directory knows the command line it comes from and the program it was made with (`campaign.json`). Only budgets and what is shown
//! may be changed; another program would make the recorded runs mean something else.
//!
//! **Invariant.** A program that is not the same is refused before anything in the directory changes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Parser;
use serde::{Deserialize, Serialize};
use xcute_engine::Record;

use crate::arguments::{Arguments, Command, OutputArguments, ReportArguments, ResumeArguments, SearchArguments, ShowArguments};
use crate::exit::Exit;
use crate::front::FrontEnd;
use crate::journal::{Journal, Past};
use crate::plan::OutputPlan;
use crate::results::Directory;
use crate::{c, clp, erl, plan, program, report, talk};

/// The file with the origin of a campaign.
pub const FILE: &str = "campaign.json";

/// Where a campaign comes from.
#[derive(Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The working directory.
    pub directory: PathBuf,
    /// The command line, without the name of the tool.
    pub arguments: Vec<String>,
    /// What identifies the instrumented program.
    pub program: String,
}

impl Origin {
    /// The campaign that this process runs, with its own command line if it has one.
    pub fn here(program: String, words: Option<Vec<String>>) -> Result<Origin> {
        let directory = std::env::current_dir().context("cannot tell the current directory")?;
        let arguments = words.unwrap_or_else(typed);
        Ok(Origin { directory, arguments, program })
    }

    /// Reads the origin of a results directory.
    pub fn read(dir: &Path) -> Result<Origin> {
        let path = dir.join(FILE);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot go on with {}: cannot read {} (is it a results directory?)", dir.display(), path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("cannot understand {}", path.display()))
    }

    /// As a file.
    pub fn text(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The command, with every path as it was meant.
    pub fn command(&self) -> Result<Command> {
        std::env::set_current_dir(&self.directory).with_context(|| format!("cannot go to {}", self.directory.display()))?;
        let words = std::iter::once("xcute").chain(self.arguments.iter().map(String::as_str)).map(OsString::from);
        Ok(Arguments::try_parse_from(words).context("cannot understand the recorded command line")?.command)
    }
}

/// The command line as it was typed, without the name of the tool.
pub fn typed() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// A results directory that is ready for a campaign.
pub struct Begun {
    pub directory: Directory,
    pub journal: Journal,
    /// What was done before.
    pub past: Vec<Record>,
}

/// Makes the results directory ready: a new one, or the one to go on with.
pub fn begin<F: FrontEnd>(front: &F, subject: &F::Subject, depth: u32, output: &OutputPlan) -> Result<Begun> {
    let program = identity(front, subject, depth);
    if !output.resume {
        let directory = Directory::create(&output.dir)?;
        let journal = Journal::create(&directory.journal())?;
        directory.origin(&Origin::here(program, output.words.clone())?.text()?)?;
        return Ok(Begun { directory, journal, past: Vec::new() });
    }
    let directory = Directory::reopen(&output.dir)?;
    same(&output.dir, &program)?;
    let (past, journal) = Journal::open(&directory.journal())?;
    let past = recalled(front, past, &directory)?;
    Ok(Begun { directory, journal, past })
}

/// What the campaign in a directory recorded; nothing there is changed.
pub fn past<F: FrontEnd>(front: &F, subject: &F::Subject, depth: u32, dir: &Path) -> Result<Vec<Record>> {
    let directory = Directory::of(dir)?;
    same(dir, &identity(front, subject, depth))?;
    recalled(front, Journal::read(&directory.journal())?, &directory)
}

/// What identifies the program and how far it is explored.
fn identity<F: FrontEnd>(front: &F, subject: &F::Subject, depth: u32) -> String {
    format!("{}-{depth}", front.fingerprint(subject))
}

fn same(dir: &Path, program: &str) -> Result<()> {
    if Origin::read(dir)?.program == program {
        return Ok(());
    }
    let dir = dir.display();
    bail!("cannot use the campaign in {dir}: the program, its flags or its options changed since the campaign began (begin a new one)");
}

/// The records, after the front end has taken over the variables that they are about.
fn recalled<F: FrontEnd>(front: &F, past: Past, directory: &Directory) -> Result<Vec<Record>> {
    for (_, variables) in &past.variables {
        front.recall(variables).with_context(|| format!("cannot understand {}", directory.journal().display()))?;
    }
    Ok(past.records)
}

/// Goes on with the campaign in a directory.
pub fn run(low: ResumeArguments) -> Result<Exit> {
    let dir = low.dir.canonicalize().with_context(|| format!("cannot read {}", low.dir.display()))?;
    let origin = Origin::read(&dir)?;
    if complete(&dir) {
        return again(low.dir, low.show);
    }
    match origin.command()? {
        Command::C(mut command) => {
            change(low, &dir, &mut command.search, &mut command.output);
            c::run(&plan::c(command)?)
        }
        Command::Run(mut command) => {
            change(low, &dir, &mut command.search, &mut command.output);
            program::run(&program::plan::run(command)?)
        }
        Command::Clp(mut command) => {
            change(low, &dir, &mut command.search, &mut command.output);
            clp::run(&clp::plan::clp(command)?)
        }
        Command::Erl(mut command) => {
            change(low, &dir, &mut command.search, &mut command.output);
            erl::run(erl::plan::erl(command)?)
        }
        _ => bail!("cannot understand the recorded command line: xcute {}", origin.arguments.join(" ")),
    }
}

/// What a `--resume` with no program asks for; `None` where there is none, or a program is given as well.
pub fn asked(low: &crate::arguments::CArguments) -> Option<ResumeArguments> {
    let dir = low.output.resume.clone().filter(|_| low.files.is_empty())?;
    let SearchArguments { time, memory, runs, stop_at, jobs, .. } = low.search;
    let (no_progress, show) = (low.output.no_progress, low.output.show.clone());
    Some(ResumeArguments { dir, time, memory, runs, stop_at, jobs: (jobs != 1).then_some(jobs), no_progress, show })
}

fn change(low: ResumeArguments, dir: &Path, search: &mut SearchArguments, output: &mut OutputArguments) {
    search.time = low.time.or(search.time);
    search.memory = low.memory.or(search.memory);
    search.runs = low.runs.or(search.runs);
    search.stop_at = low.stop_at.or(search.stop_at);
    search.jobs = low.jobs.unwrap_or(search.jobs);
    output.resume = Some(dir.to_owned());
    output.no_progress = low.no_progress;
    output.show = low.show;
}

/// Whether a campaign has nothing left to do.
fn complete(dir: &Path) -> bool {
    let text = std::fs::read_to_string(dir.join("summary.json")).unwrap_or_default();
    xcute_report::parse(&text).is_ok_and(|summary| summary.complete)
}

/// Shows what a complete campaign found.
fn again(dir: PathBuf, show: ShowArguments) -> Result<Exit> {
    talk::say(&format!("the campaign in {} is complete already", dir.display()));
    report::run(&ReportArguments { dir, show })
}
