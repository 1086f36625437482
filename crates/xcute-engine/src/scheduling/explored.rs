//! Runs of several tasks: from their steps to the schedule arms that they open in the path tree.
//!
//! The explorer is told the choices by keys and answers with steps of the run; a step stands for the decision at its depth on the path of that
//! run.
//!
//! **Invariant.** What the explorer opens is open in exactly one tree, or given up.

use xcute_race::{Causality, Observed, Race};
use xcute_trace::{DecisionKind, End, Known, Outcome, SiteId, Trace};
use xcute_tree::{Arm, ArmId, Growth};

use crate::campaign::Campaign;
use crate::options::Races;
use crate::scheduling::shared::{Chain, Schedules, last_choice};

/// A schedule arm that a run asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The arm.
    pub arm: ArmId,
    /// The step of that run at which it stands.
    pub step: usize,
    /// The race that it turns round, by its steps in that run; `None` for arms that are run in any case.
    pub cause: Option<Race>,
}

/// Gives the steps of a run the keys of their choices and the digests of the branches after them. `promise` are the decisions that the trace leaves out.
pub(crate) fn name_choices(trace: &mut Trace, promise: &[Known]) {
    let Some(concurrent) = &mut trace.concurrent else { return };
    let own = trace.decisions.iter().map(|decision| Known { site: decision.site, taken: decision.taken });
    let mut decisions = promise.iter().take(trace.known).copied().chain(own);
    let (mut chain, mut read) = (Chain::default(), 0);
    let mut branches = Chain::default();
    let mut last: Option<usize> = None;
    for at in 0..concurrent.record.steps.len() {
        let before = concurrent.before.get(at).copied().unwrap_or(read);
        while read < before
            && let Some(known) = decisions.next()
        {
            (chain, branches, read) = (chain.then(known), branches.then(known), read + 1);
        }
        if let Some(last) = last.replace(at) {
            concurrent.record.steps[last].branches = branches.digest();
        }
        branches = Chain::default();
        let step = &mut concurrent.record.steps[at];
        step.node = chain.key();
        if step.options() > 1 {
            // Decisions beyond the depth of the search are not recorded.
            let known = decisions.next().unwrap_or(Known { site: SiteId(u32::MAX), taken: step.option() });
            (chain, read) = (chain.then(known), read + 1);
        }
    }
    if let Some(last) = last {
        concurrent.record.steps[last].branches = decisions.fold(branches, Chain::then).digest();
    }
}

impl Campaign<'_> {
    /// Takes in the schedule of a run that has grown the tree: opens what it asks for. The lock is to be held until the run is recorded.
    pub(crate) fn interleave(
        &mut self,
        schedules: &mut Schedules,
        causality: &Causality<'_>,
        trace: &Trace,
        growth: &mut Growth,
    ) -> Vec<Asked> {
        let (Some(concurrent), false) = (&trace.concurrent, growth.contradiction || growth.strayed) else { return Vec::new() };
        schedules.longest = schedules.longest.max(u32::try_from(concurrent.record.steps.len()).unwrap_or(u32::MAX));
        let named = schedules.name_tasks(self.subject, concurrent.record.width());
        // What lies before the promised arm was taken in with the run that came there first.
        let depth = self.promise.len().saturating_sub(1).min(trace.known) as u32;
        let fresh = if self.promise.is_empty() { 0 } else { concurrent.before.partition_point(|before| *before < depth) };
        let observed = if named { schedules.explorer.observe_run(causality, fresh).ok() } else { None };
        let Some(Observed { opened, cut, .. }) = observed else {
            self.results.limit("nondeterminism", "a run did not repeat what an earlier run with the same decisions did", true);
            return Vec::new();
        };
        if let Some(step) = cut {
            self.prune_below(growth, concurrent.before[step]);
        }
        if opened.is_empty() {
            return Vec::new();
        }
        let path = self.tree.path(growth);
        let mut asked = Vec::with_capacity(opened.len());
        for opening in opened {
            let place = concurrent.before.get(opening.step).and_then(|depth| path.get(*depth as usize));
            let right = |arm: &&ArmId| self.tree.kind(arm.node) == DecisionKind::Schedule && opening.option < self.tree.arm_count(arm.node);
            match place.filter(right) {
                Some(arm) => {
                    if let Some(race) = opening.cause.as_ref().filter(|race| race.second < concurrent.record.steps.len()) {
                        let place = |step: usize| concurrent.record.steps[step].place;
                        let pair = (place(race.first).min(place(race.second)), place(race.first).max(place(race.second)));
                        schedules.flips((opening.node, opening.option), pair);
                    }
                    asked.push(Asked { arm: ArmId { node: arm.node, arm: opening.option }, step: opening.step, cause: opening.cause });
                }
                None => schedules.explorer.give_up(opening.node, opening.task),
            }
        }
        let arms: Vec<ArmId> = asked.iter().map(|asked| asked.arm).collect();
        self.tree.open(growth, &arms, &trace.input);
        asked
    }

    /// An equal choice was seen: the branches below it are explored there.
    fn prune_below(&mut self, growth: &mut Growth, depth: u32) {
        let (below, left): (Vec<_>, Vec<_>) = growth.opened.iter().partition(|arm| self.tree.depth(arm.node) > depth);
        growth.opened = left;
        for arm in below {
            self.tree.settle(arm, Arm::Pruned);
        }
    }

    /// What lies behind an arm will not be explored: nothing may rely on it.
    pub(crate) fn give_up(&mut self, arm: ArmId) {
        if !self.threads {
            return;
        }
        let mut promise = Vec::new();
        self.tree.promise(arm, &mut promise);
        if let Some((key, option)) = last_choice(self.subject.sites(), &promise) {
            let mut schedules = self.crew.schedules();
            // The arm may be one of a tree that is about to be dropped.
            if schedules.version == self.version {
                schedules.explorer.give_up_option(key, option);
            }
        }
    }

    /// Counts what kept the schedules of a run from being followed to their end.
    pub(crate) fn account_schedule(&mut self, trace: &Trace, growth: &Growth) {
        self.results.sleep_blocked += u64::from(growth.asleep);
        match self.options.races {
            Races::Off if trace.concurrent.is_some() => self.results.limit("races", "data races were not looked for", false),
            Races::Only if matches!(trace.outcome, Outcome::Failed(_)) => {
                self.results.limit("races", "failures other than data races are not reported", false)
            }
            _ => {}
        }
        let cut = trace.concurrent.as_ref().is_some_and(|concurrent| concurrent.record.end == End::Cut);
        if cut && !growth.cut && !matches!(trace.outcome, Outcome::OutOfBudget(_)) {
            self.results.limit("cut", "a run was cut off before all its tasks had ended", true);
        }
    }
}
