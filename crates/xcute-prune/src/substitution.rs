//! Substitution of terms for variables, all at once.
//!
//! **Invariant.** Terms may be arbitrarily deep: nothing here recurses. Shared subterms are visited once.

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_term::{Op, TermId, Terms, VarId, VarSearch};

/// A substitution with the terms it was applied to already.
pub(crate) struct Substitution<F> {
    lookup: F,
    known: FxHashMap<TermId, TermId>,
    stack: Vec<TermId>,
    replaced: VarSearch,
}

impl<F: Fn(VarId) -> Option<TermId>> Substitution<F> {
    /// Replaces the variables for which there is a term, by that term.
    pub(crate) fn new(lookup: F) -> Substitution<F> {
        Substitution { lookup, known: FxHashMap::default(), stack: Vec::new(), replaced: VarSearch::default() }
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
                _ if !self.replaced.any(terms, t, |var| (self.lookup)(var).is_some()) => t,
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

#[cfg(test)]
mod tests {
    use xcute_term::Sort;

    use super::*;

    #[test]
    fn all_at_once_and_however_deep() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(32)));
        let (xv, yv) = (terms.vars(x).first().expect("a variable"), terms.vars(y).first().expect("a variable"));
        let difference = terms.mk(Op::BvSub, &[x, y]);
        let swapped = Substitution::new(|var| Some(if var == xv { y } else { x })).apply(&mut terms, difference);
        assert_eq!(swapped, terms.mk(Op::BvSub, &[y, x]));
        let mut deep = x;
        for n in 0..100_000 {
            let k = terms.bv(32, n | 1);
            deep = terms.mk(if n % 2 == 0 { Op::BvMul } else { Op::BvXor }, &[deep, k]);
        }
        let other = Substitution::new(|var| (var == xv).then_some(y)).apply(&mut terms, deep);
        assert_eq!(terms.vars(other), [yv]);
        assert!(dag_size(&terms, [other]) > 1000);
    }
}
