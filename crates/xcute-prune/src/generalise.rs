//! Generalisation: an interpolant made smaller, where the node's own state allows it.
//!
//! - An equation `x = v` of a cell says all about `x`: elsewhere `v` is written for it.
//! - What a clause of one literal says makes literals of other clauses true or false.
//! - Of several bounds on one term the strongest stays.
//! - *No wrap*: sums wrap around, so `s + 2 <= 3` holds of `s = INT_MAX` too, and such clauses pile up. Where the state implies the plain bound
//!   `s <= 1`, that is taken.
//!
//! **Invariant.** The result implies the interpolant, and the state of the node implies the result where it implied the interpolant. The first is
//! soundness, the second usefulness.

use xcute_term::{Op, TermId, VarId};

use crate::bound::Bound;
use crate::context::Context;
use crate::counters::Purpose;
use crate::implied::Walk;
use crate::interpolant::{Clause, Interpolant};
use crate::substitution::Substitution;

impl Context<'_> {
    /// A smaller interpolant for the state at decision `k`.
    pub(crate) fn generalise(&mut self, walk: &Walk, k: usize, interpolant: Interpolant) -> Interpolant {
        let absorbed = self.absorb_equations(interpolant);
        let unwrapped = if self.options.no_wrap { self.no_wrap(walk, k, &absorbed) } else { absorbed };
        let bounded = self.strongest_bounds(&unwrapped);
        self.by_units(bounded)
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
            let Some(range) = Bound::of(self.terms, literal).and_then(|bound| bound.without_wrap(self.terms)) else { continue };
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

    /// Of bounds on one term, from one side in one order, the strongest.
    fn strongest_bounds(&mut self, interpolant: &Interpolant) -> Interpolant {
        let bound = |clause: &Clause| clause.unit().and_then(|literal| Bound::of(self.terms, literal));
        let bounds: Vec<Option<Bound>> = interpolant.clauses().iter().map(bound).collect();
        let mut result = Interpolant::default();
        for (at, clause) in interpolant.clauses().iter().enumerate() {
            let beaten = bounds[at].is_some_and(|own| {
                bounds.iter().flatten().any(|other| {
                    let same = other.term == own.term && other.order == own.order && other.is_upper() == own.is_upper();
                    same && (other.high < own.high || other.low > own.low)
                })
            });
            if !beaten {
                result.add(clause.clone());
            }
        }
        result
    }

    /// Other clauses, given those of one literal.
    fn by_units(&mut self, interpolant: Interpolant) -> Interpolant {
        let units: Vec<TermId> = interpolant.clauses().iter().filter_map(Clause::unit).collect();
        if units.is_empty() || units.len() == interpolant.clauses().len() {
            return interpolant;
        }
        let mut result = Interpolant::default();
        for clause in interpolant.clauses() {
            if clause.unit().is_some() {
                result.add(clause.clone());
                continue;
            }
            let mut literals = Vec::new();
            let mut holds = false;
            for &literal in clause.literals() {
                match self.given(&units, literal) {
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
    fn given(&mut self, units: &[TermId], literal: TermId) -> Option<bool> {
        let negation = self.terms.not(literal);
        let bound = Bound::of(self.terms, literal);
        units.iter().find_map(|&unit| {
            if unit == literal || unit == negation {
                return Some(unit == literal);
            }
            let (bound, unit) = (bound?, Bound::of(self.terms, unit)?);
            if bound.term != unit.term || bound.order != unit.order {
                return None;
            }
            if bound.low <= unit.low && unit.high <= bound.high {
                return Some(true);
            }
            (unit.high < bound.low || bound.high < unit.low).then_some(false)
        })
    }
}
