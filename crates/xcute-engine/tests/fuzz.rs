//! Fuzzing in the loop, over a toy subject whose runs without a record are real runs of the same program: what chance finds becomes a path like any other, and says nothing
//! about what is complete.

#[path = "support/believing.rs"]
#[macro_use]
mod believing;

use std::collections::BTreeSet;
use std::sync::Mutex;

use xcute_engine::{Campaign, Fuzz, Observer, Options, Place, Record, Results, RunEvent, StopReason};
use xcute_solver::{Answer, Count, Query, Solver, Why};
use xcute_strategy::StrategyName;
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, Sort, TermId, Terms, VarId};
use xcute_trace::{
    Decision, DecisionKind, Failure, FailureKind, Frame, Glance, Known, Outcome, Site, SiteId, SiteKind, Sites, Subject, SubjectError,
    TestCase, Trace,
};
use xcute_tree::Arm;

/// How many bytes the input has.
const BYTES: usize = 3;
const SITES: u32 = 5;

/// `if (b0 == 'k') if (b1 * b1 + 3 * b1 == 70) if (b2 > 200) fail; loop over b2 % 4`.
struct Lock {
    sites: Sites,
    covered: BTreeSet<(SiteId, u32)>,
    /// Whether it has runs without a record.
    glances: bool,
}

impl Lock {
    fn new(glances: bool) -> Lock {
        let site = |ordinal| Site {
            kind: SiteKind::Branch,
            file: "lock".into(),
            line: ordinal + 1,
            column: 1,
            function: "lock".into(),
            ordinal,
            arms: 2,
            next: vec![vec![SiteId((ordinal + 1) % SITES)]; 2],
        };
        Lock { sites: Sites { sites: (0..SITES).map(site).collect() }, covered: BTreeSet::new(), glances }
    }

    fn inputs(terms: &mut Terms) -> [TermId; BYTES] {
        ["b[0]", "b[1]", "b[2]"].map(|name| terms.var(name, Sort::BitVec(8)))
    }

    /// All decisions of a run, and how it ends.
    fn execute(terms: &mut Terms, input: &Model) -> (Vec<Decision>, Outcome) {
        let [first, second, third] = Lock::inputs(terms);
        let mut eval = Evaluator::new();
        eval.load(input);
        let mut decisions = Vec::new();
        let mut branch = |terms: &mut Terms, site: u32, cond: TermId| {
            let taken = eval.eval_bool(terms, cond);
            let arms = vec![terms.not(cond), cond];
            decisions.push(Decision { site: SiteId(site), kind: DecisionKind::Branch, taken: u32::from(taken), arms });
            taken
        };
        let key = terms.bv(8, u64::from(b'k'));
        let is_key = terms.mk(Op::Eq, &[first, key]);
        let (square, three) = (terms.mk(Op::BvMul, &[second, second]), terms.bv(8, 3));
        let triple = terms.mk(Op::BvMul, &[second, three]);
        let sum = terms.mk(Op::BvAdd, &[square, triple]);
        let seventy = terms.bv(8, 70);
        let hashed = terms.mk(Op::Eq, &[sum, seventy]);
        let limit = terms.bv(8, 200);
        let large = terms.mk(Op::BvUlt, &[limit, third]);
        let mut failed = false;
        if branch(terms, 0, is_key) && branch(terms, 1, hashed) {
            failed = branch(terms, 2, large);
        }
        for bit in 0..2 {
            let low = terms.mk(Op::Extract(bit, bit), &[third]);
            let one = terms.bv(1, 1);
            let set = terms.mk(Op::Eq, &[low, one]);
            branch(terms, 3 + bit, set);
        }
        let stack = vec![Frame { function: "lock".into(), file: "lock".into(), line: 3, ..Frame::default() }];
        let failure = Failure {
            kind: FailureKind::Abort,
            message: "open".into(),
            stack,
            notes: Vec::new(),
            interleaving: Vec::new(),
            values: Vec::new(),
        };
        (decisions, if failed { Outcome::Failed(failure) } else { Outcome::Passed })
    }
}

