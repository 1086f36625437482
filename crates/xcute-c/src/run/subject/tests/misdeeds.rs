//! Subjects that misbehave: each misdeed has its outcome, and the run after it is as the first run of a fresh process.

use std::sync::Arc;
use std::time::Duration;

use xcute_term::{Terms, Value};
use xcute_trace::{Budget, FailureKind, Known as Promised, Outcome, Site, SiteId, SiteKind, Sites, Subject as _, TestCase, Trace};

use super::fixture;
use crate::instrument::compiled::{Compiled, CoverageItem};
use crate::run::subject::{CSubject, RunOptions};
use crate::types::inputs::{RootName, TypeTable, XC_SIGNED, XC_TY_INT, XcType};
use crate::wire::flag;

struct Fixture {
    subject: CSubject,
    terms: Terms,
}

impl Fixture {
    fn new() -> Fixture {
        let site = |function: &str| Site {
            kind: SiteKind::Branch,
            file: "misdeeds.c".into(),
            line: 1,
            column: 1,
            function: function.into(),
            ordinal: 0,
            arms: 2,
            next: Vec::new(),
        };
        let arm = |arm| CoverageItem { arms: vec![(SiteId(0), arm)], ..CoverageItem::default() };
        let compiled = Compiled {
            exe: fixture("misdeeds"),
            sites: Sites { sites: vec![site("xcute_harness")] },
            coverage: vec![arm(0), arm(1)],
            files: vec!["misdeeds.c".into()],
            snapshot_libc: true,
            ..Compiled::default()
        };
        let types = TypeTable {
            types: vec![XcType { kind: XC_TY_INT, flags: XC_SIGNED, size: 4, ..XcType::default() }],
            inputs: vec![0],
            roots: vec![RootName { name: "what".into(), ..RootName::default() }],
            ..TypeTable::default()
        };
        let options = RunOptions {
            patience: Duration::from_millis(500),
            fuel: 100_000,
            heap: 64 << 20,
            nodes: 10_000,
            flags: flag::SIGNALS | flag::FILES,
            ..RunOptions::default()
        };
        let subject = CSubject::start(Arc::new(compiled), types, options).expect("the fixture starts");
        Fixture { subject, terms: Terms::new() }
    }

    fn run(&mut self, what: u64) -> Trace {
        self.run_promised(what, &[])
    }

    fn run_promised(&mut self, what: u64, promise: &[Promised]) -> Trace {
        let mut case = TestCase::default();
        let var = self.terms.var("what", xcute_term::Sort::BitVec(32));
        let xcute_term::Op::Var(id) = self.terms.op(var) else { unreachable!("a variable") };
        case.input.set(id, Value::bits(32, what));
        self.subject.run(&case, promise, &mut self.terms).expect("runs")
    }
}

