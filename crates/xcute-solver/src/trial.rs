//! Trials: the hint's values with a few of them changed, and whether the query holds under them.
//!
//! Shared by the layers that guess (shortcut, cache, exhaustion, the check of models), so that a guess costs only the
//! constraints that mention a changed variable.
//!
//! **Invariant.** The hint satisfies the path, so a constraint none of whose variables changed needs no evaluation.

use xcute_term::eval::{Evaluator, is_word};
use xcute_term::{Model, TermId, Terms, VarId, VarSearch, VarWalk};

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
    /// Per variable that was changed: its position in `patch`.
    changed: Slots,
    patch: Vec<(VarId, u64)>,
    words_only: bool,
    walk: VarWalk,
    /// Which terms mention what is changed now.
    touched: VarSearch,
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
        self.touched.clear();
        let mut walk = std::mem::take(&mut self.walk);
        walk.clear();
        for &c in [&query.goal].into_iter().chain(query.path) {
            walk.visit(terms, c, |v| self.enter(terms, query.hint, v));
        }
        self.walk = walk;
    }

    fn enter(&mut self, terms: &Terms, hint: &Model, v: VarId) {
        if self.place.has(v.index()) {
            return;
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
        self.changed.get(var.index()).map(|at| self.patch[at as usize].1)
    }

    /// Changes a variable; says whether the word is one the variable can have.
    pub(crate) fn set(&mut self, terms: &Terms, var: VarId, word: u64) -> bool {
        if !admissible(terms, var, word) {
            return false;
        }
        match self.changed.get(var.index()) {
            Some(at) => self.patch[at as usize].1 = word,
            None => {
                self.changed.set(var.index(), u32::try_from(self.patch.len()).expect("fewer variables than 2^32"));
                self.patch.push((var, word));
                self.touched.clear();
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
        self.touched.clear();
    }

    /// Whether a constraint mentions a changed variable.
    pub(crate) fn touches(&mut self, terms: &Terms, c: TermId) -> bool {
        match self.patch[..] {
            [(var, _)] => terms.vars(c).contains(var),
            _ => self.touched.any(terms, c, |v| self.changed.has(v.index())),
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
        Model::from_words(self.patch.iter().copied().filter(|&(var, word)| word != self.base(var)).collect())
    }
}

/// Whether a word is in the range of a variable's sort and in its domain.
pub(crate) fn admissible(terms: &Terms, var: VarId, word: u64) -> bool {
    let info = terms.info(var);
    let width = info.sort.width().unwrap_or(1);
    is_word(info.sort) && word & !mask(width) == 0 && terms.domain(var).is_none_or(|d| d.binary_search(&word).is_ok())
}
