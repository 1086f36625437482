//! Multiples: `A mod 2 #= 0` and quotients `A div 2` next to it are written as a person does, `A #= 2*Y`.
//!
//! Variables that only constraints of a clause mention were eliminated, and left remainders and quotients. Where a path says that a remainder is zero, the
//! quotient gets a variable again.
//!
//! **Invariant.** The variable is determined by what it is a quotient of, so the constraints hold for the same inputs.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use xcute_term::{Op, TermId, Value};

use super::arithmetic::Spelling;
use super::scope::{Literal, Multiple, Reading};
use crate::machine::cell::Cell;

impl Reading<'_> {
    fn constant(&self, term: TermId) -> Option<BigInt> {
        match self.terms.as_value(term) {
            Some(Value::Int(value)) => Some(value.clone()),
            _ => None,
        }
    }

    /// A term without its sign, and whether that was negative.
    pub(super) fn unsigned(&self, term: TermId) -> (TermId, bool) {
        match (self.terms.op(term), self.terms.args(term)) {
            (Op::Neg, &[inner]) => (inner, true),
            _ => (term, false),
        }
    }

    /// The dividend and the divisor, both without their signs, if a condition says that a remainder is zero, or that it is not.
    fn remainder(&self, term: TermId) -> Option<(TermId, BigInt)> {
        let (Op::Eq, &[a, b]) = (self.terms.op(term), self.terms.args(term)) else { return None };
        let remainder = match (self.constant(a), self.constant(b)) {
            (_, Some(zero)) if zero.is_zero() => a,
            (Some(zero), _) if zero.is_zero() => b,
            _ => return None,
        };
        let (Op::IntMod, &[of, by]) = (self.terms.op(remainder), self.terms.args(remainder)) else { return None };
        let by = self.constant(by).filter(|by| !by.is_zero() && !by.abs().is_one())?;
        Some((self.unsigned(of).0, by.abs()))
    }

    /// Takes note of all that is a multiple and whose quotient other conditions mention.
    pub(super) fn find_multiples(&mut self, literals: &[Literal]) {
        for &(holds, term) in literals {
            let Some((of, by)) = self.remainder(term).filter(|_| holds) else { continue };
            let mentioned = literals.iter().any(|&(_, other)| self.mentions_quotient(other, of, &by));
            if mentioned && !self.multiples.iter().any(|known| (known.of, &known.by) == (of, &by)) {
                let quotient = self.heap.var();
                self.multiples.push(Multiple { of, by, quotient });
            }
        }
    }

    fn mentions_quotient(&self, term: TermId, of: TermId, by: &BigInt) -> bool {
        let (mut pending, mut looked) = (vec![term], 0);
        while let Some(term) = pending.pop() {
            looked += 1;
            match (self.terms.op(term), self.terms.args(term)) {
                (Op::IntDiv, &[a, b]) if self.unsigned(a).0 == of && self.constant(b).is_some_and(|b| b.abs() == *by) => return true,
                (_, args) if looked < super::CONSTRAINTS => pending.extend(args),
                _ => {}
            }
        }
        false
    }

    /// The quotient that a term is, and whether its sign is the other one.
    pub(super) fn quotient(&self, a: TermId, b: TermId) -> Option<(Cell, bool)> {
        let ((of, negative), by) = (self.unsigned(a), self.constant(b)?);
        let known = self.multiples.iter().find(|known| known.of == of && known.by == by.abs())?;
        Some((known.quotient, negative != by.is_negative()))
    }

    /// A condition about a remainder, or one that says once more what a multiple is: `Some(None)` if it need not be said.
    pub(super) fn multiple(&mut self, (holds, term): Literal) -> Option<Option<Cell>> {
        if holds && self.terms.op(term) == Op::Eq && self.follows(term) {
            return Some(None);
        }
        let (of, by) = self.remainder(term)?;
        let (number, zero) = (self.symbols.integer(by.clone()), Cell::Int(0));
        let dividend = self.expression(of, Spelling::Clpfd, &mut Vec::new(), 0)?;
        let known = self.multiples.iter().find(|known| holds && known.of == of && known.by == by).map(|known| known.quotient);
        Some(Some(match known {
            Some(quotient) => {
                let product = self.compound("*", &[number, quotient]);
                self.compound("#=", &[dividend, product])
            }
            None => {
                let remainder = self.compound("mod", &[dividend, number]);
                self.compound(if holds { "#=" } else { "#\\=" }, &[remainder, zero])
            }
        }))
    }

    /// Whether an equation follows from a multiple: with `of / by` for the quotient it is `0 = 0`.
    fn follows(&self, term: TermId) -> bool {
        let &[a, b] = self.terms.args(term) else { return false };
        self.multiples.iter().any(|known| {
            let (mut sum, mut pending, mut met) = (BTreeMap::<Option<TermId>, BigInt>::new(), Vec::new(), false);
            pending.extend([(known.by.clone(), a), (-known.by.clone(), b)]);
            while let Some((factor, term)) = pending.pop() {
                if let Some(value) = self.constant(term) {
                    *sum.entry(None).or_default() += factor * value;
                    continue;
                }
                match (self.terms.op(term), self.terms.args(term)) {
                    (Op::Add, args) => pending.extend(args.iter().map(|&arg| (factor.clone(), arg))),
                    (Op::Sub, &[a, b]) => pending.extend([(factor.clone(), a), (-factor, b)]),
                    (Op::Neg, &[a]) => pending.push((-factor, a)),
                    (Op::Mul, &[a, b]) if let Some(value) = self.constant(a) => pending.push((factor * value, b)),
                    (Op::Mul, &[a, b]) if let Some(value) = self.constant(b) => pending.push((factor * value, a)),
                    (Op::IntDiv, &[a, b]) if self.unsigned(a).0 == known.of && self.constant(b).is_some_and(|b| b.abs() == known.by) => {
                        met = true;
                        let opposite = self.unsigned(a).1 != self.constant(b).is_some_and(|b| b.is_negative());
                        let part = &factor / &known.by;
                        pending.push((if opposite { -part } else { part }, known.of));
                    }
                    _ => *sum.entry(Some(term)).or_default() += factor,
                }
            }
            met && sum.values().all(Zero::is_zero)
        })
    }
}
