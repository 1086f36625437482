//! The concolic loop.
//!
//! `run_CUTE` [sen-marinov-agha-2006 §4.1.2], with any strategy in place of "the last branch": run a case, insert its trace,
//! pick an open arm, solve the conditions up to it, run the model. [`search`] is the loop, [`run`] one run of it; what prunes paths and what schedules tasks are
//! parts that it owns ([`PathPruner`], [`Scheduler`]), and all of them run the subject by one [`Runner`]. A campaign may be one of several workers
//! ([`crate::run_all`]): then one of them begins, and arms are handed over to a worker that has none ([`share`]).
//!
//! **Invariant.** Tree, strategy and solver are touched by the files of this folder only.

mod explain;
mod fuzz;
mod hard;
mod repeat;
mod run;
mod search;
mod share;

use std::sync::Arc;

use xcute_solver::Solver;
use xcute_strategy::Strategy;
use xcute_term::{TermId, Terms};
use xcute_trace::{Known, Schedule, SiteKind, Subject, SubjectError};
use xcute_tree::{Arm, ArmId, PathTree};

use crate::crew::Crew;
use crate::fuzzing::Fuzzing;
use crate::observer::Observer;
use crate::options::Options;
use crate::pruning::PathPruner;
use crate::pruning::annotated::AnnotatedNode;
use crate::pruning::interpolation::Interpolation;
use crate::pruning::options::Prune;
use crate::record::{Place, Record};
use crate::results::{Results, StopReason};
use crate::runner::Runner;
use crate::scheduling::Scheduler;
use crate::scheduling::explored::Explored;
use crate::seed::Seed;
use hard::Hard;

/// A search over the paths of one subject.
pub struct Campaign<'a> {
    /// Runs the subject, and counts.
    runner: Runner<'a>,
    tree: PathTree,
    strategy: Box<dyn Strategy>,
    solver: Box<dyn Solver>,
    /// What need not be run, if that is looked for.
    pruning: Option<Box<dyn PathPruner>>,
    /// Which schedules are run, if the program may have several tasks.
    scheduling: Option<Box<dyn Scheduler>>,
    /// What changes inputs at random, if that is wanted.
    fuzzing: Option<Fuzzing>,
    /// What resists the solver, if that is set aside.
    hard: Option<Hard>,
    seeds: Vec<Seed>,
    past: Vec<Record>,
    /// The conditions up to the arm that is solved for, and the decisions that are asked of the run under way: kept to save allocations.
    path: Vec<TermId>,
    promise: Vec<Known>,
    /// How many covered arms of all workers the strategy knows of.
    heard: usize,
    /// The open arms that the crew's figures know of.
    open: u64,
    /// The version of the search that the tree is of.
    version: u64,
    /// The tree is empty, and the first run is this worker's to make.
    begin: bool,
}

impl<'a> Campaign<'a> {
    /// A campaign of one worker that has not begun.
    pub fn new(subject: &'a mut dyn Subject, solver: Box<dyn Solver>, strategy: Box<dyn Strategy>, options: Options) -> Campaign<'a> {
        let crew = Arc::new(Crew::new(1, branches(subject), options.scheduling));
        Campaign::join(crew, subject, solver, strategy, options)
    }

    /// One worker of a crew.
    pub(crate) fn join(
        crew: Arc<Crew>,
        subject: &'a mut dyn Subject,
        solver: Box<dyn Solver>,
        strategy: Box<dyn Strategy>,
        options: Options,
    ) -> Campaign<'a> {
        let tasks = subject.sites().sites.iter().any(|site| site.kind == SiteKind::Schedule);
        let scheduling = tasks.then(|| Box::new(Explored::new(Arc::clone(&crew), options.scheduling)) as Box<dyn Scheduler>);
        subject.schedule_by(crew.schedules().explorer.default_choice());
        Campaign {
            runner: Runner::new(subject, crew, options),
            tree: PathTree::new(),
            strategy,
            solver,
            pruning: None,
            scheduling,
            fuzzing: None,
            hard: None,
            seeds: Vec::new(),
            past: Vec::new(),
            path: Vec::new(),
            promise: Vec::new(),
            heard: 0,
            open: 0,
            version: 0,
            begin: false,
        }
    }

    /// Runs these cases, too, before the search begins.
    pub fn begin_with(&mut self, seeds: Vec<Seed>) {
        self.seeds = seeds;
    }

    /// Goes on where an earlier campaign over the same program ended: these are its records. They take the place of the first run and the seeds.
    pub fn go_on_from(&mut self, past: Vec<Record>) {
        self.past = past;
    }

