//! Implied constraints: what follows from literals of the query is not handed on.
//!
//! A path through a program with terms has many constraints such as "not (a float and greater than 2)", after the run has found that the
//! term is an integer. They follow from that literal, but solvers look into them all the same, and blast what a float would be into bits.
//! Literals are the constraints that are atoms or negated atoms, and the parts of conjunctions; another constraint that they make true is
//! left out. This is CUTE's elimination of common sub-constraints [sen-marinov-agha-2006 §4.2] one step further.
//!
//! **Invariant.** What gives a literal is never left out, and neither is the goal: models of the rest are models of all, and a core of the
//! rest is one of the whole.

use rustc_hash::FxHashMap;
use xcute_term::{CtorId, Op, TermId, Terms};

use crate::solver::{Answer, Count, Layer, Query, Solver};

/// Shorter paths are handed on as they are: nothing is gained.
const SHORTEST: usize = 3;

/// Deeper conditions are not looked into.
const DEEPEST: u32 = 16;

/// The layer of implied constraints.
pub struct Implied {
    inner: Box<dyn Solver>,
    count: Count,
    known: FxHashMap<TermId, bool>,
    ctors: FxHashMap<TermId, CtorId>,
    rest: Vec<TermId>,
}

impl Implied {
    /// The layer in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Implied {
        let count = Count { layer: "implied", ..Count::default() };
        Implied { inner, count, known: FxHashMap::default(), ctors: FxHashMap::default(), rest: Vec::new() }
    }

    /// Notes the literals of a constraint; false if it has none.
    fn literals(&mut self, terms: &mut Terms, t: TermId, holds: bool, depth: u32) -> bool {
        match terms.op(t) {
            Op::Not if depth < DEEPEST => self.literals(terms, terms.args(t)[0], !holds, depth + 1),
            Op::And if holds && depth < DEEPEST => {
                let mut any = false;
                for at in 0..terms.args(t).len() {
                    any |= self.literals(terms, terms.args(t)[at], true, depth + 1);
                }
                any
            }
            Op::And | Op::Not => false,
            op => {
                self.known.insert(t, holds);
                if let (Op::IsCtor(ctor), true) = (op, holds) {
                    self.ctors.insert(terms.args(t)[0], ctor);
                }
                // The negation of a comparison is another comparison.
                if matches!(op, Op::Lt | Op::Le | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
                    self.known.insert(terms.not(t), !holds);
                }
                true
            }
        }
    }

    /// Whether a condition holds wherever the literals do; `None` where they do not say.
    fn truth(&self, terms: &Terms, t: TermId, depth: u32) -> Option<bool> {
        if let Some(&known) = self.known.get(&t) {
            return Some(known);
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Not if depth < DEEPEST => self.truth(terms, args[0], depth + 1).map(|holds| !holds),
            Op::And if depth < DEEPEST => {
                let mut all = Some(true);
                for &arg in args {
                    match self.truth(terms, arg, depth + 1) {
                        Some(false) => return Some(false),
                        None => all = None,
                        Some(true) => {}
                    }
                }
                all
            }
            Op::IsCtor(ctor) => self.ctors.get(&args[0]).map(|&known| known == ctor),
            _ => None,
        }
    }
}

impl Layer for Implied {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        if query.path.len() < SHORTEST {
            return self.inner.solve(terms, query);
        }
        self.known.clear();
        self.ctors.clear();
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        // The goal stays in any case.
        self.literals(terms, query.goal, true, 0);
        let kept: Vec<bool> = query.path.iter().map(|&c| self.literals(terms, c, true, 0)).collect();
        let needed = |&(&c, kept): &(&TermId, bool)| kept || self.truth(terms, c, 0) != Some(true);
        rest.extend(query.path.iter().zip(kept).filter(needed).map(|(&c, _)| c));
        let answer = self.inner.solve(terms, &Query { path: &rest, ..*query });
        self.rest = rest;
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Effort, Why};
    use std::cell::RefCell;
    use std::rc::Rc;
    use xcute_term::{Model, Sort, Value};

    /// Remembers the path of the last query.
    struct Last(Rc<RefCell<Vec<TermId>>>);

    impl Solver for Last {
        fn solve(&mut self, _: &mut Terms, query: &Query<'_>) -> Answer {
            *self.0.borrow_mut() = query.path.to_vec();
            Answer::Unknown(Why::Unsupported)
        }

        fn count(&self, _: &mut dyn FnMut(&Count)) {}
    }

    #[test]
    fn what_follows_from_literals_is_left_out() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
        let three = terms.value(Value::Int(3.into()));
        let (small, equal, big) = (terms.mk(Op::Lt, &[x, three]), terms.mk(Op::Eq, &[x, y]), terms.mk(Op::Lt, &[three, z]));
        let not_small = terms.mk(Op::Not, &[small]);
        // not (small and equal): implied. not (not small and equal): not implied. big and not small: gives literals.
        let (both, other) = (terms.mk(Op::And, &[small, equal]), terms.mk(Op::And, &[not_small, equal]));
        let (implied, open) = (terms.mk(Op::Not, &[both]), terms.mk(Op::Not, &[other]));
        let pair = terms.mk(Op::And, &[big, not_small]);
        // Part literal, part not: never left out, and what it says is used.
        let mixed = terms.mk(Op::And, &[implied, big]);
        let seen = Rc::new(RefCell::new(Vec::new()));
        let mut layer = Implied::new(Box::new(Last(seen.clone())));
        let hint = Model::new();
        let mut ask = |terms: &mut Terms, path: &[TermId], goal: TermId| {
            layer.solve(terms, &Query::new(path, goal, &hint, Effort(1)));
            seen.borrow().clone()
        };
        assert_eq!(ask(&mut terms, &[implied, open, pair], equal), [open, pair]);
        assert_eq!(ask(&mut terms, &[implied, open, big], not_small), [open, big]);
        assert_eq!(ask(&mut terms, &[open, mixed, big], not_small), [open, mixed, big]);
    }
}
