//! Campaigns over programs that are given as text.

#![allow(dead_code, reason = "no test file needs all of it")]

pub mod compared;
pub mod generator;
pub mod subjects;

use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use xcute_clp::machine::Bounds;
use xcute_clp::machine::choice::Transition;
use xcute_clp::subject::{Answer, ClpSubject, Options, PrepareError, Written};
use xcute_clp::syntax::{Indicator, Program, Style, Writer};
use xcute_engine::{Campaign, Confirmation, Observer, Results, RunEvent};
use xcute_solver::{Chain, ChainOptions};
use xcute_solver_z3::Z3;
use xcute_strategy::StrategyName;
use xcute_term::{Interrupt, Model, Terms};
use xcute_trace::{Failure, TestCase};

/// Keeps the inputs of all paths, and ends the search when it is interrupted.
pub struct Log(Mutex<Vec<Model>>, Interrupt);

impl Default for Log {
    fn default() -> Log {
        Log(Mutex::default(), Interrupt::never().clone())
    }
}

impl Observer for Log {
    fn confirm(&self, _: &Terms, _: &Failure, _: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn stop(&self) -> bool {
        self.1.raised()
    }

    fn interrupt(&self) -> Interrupt {
        self.1.clone()
    }

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        if event.growth.new_path {
            self.0.lock().expect("no test panics here").push(event.trace.input.clone());
        }
    }
}

/// A trace of the paper: the sets of matching clauses, from 1.
pub type Sets = Vec<Vec<u32>>;

/// One case of a campaign.
#[derive(Clone, Debug)]
pub struct Case {
    pub goal: String,
    pub trace: Sets,
    pub answer: Answer,
}

/// What a campaign found.
pub struct Outcome {
    pub results: Results,
    pub cases: Vec<Case>,
}

impl Outcome {
    /// The goals, sorted.
    pub fn goals(&self) -> Vec<&str> {
        let mut goals: Vec<&str> = self.cases.iter().map(|case| case.goal.as_str()).collect();
        goals.sort_unstable();
        goals
    }

    /// The traces, sorted.
    pub fn traces(&self) -> Vec<Sets> {
        let mut traces: Vec<Sets> = self.cases.iter().map(|case| case.trace.clone()).collect();
        traces.sort();
        traces
    }
}

/// The seeds of random programs: this many, or as many as `./x fuzz clp` asks for.
pub fn seeds(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("XCUTE_CLP_SEED").unwrap_or(0);
    first..first + number("XCUTE_CLP_PROGRAMS").unwrap_or(default)
}

/// Ends the search of a program after the seconds that `./x fuzz clp` allows for it; in the suite nothing depends on time.
pub fn alarm() -> (Interrupt, Option<Sender<()>>) {
    let Some(seconds) = std::env::var("XCUTE_CLP_SECONDS").ok().and_then(|text| text.parse().ok()) else {
        return (Interrupt::never().clone(), None);
    };
    let (interrupt, (kept, done)) = (Interrupt::new(), channel());
    let own = interrupt.clone();
    std::thread::spawn(move || {
        if done.recv_timeout(Duration::from_secs(seconds)) == Err(RecvTimeoutError::Timeout) {
            own.raise();
        }
    });
    (interrupt, Some(kept))
}

/// Reads a program that has no errors.
pub fn program(text: &str) -> Program {
    let (program, errors) = Program::read("test.pl", text);
    assert!(errors.is_empty(), "{errors:?}");
    program
}

/// `name/arity` of a program.
pub fn indicator(program: &mut Program, text: &str) -> Indicator {
    let (name, arity) = text.rsplit_once('/').expect("name/arity");
    Indicator { name: program.atoms.intern(name), arity: arity.parse().expect("a number") }
}