    /// Prunes as the options say; the pruner asks this solver. Where nothing can fail nobody looks for failures, but for paths: they are not skipped
    /// unless that was asked for.
    pub fn prune_with(&mut self, solver: Box<dyn Solver>) {
        let Runner { subject, options, .. } = &self.runner;
        let wanted = match options.prune.prune {
            Prune::Off => false,
            Prune::Auto => subject.can_fail(),
            Prune::Interpolation | Prune::Measure => true,
        };
        if wanted {
            self.pruning = Some(Box::new(Interpolation::new(options, solver, subject.sites().sites.len())));
        }
    }

    /// Runs until nothing is open, a budget is used up, or the observer says stop. The results are there in every case.
    ///
    /// # Errors
    /// Where the subject cannot be run; the results up to then are in [`Campaign::results`].
    pub fn run(&mut self, observer: &dyn Observer) -> Result<&Results, SubjectError> {
        let outcome = self.work(observer, true);
        let Runner { results, crew, .. } = &mut self.runner;
        results.conclude(crew, observer.elapsed());
        outcome.map(|()| &self.runner.results)
    }

    /// The figures.
    #[must_use]
    pub fn results(&self) -> &Results {
        &self.runner.results
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &PathTree {
        &self.tree
    }

    /// The terms that the tree's conditions and the cases are made of.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.runner.terms
    }

    /// The interpolants of the search so far; `None` where nothing is pruned.
    #[must_use]
    pub fn pruner(&self) -> Option<&xcute_prune::Pruner> {
        self.pruning.as_ref().and_then(|pruning| pruning.interpolants())
    }

    /// The annotated tree; `None` where nothing was pruned or it has more nodes than `most`.
    #[must_use]
    pub fn annotated(&self, most: usize) -> Option<Vec<AnnotatedNode>> {
        self.pruning.as_ref().and_then(|pruning| pruning.annotated(&self.runner, most))
    }

    /// The work of one worker, from its first run (if it is the one to begin) to the end of the campaign.
    pub(crate) fn work(&mut self, observer: &dyn Observer, begin: bool) -> Result<(), SubjectError> {
        self.listen(observer);
        let mut outcome = self.search(observer, begin);
        match outcome {
            Ok(()) => {}
            Err(SubjectError::Interrupted) => {
                self.runner.crew.end(StopReason::Asked);
                outcome = Ok(());
            }
            Err(_) => {
                self.runner.crew.end(StopReason::Subject);
            }
        }
        // A worker that waited may not have heard that the search restarted.
        self.catch_up();
        let arms = self.tree.counts();
        let pruned = self.pruning.as_ref().map(|pruning| pruning.figures(&self.runner, arms.subsumed));
        let r = &mut self.runner.results;
        r.layers.clear();
        self.solver.count(&mut |count| r.layers.push(count.clone()));
        (r.arms, r.paths, r.pruned) = (arms, self.tree.paths(), pruned);
        outcome
    }

    /// What this worker found.
    pub(crate) fn into_results(mut self) -> Results {
        self.runner.results.outline = self.tree.outline(Results::OUTLINE);
        self.runner.results
    }

    /// From now on what takes long ends when the observer says so.
    fn listen(&mut self, observer: &dyn Observer) {
        self.runner.listen(observer);
        if let Some(pruning) = &mut self.pruning {
            pruning.interrupt_by(&self.runner.interrupt);
        }
    }

    /// The schedule of a run that is to keep a promise; `None` where nobody knows the way.
    fn schedule(&self, promise: &[Known]) -> Option<Schedule> {
        let Some(scheduling) = &self.scheduling else { return Some(Schedule::default()) };
        scheduling.schedule(self.runner.subject.sites(), promise)
    }

    /// Where an arm is in every tree.
    fn place(&self, arm: ArmId) -> Place {
        Place { run: self.tree.number_of(arm.node), depth: self.tree.depth(arm.node), arm: arm.arm }
    }

    /// An open arm was not taken by the run that should have.
    fn diverged(&mut self, arm: ArmId) {
        self.tree.settle(arm, Arm::Diverged);
        self.give_up(arm);
    }

    /// What lies below an arm will not be explored: nothing may rely on it.
    fn give_up(&mut self, arm: ArmId) {
        let Some(scheduling) = &mut self.scheduling else { return };
        let mut promise = Vec::new();
        self.tree.promise(arm, &mut promise);
        scheduling.give_up(self.runner.subject.sites(), &promise, self.version);
    }
}

/// How many branch arms there are.
pub(crate) fn branches(subject: &dyn Subject) -> u64 {
    subject.sites().sites.iter().filter(|s| s.counts()).map(|s| u64::from(s.arms)).sum()
}

#[cfg(test)]
mod tests;
