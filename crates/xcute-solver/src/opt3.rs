//! OPT 3, slicing: only the constraints that depend on the goal are passed on, the rest keeps its old values.
//!
//! Sen, Marinov & Agha, CUTE, section 4.1.5 ("incremental solving"): two predicates are dependent if they share a variable,
//! transitively. The old input satisfies every constraint outside the slice and no variable of those is changed, so the new
//! input is the old one overwritten on the slice's variables.
//!
//! One pass suffices where all constraints that touch the goal's variables have no others. Otherwise the variables are joined
//! by union-find in one pass and the slice is read off in a second.
//!
//! **Invariant.** The slice keeps the order of the path.

use xcute_term::{TermId, Terms, VarId};

use crate::marks::Slots;
use crate::solver::{Answer, Count, Query, Solver};

/// The layer of OPT 3.
pub struct Sliced {
    inner: Box<dyn Solver>,
    count: Count,
    slicer: Slicer,
    slice: Vec<TermId>,
}

impl Sliced {
    /// Slicing in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> Sliced {
        Sliced { inner, count: Count { layer: "opt3", ..Count::default() }, slicer: Slicer::default(), slice: Vec::new() }
    }
}

impl Solver for Sliced {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.slicer.slice(terms, query.path, query.goal, &mut self.slice);
        self.count.seen += 1;
        self.count.constraints.0 += query.path.len() as u64;
        self.count.constraints.1 += self.slice.len() as u64;
        self.inner.solve(terms, &Query { path: &self.slice, ..*query })
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
        self.inner.count(visit);
    }
}

/// The scratch memory of slicing.
#[derive(Default)]
struct Slicer {
    /// Per variable, in the first pass: whether it is one of the goal's; then: its parent in the union-find.
    slots: Slots,
}

impl Slicer {
    fn slice(&mut self, terms: &Terms, path: &[TermId], goal: TermId, slice: &mut Vec<TermId>) {
        slice.clear();
        let Some(&root) = terms.vars(goal).first() else { return };
        if self.direct(terms, path, goal, slice) {
            return;
        }
        slice.clear();
        self.slots.clear(terms.var_count());
        self.join(terms.vars(goal));
        for &c in path {
            self.join(terms.vars(c));
        }
        let root = self.find(root.0);
        for &c in path {
            if let Some(&first) = terms.vars(c).first()
                && self.find(first.0) == root
            {
                slice.push(c);
            }
        }
    }

    /// The first pass; gives up where a dependent constraint brings in a variable that the goal does not have.
    fn direct(&mut self, terms: &Terms, path: &[TermId], goal: TermId, slice: &mut Vec<TermId>) -> bool {
        self.slots.clear(terms.var_count());
        for &v in terms.vars(goal) {
            self.slots.set(v.index(), 0);
        }
        for &c in path {
            let vars = terms.vars(c);
            let shared = vars.iter().filter(|v| self.slots.has(v.index())).count();
            if shared == 0 {
                continue;
            }
            if shared < vars.len() {
                return false;
            }
            slice.push(c);
        }
        true
    }

    fn join(&mut self, vars: &[VarId]) {
        let Some((first, rest)) = vars.split_first() else { return };
        let mut root = self.find(first.0);
        for v in rest {
            let other = self.find(v.0);
            // The smaller id becomes the root: deterministic, and shallow enough with path halving.
            if other != root {
                let (low, high) = (root.min(other), root.max(other));
                self.slots.set(high as usize, low);
                root = low;
            }
        }
    }

    fn find(&mut self, var: u32) -> u32 {
        let mut v = var;
        loop {
            let parent = match self.slots.get(v as usize) {
                None => {
                    self.slots.set(v as usize, v);
                    return v;
                }
                Some(parent) => parent,
            };
            if parent == v {
                return v;
            }
            let grandparent = self.slots.get(parent as usize).unwrap_or(parent);
            self.slots.set(v as usize, grandparent);
            v = grandparent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_term::{Op, Sort};

    /// A path of inequalities between the named variables, the goal over the last pair, and the positions in the slice.
    fn check(path: &[(&str, &str)], goal: (&str, &str), expect: &[usize]) {
        let mut terms = Terms::new();
        let mut less = |(a, b): (&str, &str)| {
            let (a, b) = (terms.var(a, Sort::BitVec(8)), terms.var(b, Sort::BitVec(8)));
            terms.mk(Op::BvUlt, &[a, b])
        };
        let path: Vec<TermId> = path.iter().map(|&p| less(p)).collect();
        let goal = less(goal);
        let (mut slicer, mut slice) = (Slicer::default(), Vec::new());
        for _ in 0..2 {
            slicer.slice(&terms, &path, goal, &mut slice);
            let expect: Vec<TermId> = expect.iter().map(|&i| path[i]).collect();
            assert_eq!(slice, expect);
        }
    }

    #[test]
    fn slices() {
        check(&[], ("a", "b"), &[]);
        check(&[("c", "d"), ("b", "a"), ("e", "f")], ("a", "b"), &[1]);
        check(&[("c", "d"), ("d", "e"), ("f", "g"), ("e", "a"), ("g", "h")], ("a", "b"), &[0, 1, 3]);
        check(&[("a", "c"), ("x", "y"), ("d", "c"), ("z", "x")], ("b", "d"), &[0, 2]);
    }
}
