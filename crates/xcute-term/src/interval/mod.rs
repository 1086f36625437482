//! Intervals: what comparisons already say about bit-vector terms, without a solver.
//!
//! [`Intervals::assume`] takes constraints and keeps, for the terms they bound, an unsigned and a signed interval;
//! [`Intervals::truth`] computes bounds upwards and says whether a condition is certainly true or certainly false. This is
//! one round of forward and backward propagation (HC4: Benhamou, Goualard, Granvilliers & Puget, "Revising hull and box
//! consistency", 1999) over a pair of intervals instead of wrapped ones (Navas, Schachte, Søndergaard & Stuckey,
//! "Signedness-agnostic program analysis", 2012): bounds that wrap in both orders are given up.
//!
//! **Invariant.** Sound under wrap-around: an answer holds for every assignment that satisfies what was assumed.
//! **Invariant.** A call touches only the terms below what it is asked about, and no more than a fixed number of them.

mod bounds;
mod narrow;
mod transfer;

#[cfg(test)]
mod tests;

use crate::{Op, Sort, TermId, Terms, VarId};

pub use bounds::{Bounds, Range, SignedRange};

/// A call looks at no more than this many terms; the others may have any value.
const MAX_VISITS: usize = 4096;

#[derive(Clone, Copy, Default)]
struct Slot {
    stamp: u32,
    index: u32,
}

/// A table from terms to bounds that is emptied by a counter.
#[derive(Default)]
struct Table {
    slots: Vec<Slot>,
    bounds: Vec<Bounds>,
    stamp: u32,
}

impl Table {
    fn clear(&mut self) {
        if self.stamp == u32::MAX {
            self.slots.fill(Slot::default());
            self.stamp = 0;
        }
        self.stamp += 1;
        self.bounds.clear();
    }

    fn get(&self, t: TermId) -> Option<Bounds> {
        let slot = self.slots.get(t.index()).filter(|slot| slot.stamp == self.stamp)?;
        Some(self.bounds[slot.index as usize])
    }

    fn set(&mut self, t: TermId, bounds: Bounds) {
        if self.slots.len() <= t.index() {
            self.slots.resize(t.index() + 1, Slot::default());
        }
        let slot = &mut self.slots[t.index()];
        if slot.stamp == self.stamp {
            self.bounds[slot.index as usize] = bounds;
        } else {
            *slot = Slot { stamp: self.stamp, index: u32::try_from(self.bounds.len()).expect("fewer bounds than terms") };
            self.bounds.push(bounds);
        }
    }
}

/// What is assumed, and the bounds that follow.
pub struct Intervals {
    /// Bounds that assumptions put on terms.
    facts: Table,
    /// Bounds computed from them.
    memo: Table,
    stale: bool,
    contradiction: bool,
    stack: Vec<TermId>,
    visits: usize,
}

impl Default for Intervals {
    fn default() -> Self {
        Self::new()
    }
}

impl Intervals {
    /// Nothing is assumed but the domains of variables.
    #[must_use]
    pub fn new() -> Intervals {
        let mut intervals =
            Intervals { facts: Table::default(), memo: Table::default(), stale: false, contradiction: false, stack: vec![], visits: 0 };
        intervals.clear();
        intervals
    }

    /// Forgets all assumptions; keeps the memory.
    pub fn clear(&mut self) {
        self.facts.clear();
        self.memo.clear();
        self.stale = false;
        self.contradiction = false;
    }

    /// Assumes that a Boolean term holds. The order matters little for correctness and something for precision: assuming
    /// again after other constraints may narrow more.
    pub fn assume(&mut self, terms: &Terms, constraint: TermId) {
        self.visits = 0;
        self.refresh();
        narrow::assume(self, terms, constraint, true);
    }

    /// Whether a Boolean term is certainly true, certainly false, or undecided (`None`), under the assumptions. Where they
    /// contradict each other, everything is false.
    pub fn truth(&mut self, terms: &Terms, t: TermId) -> Option<bool> {
        if self.contradiction {
            return Some(false);
        }
        self.visits = 0;
        self.refresh();
        let truth = self.bounds(terms, t).truth();
        if self.contradiction { Some(false) } else { truth }
    }

