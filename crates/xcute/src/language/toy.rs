//! A toy: the smallest language there can be, in one file and one line of the list. It goes through all verbs in the tests of [`crate::verbs`].
//!
//! A program is a file with a number, the secret; it has one input, a byte, and fails where that is the secret.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use serde::{Deserialize, Serialize};
use xcute_engine::Confirmation;
use xcute_report::{InputValue, SourceCoverage};
use xcute_term::{Interrupt, Op, Sort, Terms};
use xcute_trace::{
    Decision, DecisionKind, Failure, FailureKind, Frame, Known, Limit, Outcome, Site, SiteId, SiteKind, Sites, Subject, SubjectError,
    TestCase, Trace,
};

use crate::exit::Exit;
use crate::front::{Case, CaseText, FrontEnd, Language, Opening, Ready, Text};

const LANGUAGE: &str = "toy";
const VERSION: u32 = 1;

#[derive(Debug, Args)]
struct ToyArguments {
    /// The file with the secret
    file: PathBuf,
}

/// The language.
pub struct Toy;

impl Language for Toy {
    fn command(&self) -> Command {
        ToyArguments::augment_args(Command::new(LANGUAGE)).about("Test a toy")
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        let ToyArguments { file } = ToyArguments::from_arg_matches(matches)?;
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let secret = text.trim().parse().context("the file holds no number")?;
        Ok(Opening::one(move |_, _| {
            Ok(Box::new(Ready { front: ToyFront { secret, confirms: true }, subjects: vec![ToySubject::new(secret)] }))
        }))
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(text.parse::<ToyCase>(VERSION)?))
    }
}

/// A case, as it is written.
#[derive(Serialize, Deserialize)]
struct ToyCase {
    xcute: u32,
    language: String,
    secret: u64,
    x: u64,
}

impl Case for ToyCase {
    fn replay(&self, _debugger: bool) -> Result<Exit> {
        Ok(if self.x == self.secret { Exit::Failures } else { Exit::NoFailure })
    }

    fn inputs(&self) -> Vec<InputValue> {
        vec![InputValue { name: "x".into(), value: self.x.to_string() }]
    }
}

/// Fails where its one input is the secret.
pub struct ToySubject {
    secret: u64,
    sites: Sites,
    seen: [bool; 2],
}

impl ToySubject {
    pub fn new(secret: u64) -> ToySubject {
        let site = Site {
            kind: SiteKind::Branch,
            file: "toy".into(),
            line: 1,
            column: 1,
            function: "toy".into(),
            ordinal: 0,
            arms: 2,
            next: Vec::new(),
        };
        ToySubject { secret, sites: Sites { sites: vec![site] }, seen: [false; 2] }
    }
}

impl Subject for ToySubject {
    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let x = terms.var("x", Sort::BitVec(8));
        let var = terms.find_var("x").unwrap();
        let word = case.input.word(var).unwrap_or(0);
        let taken = u32::from(word == self.secret);
        let constant = terms.bv(8, self.secret);
        let holds = terms.mk(Op::Eq, &[x, constant]);
        let arms = vec![terms.not(holds), holds];
        let covered = if self.seen[taken as usize] { vec![] } else { vec![(SiteId(0), taken)] };
        self.seen[taken as usize] = true;
        let known = usize::from(promise.first().is_some_and(|promise| promise.taken == taken));
        let decision = Decision { site: SiteId(0), kind: DecisionKind::Branch, taken, arms };
        let stack = vec![Frame { function: "toy".into(), file: "toy".into(), line: 2, ..Frame::default() }];
        let mut input = case.input.clone();
        input.set_word(var, word);
        Ok(Trace {
            decisions: if known == 0 { vec![decision] } else { vec![] },
            known,
            outcome: if taken == 1 {
                Outcome::Failed(Failure {
                    kind: FailureKind::Abort,
                    message: "found".into(),
                    stack,
                    notes: Vec::new(),
                    interleaving: Vec::new(),
                })
            } else {
                Outcome::Passed
            },
            covered,
            limits: Vec::new(),
            input,
            concurrent: None,
            segments: None,
        })
    }
}

/// A secret to be found.
pub struct ToyFront {
    pub secret: u64,
    /// Whether failures can be repeated.
    pub confirms: bool,
}

impl FrontEnd for ToyFront {
    type Subject = ToySubject;

    fn language(&self) -> &'static str {
        LANGUAGE
    }

    fn name(&self) -> &str {
        "toy"
    }

    fn file(&self, path: &str) -> String {
        path.to_owned()
    }

    fn confirm(&self, _terms: &Terms, _failure: &Failure, _case: &TestCase, _interrupt: &Interrupt) -> Confirmation {
        if self.confirms { Confirmation::Confirmed } else { Confirmation::NotReproduced("it passed".into()) }
    }

    fn no_input(&self) -> Option<Limit> {
        None
    }

    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        let word = case.input.word(terms.find_var("x").unwrap()).unwrap();
        vec![InputValue { name: "x".into(), value: word.to_string() }]
    }

    fn case_file(&self, terms: &Terms, case: &TestCase, _failure: Option<&Failure>) -> Text {
        let x = case.input.word(terms.find_var("x").unwrap()).unwrap();
        let case = ToyCase { xcute: VERSION, language: LANGUAGE.into(), secret: self.secret, x };
        Text { extension: "json", text: serde_json::to_string(&case).unwrap() }
    }

    fn standalone(&self, _terms: &Terms, _case: &TestCase, _failure: &Failure, _name: &str) -> Vec<Text> {
        vec![Text { extension: "c", text: "int main;".into() }]
    }

    fn identity(&self, _subject: &ToySubject) -> String {
        self.secret.to_string()
    }

    fn variables(&self, _known: usize) -> Option<(usize, Vec<u8>)> {
        None
    }

    fn recall(&self, _variables: &[u8]) -> Result<()> {
        Ok(())
    }

    fn coverage(&self, _subjects: &[ToySubject]) -> SourceCoverage {
        SourceCoverage::default()
    }
}
