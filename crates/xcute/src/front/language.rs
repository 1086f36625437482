//! What a language is: a command, programs that can be opened, and cases that can be repeated.

use std::path::Path;

use anyhow::Result;
use clap::{ArgMatches, Command};
use xcute_report::exchange::Rule;
use xcute_report::{LimitKind, Summary, Words};

use super::{Case, CaseText, Files, Need, Opened, Proposal, Testable};
use crate::plan::{OutputPlan, SearchPlan};

/// A language, or another kind of program. All of them are in [`crate::language::ALL`].
pub trait Language: Sync {
    /// Its command: name, help and arguments, without those that all searches have.
    fn command(&self) -> Command;

    /// A command line for the help of xcute, without the name of the tool.
    fn example(&self) -> &'static str;

    /// The word that its case files have in the field `language`.
    fn cases(&self) -> &'static str;

    /// Checks the command line and says what there is to be tested.
    fn open(&self, matches: &ArgMatches) -> Result<Opening>;

    /// Understands one of its case files.
    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>>;

    /// What the figures of a campaign are in the words of this language. `files` has what [`super::FrontEnd::conclude`] gave.
    fn words(&self, _summary: &Summary, _files: Files<'_>) -> Result<Words> {
        Ok(Words::default())
    }

    /// What it finds to test in the project in this directory; `None` where nothing there is of this language.
    fn propose(&self, _root: &Path) -> Result<Option<Proposal>> {
        Ok(None)
    }

    /// What can be tested in a file (a whole path) of the project in this directory, which is the working directory; `None` where the file is not of this language.
    fn testable(&self, _root: &Path, _file: &Path) -> Result<Option<Vec<Testable>>> {
        Ok(None)
    }

    /// What it needs of the system, and whether that is there.
    fn needs(&self) -> Vec<Need>;

    /// What its own kinds of failures mean: those that no other language has.
    fn kinds(&self) -> &'static [Rule] {
        &[]
    }

    /// What its own kinds of limits mean: those that no other language has.
    fn limits(&self) -> &'static [LimitKind] {
        &[]
    }

    /// Commands that are not searches.
    fn tools(&self) -> Vec<Tool> {
        Vec::new()
    }
}

/// A command that is not a search, and what the process ends with.
pub struct Tool {
    pub command: Command,
    /// A command line for the help of xcute, without the name of the tool; `None` where another one shows how to use it.
    pub example: Option<&'static str>,
    pub run: fn(&ArgMatches) -> u8,
}

/// What is to be tested: one part, or several, each by a campaign of its own.
pub struct Opening {
    pub parts: Vec<Part>,
    /// `None`: there is one part, and the results directory is its own.
    pub several: Option<Several>,
}

/// Names several parts together: functions of a module.
pub struct Several {
    /// What each is: `function`.
    pub what: &'static str,
    /// What they belong to.
    pub of: String,
}

/// Makes a part ready for a search.
pub type Open = Box<dyn FnOnce(&SearchPlan, &OutputPlan) -> Result<Box<dyn Opened>>>;

/// What one campaign is about.
pub struct Part {
    /// For people.
    pub name: String,
    /// The words that choose this part alone, at the end of the command line.
    pub words: Vec<String>,
    pub open: Open,
}

impl Opening {
    /// One part.
    pub fn one(open: impl FnOnce(&SearchPlan, &OutputPlan) -> Result<Box<dyn Opened>> + 'static) -> Opening {
        Opening { parts: vec![Part { name: String::new(), words: Vec::new(), open: Box::new(open) }], several: None }
    }
}
