//! Pruning by interpolation in the loop: runs with segments go to the pruner, arms that cannot lead to a failure are skipped.
//!
//! GenericConcolicWithPruning [jaffar-murali-navas-2013 Fig. 4]. Runs of greedy confirmation ([`confirm`]) are made while the search waits. Each worker has a
//! pruner of its own, with a solver of its own. It need not see every run: what it has not seen is not finished, so a search may switch it on and off
//! ([`worth`]).
//!
//! **Invariant.** I6: whatever the pruner does changes neither what the strategy is told nor the search's solver; only which arms are skipped. An arm is skipped
//! only where no failure is behind it.

mod annotated;
mod confirm;
mod options;
mod seats;
mod worth;

use std::collections::BTreeSet;
use std::time::Duration;

use xcute_prune::{Counters, Pruner};
use xcute_solver::Solver;
use xcute_trace::segments::{Choice, End, Followed, Segment};
use xcute_trace::{SiteId, SubjectError, Trace};
use xcute_tree::{Arm, ArmId, Growth};

use crate::campaign::Campaign;
use crate::observer::Observer;
use seats::Seats;
use worth::{Balance, Worth};

pub use annotated::{AnnotatedNode, NodeState};
pub use options::{Prune, PruneOptions};

/// Trees with more nodes and ends are not for people.
const SMALL: usize = 160;

/// What pruning did in a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The pruner's figures; `skipped` are arms that were not tried.
    pub counters: Counters,
    /// Why there was no pruning, or none of a part of the runs, each once.
    pub reasons: BTreeSet<String>,
    /// Time in it, runs of greedy confirmation included.
    pub time: Duration,
    /// Time that the subject took to get ready for runs with segments; not in `time`.
    pub build: Duration,
    /// Whether some worker found the root to be full: no run can fail.
    pub verified: bool,
    /// The annotated tree, where there is one worker and the tree is small.
    pub tree: Vec<AnnotatedNode>,
}

impl Pruned {
    /// Adds what another worker did.
    pub(crate) fn add(&mut self, other: Pruned) {
        self.counters.add(&other.counters);
        self.reasons.extend(other.reasons);
        self.time += other.time;
        self.build = self.build.max(other.build);
        self.verified |= other.verified;
        self.tree.clear();
    }
}

/// The pruner of a worker.
pub(crate) struct Pruning {
    pub(crate) pruner: Pruner,
    solver: Box<dyn Solver>,
    seats: Seats,
    worth: Worth,
    /// Whether the subject gives segments.
    following: bool,
    /// Arms that only runs beside the search have covered: the strategy hears of them when a run of the search does.
    unheard: BTreeSet<(SiteId, u32)>,
    pub(crate) skipped: u64,
    /// The runs of the search, and what they cost.
    runs: u64,
    cost: u64,
    /// How much all runs with segments told.
    told: u64,
    reasons: BTreeSet<String>,
    time: Duration,
    build: Duration,
}

impl Pruning {
    fn new(options: &PruneOptions, solver: Box<dyn Solver>, sites: usize) -> Pruning {
        let bound = options.horizon.map(|horizon| horizon as usize);
        let pruner = Pruner::new(xcute_prune::Options {
            greedy: options.greedy,
            bound,
            horizon: bound.is_some(),
            cap: options.cap,
            per_point: options.per_point,
            ..xcute_prune::Options::default()
        });
        Pruning {
            pruner,
            solver,
            seats: Seats::default(),
            worth: Worth::new(options.prune, sites),
            following: false,
            unheard: BTreeSet::new(),
            skipped: 0,
            runs: 0,
            cost: 0,
            told: 0,
            reasons: BTreeSet::new(),
            time: Duration::ZERO,
            build: Duration::ZERO,
        }
    }

    /// Lets the pruner work as long as that may pay; whether it may at all.
    fn allow(&mut self) -> bool {
        let left = self.worth.allowance(self.balance());
        self.pruner.allow(left.map_or(u64::MAX, |left| self.pruner.counters().work().saturating_add(left)));
        left != Some(0)
    }

