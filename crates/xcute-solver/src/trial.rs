//! Trials: the hint's values with a few of them changed, and whether the query holds under them.
//!
//! Shared by the layers that guess (shortcut, cache, exhaustion, the check of models), so that a guess costs only the
//! constraints that mention a changed variable.
//!
//! **Invariant.** The hint satisfies the path, so a constraint none of whose variables changed needs no evaluation.

use xcute_term::eval::{Evaluator, is_word};
use xcute_term::{Model, TermId, Terms, VarId};

use crate::bound::mask;
use crate::marks::Slots;
use crate::solver::Query;

/// An assignment under trial.
#[derive(Default)]
pub(crate) struct Trial {
    pub(crate) eval: Evaluator,
    /// Per variable of the query: its position in `vars`.
    place: Slots,
    /// The variables of the query and their words in the hint (0 for those that are not words).
    vars: Vec<(VarId, u64)>,
    /// Per variable: whether it differs from the hint.
    changed: Slots,
    patch: Vec<(VarId, u64)>,
    words_only: bool,
}

impl Trial {
    pub(crate) fn new() -> Trial {
        Trial { eval: Evaluator::new(), ..Trial::default() }
    }

    /// Starts from the hint's values of all variables of the query.
    pub(crate) fn load(&mut self, terms: &Terms, query: &Query<'_>) {
        self.eval.load(&Model::new());
        self.place.clear(terms.var_count());
        self.changed.clear(terms.var_count());
        self.vars.clear();
        self.patch.clear();
        self.words_only = true;
        self.enter(terms, query.hint, query.goal);
        for &c in query.path {
            self.enter(terms, query.hint, c);
        }
    }

    fn enter(&mut self, terms: &Terms, hint: &Model, t: TermId) {
        for &v in terms.vars(t) {
            if self.place.has(v.index()) {
                continue;
            }
            self.place.set(v.index(), u32::try_from(self.vars.len()).expect("fewer variables than 2^32"));
            let mut word = 0;
            if is_word(terms.info(v).sort) {
                word = hint.word(v).unwrap_or(0);
                self.eval.set_word(v, word);
            } else {
                self.words_only = false;
                self.eval.set(v, hint.value(terms, v));
            }
            self.vars.push((v, word));
        }
    }

    /// The variables of the query with their words in the hint; 0 where the variable is not a word.
    pub(crate) fn vars(&self) -> &[(VarId, u64)] {
        &self.vars
    }

    /// Whether all variables of the query are words.
    pub(crate) fn words_only(&self) -> bool {
        self.words_only
    }

    /// The hint's word of a variable of the query.
    pub(crate) fn base(&self, var: VarId) -> u64 {
        self.place.get(var.index()).map_or(0, |i| self.vars[i as usize].1)
    }

    /// The word that a variable has in this trial, if it was changed.
    pub(crate) fn set_to(&self, var: VarId) -> Option<u64> {
        self.patch.iter().find(|p| p.0 == var).map(|p| p.1)
    }

    /// Changes a variable; says whether the word is one the variable can have.
    pub(crate) fn set(&mut self, terms: &Terms, var: VarId, word: u64) -> bool {
        if !admissible(terms, var, word) {
            return false;
        }
        match self.patch.iter_mut().find(|p| p.0 == var) {
            Some(entry) => entry.1 = word,
            None => {
                self.patch.push((var, word));
                self.changed.set(var.index(), 0);
            }
        }
        self.eval.set_word(var, word);
        true
    }

    /// Goes back to the hint.
    pub(crate) fn reset(&mut self, terms: &Terms) {
        while let Some((var, _)) = self.patch.pop() {
            self.eval.set_word(var, self.base(var));
        }
        self.changed.clear(terms.var_count());
    }

    /// Whether a constraint mentions a changed variable.
    pub(crate) fn touches(&self, terms: &Terms, c: TermId) -> bool {
        match self.patch[..] {
            [(var, _)] => terms.vars(c).contains(&var),
            _ => terms.vars(c).iter().any(|v| self.changed.has(v.index())),
        }
    }

    /// The first constraint that does not hold, the goal first; of the path only what mentions a changed variable.
    pub(crate) fn violated(&mut self, terms: &Terms, query: &Query<'_>) -> Option<TermId> {
        if !self.eval.eval_bool(terms, query.goal) {
            return Some(query.goal);
        }
        query.path.iter().copied().find(|&c| self.touches(terms, c) && !self.eval.eval_bool(terms, c))
    }

    /// What was changed and differs from the hint.
    pub(crate) fn patch(&self) -> Model {
        let mut patch = Model::new();
        for &(var, word) in &self.patch {
            if word != self.base(var) {
                patch.set_word(var, word);
            }
        }
        patch
    }
}

/// Whether a word is in the range of a variable's sort and in its domain.
pub(crate) fn admissible(terms: &Terms, var: VarId, word: u64) -> bool {
    let info = terms.info(var);
    let width = info.sort.width().unwrap_or(1);
    is_word(info.sort) && word & !mask(width) == 0 && info.domain.as_ref().is_none_or(|d| d.binary_search(&word).is_ok())
}
