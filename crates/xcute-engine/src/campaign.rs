//! The concolic loop.
//!
//! Sen, Marinov & Agha, `run_CUTE` and Fig. 11, with any strategy in place of "the last branch": run a case, insert its trace,
//! pick an open arm, solve the conditions up to it, run the model. A failure is confirmed on the uninstrumented program when
//! it is met for the first time (and again with other cases if that did not work).

use std::time::Duration;

use xcute_solver::{Answer, Query, Solver};
use xcute_strategy::{Seen, Strategy};
use xcute_term::{Model, TermId, Terms};
use xcute_trace::{Failure, FailureKind, Known, Outcome, Schedule, Subject, SubjectError, TestCase, Trace};
use xcute_tree::{Arm, ArmId, Growth, Insertion, PathTree};

use crate::observer::{Confirmation, Observer, RunEvent};
use crate::options::{Options, StopAt};
use crate::results::{Found, Results, StopReason};
use crate::seed::Seed;

/// A search over the paths of one subject.
pub struct Campaign<'a> {
    subject: &'a mut dyn Subject,
    solver: Box<dyn Solver>,
    strategy: Box<dyn Strategy>,
    options: Options,
    terms: Terms,
    tree: PathTree,
    results: Results,
    seeds: Vec<Seed>,
    path: Vec<TermId>,
    promise: Vec<Known>,
}