    /// The unsigned values that a bit-vector term of at most 64 bits may have; `None` for another sort.
    pub fn range(&mut self, terms: &Terms, t: TermId) -> Option<Range> {
        self.of_bits(terms, t).map(|bounds| bounds.unsigned)
    }

    /// The signed values that a bit-vector term of at most 64 bits may have; `None` for another sort.
    pub fn signed_range(&mut self, terms: &Terms, t: TermId) -> Option<SignedRange> {
        self.of_bits(terms, t).map(|bounds| bounds.signed)
    }

    /// Whether no contradiction was found among the assumptions so far.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        !self.contradiction
    }

    fn of_bits(&mut self, terms: &Terms, t: TermId) -> Option<Bounds> {
        if !matches!(terms.sort(t), Sort::BitVec(1..=64)) {
            return None;
        }
        self.visits = 0;
        self.refresh();
        Some(self.bounds(terms, t))
    }

    /// Old results stay true when more is assumed, but they are wider than they need be.
    fn refresh(&mut self) {
        if self.stale {
            self.memo.clear();
            self.stale = false;
        }
    }

    /// The bounds of a term: computed from its arguments, met with what is assumed of it.
    fn bounds(&mut self, terms: &Terms, root: TermId) -> Bounds {
        if let Some(bounds) = self.memo.get(root) {
            return bounds;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        while let Some(&t) = stack.last() {
            if self.memo.get(t).is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if self.visits < MAX_VISITS && transfer::looks_inside(terms, t) {
                stack.extend(terms.args(t).iter().filter(|&&a| transfer::is_bounded(terms.sort(a)) && self.memo.get(a).is_none()));
            }
            if stack.len() == before {
                self.visits += 1;
                stack.pop();
                let bounds = self.compute(terms, t);
                self.memo.set(t, bounds);
            }
        }
        self.stack = stack;
        self.memo.get(root).unwrap_or_else(|| Bounds::full(terms.sort(root)))
    }

    fn compute(&mut self, terms: &Terms, t: TermId) -> Bounds {
        let computed = match terms.op(t) {
            Op::Var(var) => domain(terms, var),
            _ => transfer::forward(terms, t, |a| self.memo.get(a).unwrap_or_else(|| Bounds::full(terms.sort(a)))),
        };
        match self.facts.get(t) {
            Some(fact) => computed.meet(fact).unwrap_or_else(|| {
                self.contradiction = true;
                fact
            }),
            None => computed,
        }
    }

    /// Adds a fact about a term; answers whether it says something new.
    fn restrict(&mut self, terms: &Terms, t: TermId, bounds: Bounds) -> bool {
        let known = self.bounds(terms, t);
        let Some(mut met) = known.meet(bounds) else {
            self.contradiction = true;
            return false;
        };
        if let Op::Var(var) = terms.op(t)
            && let Some(domain) = terms.domain(var)
        {
            let from = domain.partition_point(|&word| word < met.unsigned.lo);
            let to = domain.partition_point(|&word| word <= met.unsigned.hi);
            if from >= to {
                self.contradiction = true;
                return false;
            }
            let tight = Bounds::unsigned(terms.sort(t), domain[from], domain[to - 1]);
            met = met.meet(tight).unwrap_or(met);
        }
        if met == known {
            return false;
        }
        self.facts.set(t, met);
        self.memo.set(t, met);
        self.stale = true;
        true
    }
}

/// The bounds of a variable of which nothing is assumed.
fn domain(terms: &Terms, var: VarId) -> Bounds {
    let sort = terms.info(var).sort;
    match terms.domain(var) {
        Some([lo, .., hi]) => Bounds::unsigned(sort, *lo, *hi),
        Some([only]) => Bounds::unsigned(sort, *only, *only),
        _ => Bounds::full(sort),
    }
}
