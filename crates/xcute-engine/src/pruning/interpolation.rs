//! Pruning by interpolation: runs with segments go to the pruner, arms that cannot lead to a failure are skipped.
//!
//! GenericConcolicWithPruning [jaffar-murali-navas-2013 Fig. 4]. Runs of greedy confirmation ([`super::confirm`]) are made while the search waits. Each worker has a
//! pruner of its own, with a solver of its own. It need not see every run: what it has not seen is not finished, so a search may switch it on and off
//! ([`super::worth`]).
//!
//! **Invariant.** Nothing is said of what lies beyond the bounds of the search.

use std::collections::BTreeSet;
use std::time::Duration;

use xcute_prune::{Counters, Pruner};
use xcute_solver::Solver;
use xcute_term::Interrupt;
use xcute_trace::segments::{Choice, End, Followed, Segment};
use xcute_trace::{SubjectError, Trace};
use xcute_tree::{ArmId, Growth, PathTree};

use super::annotated::{AnnotatedNode, annotated};
use super::figures::Pruned;
use super::options::Prune;
use super::seats::Seats;
use super::worth::{self, Balance, Worth};
use super::{PathPruner, Skip};
use crate::failing::Run;
use crate::observer::Observer;
use crate::options::Options;
use crate::runner::Runner;

/// Trees with more nodes and ends are not for people.
const SMALL: usize = 160;

/// The pruner of a worker.
pub(crate) struct Interpolation {
    pub(super) pruner: Pruner,
    pub(super) solver: Box<dyn Solver>,
    pub(super) seats: Seats,
    options: Options,
    worth: Worth,
    /// Whether the subject gives segments.
    following: bool,
    skipped: u64,
    /// What a run of the search costs, on average.
    per_run: u64,
    /// How much all runs with segments recorded.
    pub(super) told: u64,
    pub(super) reasons: BTreeSet<String>,
    time: Duration,
    build: Duration,
}

impl Interpolation {
    /// For a program of this many sites; it asks this solver.
    pub(crate) fn new(options: &Options, solver: Box<dyn Solver>, sites: usize) -> Interpolation {
        let bound = options.prune.horizon.map(|horizon| horizon as usize);
        let pruner = Pruner::new(xcute_prune::Options {
            greedy: options.prune.greedy,
            bound,
            horizon: bound.is_some(),
            cap: options.prune.cap,
            per_point: options.prune.per_point,
            ..xcute_prune::Options::default()
        });
        Interpolation {
            pruner,
            solver,
            seats: Seats::default(),
            options: *options,
            worth: Worth::new(options.prune.prune, sites),
            following: false,
            skipped: 0,
            per_run: 1,
            told: 0,
            reasons: BTreeSet::new(),
            time: Duration::ZERO,
            build: Duration::ZERO,
        }
    }

    /// Lets the pruner work as long as that may pay; whether it may at all.
    pub(super) fn allow(&mut self) -> bool {
        let left = self.worth.allowance(self.balance());
        self.pruner.allow(left.map_or(u64::MAX, |left| self.pruner.counters().work().saturating_add(left)));
        left != Some(0)
    }

    fn balance(&self) -> Balance {
        let counters = self.pruner.counters();
        let followed = counters.runs + counters.confirmations;
        let saved = counters.worth.saturating_mul(self.per_run);
        Balance { followed, told: self.told, work: counters.work(), saved, subsumed: counters.subsumed }
    }

    /// Leaves out what is beyond the bounds of the search: nothing may be said of it. What was left out, in words.
    pub(super) fn cut(&self, followed: &mut Followed) -> Option<String> {
        let run = &mut followed.run;
        let deep = followed.ordinary.get(self.options.depth as usize).map_or(usize::MAX, |&place| place as usize);
        let horizon = self.options.prune.horizon.map_or(usize::MAX, |horizon| run.beyond(horizon as usize));
        let at = deep.min(horizon);
        if at < run.decisions.len() {
            run.last = std::mem::take::<Segment>(&mut run.decisions[at].segment);
            run.decisions.truncate(at);
            run.end = if at == horizon { End::Bound } else { End::Cut };
            return Some(if at == horizon { self.options.prune.beyond_horizon() } else { self.options.beyond_depth() });
        }
        None
    }
}

