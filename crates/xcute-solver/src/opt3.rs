//! OPT 3, slicing: only the constraints that depend on the goal are passed on, the rest keeps its old values.
//!
//! [sen-marinov-agha-2006 §4.1.5] ("incremental solving"): two predicates are dependent if they share a variable,
//! transitively. The old input satisfies every constraint outside the slice and no variable of those is changed, so the new
//! input is the old one overwritten on the slice's variables.
//!
//! One pass suffices where all constraints that touch the goal's variables have no others. Otherwise the variables are joined
//! by union-find in one pass and the slice is read off in a second.
//!
//! **Invariant.** The slice keeps the order of the path.

use xcute_term::{TermId, Terms, VarId, VarWalk};

use crate::marks::Slots;
use crate::solver::{Answer, Count, Layer, Query, Solver};

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

impl Layer for Sliced {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.slicer.slice(terms, query.path, query.goal, &mut self.slice);
        self.count.constraints.0 += query.path.len() as u64;
        self.count.constraints.1 += self.slice.len() as u64;
        self.inner.solve(terms, &Query { path: &self.slice, ..*query })
    }
}

/// A goal with more variables is not sliced in one pass.
const FEW: usize = 32;

/// The scratch memory of slicing.
#[derive(Default)]
struct Slicer {
    /// Per variable, in the first pass: whether it is one of the goal's; then: its parent in the union-find.
    slots: Slots,
    walk: VarWalk,
}

impl Slicer {
    fn slice(&mut self, terms: &Terms, path: &[TermId], goal: TermId, slice: &mut Vec<TermId>) {
        slice.clear();
        let Some(root) = terms.vars(goal).first() else { return };
        if self.direct(terms, path, goal, slice) {
            return;
        }
        slice.clear();
        self.slots.clear(terms.var_count());
        self.walk.clear();
        for &c in [&goal].into_iter().chain(path) {
            let mut root = None;
            self.walk.visit(terms, c, |v| root = Some(join(&mut self.slots, root, v)));
        }
        let root = find(&mut self.slots, root.0);
        for &c in path {
            if let Some(first) = terms.vars(c).first()
                && find(&mut self.slots, first.0) == root
            {
                slice.push(c);
            }
        }
    }

    /// The first pass; gives up where a dependent constraint brings in a variable that the goal does not have.
    fn direct(&mut self, terms: &Terms, path: &[TermId], goal: TermId, slice: &mut Vec<TermId>) -> bool {
        let own = terms.vars(goal);
        if own.len() > FEW {
            return false;
        }
        self.slots.clear(terms.var_count());
        for v in own {
            self.slots.set(v.index(), 0);
        }
        for &c in path {
            let vars = terms.vars(c);
            let shared = if vars.len() > FEW {
                own.iter().filter(|&v| vars.contains(v)).count()
            } else {
                vars.iter().filter(|v| self.slots.has(v.index())).count()
            };
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
}

/// Joins a variable to a class, if there is one already; the root of both.
fn join(slots: &mut Slots, root: Option<u32>, v: VarId) -> u32 {
    let other = find(slots, v.0);
    let Some(root) = root.filter(|&root| root != other) else { return other };
    // The smaller id becomes the root: deterministic, and shallow enough with path halving.
    let (low, high) = (root.min(other), root.max(other));
    slots.set(high as usize, low);
    low
}

fn find(slots: &mut Slots, var: u32) -> u32 {
    let mut v = var;
    loop {
        let parent = match slots.get(v as usize) {
            None => {
                slots.set(v as usize, v);
                return v;
            }
            Some(parent) => parent,
        };
        if parent == v {
            return v;
        }
        let grandparent = slots.get(parent as usize).unwrap_or(parent);
        slots.set(v as usize, grandparent);
        v = grandparent;
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
    fn sums_over_many_variables() {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..200).map(|i| terms.var(&format!("v{i}"), Sort::BitVec(32))).collect();
        let positive = |terms: &mut Terms, t: TermId| {
            let zero = terms.bv(32, 0);
            terms.mk(Op::BvSlt, &[zero, t])
        };
        // Sums of ever more of the first hundred variables, and constraints on single ones of the second hundred.
        let (mut path, mut sum) = (Vec::new(), vars[0]);
        for i in 1..100 {
            sum = terms.mk(Op::BvAdd, &[sum, vars[i]]);
            path.push(positive(&mut terms, sum));
            path.push(positive(&mut terms, vars[100 + i]));
        }
        let (mut slicer, mut slice) = (Slicer::default(), Vec::new());
        for (goal, size) in [(vars[3], 99), (sum, 99), (vars[150], 1)] {
            let goal = terms.mk(Op::Eq, &[goal, vars[199]]);
            slicer.slice(&terms, &path, goal, &mut slice);
            assert_eq!(slice.len(), size + 1, "and what is said of the last variable");
            assert!(slice.is_sorted_by_key(|c| path.iter().position(|p| p == c)));
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
