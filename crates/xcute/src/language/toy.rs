//! A toy: the smallest language there can be, in one file and one line of the list. It goes through all verbs in the tests of [`crate::verbs`].
//!
//! A program is a file with the secret: a number, or a text in quotes. It has one input, a byte or a text, and fails where that is the secret. Its failures are of a
//! kind that no other language has, and the results have a section, figures and a file of its own.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{ArgMatches, Args, Command, FromArgMatches as _};
use serde::{Deserialize, Serialize};
use xcute_engine::{Confirmation, Seed};
use xcute_report::exchange::Rule;
use xcute_report::{Cell, Counted, Figure, Figures, InputValue, Line, Row, Section, SourceCoverage, Summary, Table, Words};
use xcute_term::{Interrupt, Op, Sort, Terms, Value};
use xcute_trace::{
    Decision, DecisionKind, Failure, FailureKind, Frame, Known, Limit, Outcome, Site, SiteId, SiteKind, Sites, Subject, SubjectError,
    TestCase, Trace,
};

use super::seeds::SeedArguments;
use crate::exit::Exit;
use crate::front::{Case, CaseText, Conclusion, Files, FrontEnd, Language, Need, Opening, Ready, Text};
use crate::plan::SearchPlan;

const LANGUAGE: &str = "toy";
const VERSION: u32 = 1;
/// The file that a search adds to its results.
const FILE: &str = "secret.json";
/// What goes wrong in a toy.
pub const FOUND: FailureKind = FailureKind::own("secret-found");

#[derive(Debug, Args)]
struct ToyArguments {
    /// The file with the secret
    file: PathBuf,
    #[command(flatten)]
    seeds: SeedArguments,
}

/// The language.
pub struct Toy;

impl Language for Toy {
    fn command(&self) -> Command {
        ToyArguments::augment_args(Command::new(LANGUAGE)).about("Test a toy").after_help("Example:\n  xcute toy secret.toy")
    }

    fn example(&self) -> &'static str {
        "toy secret.toy"
    }

    fn kinds(&self) -> &'static [Rule] {
        &[Rule { kind: FOUND, about: "The secret is found.", help: "Choose another secret." }]
    }

    fn needs(&self) -> Vec<Need> {
        vec![Need::new("paper", "writing secrets down", "buy some", Ok("found".to_owned()))]
    }

    fn cases(&self) -> &'static str {
        LANGUAGE
    }

    fn open(&self, matches: &ArgMatches) -> Result<Opening> {
        let ToyArguments { file, seeds } = ToyArguments::from_arg_matches(matches)?;
        let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let secret: Secret = serde_json::from_str(&text).context("the file holds neither a number nor a text")?;
        let seed = |text: CaseText| Ok(text.parse::<ToyCase>(VERSION)?.x.seed());
        let seeds = seeds.read(LANGUAGE)?.into_iter().map(seed).collect::<Result<Vec<_>>>()?;
        Ok(Opening::one(move |_, _| {
            let subjects = vec![ToySubject::new(secret.clone())];
            Ok(Box::new(Ready { front: ToyFront { secret, seeds, confirms: true, panics: false }, subjects }))
        }))
    }

    fn words(&self, summary: &Summary, files: Files<'_>) -> Result<Words> {
        let line = if summary.failures.is_empty() { "not found" } else { "found" };
        let row = |text: String| Row {
            name: "x".into(),
            place: ("toy".into(), 1),
            cells: vec![Cell::new(&text), Cell::new(summary.own.within(LANGUAGE).map_or(0, |own| own.count("length")))],
            text: format!("is compared with {text}"),
        };
        let table = files(FILE).map(|text| Table {
            title: "Secrets".into(),
            about: "What the input is compared with.".into(),
            brief: "by input".into(),
            heads: ["input", "secret", "length"].map(str::to_owned).to_vec(),
            rows: vec![row(text)],
        });
        let sections = vec![Section { name: "secret".into(), line: Line::Text(line.into()), table }];
        Ok(Words { sections, counted: vec![Counted::new("guesses", summary.coverage.branches)], ..Words::default() })
    }

    fn case(&self, text: &CaseText) -> Result<Box<dyn Case>> {
        Ok(Box::new(text.parse::<ToyCase>(VERSION)?))
    }
}

/// A secret, or the input that is compared with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Secret {
    Number(u8),
    Text(String),
}

impl Secret {
    fn sort(&self) -> Sort {
        match self {
            Secret::Number(_) => Sort::BitVec(8),
            Secret::Text(_) => Sort::Str,
        }
    }

