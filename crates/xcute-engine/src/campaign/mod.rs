//! The concolic loop.
//!
//! `run_CUTE` [sen-marinov-agha-2006 Fig. 11], with any strategy in place of "the last branch": run a case, insert its trace,
//! pick an open arm, solve the conditions up to it, run the model. A failure is confirmed on the uninstrumented program when
//! it is met for the first time (and again with other cases if that did not work). A campaign may be one of several workers
//! ([`crate::run_all`]): then one of them begins, and arms are handed over to a worker that has none.

mod explain;
mod repeat;
mod restart;
pub(crate) mod run;
mod search;
mod share;

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_solver::Solver;
use xcute_strategy::Strategy;
use xcute_term::{Interrupt, Model, TermId, Terms};
use xcute_trace::{Known, Schedule, SiteKind, Subject, SubjectError, TestCase, Trace};
use xcute_tree::{Arm, ArmId, PathTree};

use crate::campaign::run::Step;
use crate::crew::Crew;
use crate::observer::Observer;
use crate::options::Options;
use crate::pruning::interpolation::Pruning;
use crate::record::{Place, Record};
use crate::results::{Results, StopReason};
use crate::seed::Seed;

/// A search over the paths of one subject.
pub struct Campaign<'a> {
    pub(crate) subject: &'a mut dyn Subject,
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) strategy: Box<dyn Strategy>,
    pub(crate) options: Options,
    pub(crate) crew: Arc<Crew>,
    pub(crate) terms: Terms,
    pub(crate) tree: PathTree,
    pub(crate) results: Results,
    seeds: Vec<Seed>,
    pub(crate) past: Vec<Record>,
    pub(crate) path: Vec<TermId>,
    pub(crate) promise: Vec<Known>,
    /// How many covered arms of all workers the strategy knows of.
    pub(crate) heard: usize,
    /// The open arms that the crew's figures know of.
    open: u64,
    /// Whether the program may have several tasks.
    pub(crate) threads: bool,
    /// The version of the search that the tree is of.
    pub(crate) version: u64,
    /// The tree is empty, and the first run is this worker's to make.
    pub(crate) begin: bool,
    /// A run that is not recorded found memory to be shared.
    pub(crate) outdated: bool,
    /// Random schedules that led to nothing new, in a row.
    pub(crate) stale: u32,
    /// Inputs of paths, for random schedules.
    pub(crate) pool: Vec<Model>,
    /// What need not be run, if that is looked for.
    pub(crate) pruning: Option<Box<Pruning>>,
    /// Records of an earlier campaign are being repeated.
    pub(crate) repeating: bool,
    /// Ends what takes long.
    pub(crate) interrupt: Interrupt,
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
        let (terms, tree, path, promise) = (Terms::new(), PathTree::new(), Vec::new(), Vec::new());
        let results = Results::default();
        let (seeds, past) = (Vec::new(), Vec::new());
        let threads = subject.sites().sites.iter().any(|site| site.kind == SiteKind::Schedule);
        subject.schedule_by(crew.schedules().explorer.default_choice());
        Campaign {
            subject,
            solver,
            strategy,
            options,
            crew,
            terms,
            tree,
            results,
            seeds,
            past,
            path,
            promise,
            heard: 0,
            open: 0,
            threads,
            version: 0,
            begin: false,
            outdated: false,
            stale: 0,
            pool: Vec::new(),
            pruning: None,
            repeating: false,
            interrupt: Interrupt::never().clone(),
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

    /// Runs until nothing is open, a budget is used up, or the observer says stop. The results are there in every case.
    ///
    /// # Errors
    /// Where the subject cannot be run; the results up to then are in [`Campaign::results`].
    pub fn run(&mut self, observer: &dyn Observer) -> Result<&Results, SubjectError> {
        let outcome = self.work(observer, true);
        self.results.conclude(&self.crew, observer.elapsed());
        outcome.map(|()| &self.results)
    }

    /// The figures.
    #[must_use]
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &PathTree {
        &self.tree
    }

    /// The terms that the tree's conditions and the cases are made of.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The work of one worker, from its first run (if it is the one to begin) to the end of the campaign.
    pub(crate) fn work(&mut self, observer: &dyn Observer, begin: bool) -> Result<(), SubjectError> {
        self.listen(observer);
        let mut outcome = self.search(observer, begin);
        match outcome {
            Ok(()) => {}
            Err(SubjectError::Interrupted) => {
                self.crew.end(StopReason::Asked);
                outcome = Ok(());
            }
            Err(_) => {
                self.crew.end(StopReason::Subject);
            }
        }
        // Who waited may not have heard that the search restarted.
        self.catch_up();
        let pruned = self.pruned();
        let r = &mut self.results;
        r.layers.clear();
        self.solver.count(&mut |count| r.layers.push(count.clone()));
        r.arms = self.tree.counts();
        r.paths = self.tree.paths();
        r.pruned = pruned;
        outcome
    }

    /// From now on what takes long ends when the observer says so.
    pub(crate) fn listen(&mut self, observer: &dyn Observer) {
        self.interrupt = observer.interrupt();
        self.subject.interrupt_by(&self.interrupt);
        if let Some(pruning) = &mut self.pruning {
            pruning.pruner.interrupt_by(&self.interrupt);
        }
    }

    /// What this worker found.
    pub(crate) fn into_results(self) -> Results {
        self.results
    }

    /// The run that nothing is asked of.
    pub(crate) fn first_run(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        self.promise.clear();
        self.step(observer, None, Model::new(), TestCase::default())
    }

    /// The schedule of a run that is to keep a promise.
    pub(crate) fn schedule(&self, promise: &[Known]) -> Option<Schedule> {
        if self.threads { self.crew.schedules().schedule(self.subject.sites(), promise) } else { Some(Schedule::default()) }
    }

    /// An open arm was not taken by the run that should have.
    pub(crate) fn diverged(&mut self, arm: ArmId) {
        self.tree.settle(arm, Arm::Diverged);
        self.give_up(arm);
    }

    /// Runs the seeds.
    pub(crate) fn sow(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        // Kept where the search may restart.
        let seeds = if self.threads { self.seeds.clone() } else { std::mem::take(&mut self.seeds) };
        for seed in seeds {
            if self.begin || self.over(observer).is_some() {
                break;
            }
            let case = seed.case(&mut self.terms);
            self.promise.clear();
            self.step(observer, None, Model::new(), case)?;
        }
        Ok(())
    }

    pub(crate) fn tell_open(&mut self) {
        let open = self.tree.counts().open;
        self.crew.figures.open.fetch_add(open.wrapping_sub(self.open), Relaxed);
        self.open = open;
    }

    /// Leaves in a trace only those covered arms that are new to all workers.
    pub(crate) fn cover(&mut self, trace: &mut Trace) {
        if trace.covered.is_empty() {
            return;
        }
        let reported = std::mem::take(&mut trace.covered);
        trace.covered = self.crew.cover(&reported);
        self.count_covered(&trace.covered);
        self.hear_again(&reported, &mut trace.covered);
    }

    /// Where an arm is in every tree.
    pub(crate) fn place(&self, arm: ArmId) -> Place {
        Place { run: self.tree.number_of(arm.node), depth: self.tree.depth(arm.node), arm: arm.arm }
    }

    /// Runs a case, with the next number. Its input is that of the promised arm's decision, changed by the patch.
    pub(crate) fn step(
        &mut self,
        observer: &dyn Observer,
        promised: Option<ArmId>,
        patch: Model,
        case: TestCase,
    ) -> Result<(), SubjectError> {
        let number = self.crew.figures.runs.fetch_add(1, Relaxed) + 1;
        if number > self.options.runs {
            // Others took the last runs meanwhile.
            self.crew.figures.runs.fetch_sub(1, Relaxed);
            self.crew.end(StopReason::Runs);
            return Ok(());
        }
        let place = promised.map(|arm| self.place(arm));
        let made = self.results.runs;
        let outcome = self.run_step(observer, Step { number, promised, place, patch, repeated: false }, case);
        if outcome.is_err() && self.results.runs == made {
            self.crew.figures.runs.fetch_sub(1, Relaxed);
        }
        outcome
    }
}

/// How many branch arms there are.
pub(crate) fn branches(subject: &dyn Subject) -> u64 {
    subject.sites().sites.iter().filter(|s| s.counts()).map(|s| u64::from(s.arms)).sum()
}
