//! The loop with parts that are not the real ones: it relies on what a pruner and a scheduler say, and on nothing else of them.

use xcute_solver::{Count, Query};
use xcute_strategy::StrategyName;
use xcute_term::{Interrupt, Model, Op, Sort};
use xcute_trace::segments::Followed;
use xcute_trace::{Decision, DecisionKind, Outcome, Site, SiteId, Sites, TestCase, Trace};
use xcute_tree::Growth;

use super::*;
use crate::failing::Run;
use crate::observer::{Confirmation, RunEvent};
use crate::pruning::Skip;
use crate::pruning::figures::Pruned;
use crate::scheduling::{Interleaved, Recording};

/// Two branches on the bits of one input.
struct TwoBits(Sites);

impl TwoBits {
    fn new() -> TwoBits {
        let (kind, arms, next) = (SiteKind::Branch, 2, Vec::new());
        let site = |ordinal| Site { kind, file: "f".into(), line: 1, column: 1, function: "f".into(), ordinal, arms, next: next.clone() };
        TwoBits(Sites { sites: (0..2).map(site).collect() })
    }
}

impl Subject for TwoBits {
    fn sites(&self) -> &Sites {
        &self.0
    }

    fn identity(&self) -> String {
        "two bits".to_owned()
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let mut input = Model::new();
        let mut all = Vec::new();
        for bit in 0..2 {
            let (x, one) = (terms.var(&format!("x{bit}"), Sort::BitVec(1)), terms.bv(1, 1));
            let Op::Var(var) = terms.op(x) else { unreachable!("it is a variable") };
            let word = case.input.word(var).unwrap_or(0);
            input.set_word(var, word);
            let set = terms.mk(Op::Eq, &[x, one]);
            let arms = vec![terms.not(set), set];
            all.push(Decision { site: SiteId(bit), kind: DecisionKind::Branch, taken: word as u32, arms });
        }
        let kept = |(decision, known): &(&Decision, &Known)| decision.site == known.site && decision.taken == known.taken;
        let known = all.iter().zip(promise).take_while(kept).count();
        let (decisions, outcome, covered, limits) = (all.split_off(known), Outcome::Passed, Vec::new(), Vec::new());
        Ok(Trace { decisions, known, outcome, covered, reached: Vec::new(), limits, input, concurrent: None, segments: None })
    }
}

/// Sets the bit that the goal is about.
struct SetBit;

impl Solver for SetBit {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> xcute_solver::Answer {
        let mut patch = Model::new();
        for var in terms.vars(query.goal) {
            patch.set_word(var, 1 - query.hint.word(var).unwrap_or(0));
        }
        xcute_solver::Answer::Sat(patch)
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

struct World;

impl Observer for World {
    fn confirm(&self, _: &Terms, _: &xcute_trace::Failure, _: &TestCase) -> Confirmation {
        Confirmation::Confirmed
    }

    fn ran(&self, _: &Terms, _: &RunEvent<'_>) {}
}

/// Skips the arms at one depth.
struct SkipsAt(u32);

impl PathPruner for SkipsAt {
    fn interrupt_by(&mut self, _: &Interrupt) {}

    fn prepare(&mut self, _: &mut Runner<'_>, _: &dyn Observer) -> Result<(), SubjectError> {
        Ok(())
    }

    fn depth(&self, _: &Trace) -> Option<u32> {
        None
    }

    fn observe(&mut self, _: &mut Runner<'_>, _: &Run<'_>, _: (&PathTree, &Growth), _: Box<Followed>) -> Result<(), SubjectError> {
        unreachable!("no run has segments")
    }

    fn skips(&mut self, tree: &PathTree, arm: ArmId) -> Option<Skip> {
        (tree.depth(arm.node) == self.0).then_some(Skip::Arm)
    }

    fn skipped(&mut self, _: u64) {}

    fn restart(&mut self) {}

    fn figures(&self, _: &Runner<'_>, _: u64) -> Pruned {
        Pruned::default()
    }
}

/// Knows no way to a promise, and samples twice.
#[derive(Default)]
struct Lost {
    sampled: u32,
}

impl Scheduler for Lost {
    fn prepare(&mut self, _: &mut dyn Subject, _: u64) {}

    fn schedule(&self, _: &Sites, _: &[Known]) -> Option<Schedule> {
        None
    }

    fn observe(&mut self, runner: &mut Runner<'_>, _: &Interleaved<'_>, grown: (&mut PathTree, &mut Growth), record: Recording<'_>) {
        record(runner, grown.0, grown.1, &[]);
    }

    fn give_up(&mut self, _: &Sites, promise: &[Known], _: u64) {
        assert!(!promise.is_empty(), "what is given up is below an arm");
    }

    fn sample(&self, _: u64) -> Option<Model> {
        (self.sampled < 2).then(Model::new)
    }

    fn sampled(&mut self, new: bool) {
        assert!(!new, "the input is that of the first run");
        self.sampled += 1;
    }
}

fn results(pruning: Option<Box<dyn PathPruner>>, scheduling: Option<Box<dyn Scheduler>>) -> Results {
    let mut subject = TwoBits::new();
    let strategy = StrategyName::Dfs.build(&subject.0, 0);
    let mut campaign = Campaign::new(&mut subject, Box::new(SetBit), strategy, Options::default());
    (campaign.pruning, campaign.scheduling) = (pruning, scheduling);
    campaign.run(&World).expect("it runs").clone()
}

#[test]
fn without_parts_every_path_is_run() {
    let results = results(None, None);
    assert_eq!((results.runs, results.paths, results.complete), (4, 4, true));
}

#[test]
fn what_the_pruner_skips_is_not_run_and_counts_as_settled() {
    let inner = results(Some(Box::new(SkipsAt(1))), None);
    assert_eq!((inner.runs, inner.paths, inner.arms.subsumed, inner.complete), (2, 2, 2, true));
    let outer = results(Some(Box::new(SkipsAt(0))), None);
    assert_eq!((outer.runs, outer.paths, outer.arms.subsumed, outer.complete), (2, 2, 1, true));
}

#[test]
fn an_arm_that_the_scheduler_knows_no_way_to_has_diverged() {
    let results = results(None, Some(Box::new(Lost::default())));
    assert_eq!((results.runs, results.paths, results.arms.diverged, results.complete), (3, 1, 2, false));
}
