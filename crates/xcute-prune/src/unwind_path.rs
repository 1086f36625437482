//! UnwindPath [jaffar-murali-navas-2013 Fig. 3], backwards: interpolants are propagated from the end of a run to its root, as long as nodes become full.
//!
//! At each node the arms that are not finished are settled: they are infeasible, or greedy confirmation runs them. A run of greedy confirmation is unwound
//! the same way down to the arm it confirms, so there is a stack of runs, and in the middle of it the caller is asked for a run.
//!
//! **Invariant.** A node becomes full only when all its arms are finished (Definition 2). The first node that stays half ends everything: nothing
//! above it could become full either.

use xcute_solver::Answer;
use xcute_term::Model;

use crate::context::Context;
use crate::counters::{Half, Purpose};
use crate::interpolant::{Annotation, Horizon, Interpolant};
use crate::options::Mutant;
use crate::sym_exec::{Annotated, Passage, before};
use crate::tree::{Child, NodeId};
use xcute_trace::segments::{Arm, Choice, Decision, End};

/// Of how many turns of a loop that no input decides the interpolants are kept; of later ones, of each that is a power of two.
const TURNS: u32 = 32;

/// A run that is being unwound.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) passage: Passage,
    /// What is known just after the arm that the run took at decision `at - 1`.
    pub(crate) known: Annotation,
    pub(crate) at: usize,
    /// Where to end: what is known after the arm taken at decision `low - 1` belongs to the run below on the stack.
    pub(crate) low: usize,
    /// The arm of decision `at - 1` for which a run was asked.
    pub(crate) asked: Option<Arm>,
}

impl Frame {
    pub(crate) fn new(passage: Passage, known: Annotation, low: usize) -> Frame {
        let at = passage.nodes.len() - usize::from(passage.stopped);
        Frame { passage, known, at, low, asked: None }
    }
}

/// What came of settling an arm.
enum Settled {
    Finished,
    /// This input takes the arm.
    Run(Arm, Model),
}

impl Annotated {
    /// Goes back to `low`. `Ok(Some(input))` where a run is needed first, `Ok(None)` at the end.
    pub(crate) fn unwind(&mut self, context: &mut Context<'_>, frame: &mut Frame) -> Result<Option<Model>, Half> {
        while frame.at > frame.low {
            if context.over() {
                return Err(Half::Abandoned);
            }
            let k = frame.at - 1;
            let node = frame.passage.nodes[k];
            if self.tree.get(node).full.is_none() {
                let taken = frame.passage.walk.run.decisions[k].taken;
                self.finish(context, &frame.passage, k, taken, &frame.known);
                if let Some((arm, input)) = self.complete(context, &frame.passage, k)? {
                    frame.asked = Some(arm);
                    return Ok(Some(input));
                }
            }
            let full = self.tree.get(node).full.clone().expect("it is complete");
            let run = &frame.passage.walk.run;
            frame.known = before(context, &full, &run.decisions[k].segment, run);
            frame.at = k;
        }
        Ok(None)
    }

    /// Enters what is known after an arm into the half interpolant of its node.
    pub(crate) fn finish(&mut self, context: &mut Context<'_>, passage: &Passage, k: usize, arm: Arm, known: &Annotation) {
        let node = passage.nodes[k];
        if self.tree.get(node).finished(arm) {
            return;
        }
        let condition = passage.walk.run.decisions[k].condition(context.terms, arm, &[]);
        let interpolant = known.interpolant.as_ref().map(|after| context.wp_arm(&passage.walk, k, condition, after));
        self.tree.get_mut(node).arms.push((arm, Annotation::new(interpolant, known.horizon, known.paths)));
        if context.options.broken(Mutant::HalfSubsumes) || context.options.broken(Mutant::UnfinishedSubsumes) {
            let half = self.tree.get(node).arms.last().expect("it was pushed").1.clone();
            self.store.keep(context, self.tree.get(node).point, &half, node);
        }
    }

    /// Settles the other arms of a node and makes it full.
    fn complete(&mut self, context: &mut Context<'_>, passage: &Passage, k: usize) -> Result<Option<(Arm, Model)>, Half> {
        let (node, decision) = (passage.nodes[k], &passage.walk.run.decisions[k]);
        if let Some(why) = self.tree.get(node).taint {
            return Err(why);
        }
        let arms = decision.arms(&self.tree.get(node).seen());
        for arm in arms {
            if !self.tree.get(node).finished(arm)
                && let Settled::Run(arm, input) = self.settle(context, passage, k, arm)?
            {
                return Ok(Some((arm, input)));
            }
        }
        self.annotate(context, passage, k, node);
        Ok(None)
    }

