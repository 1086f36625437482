//! The check: evaluates every model of a solver before anybody uses it.
//!
//! A model must respect the range and domain of the variables and satisfy the goal and every constraint of the path that
//! mentions a changed variable. A wrong one is a bug of the solver or its adapter; it becomes "unknown" and is counted, and the
//! search goes on.
//!
//! **Invariant.** The patch that leaves this layer assigns variables of the query only, and only those that differ from the hint.

use xcute_term::eval::{Evaluator, is_word};
use xcute_term::{Model, TermId, Terms, Value, VarId, VarSearch, VarWalk};

use crate::marks::Slots;
use crate::solver::{Answer, Count, Layer, Query, Solver, Why};
use crate::trial::admissible;

/// The layer of the check.
pub struct Checked {
    inner: Box<dyn Solver>,
    count: Count,
    eval: Evaluator,
    walk: VarWalk,
    vars: Vec<VarId>,
    changed: Slots,
    touched: VarSearch,
}

impl Checked {
    /// The check behind `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Checked {
        let count = Count { layer: "checked", ..Count::default() };
        let (walk, vars, changed, touched) = (VarWalk::default(), Vec::new(), Slots::default(), VarSearch::default());
        Checked { inner, count, eval: Evaluator::new(), walk, vars, changed, touched }
    }

    /// The part of `model` that changes the query's variables, if it satisfies the query.
    fn confirm(&mut self, terms: &Terms, query: &Query<'_>, model: &Model) -> Option<Model> {
        self.eval.load(&Model::new());
        self.changed.clear(terms.var_count());
        self.touched.clear();
        self.walk.clear();
        self.vars.clear();
        let constraints = || query.path.iter().copied().chain([query.goal]);
        constraints().for_each(|c| self.walk.visit(terms, c, |v| self.vars.push(v)));
        self.vars.sort_unstable();
        self.vars.dedup();
        let mut patch = Model::new();
        for i in 0..self.vars.len() {
            self.enter(terms, query.hint, model, self.vars[i], &mut patch)?;
        }
        let touched = |search: &mut VarSearch, c: TermId| c == query.goal || search.any(terms, c, |v| self.changed.has(v.index()));
        constraints().all(|c| !touched(&mut self.touched, c) || self.eval.eval_bool(terms, c)).then_some(patch)
    }

    /// Takes over one variable; `None` where its value is out of range.
    fn enter(&mut self, terms: &Terms, hint: &Model, model: &Model, v: VarId, patch: &mut Model) -> Option<()> {
        let old = hint.value(terms, v);
        if !model.has(v) {
            self.eval.set(v, old);
            return Some(());
        }
        let sort = terms.info(v).sort;
        if is_word(sort) && !model.word(v).is_some_and(|word| admissible(terms, v, word)) {
            return None;
        }
        let new = model.value(terms, v);
        if new.sort() != sort {
            return None;
        }
        if new != old {
            patch.set(v, Value::clone(&new));
            self.changed.set(v.index(), 0);
        }
        self.eval.set(v, new);
        Some(())
    }
}

impl Layer for Checked {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        match self.inner.solve(terms, query) {
            Answer::Sat(model) => match self.confirm(terms, query, &model) {
                Some(patch) => Answer::Sat(patch),
                None => {
                    let wrong = Answer::Unknown(Why::WrongModel);
                    self.count.note(&wrong);
                    wrong
                }
            },
            answer => answer,
        }
    }
}
