//! The trait that real solvers and all layers implement.

use xcute_term::{Interrupt, Model, TermId, Terms};

/// How much work a query may cost, in units that do not depend on the machine (SAT conflicts, Z3 resource units / 1000).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort(pub u64);

/// A question: is there a model of all constraints of `path` and of `goal`?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Constraints that must hold, from the root of the path to the decision. `hint` satisfies them all.
    pub path: &'a [TermId],
    /// What must hold in addition; usually false under `hint`: the arm nobody has taken.
    pub goal: TermId,
    /// The input of the run that came by here. A good answer changes few of its values.
    pub hint: &'a Model,
    /// The work this query may cost.
    pub effort: Effort,
    /// Ends it before; the answer is then [`Why::Interrupted`].
    pub interrupt: &'a Interrupt,
}

impl<'a> Query<'a> {
    /// A query that nobody interrupts.
    #[must_use]
    pub fn new(path: &'a [TermId], goal: TermId, hint: &'a Model, effort: Effort) -> Query<'a> {
        Query { path, goal, hint, effort, interrupt: Interrupt::never() }
    }

    /// The same, ended by this flag.
    #[must_use]
    pub fn until(self, interrupt: &'a Interrupt) -> Query<'a> {
        Query { interrupt, ..self }
    }
}

/// Why a solver gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// The effort was used up.
    Effort,
    /// An operator, sort or combination the solver cannot handle.
    Unsupported,
    /// The model did not satisfy the query when it was evaluated.
    WrongModel,
    /// A second solver has a model of what the first one called a contradiction.
    Contradicted,
    /// The query was broken off. Nothing is known; asked again, it may have an answer.
    Interrupted,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// `hint` overwritten by this patch satisfies the query.
    Sat(Model),
    /// Nothing does. The constraints (of `path` and the goal) that already contradict each other; may be all of them.
    Unsat(Vec<TermId>),
    /// Undecided.
    Unknown(Why),
}

/// Something that answers queries.
pub trait Solver {
    /// Answers a query.
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer;

    /// Visits this layer's counters and those below it: layer name, queries answered here, queries seen here.
    fn count(&self, visit: &mut dyn FnMut(&Count));
}

/// A layer: a solver in front of another one, which answers some queries itself and hands on the others. What comes by is counted here, for all of them.
pub trait Layer {
    /// The layer's counters, and what is below it.
    fn parts(&self) -> (&Count, &dyn Solver);

    /// The same, to be changed.
    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver);

    /// Answers a query itself; `None` if what is below has to.
    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        let _ = (terms, query);
        None
    }

    /// Hands a query on to what is below: the one that [`Layer::attempt`] had no answer to just before.
    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.parts_mut().1.solve(terms, query)
    }
}

impl<L: Layer> Solver for L {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.parts_mut().0.seen += 1;
        match self.attempt(terms, query) {
            Some(answer) => {
                self.parts_mut().0.note(&answer);
                answer
            }
            None => self.hand_on(terms, query),
        }
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        let (own, below) = self.parts();
        visit(own);
        below.count(visit);
    }
}

/// The figures of one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The layer's name.
    pub layer: &'static str,
    /// Queries that came to this layer.
    pub seen: u64,
    /// Those it answered itself with a model.
    pub sat: u64,
    /// Those it answered itself with a contradiction.
    pub unsat: u64,
    /// Those it gave up.
    pub unknown: u64,
    /// Constraints that came in and constraints that it passed on (slicing, common sub-constraints).
    pub constraints: (u64, u64),
}

impl Count {
    /// Counts an answer of this layer's own.
    pub fn note(&mut self, answer: &Answer) {
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat(_) => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}
