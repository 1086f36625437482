//! Campaigns over toy subjects: programs written as closures over two small inputs, solved by brute force. Every strategy must
//! find every path, and the same seed must give the same campaign.

#[macro_use]
#[path = "support/believing.rs"]
mod believing;

use std::collections::BTreeSet;
use std::sync::Mutex;

use xcute_engine::{Campaign, Equipment, Observer, Options, Place, Record, Results, RunEvent, Seed, StopAt, StopReason, run_all};
use xcute_solver::{Answer, Count, Query, Solver};
use xcute_strategy::StrategyName;
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, Sort, TermId, Terms};
use xcute_trace::{
    Decision, DecisionKind, Failure, FailureKind, Frame, Known, Outcome, Site, SiteId, SiteKind, Sites, Subject, SubjectError, TestCase,
    Trace,
};
use xcute_tree::Arm;

const WIDTH: u32 = 4;

/// What a toy program may do.
struct Toy<'a> {
    terms: &'a mut Terms,
    eval: &'a mut Evaluator,
    promise: &'a [Known],
    decisions: Vec<Decision>,
    followed: usize,
    astray: bool,
    seen: Vec<(SiteId, u32)>,
    x: TermId,
    y: TermId,
}

impl Toy<'_> {
    fn branch(&mut self, site: u32, cond: TermId) -> bool {
        let taken = self.eval.eval_bool(self.terms, cond);
        let here = Known { site: SiteId(site), taken: u32::from(taken) };
        self.seen.push((here.site, here.taken));
        if !self.astray && self.promise.get(self.followed) == Some(&here) {
            self.followed += 1;
            return taken;
        }
        self.astray = true;
        let not = self.terms.not(cond);
        let decision = Decision { site: here.site, kind: DecisionKind::Branch, taken: here.taken, arms: vec![not, cond] };
        self.decisions.push(decision);
        taken
    }

    fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.terms.mk(Op::BvUlt, &[a, b])
    }

    fn equals(&mut self, a: TermId, k: u64) -> TermId {
        let k = self.terms.bv(WIDTH, k);
        self.terms.mk(Op::Eq, &[a, k])
    }
}

