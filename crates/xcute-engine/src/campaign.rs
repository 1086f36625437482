//! The concolic loop.
//!
//! Sen, Marinov & Agha, `run_CUTE` and Fig. 11, with any strategy in place of "the last branch": run a case, insert its trace,
//! pick an open arm, solve the conditions up to it, run the model. A failure is confirmed on the uninstrumented program when
//! it is met for the first time (and again with other cases if that did not work). A campaign may be one of several workers
//! ([`crate::run_all`]): then one of them begins, and arms are handed over to who has none.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_solver::{Answer, Query, Solver};
use xcute_strategy::{Seen, Strategy};
use xcute_term::{Model, TermId, Terms};
use xcute_trace::{Failure, Known, Outcome, Schedule, Subject, SubjectError, TestCase, Trace};
use xcute_tree::{Arm, ArmId, Growth, Insertion, Parcel, PathTree};

use crate::crew::Crew;
use crate::observer::{Confirmation, Observer, RunEvent};
use crate::options::{Options, StopAt};
use crate::record::{Place, Record};
use crate::results::{Found, Results, StopReason};
use crate::seed::Seed;

/// A search over the paths of one subject.
pub struct Campaign<'a> {
    pub(crate) subject: &'a mut dyn Subject,
    pub(crate) solver: Box<dyn Solver>,
    strategy: Box<dyn Strategy>,
    pub(crate) options: Options,
    pub(crate) crew: Arc<Crew>,
    pub(crate) terms: Terms,
    pub(crate) tree: PathTree,
    results: Results,
    seeds: Vec<Seed>,
    pub(crate) past: Vec<Record>,
    path: Vec<TermId>,
    pub(crate) promise: Vec<Known>,
    /// How many covered arms of all workers the strategy knows of.
    heard: usize,
    /// The open arms that the crew's figures know of.
    open: u64,
}

/// One run of the loop.
pub(crate) struct Step {
    pub(crate) number: u64,
    pub(crate) promised: Option<ArmId>,
    pub(crate) place: Option<Place>,
    pub(crate) patch: Model,
    /// Whether it was recorded by an earlier campaign.
    pub(crate) repeated: bool,
}

/// At most so many arms are handed over at once.
const PARCEL: u64 = 16;