fn var(terms: &Terms, term: TermId) -> VarId {
    let Op::Var(var) = terms.op(term) else { unreachable!("an input") };
    var
}

impl Subject for Lock {
    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn identity(&self) -> String {
        "lock".to_owned()
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let mut input = Model::new();
        for term in Lock::inputs(terms) {
            let var = var(terms, term);
            input.set_word(var, case.input.word(var).unwrap_or(0));
        }
        let (mut all, outcome) = Lock::execute(terms, &case.input);
        let covered = all.iter().map(|d| (d.site, d.taken)).filter(|arm| self.covered.insert(*arm)).collect();
        let kept = |(decision, known): &(&Decision, &Known)| decision.site == known.site && decision.taken == known.taken;
        let known = all.iter().zip(promise).take_while(kept).count();
        Ok(Trace {
            decisions: all.split_off(known),
            known,
            outcome,
            covered,
            reached: Vec::new(),
            limits: vec![],
            input,
            concurrent: None,
            segments: None,
        })
    }

    fn glance(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Option<Glance>, SubjectError> {
        if !self.glances {
            return Ok(None);
        }
        let (all, outcome) = Lock::execute(terms, &case.input);
        let news = all.iter().any(|d| !self.covered.contains(&(d.site, d.taken)));
        let failure = matches!(outcome, Outcome::Failed(_)).then_some(1);
        Ok(Some(Glance { news, failure, steps: all.len() as u64 }))
    }

    fn texts(&self) -> Vec<Vec<VarId>> {
        vec![(0..BYTES as u32).map(VarId).collect()]
    }
}

/// Tries all values of the inputs of the goal. What is multiplied costs it this effort.
struct BruteForce {
    costs: u64,
    forbidden: bool,
}

impl Solver for BruteForce {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        assert!(!self.forbidden, "nobody may ask");
        let mut pending = vec![query.goal];
        while let Some(term) = pending.pop() {
            if query.effort.0 < self.costs && terms.op(term) == Op::BvMul {
                return Answer::Unknown(Why::Effort);
            }
            pending.extend(terms.args(term));
        }
        let mut eval = Evaluator::new();
        let only = terms.vars(query.goal).into_iter().next().expect("the goal has an input");
        for word in 0..256 {
            let mut patch = Model::new();
            patch.set_word(only, word);
            eval.load(&query.hint.patched(&patch));
            if query.path.iter().chain([&query.goal]).all(|&c| eval.eval_bool(terms, c)) {
                return Answer::Sat(patch);
            }
        }
        Answer::Unsat(vec![query.goal])
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

/// Believes every failure, and keeps the inputs of runs and the records.
#[derive(Default)]
struct Log(Mutex<Vec<Vec<u64>>>, Mutex<Vec<Record>>);

impl Observer for Log {
    believing!();

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        self.0.lock().expect("no panic").push(event.case().input.words().iter().map(|entry| entry.1).collect());
        self.1.lock().expect("no panic").push(event.record());
    }

