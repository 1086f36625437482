//! Campaigns over a front end that is not C: one byte, one condition, one failure.

use std::path::Path;

use xcute_engine::{Confirmation, Options};
use xcute_report::{InputValue, SourceCoverage};
use xcute_strategy::StrategyName;
use xcute_term::{Op, Sort, Terms};
use xcute_trace::{
    Decision, DecisionKind, Failure, FailureKind, Frame, Known, Outcome, Site, SiteId, SiteKind, Sites, Subject, SubjectError, TestCase,
    Trace,
};

use super::*;
use crate::front::Text;
use crate::plan::Keep;
use crate::solvers::Layers;

/// Fails where its one input is 77.
struct Toy {
    sites: Sites,
    seen: [bool; 2],
}

impl Toy {
    fn new() -> Toy {
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
        Toy { sites: Sites { sites: vec![site] }, seen: [false; 2] }
    }
}

impl Subject for Toy {
    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let x = terms.var("x", Sort::BitVec(8));
        let var = terms.find_var("x").unwrap();
        let word = case.input.word(var).unwrap_or(0);
        let taken = u32::from(word == 77);
        let constant = terms.bv(8, 77);
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
                    message: "77".into(),
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

struct ToyFront {
    confirms: bool,
}

impl FrontEnd for ToyFront {
    type Subject = Toy;

    fn language(&self) -> &'static str {
        "toy"
    }

    fn name(&self) -> &str {
        "toy"
    }

    fn file(&self, path: &str) -> String {
        path.to_owned()
    }

    fn confirm(&self, _terms: &Terms, _failure: &Failure, _case: &TestCase, _interrupt: &xcute_term::Interrupt) -> Confirmation {
        if self.confirms { Confirmation::Confirmed } else { Confirmation::NotReproduced("it passed".into()) }
    }

    fn no_input(&self) -> Option<xcute_trace::Limit> {
        None
    }

    fn inputs(&self, terms: &Terms, case: &TestCase) -> Vec<InputValue> {
        let word = case.input.word(terms.find_var("x").unwrap()).unwrap();
        vec![InputValue { name: "x".into(), value: word.to_string() }]
    }

    fn case_file(&self, terms: &Terms, case: &TestCase, _failure: Option<&Failure>) -> Text {
        Text { extension: "json", text: self.inputs(terms, case)[0].value.clone() }
    }

    fn standalone(&self, _terms: &Terms, _case: &TestCase, _failure: &Failure, _name: &str) -> Vec<Text> {
        vec![Text { extension: "c", text: "int main;".into() }]
    }

    fn fingerprint(&self, _subject: &Toy) -> String {
        "toy".into()
    }

    fn variables(&self, _known: usize) -> Option<(usize, Vec<u8>)> {
        None
    }

    fn recall(&self, _variables: &[u8]) -> Result<()> {
        Ok(())
    }

    fn coverage(&self, _subjects: &[Toy]) -> SourceCoverage {
        SourceCoverage::default()
    }
}

fn campaign(confirms: bool, place: &Path) -> (Exit, xcute_report::Summary) {
    let search = SearchPlan {
        strategy: StrategyName::Dfs,
        seed: 0,
        options: Options::default(),
        time: None,
        memory: None,
        layers: Layers { opt1: true, opt2: true, opt3: true, cache: true, shortcut: true },
        jobs: 1,
    };
    let show = Show { json: true, quiet: false, verbose: false, style: xcute_report::Style::PLAIN, ignore_unconfirmed: false };
    let output = OutputPlan { dir: place.join("out"), resume: false, explain: None, words: None, keep: Keep::New, progress: false, show };
    let exit = run(&ToyFront { confirms }, &mut [Toy::new()], &search, &output).unwrap();
    let text = std::fs::read_to_string(place.join("out/summary.json")).unwrap();
    (exit, xcute_report::parse(&text).unwrap())
}

#[test]
fn a_confirmed_failure_is_reported_with_its_files() {
    let place = tempfile::tempdir().unwrap();
    let (exit, summary) = campaign(true, place.path());
    assert_eq!(exit, Exit::Failures);
    assert_eq!((summary.runs, summary.paths, summary.complete, summary.stop.as_str()), (2, 2, true, "complete"));
    assert_eq!(summary.failures.len(), 1);
    assert_eq!((summary.failures[0].line, summary.failures[0].replayed), (2, true));
    for (file, text) in
        [("failures/f1.json", "77"), ("failures/f1.c", "int main;"), ("cases/000001.json", "0"), ("cases/000002.json", "77")]
    {
        assert_eq!(std::fs::read_to_string(place.path().join("out").join(file)).unwrap(), text, "{file}");
    }
}

#[test]
fn what_is_not_confirmed_is_shown_apart_and_counts() {
    let place = tempfile::tempdir().unwrap();
    let (exit, summary) = campaign(false, place.path());
    assert_eq!(exit, Exit::Failures);
    assert!(summary.failures.is_empty());
    assert!(!summary.complete);
    let [unconfirmed] = &summary.unconfirmed[..] else { panic!("{:?}", summary.unconfirmed) };
    assert_eq!((unconfirmed.failure.id.as_str(), unconfirmed.failure.replayed, unconfirmed.why.as_str()), ("u1", false, "it passed"));
    assert_eq!(summary.limits[0].kind, "not-reproduced");
    assert_eq!(std::fs::read_to_string(place.path().join("out/failures/u1.json")).unwrap(), "77");
    let report = Report::of(summary);
    let show = Show { json: false, quiet: true, verbose: false, style: xcute_report::Style::PLAIN, ignore_unconfirmed: true };
    assert_eq!(super::exit(&report, show), Exit::NoFailure);
}