impl<'a> Campaign<'a> {
    /// A campaign of one worker that has not begun.
    pub fn new(subject: &'a mut dyn Subject, solver: Box<dyn Solver>, strategy: Box<dyn Strategy>, options: Options) -> Campaign<'a> {
        let crew = Arc::new(Crew::new(1, branches(subject)));
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
        Campaign { subject, solver, strategy, options, crew, terms, tree, results, seeds, past, path, promise, heard: 0, open: 0 }
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
        let outcome = self.search(observer, begin);
        if outcome.is_err() {
            self.crew.end(StopReason::Subject);
        }
        let r = &mut self.results;
        r.layers.clear();
        self.solver.count(&mut |count| r.layers.push(count.clone()));
        r.arms = self.tree.counts();
        r.paths = self.tree.paths();
        outcome
    }

    /// What this worker found.
    pub(crate) fn into_results(self) -> Results {
        self.results
    }

    fn search(&mut self, observer: &dyn Observer, begin: bool) -> Result<(), SubjectError> {
        if begin && self.past.is_empty() {
            self.promise.clear();
            self.step(observer, None, Model::new(), TestCase::default())?;
            self.sow(observer)?;
        } else if begin {
            let past = std::mem::take(&mut self.past);
            self.repeat(observer, past)?;
            observer.repeated();
        }
        while self.crew.ended().is_none() {
            if let Some(reason) = self.over(observer) {
                self.crew.end(reason);
                break;
            }
            self.hear();
            if self.crew.hungry() {
                self.share();
            }
            let Some(arm) = self.strategy.pick(&self.tree) else {
                let Some(parcel) = self.crew.wait() else { break };
                self.receive(observer, &parcel)?;
                continue;
            };
            if let Some(patch) = self.solve(observer, arm) {
                let input = self.tree.input(arm.node).expect("an open arm keeps its input").patched(&patch);
                self.promise.clear();
                self.tree.promise(arm, &mut self.promise);
                self.step(observer, Some(arm), patch, TestCase { input, schedule: Schedule::default() })?;
            }
            self.tell_open();
        }
        Ok(())
    }

    /// Runs the seeds.
    fn sow(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        for seed in std::mem::take(&mut self.seeds) {
            if self.over(observer).is_some() {
                break;
            }
            let case = seed.case(&mut self.terms);
            self.promise.clear();
            self.step(observer, None, Model::new(), case)?;
        }
        Ok(())
    }

    /// Gives half of the open arms, or a few, to those who wait.
    fn share(&mut self) {
        let open = self.tree.counts().open;
        if open >= 2 {
            let most = usize::try_from((open / 2).min(PARCEL)).unwrap_or(1);
            let mut parcels = self.tree.give(most);
            for parcel in &mut parcels {
                parcel.input = self.subject.export(&parcel.input);
            }
            self.crew.give(parcels);
        }
    }

    /// Takes over arms of another worker: one run that is no new one, but makes their conditions known here.
    fn receive(&mut self, observer: &dyn Observer, parcel: &Parcel) -> Result<(), SubjectError> {
        let start = observer.elapsed();
        let case = TestCase { input: self.subject.import(&parcel.input, &mut self.terms), schedule: Schedule::default() };
        let mut trace = self.subject.run(&case, &[], &mut self.terms)?;
        self.results.subject_time += observer.elapsed().saturating_sub(start);
        self.results.handovers += 1;
        self.cover(&mut trace);
        let growth = self.tree.receive(&self.terms, parcel, &trace);
        self.strategy.observe(&Seen { tree: &self.tree, growth: &growth, covered: &trace.covered });
        self.tell_open();
        Ok(())
    }

    /// Tells the strategy what the others covered.
    fn hear(&mut self) {
        let covered = self.crew.news(&mut self.heard);
        if !covered.is_empty() {
            self.strategy.observe(&Seen { tree: &self.tree, growth: &Growth::default(), covered: &covered });
        }
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
        trace.covered = self.crew.cover(&trace.covered);
        let sites = self.subject.sites();
        let counted = trace.covered.iter().filter(|(site, _)| sites.get(*site).counts()).count() as u64;
        self.crew.figures.covered.fetch_add(counted, Relaxed);
    }

    fn over(&self, observer: &dyn Observer) -> Option<StopReason> {
        let figures = &self.crew.figures;
        match self.options.stop_at {
            StopAt::FirstFailure if figures.failures() > 0 => return Some(StopReason::FirstFailure),
            StopAt::FullCoverage if figures.branches().0 == figures.branches().1 => return Some(StopReason::FullCoverage),
            _ => {}
        }
        if figures.runs() >= self.options.runs {
            return Some(StopReason::Runs);
        }
        observer.stop().then_some(StopReason::Asked)
    }

    /// Asks for an input that takes an open arm, as a patch of the input that came to its decision first; settles the arm if there is none.
    fn solve(&mut self, observer: &dyn Observer, arm: ArmId) -> Option<Model> {
        self.path.clear();
        self.tree.condition(arm.node, &mut self.path);
        let start = observer.elapsed();
        let hint = self.tree.input(arm.node).expect("an open arm keeps its input");
        let query = Query { path: &self.path, goal: self.tree.cond(arm), hint, effort: self.options.effort };
        let answer = self.solver.solve(&mut self.terms, &query);
        let (patch, state) = match answer {
            Answer::Sat(patch) => {
                self.results.queries.0 += 1;
                (Some(patch), None)
            }
            Answer::Unsat(_) => {
                self.results.queries.1 += 1;
                (None, Some(Arm::Infeasible))
            }
            Answer::Unknown(_) => {
                self.results.queries.2 += 1;
                (None, Some(Arm::Unknown))
            }
        };
        if let Some(state) = state {
            let place = self.place(arm);
            self.tree.settle(arm, state);
            observer.settled(place, state);
        }
        self.results.solver_time += observer.elapsed().saturating_sub(start);
        patch
    }

    /// Where an arm is in every tree.
    fn place(&self, arm: ArmId) -> Place {
        Place { run: self.tree.number_of(arm.node), depth: self.tree.depth(arm.node), arm: arm.arm }
    }

    /// Runs a case, with the next number. Its input is that of the promised arm's decision, changed by the patch.
    fn step(&mut self, observer: &dyn Observer, promised: Option<ArmId>, patch: Model, case: TestCase) -> Result<(), SubjectError> {
        let number = self.crew.figures.runs.fetch_add(1, Relaxed) + 1;
        if number > self.options.runs {
            // Others took the last runs meanwhile.
            self.crew.figures.runs.fetch_sub(1, Relaxed);
            self.crew.end(StopReason::Runs);
            return Ok(());
        }
        let place = promised.map(|arm| self.place(arm));
        self.run_step(observer, Step { number, promised, place, patch, repeated: false }, case)
    }

    /// Runs a case and takes note of everything it did.
    pub(crate) fn run_step(&mut self, observer: &dyn Observer, step: Step, case: TestCase) -> Result<(), SubjectError> {
        let Step { number, promised, place, patch, repeated } = step;
        let start = observer.elapsed();
        let mut trace = self.subject.run(&case, &self.promise, &mut self.terms)?;
        self.results.subject_time += observer.elapsed().saturating_sub(start);
        self.results.runs += 1;
        let growth = self.tree.grow(&self.terms, &Insertion { promised, trace: &trace, number, depth: self.options.depth });
        if let Some(arm) = promised.filter(|&arm| self.tree.arm(arm) == Arm::Open) {
            self.tree.settle(arm, Arm::Diverged);
        }
        self.cover(&mut trace);
        self.account(&trace, &growth);
        self.strategy.observe(&Seen { tree: &self.tree, growth: &growth, covered: &trace.covered });
        if let Outcome::Failed(failure) = &trace.outcome {
            self.failed(observer, (number, promised.filter(|_| growth.kept)), failure, &trace);
        }
        self.crew.figures.paths.fetch_add(u64::from(growth.new_path), Relaxed);
        let (subject, figures) = (&*self.subject, &self.crew.figures);
        let (growth, trace, input, patch) = (&growth, &trace, &case.input, &patch);
        observer.ran(&self.terms, &RunEvent { number, place, repeated, subject, input, patch, trace, growth, figures });
        Ok(())
    }

    fn account(&mut self, trace: &Trace, growth: &Growth) {
        self.results.rejected += u64::from(trace.outcome == Outcome::Rejected);
        for limit in &trace.limits {
            if let Some(count) = self.results.limits.get_mut(limit) {
                *count += 1;
            } else {
                self.results.limits.insert(limit.clone(), 1);
            }
        }
        if let Outcome::OutOfBudget(budget) = trace.outcome {
            let what = format!("a run used up its budget of {}", format!("{budget:?}").to_lowercase());
            self.results.limit("cut", &what, true);
        }
        if growth.cut {
            self.results.limit("depth", &format!("decisions beyond {} were not explored", self.options.depth), true);
        }
        if growth.contradiction {
            self.results.limit("nondeterminism", "a run did not repeat what an earlier run with the same decisions did", true);
        }
    }

    /// Counts a failure; confirms it if no case of it was confirmed yet, first with a smaller input.
    fn failed(&mut self, observer: &dyn Observer, (run, promised): (u64, Option<ArmId>), failure: &Failure, trace: &Trace) {
        let crew = Arc::clone(&self.crew);
        let mut failures = crew.failures();
        let known = failures.iter().position(|f| f.failure.key() == failure.key());
        let index = known.unwrap_or_else(|| {
            let case = TestCase { input: self.subject.export(&trace.input), schedule: Schedule::default() };
            failures.push(Found { failure: failure.clone(), case, run, times: 0, confirmed: false, doubt: None, tries: 0 });
            failures.len() - 1
        });
        let found = &mut failures[index];
        found.times += 1;
        if found.confirmed || found.tries >= self.options.confirmations {
            return;
        }
        found.tries += 1;
        let whole = promised.is_some() || trace.known == 0;
        let small = if whole { self.minimised(promised, trace, failure) } else { None };
        for (failure, input) in small.into_iter().chain([(failure.clone(), trace.input.clone())]) {
            let case = TestCase { input: self.subject.export(&input), schedule: Schedule::default() };
            match observer.confirm(&self.terms, &failure, &case) {
                Confirmation::Confirmed => {
                    (found.confirmed, found.doubt) = (true, None);
                    (found.failure, found.case, found.run) = (failure, case, run);
                    crew.figures.failures.fetch_add(1, Relaxed);
                    return;
                }
                Confirmation::NotReproduced(why) => found.doubt = Some(why),
            }
        }
    }
}

/// How many branch arms there are.
pub(crate) fn branches(subject: &dyn Subject) -> u64 {
    subject.sites().sites.iter().filter(|s| s.counts()).map(|s| u64::from(s.arms)).sum()
}
