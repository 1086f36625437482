//! Where a campaign comes from, and what it recorded: `campaign.json` and the journal.
//!
//! A results directory knows the command line it comes from and the program it was made with. Another program would make the recorded runs mean something else.
//!
//! **Invariant.** A program that is not the same is refused before anything in the directory changes, or is shown.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use xcute_engine::Record;

use super::directory::{Directory, ORIGIN};
use super::journal::{Journal, Past};
use crate::front::FrontEnd;
use crate::plan::OutputPlan;

/// Where a campaign comes from.
#[derive(Debug, Serialize, Deserialize)]
pub struct Origin {
    /// The working directory.
    pub directory: PathBuf,
    /// The command line, without the name of the tool.
    pub arguments: Vec<String>,
    /// What identifies the instrumented program; empty for several campaigns, each of which has its own origin.
    pub program: String,
    /// Of several campaigns, the names of their directories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PathBuf>,
}

impl Origin {
    /// The campaign that this process runs, with its own command line if it has one.
    fn here(program: String, words: Option<Vec<String>>) -> Result<Origin> {
        let directory = std::env::current_dir().context("cannot find out the current directory")?;
        let arguments = words.unwrap_or_else(typed);
        Ok(Origin { directory, arguments, program, parts: Vec::new() })
    }

    /// Several campaigns that this command line asks for, with their directories.
    pub fn of_several(arguments: Vec<String>, parts: Vec<PathBuf>) -> Result<Origin> {
        Ok(Origin { parts, ..Origin::here(String::new(), Some(arguments))? })
    }

    /// Writes the origin of several campaigns, whose results directories will be below this one.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let place = Directory::above(dir)?;
        place.origin(&self.text()?)
    }

    /// Whether a directory has one.
    pub fn is_in(dir: &Path) -> bool {
        dir.join(ORIGIN).is_file()
    }

    /// Reads the origin of a results directory.
    pub fn read(dir: &Path) -> Result<Origin> {
        let path = dir.join(ORIGIN);
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot resume {}: cannot read {} (is it a results directory?)", dir.display(), path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("cannot understand {}", path.display()))
    }

    /// As a file.
    fn text(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
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

impl Begun {
    /// The journal, to be written on, and all that was recorded up to now.
    pub fn again(&self) -> Result<(Journal, Vec<Record>)> {
        self.journal.flush()?;
        let (past, journal) = Journal::open(&self.directory.journal())?;
        Ok((journal, past.records))
    }
}

/// Makes the results directory ready: a new one, or the one to continue.
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

/// Whether a directory holds the results of a campaign with this program and this command line, which ended by itself. How long it was to search does not count.
pub fn unchanged<F: FrontEnd>(front: &F, subject: &F::Subject, depth: u32, output: &OutputPlan) -> Result<bool> {
    let Some(old) = Origin::is_in(&output.dir).then(|| Origin::read(&output.dir)).and_then(Result::ok) else { return Ok(false) };
    let new = Origin::here(identity(front, subject, depth), output.words.clone())?;
    let text = std::fs::read_to_string(output.dir.join(super::directory::SUMMARY)).unwrap_or_default();
    let ended = xcute_report::parse(&text).is_ok_and(|summary| !["interrupted", "unwritten", "subject"].contains(&summary.stop.as_str()));
    Ok(ended && old.program == new.program && old.directory == new.directory && lasting(&old.arguments) == lasting(&new.arguments))
}

/// The words that say what is searched, and how.
fn lasting(arguments: &[String]) -> Vec<&String> {
    arguments.iter().filter(|word| *word != "--if-changed" && !word.starts_with("--time=")).collect()
}

/// What the campaign in a directory recorded; nothing there is changed.
pub fn past<F: FrontEnd>(front: &F, subject: &F::Subject, depth: u32, dir: &Path) -> Result<Vec<Record>> {
    let directory = Directory::of(dir)?;
    same(dir, &identity(front, subject, depth))?;
    recalled(front, Journal::read(&directory.journal())?, &directory)
}

/// What identifies the program and how far it is explored.
fn identity<F: FrontEnd>(front: &F, subject: &F::Subject, depth: u32) -> String {
    format!("{}-{depth}", front.identity(subject))
}

fn same(dir: &Path, program: &str) -> Result<()> {
    if Origin::read(dir)?.program == program {
        return Ok(());
    }
    let dir = dir.display();
    bail!("cannot use the campaign in {dir}: the program, its flags or its options changed since the campaign began (start a new one)");
}

/// The records, after the front end has taken over the variables that they are about.
fn recalled<F: FrontEnd>(front: &F, past: Past, directory: &Directory) -> Result<Vec<Record>> {
    for (_, variables) in &past.variables {
        front.recall(variables).with_context(|| format!("cannot understand {}", directory.journal().display()))?;
    }
    Ok(past.records)
}

/// Whether a campaign has nothing left to do.
pub fn complete(dir: &Path) -> bool {
    let text = std::fs::read_to_string(dir.join(super::directory::SUMMARY)).unwrap_or_default();
    xcute_report::parse(&text).is_ok_and(|summary| summary.complete)
}
