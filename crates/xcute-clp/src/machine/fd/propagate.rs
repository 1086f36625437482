//! Propagators: sums by bounds consistency (as in Schulte & Stuckey, "When do bounds and domain propagation lead to the same search space?", 2005),
//! operations and disequations when their arguments are known.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use xcute_term::{Op, Value};

use super::domain::Domain;
use super::linear::Linear;
use super::store::{Propagator, Relation};
use crate::machine::Machine;
use crate::machine::arith::Number;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};

impl Machine<'_> {
    pub(super) fn propagate(&mut self, number: u32) -> Step {
        match self.heap.store.propagator(number).cloned() {
            None => Ok(true),
            Some(Propagator::Linear { terms, constant, relation }) => {
                let sum = self.normal(&terms, constant)?;
                match sum.terms.len() {
                    0 => self.holds_now(relation, sum.constant),
                    1 => self.single(sum, relation),
                    _ => self.bounds(&sum, relation),
                }
            }
            Some(Propagator::Function { functor, args, result }) => {
                let mut expression = Vec::new();
                for arg in args {
                    match self.heap.deref(arg) {
                        Cell::Var(_) => return Ok(true),
                        other => expression.push(other),
                    }
                }
                let expression = self.heap.compound(functor, &expression);
                let value = self.evaluate(expression)?;
                let value = self.number_cell(value);
                self.equal_now(result, value)
            }
            Some(Propagator::Dif { a, b }) => self.still_different(number, a, b),
        }
    }

    fn equal_now(&mut self, a: Cell, b: Cell) -> Step {
        match self.unify(a, b) {
            Some(conditions) => Ok(self.check(&conditions)),
            None => Ok(false),
        }
    }

    fn holds_now(&mut self, relation: Relation, constant: Number) -> Step {
        let name = match relation {
            Relation::Equal => "=:=",
            Relation::Unequal => "=\\=",
            Relation::AtMost => "=<",
        };
        self.compare_now(name, constant, Number::Small(0))
    }

    /// One variable is left: `c·x + k` compared with zero.
    fn single(&mut self, mut sum: Linear, relation: Relation) -> Step {
        let (coefficient, cell) = sum.terms.pop().expect("one");
        let Cell::Var(variable) = cell else { unreachable!("normal sums have variables") };
        let negated = self.binary_number("-", Number::Small(0), sum.constant)?;
        // Now c·x compared with `negated`.
        match relation {
            Relation::Equal => match self.quotient(negated, &coefficient)? {
                Some(value) => {
                    let value = self.number_cell(value);
                    self.equal_now(cell, value)
                }
                None => Ok(false),
            },
            Relation::AtMost => {
                let divisor = Number::integer(coefficient.clone());
                let domain = if coefficient.is_positive() {
                    Domain { high: Some(self.binary_number("div", negated, divisor)?), ..Domain::default() }
                } else {
                    // x ≥ ⌈negated / c⌉ = -⌊negated / -c⌋.
                    let floor = self.binary_number("div", negated, Number::integer(-coefficient))?;
                    Domain { low: Some(self.binary_number("-", Number::Small(0), floor)?), ..Domain::default() }
                };
                self.narrow(variable, domain)
            }
            Relation::Unequal => match negated.as_integer() {
                Some(value) if value.is_multiple_of(&coefficient) => {
                    let hole = value / coefficient;
                    self.narrow(variable, Domain { holes: vec![(hole.clone(), hole)], ..Domain::default() })
                }
                // Decided when the variable has a value.
                _ => Ok(true),
            },
        }
    }

    /// `value / by`, if it divides.
    fn quotient(&mut self, value: Number, by: &BigInt) -> Result<Option<Number>, Stop> {
        if let Some(value) = value.as_integer() {
            return Ok(value.is_multiple_of(by).then(|| Number::integer(value / by)));
        }
        let (term, divisor) = (self.number_term(&value).expect("no float"), self.rec.terms.value(Value::Int(by.clone())));
        let zero = self.rec.terms.value(Value::Int(BigInt::zero()));
        let remainder = self.rec.terms.mk(Op::IntMod, &[term, divisor]);
        let divides = self.rec.terms.mk(Op::Eq, &[remainder, zero]);
        if !self.check(&[divides]) {
            return Ok(None);
        }
        let quotient = self.rec.terms.mk(Op::IntDiv, &[term, divisor]);
        Ok(Some(self.known_number(quotient)))
    }

    /// Several variables: each is bounded by the bounds of the others.
    fn bounds(&mut self, sum: &Linear, relation: Relation) -> Step {
        let Some(constant) = sum.constant.as_integer() else { return Ok(true) };
        if relation == Relation::Unequal {
            return Ok(true);
        }
        let directions: &[i32] = if relation == Relation::Equal { &[1, -1] } else { &[1] };
        for &sign in directions {
            let ranges: Vec<Option<BigInt>> = sum.terms.iter().map(|(c, cell)| self.least(&(c * sign), *cell)).collect();
            let unknown = ranges.iter().filter(|least| least.is_none()).count();
            if unknown > 1 {
                continue;
            }
            let total: BigInt = ranges.iter().flatten().sum::<BigInt>() + &constant * sign;
            if unknown == 0 && total.is_positive() {
                return Ok(false);
            }
            for ((c, cell), least) in sum.terms.iter().zip(&ranges) {
                if unknown == 1 && least.is_some() {
                    continue;
                }
                let c = c * sign;
                let room = least.clone().unwrap_or_default() - &total;
                // c·x ≤ room.
                let domain = if c.is_positive() {
                    Domain { high: Some(Number::integer(room.div_floor(&c))), ..Domain::default() }
                } else {
                    Domain { low: Some(Number::integer(-room.div_floor(&-c))), ..Domain::default() }
                };
                if let Cell::Var(variable) = self.heap.deref(*cell)
                    && !self.narrow(variable, domain)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The least value of `c·x`.
    fn least(&self, c: &BigInt, cell: Cell) -> Option<BigInt> {
        match self.heap.deref(cell) {
            Cell::Var(variable) => {
                let (low, high) = self.heap.store.domain(variable)?.concrete();
                Some(c * if c.is_positive() { low? } else { high? })
            }
            other => Some(c * self.symbols.as_integer(other)?),
        }
    }

    /// Intersects the domain of a variable with another one.
    pub(crate) fn narrow(&mut self, variable: u32, by: Domain) -> Step {
        let old = self.heap.store.domain(variable).cloned().unwrap_or_default();
        let mut new = old.clone();
        if let Some(low) = by.low {
            new.low = Some(match new.low {
                Some(known) if self.compare_now("=<", low.clone(), known.clone())? => known,
                _ => low,
            });
        }
        if let Some(high) = by.high {
            new.high = Some(match new.high {
                Some(known) if self.compare_now("=<", known.clone(), high.clone())? => known,
                _ => high,
            });
        }
        for hole in by.holes {
            if !new.holes.contains(&hole) {
                new.holes.push(hole);
            }
        }
        let new = new.tightened();
        if new == old {
            return Ok(true);
        }
        let mut only = None;
        if let (Some(low), Some(high)) = (&new.low, &new.high) {
            if !self.compare_now("=<", low.clone(), high.clone())? {
                return Ok(false);
            }
            if self.compare_now("=:=", low.clone(), high.clone())? {
                only = Some(low.clone());
            }
        }
        self.heap.store.set_domain(variable, new);
        match only {
            Some(value) => {
                let value = self.number_cell(value);
                self.equal_now(Cell::Var(variable), value)
            }
            None => Ok(true),
        }
    }

    /// Whether a number is in a domain.
    pub(crate) fn inside(&mut self, number: Number, domain: &Domain) -> Step {
        if let Some(low) = &domain.low
            && !self.compare_now("=<", low.clone(), number.clone())?
        {
            return Ok(false);
        }
        if let Some(high) = &domain.high
            && !self.compare_now("=<", number.clone(), high.clone())?
        {
            return Ok(false);
        }
        for (from, to) in &domain.holes {
            if self.compare_now("=<", Number::integer(from.clone()), number.clone())?
                && self.compare_now("=<", number.clone(), Number::integer(to.clone()))?
            {
                return Ok(false);
            }
        }
        Ok(number.as_integer().is_none_or(|value| !domain.leaves_out(&value)))
    }

    /// Two terms that are to stay different: false if they have become equal; waits for the variables that could make them so.
    fn still_different(&mut self, number: u32, a: Cell, b: Cell) -> Step {
        let mark = self.heap.mark();
        let conditions = self.unify(a, b);
        let variables: Vec<u32> = self.heap.bound_since(mark).to_vec();
        let queue = self.heap.store.queue.clone();
        self.heap.unbind(mark);
        self.heap.store.queue = queue;
        let Some(conditions) = conditions else { return Ok(true) };
        if variables.is_empty() {
            return Ok(!self.check(&conditions));
        }
        for variable in variables {
            self.heap.store.watch_once(variable, number);
        }
        Ok(true)
    }
}