/// What a misdeed leads to: the kind of failure and where, or another outcome.
#[derive(Debug, PartialEq)]
enum Verdict {
    Passes,
    Budget(Budget),
    Fails(FailureKind, &'static str),
    /// Somewhere: the process is gone, or its memory.
    FailsAnywhere(FailureKind),
}

use FailureKind::{Abort, Assertion, DivisionByZero, DoubleFree, Hang, InvalidFree, NullAccess, Signal, StackOverflow, Trap, WildAccess};
use Verdict::{Fails, FailsAnywhere, Passes};

const MISDEEDS: &[(u64, &str, Verdict)] = &[
    (1, "reads through NULL", Fails(NullAccess, "misdeed")),
    (2, "writes to a wild address", Fails(WildAccess, "misdeed")),
    (3, "reads from an address that is not canonical", Fails(WildAccess, "misdeed")),
    (4, "jumps to a wild address", Fails(WildAccess, "misdeed")),
    (5, "divides by zero", Fails(DivisionByZero, "misdeed")),
    (6, "exhausts the stack", Fails(StackOverflow, "deep")),
    (7, "traps", Fails(Trap, "misdeed")),
    (8, "aborts", Fails(Abort, "misdeed")),
    (9, "exits", Passes),
    (10, "asserts", Fails(Assertion, "misdeed")),
    (11, "uses up its fuel", Fails(Hang, "misdeed")),
    (12, "waits for ever in a library", Verdict::Budget(Budget::Time)),
    (13, "loops for ever without hooks", Fails(Hang, "misdeed")),
    (14, "closes all descriptors", Passes),
    (15, "forks and waits", Passes),
    (16, "leaves a child behind", Passes),
    (17, "writes over the control block", FailsAnywhere(WildAccess)),
    (18, "changes signal handlers, mask and timer", Passes),
    (19, "replaces itself by another program", Passes),
    (20, "is killed", FailsAnywhere(Signal)),
    (21, "terminates itself by a signal", Fails(Signal, "misdeed")),
    (22, "crashes in a library", Fails(NullAccess, "misdeed")),
    (23, "changes everything", Passes),
    (40, "relies on the state of strtok", Fails(NullAccess, "misdeed")),
    (24, "frees twice", Fails(DoubleFree, "misdeed")),
    (25, "asks for too much memory", Passes),
    (26, "uses up the heap", Verdict::Budget(Budget::Memory)),
    (27, "writes over the runtime's own memory", FailsAnywhere(WildAccess)),
    (28, "aborts in an exit handler", Fails(Abort, "at_exit")),
    (29, "wants a thread", Passes),
    (30, "jumps back", Passes),
    (31, "writes over the nodes", FailsAnywhere(WildAccess)),
    (32, "writes over the events", FailsAnywhere(WildAccess)),
    (33, "leaves by a system call", Passes),
    (34, "hangs with all signals blocked", Verdict::Budget(Budget::Time)),
    (35, "frees what malloc did not give", Fails(InvalidFree, "misdeed")),
    (36, "raises SIGABRT", Fails(Abort, "misdeed")),
    (37, "reallocates", Passes),
    (38, "forks as often as it can", Passes),
    (39, "lies about its tables", FailsAnywhere(WildAccess)),
];

fn fits(outcome: &Outcome, verdict: &Verdict) -> bool {
    match (outcome, verdict) {
        (Outcome::Passed, Passes) => true,
        (Outcome::OutOfBudget(b), Verdict::Budget(v)) => b == v,
        (Outcome::Failed(f), Fails(kind, function)) => {
            let place = f.stack.first();
            f.kind == *kind && place.is_some_and(|p| p.function == *function && p.file == "misdeeds.c" && p.line > 0)
        }
        (Outcome::Failed(f), FailsAnywhere(kind)) => f.kind == *kind,
        _ => false,
    }
}

#[test]
fn after_each_misdeed_the_next_run_is_as_in_a_fresh_process() {
    let mut fixture = Fixture::new();
    let fresh = fixture.run(0);
    assert_eq!(fresh.outcome, Outcome::Passed);
    assert_eq!(fresh.decisions.len(), 1);
    let mut wrong = Vec::new();
    for (what, name, verdict) in MISDEEDS {
        let trace = fixture.run(*what);
        if !fits(&trace.outcome, verdict) {
            wrong.push(format!("{what}: a subject that {name}: {:?}, not {verdict:?}", trace.outcome));
        }
        let next = fixture.run(0);
        if (&next.outcome, &next.decisions, &next.input) != (&fresh.outcome, &fresh.decisions, &fresh.input) {
            wrong.push(format!("{what}: after a subject that {name}: {:?} {:?}", next.outcome, next.decisions));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn decisions_inputs_and_coverage_are_those_of_the_run() {
    let mut fixture = Fixture::new();
    let trace = fixture.run(9);
    assert_eq!((trace.known, trace.decisions[0].taken), (0, 0));
    assert_eq!(trace.covered, [(SiteId(0), 0)]);
    assert!(trace.limits.is_empty(), "{:?}", trace.limits);
    let variables = fixture.subject.variables().all();
    assert_eq!((variables.len(), variables[0].1.name.as_str()), (1, "what"));
    assert_eq!(trace.input.word(variables[0].0), Some(9));
    let promise = [Promised { site: SiteId(0), taken: 0 }];
    let again = fixture.run_promised(9, &promise);
    assert_eq!((again.known, again.decisions.len(), again.covered.len()), (1, 0, 0));
    let other = fixture.run_promised(0, &promise);
    assert_eq!((other.known, other.decisions[0].taken), (0, 1));
    assert_eq!(other.covered, [(SiteId(0), 1)]);
}

#[test]
fn threads_are_a_limit() {
    let mut fixture = Fixture::new();
    let limits = fixture.run(29).limits;
    assert!(limits.len() == 1 && limits[0].what.starts_with("threads"), "{limits:?}");
}

#[test]
fn most_misdeeds_do_not_cost_a_process() {
    let mut fixture = Fixture::new();
    for what in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 18, 21, 22, 23, 24, 26, 28] {
        fixture.run(what);
    }
    assert_eq!(fixture.subject.processes(), 1);
}
