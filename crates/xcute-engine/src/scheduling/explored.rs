//! Runs of several tasks: from their steps to the schedule arms that they open in the path tree.
//!
//! The explorer knows the choices by keys and answers with steps of the run; a step stands for the decision at its depth on the path of that
//! run.
//!
//! **Invariant.** What the explorer opens is open in exactly one tree, or given up.

use std::sync::Arc;

use xcute_race::{Causality, Observed};
use xcute_term::Model;
use xcute_trace::{DecisionKind, Known, Schedule, SiteId, Sites, Subject, Trace};
use xcute_tree::{Arm, ArmId, Growth, PathTree};

use super::sample::Samples;
use super::shared::{Chain, Schedules, last_choice, pair};
use super::{Interleaved, Recording, Scheduler};
use crate::crew::Crew;
use crate::observer::Asked;
use crate::options::Scheduling;
use crate::runner::Runner;

/// The scheduler of a worker. What it knows of schedules all workers share.
pub(crate) struct Explored {
    crew: Arc<Crew>,
    scheduling: Scheduling,
    /// Where schedules are run at random.
    samples: Option<Samples>,
}

impl Explored {
    pub(crate) fn new(crew: Arc<Crew>, scheduling: Scheduling) -> Explored {
        let samples = matches!(scheduling, Scheduling::Random { .. }).then(Samples::default);
        Explored { crew, scheduling, samples }
    }
}

impl Scheduler for Explored {
    fn prepare(&mut self, subject: &mut dyn Subject, number: u64) {
        if self.samples.is_some()
            && let Some(choice) = self.scheduling.choice(number, self.crew.schedules().longest)
        {
            subject.schedule_by(choice);
        }
    }

    fn schedule(&self, sites: &Sites, promise: &[Known]) -> Option<Schedule> {
        self.crew.schedules().schedule(sites, promise)
    }

    fn observe(
        &mut self,
        runner: &mut Runner<'_>,
        run: &Interleaved<'_>,
        (tree, growth): (&mut PathTree, &mut Growth),
        record: Recording<'_>,
    ) {
        // Held until the run is recorded: a repetition must meet the runs in the order in which the explorer met them.
        let mut schedules = self.crew.schedules();
        let mut asked = Vec::new();
        if schedules.version != run.version {
            // The search restarted while this ran.
            growth.new_path = false;
        } else if let Some(causality) = run.causality {
            asked = interleave(&mut schedules, runner, run, causality, (tree, growth));
        }
        if let (Some(samples), true) = (&mut self.samples, growth.new_path) {
            samples.keep(runner.results.runs, &run.trace.input);
        }
        record(runner, tree, growth, &asked);
    }

    fn give_up(&mut self, sites: &Sites, promise: &[Known], version: u64) {
        if let Some((key, option)) = last_choice(sites, promise) {
            let mut schedules = self.crew.schedules();
            // The arm may be one of a tree that is about to be dropped.
            if schedules.version == version {
                schedules.explorer.give_up_option(key, option);
            }
        }
    }

    fn sample(&self, runs: u64) -> Option<Model> {
        let samples = self.samples.as_ref()?;
        if self.crew.schedules().explorer.choices() == 0 {
            return None;
        }
        samples.next(runs)
    }

    fn sampled(&mut self, new: bool) {
        if let Some(samples) = &mut self.samples {
            samples.made(new);
        }
    }
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

/// Takes in the schedule of a run that has grown the tree: opens what it asks for. The lock is to be held until the run is recorded.
fn interleave(
    schedules: &mut Schedules,
    runner: &mut Runner<'_>,
    run: &Interleaved<'_>,
    causality: &Causality<'_>,
    (tree, growth): (&mut PathTree, &mut Growth),
) -> Vec<Asked> {
    let (trace, promise) = (run.trace, run.promise);
    let (Some(concurrent), false) = (&trace.concurrent, growth.contradiction || growth.strayed) else { return Vec::new() };
    schedules.longest = schedules.longest.max(u32::try_from(concurrent.record.steps.len()).unwrap_or(u32::MAX));
    let named = schedules.name_tasks(runner.subject, concurrent.record.width());
    // What lies before the promised arm was taken in with the run that came there first.
    let depth = promise.len().saturating_sub(1).min(trace.known) as u32;
    let fresh = if promise.is_empty() { 0 } else { concurrent.before.partition_point(|before| *before < depth) };
    let observed = if named { schedules.explorer.observe_run(causality, fresh).ok() } else { None };
    let Some(Observed { opened, cut, .. }) = observed else {
        runner.results.limit("nondeterminism", "a run did not repeat what an earlier run with the same decisions did", true);
        return Vec::new();
    };
    if let Some(step) = cut {
        prune_below(tree, growth, concurrent.before[step]);
    }
    if opened.is_empty() {
        return Vec::new();
    }
    let path = tree.path(growth);
    let mut asked = Vec::with_capacity(opened.len());
    for opening in opened {
        let place = concurrent.before.get(opening.step).and_then(|depth| path.get(*depth as usize));
        let right = |arm: &&ArmId| tree.kind(arm.node) == DecisionKind::Schedule && opening.option < tree.arm_count(arm.node);
        match place.filter(right) {
            Some(arm) => {
                if let Some(race) = opening.cause.as_ref().filter(|race| race.second < concurrent.record.steps.len()) {
                    schedules.flips((opening.node, opening.option), pair(run.places, race.first, race.second));
                }
                asked.push(Asked { arm: ArmId { node: arm.node, arm: opening.option }, step: opening.step, cause: opening.cause });
            }
            None => schedules.explorer.give_up(opening.node, opening.task),
        }
    }
    let arms: Vec<ArmId> = asked.iter().map(|asked| asked.arm).collect();
    tree.open(growth, &arms, &trace.input);
    asked
}

/// An equal choice was seen: the branches below it are explored there.
fn prune_below(tree: &mut PathTree, growth: &mut Growth, depth: u32) {
    let (below, left): (Vec<_>, Vec<_>) = growth.opened.iter().partition(|arm| tree.depth(arm.node) > depth);
    growth.opened = left;
    for arm in below {
        tree.settle(arm, Arm::Pruned);
    }
}
