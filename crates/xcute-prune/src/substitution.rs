//! Substitution of terms for variables, all at once.
//!
//! **Invariant.** Terms may be arbitrarily deep: nothing here recurses. Shared subterms are visited once.

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_term::{Op, TermId, Terms, VarId};

/// A substitution with the terms it was applied to already.
pub(crate) struct Substitution<F> {
    lookup: F,
    known: FxHashMap<TermId, TermId>,
    stack: Vec<TermId>,
}

impl<F: Fn(VarId) -> Option<TermId>> Substitution<F> {
    /// Replaces the variables for which there is a term, by that term.
    pub(crate) fn new(lookup: F) -> Substitution<F> {
        Substitution { lookup, known: FxHashMap::default(), stack: Vec::new() }
    }

    pub(crate) fn apply(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if self.known.contains_key(&t) {
                self.stack.pop();
                continue;
            }
            let result = match terms.op(t) {
                Op::Var(var) => (self.lookup)(var).unwrap_or(t),
                _ if terms.vars(t).iter().all(|&var| (self.lookup)(var).is_none()) => t,
                op => {
                    let height = self.stack.len();
                    self.stack.extend(terms.args(t).iter().filter(|arg| !self.known.contains_key(arg)));
                    if self.stack.len() > height {
                        continue;
                    }
                    let args: Vec<TermId> = terms.args(t).iter().map(|arg| self.known[arg]).collect();
                    terms.mk(op, &args)
                }
            };
            self.known.insert(t, result);
            self.stack.pop();
        }
        self.known[&root]
    }
}

/// How many different terms these are built from.
pub(crate) fn dag_size(terms: &Terms, roots: impl IntoIterator<Item = TermId>) -> usize {
    let mut met: FxHashSet<TermId> = FxHashSet::default();
    let mut stack: Vec<TermId> = roots.into_iter().collect();
    while let Some(t) = stack.pop() {
        if met.insert(t) {
            stack.extend_from_slice(terms.args(t));
        }
    }
    met.len()
}