    fn balance(&self) -> Balance {
        let counters = self.pruner.counters();
        let followed = counters.runs + counters.confirmations;
        let saved = counters.spared.saturating_mul(self.cost / self.runs.max(1));
        Balance { followed, told: self.told, work: counters.work(), saved }
    }
}

impl Campaign<'_> {
    /// Prunes as the options say; the pruner asks this solver. Where nothing can fail nobody looks for failures, but for paths: they are not skipped
    /// unless that was asked for.
    pub fn prune_with(&mut self, solver: Box<dyn Solver>) {
        let wanted = match self.options.prune.prune {
            Prune::Off => false,
            Prune::Auto => self.subject.can_fail(),
            Prune::Interpolation | Prune::Measure => true,
        };
        if wanted {
            self.pruning = Some(Box::new(Pruning::new(&self.options.prune, solver, self.subject.sites().sites.len())));
        }
    }

    /// What pruning did.
    pub(crate) fn pruned(&self) -> Option<Pruned> {
        let pruning = self.pruning.as_ref()?;
        // A campaign that goes on has skipped what the earlier one recorded, too.
        let skipped = pruning.skipped.max(self.tree.counts().subsumed);
        let counters = Counters { skipped, ..pruning.pruner.counters().clone() };
        let (reasons, time, build, verified) = (pruning.reasons.clone(), pruning.time, pruning.build, pruning.pruner.verified());
        Some(Pruned { counters, reasons, time, build, verified, tree: self.annotated(SMALL).unwrap_or_default() })
    }

    /// Asks the subject for segments, or no longer, before a run.
    pub(crate) fn follow(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        let Some(pruning) = &mut self.pruning else { return Ok(()) };
        let wanted = pruning.worth.follow(pruning.cost, pruning.balance());
        if wanted == pruning.following {
            return Ok(());
        }
        let start = observer.elapsed();
        let answer = self.subject.follow(wanted);
        pruning.build += observer.elapsed().saturating_sub(start);
        match answer {
            Ok(()) => pruning.following = wanted,
            Err(SubjectError::Segments(why)) => {
                pruning.reasons.insert(why);
                pruning.worth = Worth::new(Prune::Off, 0);
            }
            Err(other) => return Err(other),
        }
        Ok(())
    }

    /// How many decisions of a run are explored.
    pub(crate) fn depth_of(&self, trace: &Trace) -> u32 {
        let horizon = self.options.prune.horizon.filter(|_| self.pruning.is_some());
        let (Some(horizon), Some(followed)) = (horizon, &trace.segments) else { return self.options.depth };
        let beyond = followed.run.beyond(horizon as usize);
        let within = followed.ordinary.iter().filter(|&&place| (place as usize) < beyond).count();
        let shorter = beyond < followed.run.decisions.len();
        if shorter { self.options.depth.min(u32::try_from(within).unwrap_or(u32::MAX)) } else { self.options.depth }
    }

    /// Takes in a run of the search, the last one that grew the tree, and makes the runs that greedy confirmation asks for.
    pub(crate) fn prune(
        &mut self,
        observer: &dyn Observer,
        number: u64,
        growth: &Growth,
        followed: Option<Box<Followed>>,
    ) -> Result<(), SubjectError> {
        let decisions = growth.last.map_or(0, |arm| self.tree.depth(arm.node) as usize + 1);
        let Some(pruning) = &mut self.pruning else { return Ok(()) };
        pruning.runs += 1;
        pruning.cost += worth::cost(decisions);
        let Some(mut followed) = followed else { return Ok(()) };
        let start = observer.elapsed();
        let fits = followed.ordinary.len() >= decisions;
        self.cut(&mut followed);
        let Followed { run, mut ordinary, lost, told } = *followed;
        // Behind the shape of an input a decision of the trace is several of the run.
        let shape = run.decisions.iter().position(|decision| matches!(decision.choice, Choice::Shape(_)));
        ordinary.retain(|&place| shape.is_none_or(|shape| (place as usize) < shape));
        let whole = lost.is_none();
        let length = run.decisions.len();
        let Some(pruning) = &mut self.pruning else { return Ok(()) };
        pruning.reasons.extend(lost);
        pruning.told += u64::from(told);
        let restarts = pruning.pruner.counters().restarts;
        pruning.allow();
        let next = pruning.pruner.observe(&mut self.terms, pruning.solver.as_mut(), run);
        if pruning.pruner.counters().restarts != restarts {
            pruning.seats.clear();
        }
        // Where a run was lost nobody knows which decision is which. Where it had more decisions than the trace, those behind the first of them are
        // judged by what is above it.
        if fits || whole {
            pruning.seats.note(&self.tree, growth.last, pruning.pruner.passed(), &ordinary);
        }
        let outcome = self.confirm(observer, number, length, next);
        if let Some(pruning) = &mut self.pruning {
            pruning.time += observer.elapsed().saturating_sub(start);
            if pruning.pruner.counters().refuted > 0 {
                self.results.limit("pruning", "a run failed where paths like it had not: what was skipped may fail as well", true);
            }
        }
        outcome
    }

    /// Leaves out what is beyond the bounds of the search: nothing may be said of it. What was left out, in words.
    pub(crate) fn cut(&self, followed: &mut Followed) -> Option<String> {
        let run = &mut followed.run;
        let deep = followed.ordinary.get(self.options.depth as usize).map_or(usize::MAX, |&place| place as usize);
        let horizon = self.options.prune.horizon.map_or(usize::MAX, |horizon| run.beyond(horizon as usize));
        let at = deep.min(horizon);
        if at < run.decisions.len() {
            run.last = std::mem::take::<Segment>(&mut run.decisions[at].segment);
            run.decisions.truncate(at);
            run.end = if at == horizon { End::Bound } else { End::Cut };
            return Some(if at == horizon { self.beyond_horizon() } else { self.beyond_depth() });
        }
        None
    }

    /// That a path was not explored beyond the horizon.
    pub(crate) fn beyond_horizon(&self) -> String {
        format!("branches beyond {} were not explored", self.options.prune.horizon.unwrap_or(u32::MAX))
    }

    /// That a path was not explored beyond the depth.
    pub(crate) fn beyond_depth(&self) -> String {
        format!("decisions beyond {} were not explored", self.options.depth)
    }

    /// Settles an arm that need not be tried.
    pub(crate) fn skip(&mut self, observer: &dyn Observer, arm: ArmId) -> bool {
        let Some(pruning) = &mut self.pruning else { return false };
        if !pruning.seats.subsumed(&self.tree, &pruning.pruner, arm) {
            return false;
        }
        pruning.skipped += 1;
        if self.options.prune.prune == Prune::Measure {
            return false;
        }
        let place = self.place(arm);
        self.tree.settle(arm, Arm::Subsumed);
        observer.settled(place, Arm::Subsumed);
        true
    }

    /// The interpolants of the search so far; `None` where nothing is pruned.
    #[must_use]
    pub fn pruner(&self) -> Option<&Pruner> {
        self.pruning.as_ref().map(|pruning| &pruning.pruner)
    }

    /// The pruner's node of a decision of the tree.
    #[must_use]
    pub fn pruned_node(&self, decision: xcute_tree::NodeId) -> Option<xcute_prune::NodeId> {
        self.pruning.as_ref().and_then(|pruning| pruning.seats.node(decision))
    }

    /// Adds to what a run covered that is new to all workers what is new to the strategy only.
    pub(crate) fn hear_again(&mut self, reported: &[(SiteId, u32)], new: &mut Vec<(SiteId, u32)>) {
        if let Some(pruning) = &mut self.pruning {
            new.extend(reported.iter().filter(|arm| pruning.unheard.remove(arm)));
        }
    }

    /// The tree restarts: what is known of the old one is forgotten.
    pub(crate) fn forget_pruning(&mut self) {
        if let Some(pruning) = &mut self.pruning {
            pruning.seats.clear();
        }
    }
}