type Program = fn(&mut Toy<'_>) -> Outcome;

struct ToySubject {
    program: Program,
    sites: Sites,
    covered: BTreeSet<(SiteId, u32)>,
}

impl ToySubject {
    fn new(program: Program, sites: u32) -> ToySubject {
        let site = |ordinal| Site {
            kind: SiteKind::Branch,
            file: "toy".into(),
            line: ordinal + 1,
            column: 1,
            function: "toy".into(),
            ordinal,
            arms: 2,
            next: vec![vec![SiteId((ordinal + 1) % sites)]; 2],
        };
        ToySubject { program, sites: Sites { sites: (0..sites).map(site).collect() }, covered: BTreeSet::new() }
    }
}

impl Subject for ToySubject {
    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn identity(&self) -> String {
        "toy".to_owned()
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let (x, y) = (terms.var("x", Sort::BitVec(WIDTH)), terms.var("y", Sort::BitVec(WIDTH)));
        let mut eval = Evaluator::new();
        eval.load(&case.input);
        let mut toy = Toy { terms, eval: &mut eval, promise, decisions: vec![], followed: 0, astray: false, seen: vec![], x, y };
        let outcome = (self.program)(&mut toy);
        let (decisions, known, seen) = (toy.decisions, toy.followed, toy.seen);
        let covered = seen.into_iter().filter(|&c| self.covered.insert(c)).collect();
        let mut input = Model::new();
        for name in ["x", "y"] {
            let var = terms.find_var(name).expect("declared above");
            input.set(var, case.input.value(terms, var));
        }
        Ok(Trace { decisions, known, outcome, covered, reached: Vec::new(), limits: vec![], input, concurrent: None, segments: None })
    }
}

/// Tries all values of both inputs.
struct BruteForce;

impl Solver for BruteForce {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let (x, y) = (terms.find_var("x").expect("x"), terms.find_var("y").expect("y"));
        let mut eval = Evaluator::new();
        for (vx, vy) in (0..16).flat_map(|vx| (0..16).map(move |vy| (vx, vy))) {
            let mut model = Model::new();
            model.set_word(x, vx);
            model.set_word(y, vy);
            eval.load(&model);
            if query.path.iter().chain([&query.goal]).all(|&c| eval.eval_bool(terms, c)) {
                return Answer::Sat(model);
            }
        }
        Answer::Unsat(vec![query.goal])
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

/// Believes every failure, has no clock, keeps a log and the records.
#[derive(Default)]
struct Log(Mutex<Vec<String>>, Mutex<Vec<Record>>);

impl Observer for Log {
    believing!();

    fn ran(&self, _: &Terms, event: &RunEvent<'_>) {
        let words: Vec<u64> = event.case().input.words().iter().map(|w| w.1).collect();
        let line = format!("{words:?} {:?} new={}", event.trace.outcome, event.growth.new_path);
        self.0.lock().expect("no test panics here").push(line);
        self.1.lock().expect("no test panics here").push(event.record());
    }

    fn settled(&self, place: Place, state: Arm) {
        self.1.lock().expect("no test panics here").push(Record::Settled { place, state });
    }
}

/// Counts down from x, at most 15 turns; fails when y is exactly the number of turns and larger than 9.
fn countdown(t: &mut Toy<'_>) -> Outcome {
    let mut n = 0;
    loop {
        let (x, k) = (t.x, t.terms.bv(WIDTH, n));
        let more = t.less(k, x);
        if !t.branch(0, more) {
            break;
        }
        n += 1;
    }
    let same = t.equals(t.y, n);
    if t.branch(1, same) && n > 9 {
        let stack = vec![Frame { function: "toy".into(), file: "toy".into(), line: 2, ..Frame::default() }];
        return Outcome::Failed(Failure {
            kind: FailureKind::Abort,
            message: "found".into(),
            stack,
            notes: Vec::new(),
            interleaving: Vec::new(),
            values: Vec::new(),
        });
    }
    Outcome::Passed
}

fn campaign(name: StrategyName, seed: u64, options: Options) -> (Results, Vec<String>) {
    let mut subject = ToySubject::new(countdown, 2);
    let strategy = name.build(&subject.sites, seed);
    let log = Log::default();
    let mut campaign = Campaign::new(&mut subject, Box::new(BruteForce), strategy, options);
    campaign.run(&log).expect("a toy can always be run");
    (campaign.results().clone(), log.0.into_inner().expect("no test panics there"))
}

/// The same with several workers that go on from `past`; the log is sorted.
fn crew(name: StrategyName, workers: usize, options: Options, past: &[Record]) -> (Results, Vec<String>, Vec<Record>) {
    let mut subjects: Vec<_> = std::iter::repeat_with(|| ToySubject::new(countdown, 2)).take(workers).collect();
    let log = Log::default();
    let strategy = |sites: &Sites, worker: u64| name.build(sites, worker);
    let equipment = Equipment { solver: &|| Box::new(BruteForce), strategy: &strategy, options, seeds: &[], past };
    let (results, error) = run_all(&mut subjects, &equipment, &log);
    assert!(error.is_none());
    let Log(log, records) = log;
    let mut log = log.into_inner().expect("no test panics there");
    log.sort();
    (results, log, records.into_inner().expect("no test panics there"))
}

#[test]
fn a_campaign_that_was_killed_goes_on() {
    let options = Options { depth: 9, ..Options::default() };
    for (name, workers) in [(StrategyName::Bfs, 1), (StrategyName::Random, 3), (StrategyName::Dfs, 2), (StrategyName::Coverage, 2)] {
        let (whole, log, records) = crew(name, workers, options, &[]);
        assert!(records.iter().any(|record| matches!(record, Record::Run { place: Some(_), .. })));
        for cut in 0..records.len() {
            let (r, again, _) = crew(name, 1 + cut % 3, options, &records[..cut]);
            assert_eq!(
                (r.paths, r.runs, r.arms, r.limits),
                (whole.paths, whole.runs, whole.arms, whole.limits.clone()),
                "after {cut} records"
            );
            assert_eq!(r.failures.len(), whole.failures.len());
            assert_eq!(again.len(), log.len());
        }
        let (r, ..) = crew(name, 1, options, &records);
        assert_eq!((r.queries, r.runs), ((0, 0, 0), whole.runs), "nothing is left to be asked");
    }
}

#[test]
fn workers_find_together_what_one_finds_alone() {
    let (alone, _) = campaign(StrategyName::Dfs, 0, Options::default());
    for name in StrategyName::EXHAUSTIVE {
        for workers in [1, 2, 3, 8] {
            let (r, log, _) = crew(name, workers, Options::default(), &[]);
            let what = format!("{} with {workers} workers", name.as_str());
            assert_eq!((r.paths, r.runs, r.complete, r.stop), (32, 32, true, Some(StopReason::Exhausted)), "{what}");
            assert_eq!((r.arms, r.branches, r.queries), (alone.arms, alone.branches, alone.queries), "{what}");
            assert_eq!((r.failures.len(), r.failures[0].times), (1, 6), "{what}");
            assert_eq!(log.len(), 32, "{what}");
        }
    }
}

#[test]
fn budgets_hold_for_all_workers_together() {
    for workers in [1, 2, 5] {
        let (r, log, _) = crew(StrategyName::Bfs, workers, Options { runs: 9, ..Options::default() }, &[]);
        assert_eq!((r.runs, log.len(), r.stop, r.complete), (9, 9, Some(StopReason::Runs), false), "{workers} workers");
        assert!(r.arms.open > 0, "{workers} workers");
        let (r, ..) = crew(StrategyName::Bfs, workers, Options { stop_at: StopAt::FirstFailure, ..Options::default() }, &[]);
        assert_eq!((r.stop, r.failures.len()), (Some(StopReason::FirstFailure), 1), "{workers} workers");
    }
}

#[test]
fn every_strategy_finds_every_path() {
    for name in StrategyName::EXHAUSTIVE {
        let (r, log) = campaign(name, 7, Options::default());
        assert_eq!((r.paths, r.runs, r.complete), (32, 32, true), "{}", name.as_str());
        assert_eq!((r.arms.open, r.arms.diverged, r.arms.infeasible, r.branches), (0, 0, 0, (4, 4)), "{}", name.as_str());
        assert_eq!((r.failures.len(), r.failures[0].times), (1, 6), "{}", name.as_str());
        assert_eq!(log.len(), 32);
    }
}

#[test]
fn same_seed_same_campaign() {
    for name in StrategyName::EXHAUSTIVE {
        let (a, b) = (campaign(name, 3, Options::default()), campaign(name, 3, Options::default()));
        assert_eq!(a.1, b.1, "{}", name.as_str());
    }
    assert_ne!(campaign(StrategyName::Random, 1, Options::default()).1, campaign(StrategyName::Random, 2, Options::default()).1);
}

#[test]
fn seeds_run_first_and_hide_no_path() {
    let mut subject = ToySubject::new(countdown, 2);
    let strategy = StrategyName::Dfs.build(&subject.sites, 0);
    let log = Log::default();
    let mut campaign = Campaign::new(&mut subject, Box::new(BruteForce), strategy, Options::default());
    let seeds = [(12, 12), (3, 1), (3, 2)].map(|(x, y)| {
        let mut seed = Seed::new();
        seed.set("x".into(), WIDTH, x);
        seed.set("y".into(), WIDTH, y);
        seed
    });
    campaign.begin_with(seeds.into());
    campaign.run(&log).expect("a toy can always be run");
    let log = log.0.lock().expect("no test panics here");
    let begun: Vec<&str> = log.iter().skip(1).take(3).map(|line| line.split(']').next().expect("a list")).collect();
    assert_eq!(begun, ["[12, 12", "[3, 1", "[3, 2"]);
    let r = campaign.results();
    // The third seed takes the path of the second.
    assert_eq!((r.paths, r.runs, r.complete, r.failures[0].run), (32, 33, true, 2));
}

#[test]
fn bounds_stop_a_campaign_and_keep_it_from_being_complete() {
    let (r, _) = campaign(StrategyName::Dfs, 0, Options { runs: 5, ..Options::default() });
    assert_eq!((r.runs, r.stop, r.complete), (5, Some(StopReason::Runs), false));
    let (r, _) = campaign(StrategyName::Dfs, 0, Options { depth: 6, ..Options::default() });
    assert_eq!((r.stop, r.complete), (Some(StopReason::Exhausted), false));
    assert!(r.limits.keys().any(|l| l.kind == "depth"));
    let (r, _) = campaign(StrategyName::Bfs, 0, Options { stop_at: StopAt::FirstFailure, ..Options::default() });
    assert_eq!((r.stop, r.failures.len(), r.failures[0].times), (Some(StopReason::FirstFailure), 1, 1));
    let (r, _) = campaign(StrategyName::Coverage, 0, Options { stop_at: StopAt::FullCoverage, ..Options::default() });
    assert_eq!(r.stop, Some(StopReason::FullCoverage));
    assert!(r.runs <= 4, "{} runs for four arms", r.runs);
}