impl<'a> Campaign<'a> {
    /// A campaign that has not begun.
    pub fn new(subject: &'a mut dyn Subject, solver: Box<dyn Solver>, strategy: Box<dyn Strategy>, options: Options) -> Campaign<'a> {
        let total = subject.sites().sites.iter().filter(|s| s.counts()).map(|s| u64::from(s.arms)).sum();
        let results = Results { branches: (0, total), ..Results::default() };
        let (terms, tree, path, promise) = (Terms::new(), PathTree::new(), Vec::new(), Vec::new());
        Campaign { subject, solver, strategy, options, terms, tree, results, seeds: Vec::new(), path, promise }
    }

    /// Runs these cases, too, before the search begins.
    pub fn begin_with(&mut self, seeds: Vec<Seed>) {
        self.seeds = seeds;
    }

    /// Runs until nothing is open, a budget is used up, or the observer says stop. The results are there in every case.
    ///
    /// # Errors
    /// Where the subject cannot be run; the results up to then are in [`Campaign::results`].
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<&Results, SubjectError> {
        let outcome = self.search(observer);
        self.results.stop = Some(*outcome.as_ref().unwrap_or(&StopReason::Subject));
        self.conclude(observer.elapsed());
        outcome.map(|_| &self.results)
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

    fn search(&mut self, observer: &mut dyn Observer) -> Result<StopReason, SubjectError> {
        self.promise.clear();
        self.step(observer, None, TestCase::default())?;
        for seed in std::mem::take(&mut self.seeds) {
            if let Some(reason) = self.over(observer) {
                return Ok(reason);
            }
            let case = seed.case(&mut self.terms);
            self.promise.clear();
            self.step(observer, None, case)?;
        }
        loop {
            if let Some(reason) = self.over(observer) {
                return Ok(reason);
            }
            let Some(arm) = self.strategy.pick(&self.tree) else { return Ok(StopReason::Exhausted) };
            if let Some(input) = self.solve(observer, arm) {
                self.promise.clear();
                self.tree.promise(arm, &mut self.promise);
                self.step(observer, Some(arm), TestCase { input, schedule: Schedule::default() })?;
            }
        }
    }

    fn over(&self, observer: &mut dyn Observer) -> Option<StopReason> {
        let r = &self.results;
        match self.options.stop_at {
            StopAt::FirstFailure if r.confirmed().next().is_some() => return Some(StopReason::FirstFailure),
            StopAt::FullCoverage if r.branches.0 == r.branches.1 => return Some(StopReason::FullCoverage),
            _ => {}
        }
        if r.runs >= self.options.runs {
            return Some(StopReason::Runs);
        }
        observer.stop().then_some(StopReason::Asked)
    }

    /// Asks for an input that takes an open arm; settles the arm if there is none.
    fn solve(&mut self, observer: &mut dyn Observer, arm: ArmId) -> Option<Model> {
        self.path.clear();
        self.tree.condition(arm.node, &mut self.path);
        let start = observer.elapsed();
        let hint = self.tree.input(arm.node).expect("an open arm keeps its input");
        let query = Query { path: &self.path, goal: self.tree.cond(arm), hint, effort: self.options.effort };
        let answer = self.solver.solve(&mut self.terms, &query);
        let (input, state) = match answer {
            Answer::Sat(patch) => {
                self.results.queries.0 += 1;
                (Some(hint.patched(&patch)), None)
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
            self.tree.settle(arm, state);
        }
        self.results.solver_time += observer.elapsed().saturating_sub(start);
        input
    }

    /// Runs a case and takes note of everything it did.
    fn step(&mut self, observer: &mut dyn Observer, promised: Option<ArmId>, case: TestCase) -> Result<(), SubjectError> {
        let start = observer.elapsed();
        let trace = self.subject.run(&case, &self.promise, &mut self.terms)?;
        self.results.subject_time += observer.elapsed().saturating_sub(start);
        self.results.runs += 1;
        let growth = self.tree.grow(&self.terms, &Insertion { promised, trace: &trace, depth: self.options.depth });
        if let Some(arm) = promised.filter(|&arm| self.tree.arm(arm) == Arm::Open) {
            self.tree.settle(arm, Arm::Diverged);
        }
        self.account(&trace, &growth);
        self.strategy.observe(&Seen { tree: &self.tree, growth: &growth, covered: &trace.covered });
        let case = TestCase { input: trace.input.clone(), schedule: case.schedule };
        if let Outcome::Failed(failure) = &trace.outcome {
            self.failed(observer, failure, &case);
        }
        self.results.paths = self.tree.paths();
        self.results.arms = self.tree.counts();
        observer.ran(&self.terms, &RunEvent { case: &case, trace: &trace, growth: &growth, results: &self.results });
        Ok(())
    }

    fn account(&mut self, trace: &Trace, growth: &Growth) {
        let sites = self.subject.sites();
        self.results.branches.0 += trace.covered.iter().filter(|(site, _)| sites.get(*site).counts()).count() as u64;
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

    /// Counts a failure; confirms it if no case of it was confirmed yet.
    fn failed(&mut self, observer: &mut dyn Observer, failure: &Failure, case: &TestCase) {
        let run = self.results.runs;
        let known = self.results.failures.iter().position(|f| f.failure.key() == failure.key());
        let index = known.unwrap_or_else(|| {
            let (failure, case) = (failure.clone(), case.clone());
            self.results.failures.push(Found { failure, case, run, times: 0, confirmed: false, doubt: None, tries: 0 });
            self.results.failures.len() - 1
        });
        let found = &mut self.results.failures[index];
        found.times += 1;
        if found.confirmed || found.tries >= self.options.confirmations {
            return;
        }
        found.tries += 1;
        match observer.confirm(&self.terms, failure, case) {
            Confirmation::Confirmed => {
                (found.confirmed, found.doubt) = (true, None);
                (found.failure, found.case, found.run) = (failure.clone(), case.clone(), run);
            }
            Confirmation::NotReproduced(why) => found.doubt = Some(why),
        }
    }

    fn conclude(&mut self, elapsed: Duration) {
        let mut doubts = Vec::new();
        for found in self.results.failures.iter().filter(|f| !f.confirmed) {
            let place = found.failure.stack.first().map_or(String::new(), |f| format!(" at {}:{}", f.file, f.line));
            let why = found.doubt.as_deref().unwrap_or("not replayed");
            let kind = if found.failure.kind == FailureKind::Hang { "steps" } else { "not-reproduced" };
            doubts.push((kind, format!("{}{place}: {why}", found.failure.kind.name())));
        }
        for (kind, what) in doubts {
            self.results.limit(kind, &what, true);
        }
        let r = &mut self.results;
        r.total_time = elapsed;
        r.layers.clear();
        self.solver.count(&mut |count| r.layers.push(count.clone()));
        r.arms = self.tree.counts();
        let settled = r.arms.open == 0 && r.arms.unknown == 0 && r.arms.diverged == 0;
        r.complete = r.stop == Some(StopReason::Exhausted) && settled && !r.limits.keys().any(|l| l.incomplete);
    }
}
