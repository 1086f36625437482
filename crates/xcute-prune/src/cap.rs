//! The cap: an interpolant that is too large is strengthened, never given up at once.
//!
//! First, of each clause one literal that the state implies alone. Then, where the cells of the large clauses are concrete in this state: their values, of
//! which those are dropped that are not needed, and the others are widened to bounds as far as doubling steps go. If that is not enough, there
//! is not an interpolant: the subtree stays finished, but subsumes nothing.
//!
//! **Invariant.** As for generalisation: stronger than the interpolant, implied by the state.

use xcute_solver::Answer;
use xcute_term::{Model, Op, Sort, TermId, VarId};

use crate::bound::{Bound, Order};
use crate::context::Context;
use crate::counters::Purpose;
use crate::implied::Walk;
use crate::interpolant::{Clause, Interpolant};
use crate::substitution::dag_size;

/// How many cells are worth their values.
const CELLS: usize = 64;

impl Context<'_> {
    /// An interpolant of bearable size for the state at decision `k`, if there is one.
    pub(crate) fn cap(&mut self, walk: &Walk, k: usize, interpolant: Interpolant) -> Option<Interpolant> {
        if interpolant.size(self.terms) <= self.options.cap {
            return Some(interpolant);
        }
        self.counters.capped += 1;
        let single = self.single_literals(walk, k, &interpolant);
        if single.size(self.terms) <= self.options.cap {
            return Some(single);
        }
        self.values(walk, k, &single).filter(|values| values.size(self.terms) <= self.options.cap)
    }

    /// Of each clause one literal that is implied alone, if it has one.
    fn single_literals(&mut self, walk: &Walk, k: usize, interpolant: &Interpolant) -> Interpolant {
        let mut result = Interpolant::default();
        for clause in interpolant.clauses() {
            let mut literals = clause.literals().to_vec();
            literals.sort_by_key(|&literal| dag_size(self.terms, [literal]));
            let alone = literals.into_iter().find_map(|literal| {
                let alone = Clause::new(self.terms, [literal])?;
                self.implies(Purpose::Cap, walk, k, &alone).then_some(alone)
            });
            result.add(alone.unwrap_or_else(|| clause.clone()));
        }
        result
    }

    /// Bounds on cells instead of the large clauses.
    fn values(&mut self, walk: &Walk, k: usize, interpolant: &Interpolant) -> Option<Interpolant> {
        let share = self.options.cap / (2 * interpolant.clauses().len()).max(1);
        let size = |clause: &Clause| dag_size(self.terms, clause.literals().iter().copied());
        let (mut large, mut small): (Vec<&Clause>, Vec<&Clause>) =
            interpolant.clauses().iter().partition(|clause| size(clause) > share.max(4));
        if large.is_empty() {
            std::mem::swap(&mut large, &mut small);
        }
        let (mut ranges, state) = self.concrete(walk, k, &large)?;
        let clauses: Vec<TermId> = large.iter().map(|clause| clause.term(self.terms)).collect();
        let all = self.terms.mk(Op::And, &clauses);
        let violated = self.terms.not(all);
        self.needed(&mut ranges, violated, &state)?;
        for at in 0..ranges.len() {
            self.widen(&mut ranges, at, violated, &state);
        }
        let mut result = Interpolant::default();
        small.into_iter().for_each(|clause| result.add(clause.clone()));
        for literal in self.literals(&ranges) {
            result.add_literals(self.terms, &[literal]);
        }
        Some(result)
    }

    /// The cells of these clauses with their values at decision `k`; `None` where one of them is not concrete.
    fn concrete(&mut self, walk: &Walk, k: usize, clauses: &[&Clause]) -> Option<(Vec<Bound>, Model)> {
        let literals = clauses.iter().flat_map(|clause| clause.literals());
        let mut cells: Vec<VarId> = literals.flat_map(|&literal| self.terms.vars(literal)).collect();
        cells.retain(|&var| self.symbols.is_cell(var));
        cells.sort_unstable();
        cells.dedup();
        if cells.len() > CELLS {
            return None;
        }
        let mut state = Model::new();
        let mut ranges = Vec::new();
        for cell in cells {
            let term = self.terms.var_term(cell);
            let value = walk.history.at(self.terms, self.symbols, k, term);
            let (word, Sort::BitVec(width @ 1..=64)) = (self.terms.as_u64(value)?, self.terms.sort(term)) else { return None };
            let order = Order { signed: true, width };
            ranges.push(Bound { term, order, low: order.number(word), high: order.number(word) });
            state.set_word(cell, word);
        }
        Some((ranges, state))
    }

    /// Keeps the equations that are needed, by the solver's core.
    fn needed(&mut self, ranges: &mut Vec<Bound>, violated: TermId, state: &Model) -> Option<()> {
        let path = self.literals(ranges);
        let Answer::Unsat(core) = self.ask(Purpose::Cap, &path, violated, state) else { return None };
        ranges.retain(|range| self.literals(&[*range]).iter().any(|literal| core.contains(literal)));
        // A core may be of terms that a layer made of these.
        let kept = self.literals(ranges);
        if !self.excluded(&kept, violated, state) {
            return None;
        }
        let mut at = 0;
        while at < ranges.len() {
            let range = ranges.remove(at);
            let without = self.literals(ranges);
            if !self.excluded(&without, violated, state) {
                ranges.insert(at, range);
                at += 1;
            }
        }
        Some(())
    }

    /// Widens one range upwards or downwards, as far as the others allow.
    fn widen(&mut self, ranges: &mut [Bound], at: usize, violated: TermId, state: &Model) {
        let exact = ranges[at];
        let (first, last) = exact.order.limits();
        for up in [false, true] {
            // All the way to one side, and then by doubling to the other.
            let mut best = if up { Bound { high: last, ..exact } } else { Bound { low: first, ..exact } };
            ranges[at] = best;
            let literals = self.literals(ranges);
            if !self.excluded(&literals, violated, state) {
                ranges[at] = exact;
                continue;
            }
            let (mut step, mut growing) = (1, true);
            while step > 0 {
                let next = if up { Bound { low: best.low - step, ..best } } else { Bound { high: best.high + step, ..best } };
                ranges[at] = next;
                let literals = self.literals(ranges);
                if next.low >= first && next.high <= last && self.excluded(&literals, violated, state) {
                    best = next;
                } else {
                    growing = false;
                }
                step = if growing { step * 2 } else { step / 2 };
            }
            ranges[at] = best;
            return;
        }
    }

    fn literals(&mut self, ranges: &[Bound]) -> Vec<TermId> {
        ranges.iter().flat_map(|range| range.equation_or_literals(self.terms)).collect()
    }

    fn excluded(&mut self, path: &[TermId], violated: TermId, state: &Model) -> bool {
        matches!(self.ask(Purpose::Cap, path, violated, state), Answer::Unsat(_))
    }
}