    fn settle(&mut self, context: &mut Context<'_>, passage: &Passage, k: usize, arm: Arm) -> Result<Settled, Half> {
        let (walk, id) = (&passage.walk, passage.nodes[k]);
        let decision = &walk.run.decisions[k];
        let node = self.tree.get(id);
        let seen = node.seen();
        if let Choice::Assume(_, holds) = decision.choice
            && arm != Arm::Nth(holds)
        {
            self.tree.get_mut(id).arms.push((arm, Annotation::new(Some(Interpolant::default()), Horizon::INFINITE, 0)));
            return Ok(Settled::Finished);
        }
        let condition = decision.condition(context.terms, arm, &seen);
        match node.children.get(&arm) {
            Some(Child::Infeasible) => return Ok(self.infeasible(context, passage, k, arm)),
            Some(Child::Unknown) => return Err(Half::Unknown),
            Some(Child::End(End::Failed)) => return Err(Half::Failure),
            Some(Child::End(End::Cut)) => return Err(Half::Cut),
            Some(Child::End(End::Lost)) => return Err(Half::Lost),
            Some(Child::Node(child)) if self.tree.get(*child).taint.is_some() => return Err(Half::Failure),
            _ => {}
        }
        let goal = walk.history.at(context.terms, context.symbols, k, condition);
        // The search does not know of shapes: it may never come to another one, nor to all that is below it, by itself.
        let shaped = |decision: &Decision| matches!(decision.choice, Choice::Shape(_));
        let confirmed = context.options.greedy || self.tree.shaped && walk.run.decisions[..=k].iter().any(shaped);
        if context.terms.as_u64(goal) == Some(0) || (arm == Arm::Rest && context.options.broken(Mutant::RestIgnored)) {
            return Ok(self.infeasible(context, passage, k, arm));
        }
        match context.ask(Purpose::Feasible, walk.history.path(k), goal, &walk.run.input) {
            Answer::Unsat(_) => Ok(self.infeasible(context, passage, k, arm)),
            Answer::Unknown(_) if context.options.broken(Mutant::UnknownIsInfeasible) => Ok(self.infeasible(context, passage, k, arm)),
            Answer::Unknown(_) => {
                self.tree.get_mut(id).children.insert(arm, Child::Unknown);
                Err(Half::Unknown)
            }
            Answer::Sat(_) if matches!(decision.choice, Choice::Pin(_)) => {
                if context.options.broken(Mutant::PinIgnored) {
                    return Ok(self.infeasible(context, passage, k, arm));
                }
                self.tree.taint(id, Half::Pinned);
                Err(Half::Pinned)
            }
            Answer::Sat(_) if confirmed && self.record.is_hopeless(decision.point, arm) => Err(Half::Failure),
            Answer::Sat(patch) if confirmed => Ok(Settled::Run(arm, walk.run.input.patched(&patch))),
            Answer::Sat(_) => Err(Half::Open),
        }
    }

    fn infeasible(&mut self, context: &mut Context<'_>, passage: &Passage, k: usize, arm: Arm) -> Settled {
        let run = &passage.walk.run;
        let node = passage.nodes[k];
        let seen = self.tree.get(node).seen();
        let condition = run.decisions[k].condition(context.terms, arm, &seen);
        let interpolant = context.wp_infeasible(condition, &run.input);
        let node = self.tree.get_mut(node);
        node.children.insert(arm, Child::Infeasible);
        node.arms.push((arm, Annotation::new(Some(interpolant), Horizon::INFINITE, 0)));
        Settled::Finished
    }

    /// The full interpolant: what the condition's own reads need, and what all arms need.
    fn annotate(&mut self, context: &mut Context<'_>, passage: &Passage, k: usize, id: NodeId) {
        let (walk, decision) = (&passage.walk, &passage.walk.run.decisions[k]);
        let node = self.tree.get(id);
        debug_assert!(node.taint.is_none(), "I5: something below keeps this node from being full");
        debug_assert!(decision.arms(&node.seen()).iter().all(|&arm| node.finished(arm)), "I3: an arm of a full node is not finished");
        let before = |horizon: Horizon| if decision.counted { horizon.before() } else { horizon };
        let horizon = node.arms.iter().map(|arm| before(arm.1.horizon)).min().unwrap_or(Horizon::INFINITE);
        let paths = node.arms.iter().fold(0u64, |sum, arm| sum.saturating_add(arm.1.paths));
        let mut sum = node.arms.iter().all(|arm| arm.1.interpolant.is_some()).then(Interpolant::default);
        if let Some(sum) = &mut sum {
            node.arms
                .iter()
                .filter_map(|arm| arm.1.interpolant.as_ref())
                .for_each(|arm| arm.clauses().iter().cloned().for_each(|clause| sum.add(clause)));
            if !context.options.broken(Mutant::OwnForgotten) {
                decision.own.iter().for_each(|&equality| context.quantify(sum, vec![equality], &walk.run.input));
            }
        }
        let smaller = sum.clone().map(|sum| context.generalise(walk, k, sum)).and_then(|sum| context.cap(walk, k, sum));
        context.check_stronger(sum.as_ref(), smaller.as_ref());
        let annotation = Annotation::new(smaller, horizon, paths);
        context.check_useful(&passage.walk, k, &annotation);
        context.counters.full += 1;
        context.counters.dropped += u64::from(annotation.interpolant.is_none());
        let node = self.tree.get(id);
        // A long loop that no input decides would fill its points with interpolants that fit one turn each, the last turns first.
        let sampled = node.occurrence <= TURNS || node.occurrence.is_power_of_two() || walk.history.decided(k);
        if sampled && self.store.keep(context, node.point, &annotation, id) {
            context.counters.stored += 1;
        }
        self.tree.get_mut(id).full = Some(annotation);
    }
}
