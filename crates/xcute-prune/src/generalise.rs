//! Generalisation: an interpolant made smaller, where the node's own state allows it.
//!
//! - An equation `x = v` of a cell says all about `x`: elsewhere `v` is written for it.
//! - What a clause of one literal says makes literals of other clauses true or false.
//! - Of several bounds on one term the strongest stays; two that leave one value are an equation.
//! - Quantified symbols that are only added to something are eliminated ([`crate::eliminate`]).
//! - *No wrap*: sums wrap around, so `s + 2 <= 3` holds of `s = INT_MAX` too, and such clauses pile up. Where the state implies the plain bound
//!   `s <= 1`, that is taken.
//!
//! **Invariant.** The result implies the interpolant, and the state of the node implies the result where it implied the interpolant. The first is
//! soundness, the second usefulness.

use xcute_term::{Op, TermId, VarId};

use crate::bound::{Bound, unequal};
use crate::context::Context;
use crate::counters::Purpose;
use crate::implied::Walk;
use crate::interpolant::{Clause, Interpolant};
use crate::substitution::Substitution;

/// Quantified symbols are eliminated where an interpolant is larger than this part of the cap: what is weaker subsumes more, as long as it is small.
const SHARE: usize = 8;

impl Context<'_> {
    /// A smaller interpolant for the state at decision `k`.
    pub(crate) fn generalise(&mut self, walk: &Walk, k: usize, interpolant: Interpolant) -> Interpolant {
        let absorbed = self.absorb_equations(interpolant);
        let large = self.options.no_wrap && absorbed.size(self.terms) > self.options.cap / SHARE;
        let absorbed = if large { self.eliminate(walk, k, &absorbed) } else { absorbed };
        let unwrapped = if self.options.no_wrap { self.no_wrap(walk, k, &absorbed) } else { absorbed };
        let bounded = self.strongest_bounds(&unwrapped);
        let absorbed = self.absorb_equations(bounded);
        self.by_units(absorbed)
    }

    /// Writes the value of a cell for the cell, wherever an equation gives one.
    fn absorb_equations(&mut self, mut interpolant: Interpolant) -> Interpolant {
        let mut done: Vec<VarId> = Vec::new();
        while let Some((equation, cell, value)) = self.equation(&interpolant, &done) {
            done.push(cell);
            let mut substitution = Substitution::new(|var| (var == cell).then_some(value));
            let mut next = Interpolant::default();
            for clause in interpolant.clauses() {
                if *clause == equation {
                    next.add(clause.clone());
                    continue;
                }
                let literals: Vec<TermId> = clause.literals().iter().map(|&literal| substitution.apply(self.terms, literal)).collect();
                next.add_literals(self.terms, &literals);
            }
            interpolant = next;
        }
        interpolant
    }

    /// A clause that is an equation of a cell with a constant, of a cell that is not done.
    fn equation(&self, interpolant: &Interpolant, done: &[VarId]) -> Option<(Clause, VarId, TermId)> {
        interpolant.clauses().iter().find_map(|clause| {
            let literal = clause.unit()?;
            let (Op::Eq, &[left, value]) = (self.terms.op(literal), self.terms.args(literal)) else { return None };
            let Op::Var(cell) = self.terms.op(left) else { return None };
            let fresh = self.terms.is_const(value) && self.symbols.is_cell(cell) && !done.contains(&cell);
            fresh.then(|| (clause.clone(), cell, value))
        })
    }

    /// Bounds on sums become bounds on what is added to, where the state implies those.
    fn no_wrap(&mut self, walk: &Walk, k: usize, interpolant: &Interpolant) -> Interpolant {
        let mut result = Interpolant::default();
        let mut work: Vec<Clause> = interpolant.clauses().iter().rev().cloned().collect();
        while let Some(clause) = work.pop() {
            match self.unwrapped(walk, k, &clause) {
                Some(stronger) => work.extend(stronger),
                None => result.add(clause),
            }
        }
        result
    }

    /// The clauses that a clause becomes when one of its literals is unwrapped.
    fn unwrapped(&mut self, walk: &Walk, k: usize, clause: &Clause) -> Option<Vec<Clause>> {
        for (at, &literal) in clause.literals().iter().enumerate() {
            let Some(range) = Bound::of_any(self.terms, literal).and_then(|bound| bound.without_wrap(self.terms)) else { continue };
            let mut stronger = Vec::new();
            for part in range.literals(self.terms) {
                let mut literals = clause.literals().to_vec();
                literals[at] = part;
                stronger.extend(Clause::new(self.terms, literals));
            }
            if stronger.iter().all(|clause| self.implies(Purpose::Implied, walk, k, clause)) {
                return Some(stronger);
            }
        }
        None
    }

    /// Of bounds on one term in one order, the strongest from each side; two that leave one value are an equation.
    fn strongest_bounds(&mut self, interpolant: &Interpolant) -> Interpolant {
        let mut result = Interpolant::default();
        let mut ranges: Vec<Bound> = Vec::new();
        for clause in interpolant.clauses() {
            let Some(bound) = clause.unit().and_then(|literal| Bound::of_any(self.terms, literal)) else {
                result.add(clause.clone());
                continue;
            };
            match ranges.iter_mut().find(|range| range.term == bound.term && range.order == bound.order) {
                Some(range) => (range.low, range.high) = (range.low.max(bound.low), range.high.min(bound.high)),
                None => ranges.push(bound),
            }
        }
        for range in ranges {
            for literal in range.equation_or_literals(self.terms) {
                result.add_literals(self.terms, &[literal]);
            }
        }
        result
    }

    /// Literals that a clause of one literal decides are decided; `x != k` alone is dropped where a bound excludes `k`.
    fn by_units(&mut self, interpolant: Interpolant) -> Interpolant {
        let units: Vec<TermId> = interpolant.clauses().iter().filter_map(Clause::unit).collect();
        if units.is_empty() {
            return interpolant;
        }
        let bounds: Vec<Bound> = units.iter().filter_map(|&unit| Bound::of(self.terms, unit)).collect();
        let mut result = Interpolant::default();
        for clause in interpolant.clauses() {
            if let Some(unit) = clause.unit() {
                let excluded = |(term, word)| bounds.iter().any(|bound| bound.term == term && bound.excludes(word));
                if !unequal(self.terms, unit).is_some_and(excluded) {
                    result.add(clause.clone());
                }
                continue;
            }
            let mut literals = Vec::new();
            let mut holds = false;
            for &literal in clause.literals() {
                match self.given(&units, &bounds, literal) {
                    Some(true) => holds = true,
                    Some(false) => {}
                    None => literals.push(literal),
                }
            }
            if !holds {
                result.add_literals(self.terms, &literals);
            }
        }
        result
    }

    /// The truth of a literal, if one of the units decides it.
    fn given(&mut self, units: &[TermId], bounds: &[Bound], literal: TermId) -> Option<bool> {
        let negation = self.terms.not(literal);
        if let Some(unit) = units.iter().find(|&&unit| unit == literal || unit == negation) {
            return Some(*unit == literal);
        }
        if let Some((term, word)) = unequal(self.terms, literal).or_else(|| unequal(self.terms, negation)) {
            let excluded = bounds.iter().any(|bound| bound.term == term && bound.excludes(word));
            return excluded.then_some(unequal(self.terms, literal).is_some());
        }
        let literal = Bound::of(self.terms, literal)?;
        bounds.iter().filter(|bound| bound.term == literal.term && bound.order == literal.order).find_map(|bound| {
            if literal.low <= bound.low && bound.high <= literal.high {
                return Some(true);
            }
            (bound.high < literal.low || literal.high < bound.low).then_some(false)
        })
    }
}