impl PathPruner for Interpolation {
    fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.pruner.interrupt_by(interrupt);
    }

    fn prepare(&mut self, runner: &mut Runner<'_>, observer: &dyn Observer) -> Result<(), SubjectError> {
        let cost = worth::cost(runner.results.runs, runner.results.decisions);
        self.per_run = cost / runner.results.runs.max(1);
        let wanted = self.worth.follow(cost, self.balance());
        if wanted == self.following {
            return Ok(());
        }
        let start = observer.elapsed();
        observer.building();
        let answer = runner.subject.follow(wanted);
        self.build += observer.elapsed().saturating_sub(start);
        match answer {
            Ok(()) => self.following = wanted,
            Err(SubjectError::Segments(why)) => {
                self.reasons.insert(why);
                self.worth = Worth::new(Prune::Off, 0);
            }
            Err(other) => return Err(other),
        }
        Ok(())
    }

    fn depth(&self, trace: &Trace) -> Option<u32> {
        let (horizon, followed) = (self.options.prune.horizon?, trace.segments.as_ref()?);
        let beyond = followed.run.beyond(horizon as usize);
        let within = followed.ordinary.iter().filter(|&&place| (place as usize) < beyond).count();
        let shorter = beyond < followed.run.decisions.len();
        shorter.then(|| self.options.depth.min(u32::try_from(within).unwrap_or(u32::MAX)))
    }

    fn observe(
        &mut self,
        runner: &mut Runner<'_>,
        run: &Run<'_>,
        (tree, growth): (&PathTree, &Growth),
        mut followed: Box<Followed>,
    ) -> Result<(), SubjectError> {
        let start = run.observer.elapsed();
        let decisions = growth.last.map_or(0, |arm| tree.depth(arm.node) as usize + 1);
        let fits = followed.ordinary.len() >= decisions;
        self.cut(&mut followed);
        let Followed { run: path, mut ordinary, lost, told } = *followed;
        // After the shape of an input a decision of the trace is several of the run.
        let shape = path.decisions.iter().position(|decision| matches!(decision.choice, Choice::Shape(_)));
        ordinary.retain(|&place| shape.is_none_or(|shape| (place as usize) < shape));
        let whole = lost.is_none();
        let length = path.decisions.len();
        self.reasons.extend(lost);
        self.told += u64::from(told);
        let restarts = self.pruner.counters().restarts;
        self.allow();
        run.observer.pruning(true);
        let next = self.pruner.observe(&mut runner.terms, self.solver.as_mut(), path);
        run.observer.pruning(false);
        if self.pruner.counters().restarts != restarts {
            self.seats.clear();
        }
        // Where a run was lost nobody knows which decision is which. Where it had more decisions than the trace, those after the first of them are
        // judged by what is above it.
        if fits || whole {
            self.seats.note(tree, growth.last, self.pruner.passed(), &ordinary);
        }
        let outcome = self.confirm(runner, run, length, next);
        self.time += run.observer.elapsed().saturating_sub(start);
        if self.pruner.counters().refuted > 0 {
            runner.results.limit("pruning", "a run failed where paths like it had not: what was skipped may fail as well", true);
        }
        outcome
    }

    fn skips(&mut self, tree: &PathTree, arm: ArmId) -> Option<Skip> {
        let skip = self.seats.subsumed(tree, &self.pruner, arm)?;
        if self.options.prune.prune == Prune::Measure {
            self.skipped += 1;
            return None;
        }
        Some(skip)
    }

    fn skipped(&mut self, arms: u64) {
        self.skipped += arms;
    }

    fn restart(&mut self) {
        self.seats.clear();
    }

    fn figures(&self, runner: &Runner<'_>, subsumed: u64) -> Pruned {
        // A campaign that goes on has skipped what the earlier one recorded, too.
        let skipped = self.skipped.max(subsumed);
        let counters = Counters { skipped, ..self.pruner.counters().clone() };
        let (reasons, time, build, verified) = (self.reasons.clone(), self.time, self.build, self.pruner.verified());
        Pruned { counters, reasons, time, build, verified, tree: self.annotated(runner, SMALL).unwrap_or_default() }
    }

    fn annotated(&self, runner: &Runner<'_>, most: usize) -> Option<Vec<AnnotatedNode>> {
        annotated(&self.pruner, runner.subject.points()?, &runner.terms, most)
    }

    fn interpolants(&self) -> Option<&Pruner> {
        Some(&self.pruner)
    }
}