    fn value(&self) -> Value {
        match self {
            Secret::Number(number) => Value::from_word(Sort::BitVec(8), u64::from(*number)),
            Secret::Text(text) => Value::Str(text.as_str().into()),
        }
    }

    /// The input of a case.
    fn of(terms: &Terms, case: &TestCase) -> Secret {
        match case.input.value(terms, terms.find_var("x").unwrap()) {
            Value::Str(text) => Secret::Text(text.to_string()),
            other => Secret::Number(u8::try_from(other.as_u64().unwrap()).unwrap()),
        }
    }

    fn seed(&self) -> Seed {
        let mut seed = Seed::new();
        seed.give("x".into(), self.sort(), self.value());
        seed
    }

    fn shown(&self) -> String {
        serde_json::to_string(self).unwrap()
    }
}

/// A case, as it is written.
#[derive(Serialize, Deserialize)]
struct ToyCase {
    xcute: u32,
    language: String,
    secret: Secret,
    x: Secret,
}

impl Case for ToyCase {
    fn replay(&self, _debugger: bool) -> Result<Exit> {
        Ok(if self.x == self.secret { Exit::Failures } else { Exit::NoFailure })
    }

    fn inputs(&self) -> Vec<InputValue> {
        vec![InputValue { name: "x".into(), value: self.x.shown() }]
    }
}

/// Fails where its one input is the secret.
pub struct ToySubject {
    secret: Secret,
    sites: Sites,
    seen: [bool; 2],
}

impl ToySubject {
    pub fn new(secret: Secret) -> ToySubject {
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

    fn identity(&self) -> String {
        self.secret.shown()
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let x = terms.var("x", self.secret.sort());
        let var = terms.find_var("x").unwrap();
        let value = case.input.value(terms, var);
        let taken = u32::from(value == self.secret.value());
        let constant = terms.value(self.secret.value());
        let holds = terms.mk(Op::Eq, &[x, constant]);
        let arms = vec![terms.not(holds), holds];
        let covered = if self.seen[taken as usize] { vec![] } else { vec![(SiteId(0), taken)] };
        self.seen[taken as usize] = true;
        let known = usize::from(promise.first().is_some_and(|promise| promise.taken == taken));
        let decision = Decision { site: SiteId(0), kind: DecisionKind::Branch, taken, arms };
        let stack = vec![Frame { function: "toy".into(), file: "toy".into(), line: 2, ..Frame::default() }];
        let mut input = case.input.clone();
        input.set(var, value);
        Ok(Trace {
            decisions: if known == 0 { vec![decision] } else { vec![] },
            known,
            outcome: if taken == 1 {
                Outcome::Failed(Failure {
                    kind: FOUND,
                    message: "found".into(),
                    stack,
                    notes: Vec::new(),
                    interleaving: Vec::new(),
                    values: Vec::new(),
                })
            } else {
                Outcome::Passed
            },
            covered,
            reached: Vec::new(),
            limits: Vec::new(),
            input,
            concurrent: None,
            segments: None,
        })
    }
}

/// A secret to be found.
pub struct ToyFront {
    pub secret: Secret,
    pub seeds: Vec<Seed>,
    /// Whether failures can be repeated.
    pub confirms: bool,
    /// Whether a path that fails is one too many for us.
    pub panics: bool,
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

    fn path(&self, _terms: &Terms, _case: &TestCase, outcome: &Outcome) {
        assert!(!self.panics || *outcome == Outcome::Passed, "the toy is broken");
    }

    fn no_input(&self) -> Option<Limit> {
        None
    }

    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        vec![InputValue { name: "x".into(), value: Secret::of(terms, case).shown() }]
    }

    fn seeds(&self) -> Vec<Seed> {
        self.seeds.clone()
    }

    fn case_file(&self, terms: &Terms, case: &TestCase, _failure: Option<&Failure>) -> Text {
        let case = ToyCase { xcute: VERSION, language: LANGUAGE.into(), secret: self.secret.clone(), x: Secret::of(terms, case) };
        Text { extension: "json", text: serde_json::to_string(&case).unwrap() }
    }

    fn standalone(&self, _terms: &Terms, _case: &TestCase, _failure: &Failure, _name: &str) -> Vec<Text> {
        vec![Text { extension: "c", text: "int main;".into() }]
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

    fn conclude(&self, _subjects: &[ToySubject], _search: &SearchPlan, _stop: &(dyn Fn() -> bool + Sync)) -> Conclusion {
        let text = self.secret.shown();
        let figures = Figures::group(LANGUAGE, [("length", Figure::Count(text.len() as u64))]);
        Conclusion { figures, files: vec![(FILE.to_owned(), text)], ..Conclusion::default() }
    }
}