    fn settled(&self, place: Place, state: Arm) {
        self.1.lock().expect("no panic").push(Record::Settled { place, state });
    }
}

fn search(solver: BruteForce, glances: bool, options: Options, past: Vec<Record>) -> (Results, Vec<Vec<u64>>, Vec<Record>) {
    let mut subject = Lock::new(glances);
    let strategy = StrategyName::Coverage.build(&subject.sites, 0);
    let mut campaign = Campaign::new(&mut subject, Box::new(solver), strategy, options);
    campaign.go_on_from(past);
    let log = Log::default();
    let results = campaign.run(&log).expect("it runs").clone();
    let Log(inputs, records) = log;
    (results, inputs.into_inner().expect("no panic"), records.into_inner().expect("no panic"))
}

const SEEING: BruteForce = BruteForce { costs: 0, forbidden: false };
const SLOW: BruteForce = BruteForce { costs: 20_000, forbidden: false };
const BLIND: BruteForce = BruteForce { costs: u64::MAX, forbidden: false };
const FORBIDDEN: BruteForce = BruteForce { costs: u64::MAX, forbidden: true };

#[test]
fn without_a_solver_chance_opens_the_lock_and_what_it_finds_are_runs() {
    let options = Options { fuzz: Fuzz::Only, runs: 60_000, ..Options::default() };
    let (r, inputs, records) = search(FORBIDDEN, true, options, Vec::new());
    assert_eq!((r.branches, r.failures.len(), r.queries), ((10, 10), 1, (0, 0, 0)));
    assert!(r.joined >= 3 && r.runs == r.joined + 1, "{} of {} runs were found by chance", r.joined, r.runs);
    assert_eq!((r.stop, r.complete), (Some(StopReason::Runs), false), "arms are open");
    assert!(r.glances + r.runs <= 60_000, "the budget is of all runs");
    assert_eq!(inputs.len() as u64, r.runs, "a run without a record is not shown");
    // The same seed does the same thing, another one does not.
    assert_eq!(search(FORBIDDEN, true, options, Vec::new()).1, inputs);
    assert_ne!(search(FORBIDDEN, true, Options { fuzz_seed: 7, ..options }, Vec::new()).1, inputs);
    // What was found is repeated from the records.
    let repeated = search(FORBIDDEN, true, Options { runs: r.runs, ..options }, records).0;
    assert_eq!((repeated.paths, repeated.runs, repeated.failures.len()), (r.paths, r.runs, 1));
}

#[test]
fn what_the_solver_does_not_know_is_found_and_then_known() {
    let off = search(BLIND, true, Options::default(), Vec::new()).0;
    assert_eq!((off.branches.0, off.arms.unknown, off.complete, off.failures.len(), off.glances), (7, 1, false, 0, 0));
    let options = Options { fuzz: Fuzz::Auto, ..Options::default() };
    let found = search(BLIND, true, options, Vec::new()).0;
    assert_eq!((found.branches.0, found.arms.unknown, found.complete, found.failures.len()), (10, 0, true, 1));
    assert!(found.joined > 0);
    let whole = search(SEEING, true, Options::default(), Vec::new()).0;
    assert!(whole.complete && whole.glances == 0);
    assert_eq!((found.paths, found.arms.infeasible), (whole.paths, whole.arms.infeasible), "no path is counted twice");
    let seen = search(SEEING, true, options, Vec::new()).0;
    assert_eq!(
        (seen.paths, seen.runs, seen.glances, seen.complete),
        (whole.paths, whole.runs, 0, true),
        "a search that goes well is left alone"
    );
}

#[test]
fn without_such_runs_nothing_changes_and_nobody_is_asked() {
    let plain = search(SEEING, false, Options::default(), Vec::new());
    let auto = search(SEEING, false, Options { fuzz: Fuzz::Auto, ..Options::default() }, Vec::new());
    assert_eq!((plain.0.paths, &plain.1), (auto.0.paths, &auto.1));
    let only = search(FORBIDDEN, false, Options { fuzz: Fuzz::Only, ..Options::default() }, Vec::new()).0;
    assert_eq!((only.runs, only.complete), (1, false));
    assert!(only.limits.keys().any(|limit| limit.kind == "fuzzing"));
}

#[test]
fn an_arm_that_needs_the_whole_effort_gets_it_in_the_end() {
    let whole = search(SLOW, false, Options::default(), Vec::new()).0;
    assert_eq!((whole.complete, whole.queries.2), (true, 0));
    let aside = search(SLOW, false, Options { fuzz: Fuzz::Auto, ..Options::default() }, Vec::new()).0;
    assert_eq!((aside.complete, aside.paths, aside.arms, aside.failures.len()), (true, whole.paths, whole.arms, 1));
    assert!(aside.queries.2 > 0, "it was set aside before");
    let never = search(BLIND, false, Options { fuzz: Fuzz::Auto, ..Options::default() }, Vec::new()).0;
    assert_eq!((never.complete, never.arms.unknown, never.arms.open), (false, 1, 0));
}
