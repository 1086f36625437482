//! What the binary needs of a language: [`Language`] is what it is, [`FrontEnd`] a program of it made ready, [`Case`] a case to be repeated.
//!
//! **Invariant.** Nothing here names a language.

mod case;
mod language;
mod need;
mod opened;
mod proposal;

use std::path::PathBuf;

use anyhow::Result;
use xcute_engine::{Confirmation, Seed};
use xcute_report::{Figures, InputValue, SourceCoverage, Summary};
use xcute_strategy::Strategy;
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Bound, Failure, Limit, Outcome, Sites, Subject, TestCase};

use crate::plan::{SearchPlan, Show};
pub use case::{Care, Case, CaseText, case_file, held, outcome, recorded};
pub use language::{Language, Open, Opening, Part, Several, Tool};
pub use need::{Need, version};
pub use opened::{Opened, Ready};
pub use proposal::{Proposal, ProposedEntry, Testable, ends_with, first, sources, within};

/// A file to be written: what its name ends with, and its text.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    pub extension: &'static str,
    pub text: String,
}

/// A file that stands next to all standalone tests.
#[derive(Debug, PartialEq, Eq)]
pub struct Beside {
    pub name: String,
    pub contents: Vec<u8>,
}

/// Writes a file with this name and these contents to the results directory, and gives its path.
pub type Write<'a> = &'a dyn Fn(&str, &[u8]) -> Result<PathBuf>;

/// A file that a language wrote to the results directory; `None` where there is none of this name.
pub type Files<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What a front end finds out when the search is over.
#[derive(Debug, Default)]
pub struct Conclusion {
    /// What only this language counts.
    pub figures: Figures,
    /// Files for the results directory, by name.
    pub files: Vec<(String, String)>,
    /// What it found to be wrong besides what runs showed, with the inputs; their ids are its own.
    pub found: Vec<(xcute_report::Failure, Vec<InputValue>)>,
    /// What it found to be not exact, or not known.
    pub limits: Vec<Limit>,
}

/// Why a failure was not repeated.
pub const NO_TIME: &str = "the time was up before it could be repeated (xcute resume does so)";

/// A front end with one program made ready. Cases come in the numbering that all its subjects share ([`Subject::export`]).
pub trait FrontEnd: Sync {
    /// What runs the cases.
    type Subject: Subject + Send;

    /// The language's name in the summary.
    fn language(&self) -> &'static str;

    /// What is tested, in one word: the entry function.
    fn name(&self) -> &str;

    /// A path of a source file for people.
    fn file(&self, path: &str) -> String;

    /// A function's name for people.
    fn function(&self, name: &str) -> String {
        name.to_owned()
    }

    /// A condition over the program's variables, as pruning found it, for people.
    fn readable(&self, condition: &str) -> String {
        condition.to_owned()
    }

    /// Up to which sizes inputs are made.
    fn bounds(&self) -> Vec<Bound> {
        Vec::new()
    }

    /// What to do where nothing is an input, as a limit of the kind [`Limit::NO_INPUT`]; `None` where there is something else to explore.
    fn no_input(&self) -> Option<Limit>;

    /// Whether its subjects can make up inputs at random, which random testing needs.
    fn random_inputs(&self) -> bool {
        false
    }

    /// The strategy of a search over these sites, where the language has a say in it.
    fn strategy(&self, strategy: Box<dyn Strategy>, sites: &Sites) -> Box<dyn Strategy> {
        let _ = sites;
        strategy
    }

    /// Cases to begin with.
    fn seeds(&self) -> Vec<Seed> {
        Vec::new()
    }

    /// Repeats a case on the uninstrumented program, until the flag is raised: then the campaign has to end.
    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase, interrupt: &Interrupt) -> Confirmation;

    /// The inputs of a case for people.
    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue>;

    /// The case as the file that `xcute replay` reads.
    fn case_file(&self, terms: &Terms, case: &TestCase, failure: Option<&Failure>) -> Text;

    /// A test in the language itself that fails as the case did, and needs no xcute: its files. `name` is their name, without the ending.
    fn standalone(&self, terms: &Terms, case: &TestCase, failure: &Failure, name: &str) -> Vec<Text>;

    /// Files that have to stand next to all standalone tests.
    fn beside(&self) -> Vec<Beside> {
        Vec::new()
    }

    /// Keeps a case for other tools, if the user asked for it: one that passed and covered something new, or that of a reported failure.
    fn export(&self, _terms: &Terms, _case: &TestCase, _failure: Option<&Failure>) -> Result<()> {
        Ok(())
    }

    /// Writes what else there is to be written, when everything but the summary is. The search is over: interrupts no longer count.
    fn last(&self, _write: Write<'_>, _show: Show) -> Result<()> {
        Ok(())
    }

    /// The search begins. Once the flag is raised, what this side runs by itself during the search has to end, too.
    fn begins(&self, _over: &Interrupt) {}

    /// Takes note of a run that was the first on its path, and of how it ended.
    fn path(&self, _terms: &Terms, _case: &TestCase, _outcome: &Outcome) {}

    /// What the user may want to try next, in one line.
    fn advice(&self, _summary: &Summary) -> Option<String> {
        None
    }

    /// What identifies the program, and what the user chose that decides what it does. Runs that were recorded with another one mean nothing.
    fn identity(&self, subject: &Self::Subject) -> String {
        subject.identity()
    }

    /// The variables that the subjects met after the first `known` ones, for [`FrontEnd::recall`], and how many there are by now. `None` where
    /// there are no more.
    fn variables(&self, known: usize) -> Option<(usize, Vec<u8>)>;

    /// Takes over the variables of an earlier campaign, before the first run.
    fn recall(&self, variables: &[u8]) -> Result<()>;

    /// Whether [`FrontEnd::speed_up`] may be asked for.
    fn speeds_up(&self) -> bool {
        false
    }

    /// Whether subjects that take longer to prepare would pay by now ([`FrontEnd::speed_up`]). Asked after each run.
    fn is_slow(&self) -> bool {
        false
    }

    /// Replaces the subjects by faster ones of the same program that have run nothing. The search repeats on them what it recorded, and goes on.
    fn speed_up(&self, _subjects: &mut [Self::Subject]) {}

    /// What all runs of all subjects covered.
    fn coverage(&self, subjects: &[Self::Subject]) -> SourceCoverage;

    /// Whether only the branches of files that runs came to are counted: others belong to a library that is tested in part.
    fn counts_reached_files(&self) -> bool {
        false
    }

    /// What only this language counts, and the files that say more. What is not found out before it has to stop is unknown.
    fn conclude(&self, _subjects: &[Self::Subject], _search: &SearchPlan, _stop: &(dyn Fn() -> bool + Sync)) -> Conclusion {
        Conclusion::default()
    }
}