thread_local! {
    static TEXTS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// From now on texts are followed in this test, as `--texts` has it.
pub fn follow_texts() {
    TEXTS.set(true);
}

/// A subject for `name/arity` with these ground arguments, from 1, and this depth of terms.
pub fn subject(text: &str, goal: &str, ground: Option<&[u32]>, term_depth: Option<u32>, bounds: Bounds) -> (Program, ClpSubject) {
    made(text, (goal, ground), term_depth, bounds, true)
}

/// The same, as users get it: type errors of inputs without declared types are not failures.
pub fn lenient(text: &str, goal: &str, ground: Option<&[u32]>, term_depth: Option<u32>, bounds: Bounds) -> (Program, ClpSubject) {
    made(text, (goal, ground), term_depth, bounds, false)
}

fn made(text: &str, goal: (&str, Option<&[u32]>), term_depth: Option<u32>, bounds: Bounds, strict: bool) -> (Program, ClpSubject) {
    attempted(text, goal, term_depth, bounds, strict).unwrap_or_else(|error| panic!("{error:?} in\n{text}"))
}

/// The same, or why it cannot be.
pub fn attempted(
    text: &str,
    (goal, ground): (&str, Option<&[u32]>),
    term_depth: Option<u32>,
    bounds: Bounds,
    strict: bool,
) -> Result<(Program, ClpSubject), PrepareError> {
    let mut program = program(text);
    let goal = indicator(&mut program, goal);
    let ground = ground.map(|list| list.iter().map(|position| position - 1).collect());
    let options = Options { goal, ground, term_depth, texts: TEXTS.get(), bounds, strict };
    let subject = ClpSubject::new(&program, options)?;
    Ok((program, subject))
}

/// The sets of matching clauses.
pub fn sets(derivation: &[Transition]) -> Sets {
    let set = |transition: &Transition| match transition {
        Transition::Choice { rq, .. } => Some(rq.iter().map(|clause| clause + 1).collect()),
        _ => None,
    };
    derivation.iter().filter_map(set).collect()
}

/// Terms as text.
pub fn show(program: &Program, subject: &ClpSubject, written: &Written) -> String {
    let writer = Writer::new(&subject.symbols().atoms, &program.operators, Style::Operators);
    let texts: Vec<String> = written.roots.iter().map(|&root| writer.term(&written.terms, root, &[])).collect();
    texts.join(", ")
}

/// Searches to the end; the inputs of all paths.
pub fn inputs(subject: &mut ClpSubject, _: &Program) -> Vec<Model> {
    campaign(subject, xcute_engine::Options { runs: 100, ..xcute_engine::Options::default() }).1
}

/// Searches; what was found, and the inputs of all paths.
pub fn campaign(subject: &mut ClpSubject, options: xcute_engine::Options) -> (Results, Vec<Model>) {
    campaign_until(subject, options, Interrupt::never())
}

/// Searches until that is interrupted.
pub fn campaign_until(subject: &mut ClpSubject, options: xcute_engine::Options, interrupt: &Interrupt) -> (Results, Vec<Model>) {
    let log = Log(Mutex::default(), interrupt.clone());
    let strategy = StrategyName::Bfs.build(xcute_trace::Subject::sites(subject), 0);
    let solver = Box::new(Chain::build(ChainOptions::default(), vec![Box::new(Z3::new())]));
    let mut campaign = Campaign::new(subject, solver, strategy, options);
    campaign.run(&log).expect("a program can always be run");
    let results = campaign.results().clone();
    (results, log.0.into_inner().expect("no test panics there"))
}

/// Searches to the end, and repeats every case on the plain machine: it must take exactly its trace (Theorem 2).
pub fn explore(program: &Program, subject: &mut ClpSubject, options: xcute_engine::Options) -> Outcome {
    let mut again = subject.another();
    let mut plain = subject.another();
    let (results, inputs) = campaign(subject, options);
    let mut cases = Vec::new();
    // The conditions are no longer needed: a new arena with the same variables.
    let mut terms = Terms::new();
    for input in inputs {
        let case = TestCase { input: input.clone(), ..TestCase::default() };
        xcute_trace::Subject::run(&mut again, &case, &[], &mut terms).expect("it ran before");
        let trace = sets(again.derivation());
        let goal = plain.goal(&terms, &input);
        let (answer, derivation) = plain.replay(&terms, &input, again.bounds());
        let goal = show(program, &plain, &goal);
        assert!(sets(&derivation) == trace, "{goal} takes another path on the plain machine");
        cases.push(Case { goal, trace, answer });
    }
    Outcome { results, cases }
}

/// All of the above in one.
pub fn search(text: &str, goal: &str, ground: Option<&[u32]>, term_depth: Option<u32>) -> Outcome {
    let (program, mut subject) = subject(text, goal, ground, term_depth, Bounds::default());
    explore(&program, &mut subject, xcute_engine::Options::default())
}
