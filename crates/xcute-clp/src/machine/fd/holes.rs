//! Intervals that are left out of a domain, carried over to another one: by a sum of two variables, and by an absolute value.
//!
//! **Invariant.** As much is left out as by SWI-Prolog, so that variables with the smallest domain are the same ones. What is left out does not depend on the input.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::domain::Domain;
use super::linear::Linear;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;

/// Intervals, ends included.
type Intervals = Vec<(BigInt, BigInt)>;

impl Machine<'_> {
    /// Two variables with a sum, or a difference, that is a number: what is left out of one is left out of the other.
    pub(super) fn exchange_holes(&mut self, sum: &Linear) -> Step {
        let ([x, y], Some(constant)) = (&sum.terms[..], sum.constant.as_integer()) else { return Ok(true) };
        if !x.0.abs().is_one() || !y.0.abs().is_one() {
            return Ok(true);
        }
        for ((c, from), (d, to)) in [(x, y), (y, x)] {
            let (Cell::Var(from), Cell::Var(to)) = (self.heap.deref(*from), self.heap.deref(*to)) else { return Ok(true) };
            // c·x + d·y + k = 0, where d is its own inverse.
            let other = |value: &BigInt| -d * (c * value + &constant);
            let holes: Intervals = self
                .gaps_of(from)
                .iter()
                .map(|(low, high)| (other(low), other(high)))
                .map(|(one, two)| if one <= two { (one, two) } else { (two, one) })
                .collect();
            if !holes.is_empty() && !self.narrow(to, Domain { holes, ..Domain::default() })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What `|a| = result` leaves out of both, if they are variables.
    pub(super) fn exchange_holes_of_absolute(&mut self, a: Cell, result: Cell) -> Step {
        let (Cell::Var(x), Cell::Var(y)) = (self.heap.deref(a), self.heap.deref(result)) else { return Ok(true) };
        let mut holes = Vec::new();
        for (low, high) in self.gaps_of(y).into_iter().filter(|(_, high)| !high.is_negative()) {
            let low = low.max(BigInt::zero());
            holes.push((-&high, -&low));
            holes.push((low, high));
        }
        if !holes.is_empty() && !self.narrow(x, Domain { holes, ..Domain::default() })? {
            return Ok(false);
        }
        let (Cell::Var(x), Cell::Var(y)) = (self.heap.deref(a), self.heap.deref(result)) else { return Ok(true) };
        // A result is left out if neither it nor its negative is left.
        let mut out = self.gaps_of(x);
        if let Some((Some(low), Some(high))) = self.heap.store.domain(x).map(Domain::concrete) {
            let far = low.abs().max(high.abs()) + 1;
            out.push((-&far, low - 1));
            out.push((high + 1, far));
        }
        let mut both = Vec::new();
        for (low, high) in &out {
            for (other_low, other_high) in &out {
                let (from, to) = (low.max(&-other_high).clone().max(BigInt::zero()), high.min(&-other_low).clone());
                if from <= to {
                    both.push((from, to));
                }
            }
        }
        if both.is_empty() { Ok(true) } else { self.narrow(y, Domain { holes: both, ..Domain::default() }) }
    }

    fn gaps_of(&self, variable: u32) -> Intervals {
        self.heap.store.domain(variable).map(Domain::gaps).unwrap_or_default()
    }
}
