//! A search through a followed program, depth first, with or without pruning; every run is replayed.

use tempfile::TempDir;
use xcute_prune::{Next, Options, Pruner};
use xcute_solver::{Answer, Chain, ChainOptions, Effort, Query, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_term::{Model, TermId, Terms};
use xcute_trace::segments::{Arm, End, Followed};
use xcute_trace::{Budget, DecisionKind, Outcome, Subject as _, TestCase, Trace};

use crate::run::subject::tests::of_text;
use crate::run::subject::{CSubject, RunOptions};

/// What a search found.
#[derive(Default)]
pub struct Found {
    pub runs: usize,
    pub confirmations: usize,
    pub failures: usize,
    /// The arms of all runs, those that no input decides included.
    pub paths: Vec<Vec<Arm>>,
    /// Why runs were not followed to their ends, each once.
    pub lost: Vec<String>,
    pub most_decisions: usize,
}

pub struct Search {
    pub subject: CSubject,
    pub terms: Terms,
    pub solver: Box<dyn Solver>,
    pub pruner: Option<Pruner>,
    pub found: Found,
    pub most: usize,
    /// Only this many decisions of a run are explored, those included that no input decides.
    pub bound: Option<usize>,
    /// Whether the segments have no decision of an input that the trace does not have.
    pub exact: bool,
    _dir: Option<TempDir>,
}

/// The budgets of these tests.
pub fn budgets() -> RunOptions {
    RunOptions { fuel: 20_000, ..RunOptions::default() }
}

impl Search {
    /// A search through the function `f` of a text.
    pub fn of(text: &str, prune: Option<Options>) -> Search {
        let dir = TempDir::new().unwrap();
        let mut search = Search::through(of_text(text, "f", budgets(), dir.path()), prune);
        search.subject.follow(true).unwrap();
        search._dir = Some(dir);
        search
    }

    pub fn through(subject: CSubject, prune: Option<Options>) -> Search {
        let options = ChainOptions::default();
        let solver = Chain::build(options, vec![Box::new(BitBlaster::new())]);
        let (terms, found) = (Terms::new(), Found::default());
        let bound = prune.and_then(|options| options.bound);
        Search {
            subject,
            terms,
            solver: Box::new(solver),
            pruner: prune.map(Pruner::new),
            found,
            most: 5000,
            bound,
            exact: true,
            _dir: None,
        }
    }

    /// Another search through the same program.
    pub fn again(self, prune: Option<Options>) -> Search {
        let dir = self._dir;
        let mut search = Search::through(self.subject, prune);
        (search.terms, search._dir) = (self.terms, dir);
        search
    }

    /// Searches to the end.
    pub fn all(mut self) -> Search {
        self.explore(&Model::new(), 0);
        self
    }

    fn run(&mut self, input: &Model) -> Trace {
        let case = TestCase { input: input.clone(), ..TestCase::default() };
        let mut trace = self.subject.run(&case, &[], &mut self.terms).unwrap();
        if let Some(followed) = &trace.segments {
            check(&self.terms, followed, self.exact.then_some(trace.decisions.len()));
            self.found.most_decisions = self.found.most_decisions.max(followed.run.decisions.len());
            if let Some(lost) = followed.lost.as_ref().filter(|lost| !self.found.lost.contains(lost)) {
                self.found.lost.push(lost.clone());
            }
        }
        self.cut(&mut trace);
        trace
    }

    /// Leaves out what is beyond the bound.
    fn cut(&self, trace: &mut Trace) {
        let (Some(bound), Some(followed)) = (self.bound, &mut trace.segments) else { return };
        let run = &mut followed.run;
        let bound = run.beyond(bound);
        if run.decisions.len() > bound {
            run.last = std::mem::take(&mut run.decisions[bound].segment);
            run.decisions.truncate(bound);
            run.end = End::Bound;
            followed.ordinary.retain(|&place| (place as usize) < bound);
            trace.decisions.truncate(followed.ordinary.len());
            trace.outcome = Outcome::OutOfBudget(Budget::Steps);
        }
    }

    /// Runs an input and everything that leaves its path behind the first `from` decisions.
    fn explore(&mut self, input: &Model, from: usize) {
        let trace = self.run(input);
        self.found.runs += 1;
        self.found.failures += usize::from(matches!(trace.outcome, Outcome::Failed(_)));
        let followed = trace.segments.clone();
        let arms: Vec<Arm> = followed.iter().flat_map(|followed| &followed.run.decisions).map(|decision| decision.taken).collect();
        self.found.paths.push(arms.clone());
        self.prune(followed.as_deref());
        for k in (from..trace.decisions.len()).rev() {
            let decision = &trace.decisions[k];
            if decision.kind != DecisionKind::Branch || self.found.runs >= self.most {
                continue;
            }
            for (arm, &goal) in (0..).zip(&decision.arms).filter(|(arm, _)| *arm != decision.taken) {
                if self.is_subsumed(&trace, &arms, k, arm) {
                    continue;
                }
                let path: Vec<TermId> = trace.decisions[..k].iter().map(|d| d.arms[d.taken as usize]).collect();
                let query = Query::new(&path, goal, &trace.input, Effort(10_000));
                if let Answer::Sat(patch) = self.solver.solve(&mut self.terms, &query) {
                    self.explore(&trace.input.patched(&patch), k + 1);
                }
            }
        }
    }

    fn prune(&mut self, followed: Option<&Followed>) {
        let (Some(mut pruner), Some(followed)) = (self.pruner.take(), followed) else { return };
        let mut next = pruner.observe(&mut self.terms, &mut *self.solver, followed.run.clone());
        while let Next::Confirm(input) = next {
            let trace = self.run(&input);
            self.found.confirmations += 1;
            next = pruner.confirm(&mut self.terms, &mut *self.solver, trace.segments.unwrap().run);
        }
        self.pruner = Some(pruner);
    }

    fn is_subsumed(&mut self, trace: &Trace, arms: &[Arm], k: usize, arm: u32) -> bool {
        let (Some(pruner), Some(followed)) = (&mut self.pruner, &trace.segments) else { return false };
        if pruner.has_shapes() {
            let before = trace.decisions[..k].iter().map(|decision| decision.taken);
            return pruner.covers_trace(&before.chain([arm]).collect::<Vec<_>>());
        }
        let Some(&at) = followed.ordinary.get(k) else { return false };
        let mut path = arms[..at as usize].to_vec();
        path.push(Arm::Nth(arm));
        pruner.is_subsumed_path(&path)
    }
}

/// What must be so of every followed run.
fn check(terms: &Terms, followed: &Followed, decisions: Option<usize>) {
    followed.run.replay(terms).unwrap_or_else(|what| panic!("{what}: {followed:#?}"));
    if let Some(decisions) = decisions.filter(|_| followed.lost.is_none()) {
        assert_eq!(followed.ordinary.len(), decisions, "every decision of the trace is one of the segments");
    }
}
