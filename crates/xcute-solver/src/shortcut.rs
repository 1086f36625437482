//! The shortcut: answers the easy majority of queries in about a microsecond, without a solver.
//!
//! Most goals are one comparison away from the last input. In this order: the hint itself; one variable of the goal, by
//! inversion ([`single`]); intervals, which may prove that there is nothing ([`refute`]); the variables that make up a word
//! together ([`push`]); two variables ([`pair`]); bisection ([`bisect`]). Every guess is evaluated on the constraints that mention what was changed.
//!
//! **Invariant.** A model given here was evaluated; "unsat" is given only where an exact set for one variable is exhausted and
//! the path pins the others ([`pins`]), or by intervals ([`refute`]).

pub(crate) mod allowed;
mod bisect;
mod floats;
mod invert;
mod pair;
mod pins;
mod preimage;
mod push;
pub(crate) mod ranges;
mod refute;
mod single;

use xcute_term::interval::Intervals;
use xcute_term::{Model, TermId, Terms};

use crate::solver::{Answer, Count, Layer, Query, Solver};
use crate::trial::Trial;
use pins::Pins;
use single::Found;

/// How many of the goal's variables are solved for, one at a time.
const SINGLES: usize = 8;

/// How many of the goal's variables are solved for by bisection.
const BISECTED: usize = 3;

/// The layer of shortcuts.
pub struct Shortcut {
    inner: Box<dyn Solver>,
    count: Count,
    trial: Trial,
    pins: Pins,
    intervals: Intervals,
    used: Vec<TermId>,
}

impl Shortcut {
    /// The shortcuts in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Shortcut {
        let count = Count { layer: "shortcut", ..Count::default() };
        Shortcut { inner, count, trial: Trial::new(), pins: Pins::default(), intervals: Intervals::new(), used: Vec::new() }
    }

    /// The answer, where one of the shortcuts has it.
    fn quick(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        let trial = &mut self.trial;
        trial.load(terms, query);
        if trial.eval.eval_bool(terms, query.goal) {
            return Some(Answer::Sat(Model::new()));
        }
        self.pins.load(terms, query.path);
        self.used.clear();
        self.used.push(query.goal);
        if self.pins.complete(terms, query.path, None, &mut self.used) {
            return Some(Answer::Unsat(self.used.clone()));
        }
        let vars = terms.vars(query.goal);
        for var in vars.iter().take(SINGLES) {
            if query.interrupt.raised() {
                return None;
            }
            match single::solve_for(terms, trial, query, (query.goal, var), &mut self.used) {
                Found::Value => return Some(Answer::Sat(trial.patch())),
                Found::Nothing => {
                    self.used.push(query.goal);
                    if self.pins.complete(terms, query.path, Some(var), &mut self.used) {
                        return Some(Answer::Unsat(self.used.clone()));
                    }
                }
                Found::GivenUp => {}
            }
            trial.reset(terms);
        }
        if refute::refuted(terms, &mut self.intervals, query, &mut self.used) {
            return Some(Answer::Unsat(self.used.clone()));
        }
        for variant in 0..push::VARIANTS {
            if query.interrupt.raised() {
                return None;
            }
            if push::push(terms, trial, query.goal, variant) && trial.violated(terms, query).is_none() {
                return Some(Answer::Sat(trial.patch()));
            }
            trial.reset(terms);
        }
        if pair::solve_for_two(terms, trial, query, &mut self.used) {
            return Some(Answer::Sat(trial.patch()));
        }
        for var in vars.iter().take(BISECTED) {
            trial.reset(terms);
            if bisect::bisect(terms, trial, query, var) {
                return Some(Answer::Sat(trial.patch()));
            }
        }
        None
    }
}

impl Layer for Shortcut {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        self.quick(terms, query)
    }
}
