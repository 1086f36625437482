//! Elimination: quantified symbols that are only added to something are replaced by the ends of their ranges.
//!
//! A loop that sums what it reads leaves one more quantified symbol with every turn on the way back: `x < 0 || x > 10 || s + x + y <= 30`. Where `x` and `y` are between 0 and
//! 10, `s <= 10` says all of it, as long as no sum wraps around. This is the step of Fourier and Motzkin for one variable (Schrijver, "Theory of Linear and Integer
//! Programming", 1986, section 12.2), over words: bounds of what is eliminated come from intervals, under the negations of the clause's other literals, and both ends must be such that
//! nothing wraps.
//!
//! **Invariant.** As for generalisation: the result implies the clause, and the state of the node implies the result.

use xcute_term::interval::Intervals;
use xcute_term::{Op, TermId, Terms};

use crate::bound::Bound;
use crate::context::Context;
use crate::counters::Purpose;
use crate::implied::Walk;
use crate::interpolant::{Clause, Interpolant};

/// How often what is violated is assumed: a bound that is found late may narrow an early one.
const ROUNDS: u32 = 2;

impl Context<'_> {
    /// Replaces clauses with quantified symbols by bounds on cells, where the state at decision `k` implies those.
    pub(crate) fn eliminate(&mut self, walk: &Walk, k: usize, interpolant: &Interpolant) -> Interpolant {
        let mut result = Interpolant::default();
        for clause in interpolant.clauses() {
            match self.eliminated(clause) {
                Some(stronger) if stronger.iter().all(|clause| self.implies(Purpose::Implied, walk, k, clause)) => {
                    stronger.into_iter().for_each(|clause| result.add(clause));
                }
                _ => result.add(clause.clone()),
            }
        }
        result
    }

    /// Clauses without quantified symbols that imply this one together; `None` where it is not of the right form.
    pub(crate) fn eliminated(&mut self, clause: &Clause) -> Option<Vec<Clause>> {
        let quantified = |literal: TermId| self.terms.vars(literal).iter().any(|var| !self.symbols.is_cell(var));
        let mixed = |literal: TermId| quantified(literal) && self.symbols.has_cell(self.terms, literal);
        let mut both = clause.literals().iter().copied().filter(|&literal| mixed(literal));
        let literal = both.next().filter(|_| both.next().is_none())?;
        let bound = Bound::of_any(self.terms, literal)?;
        let (kept, added): (Vec<TermId>, Vec<TermId>) =
            addends(self.terms, bound.term).into_iter().partition(|&addend| self.symbols.has_cell(self.terms, addend));
        if kept.iter().any(|&addend| quantified(addend)) {
            return None;
        }
        let (symbols_only, cells_only): (Vec<TermId>, Vec<TermId>) =
            clause.literals().iter().copied().filter(|&other| other != literal).partition(|&other| quantified(other));
        let mut intervals = Intervals::new();
        for _ in 0..ROUNDS {
            for &other in &symbols_only {
                let violated = self.terms.not(other);
                intervals.assume(self.terms, violated);
            }
        }
        if !intervals.is_consistent() {
            // One of them holds whatever the symbols are: so does the clause.
            return Some(Vec::new());
        }
        let (low, high) = range(self.terms, &mut intervals, bound, &added)?;
        let rest = kept.into_iter().reduce(|a, b| self.terms.mk(Op::BvAdd, &[a, b]))?;
        let (first, last) = bound.order.limits();
        // What is kept plus anything of the range is within the bound, and does not wrap around on the way.
        let range = Bound { term: rest, low: (bound.low - low).max(first), high: (bound.high - high).min(last), ..bound };
        let parts = range.literals(self.terms);
        Some(parts.into_iter().filter_map(|part| Clause::new(self.terms, cells_only.iter().copied().chain([part]))).collect())
    }
}

/// Between which numbers the sum of these terms is, in the order of a bound.
fn range(terms: &Terms, intervals: &mut Intervals, bound: Bound, added: &[TermId]) -> Option<(i128, i128)> {
    let (mut low, mut high) = (0i128, 0i128);
    for &addend in added {
        let (least, most) = if bound.order.signed {
            let range = intervals.signed_range(terms, addend)?;
            (i128::from(range.lo), i128::from(range.hi))
        } else {
            let range = intervals.range(terms, addend)?;
            (i128::from(range.lo), i128::from(range.hi))
        };
        (low, high) = (low + least, high + most);
    }
    Some((low, high))
}

/// What is added up in a term.
fn addends(terms: &Terms, term: TermId) -> Vec<TermId> {
    let (mut out, mut work) = (Vec::new(), vec![term]);
    while let Some(t) = work.pop() {
        match terms.op(t) {
            Op::BvAdd => work.extend_from_slice(terms.args(t)),
            _ => out.push(t),
        }
    }
    out
}
