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
                self.sum_now(sum, relation)
            }
            Some(Propagator::Reified { terms, constant, relation, truth }) => {
                let sum = self.normal(&terms, constant)?;
                self.reified_now(&sum, relation, truth)
            }
            Some(Propagator::Table { tuple, rows }) => self.table_now(&tuple, &rows),
            Some(Propagator::Distinct { cells }) => self.distinct_now(&cells),
            Some(Propagator::Function { functor, args, result }) => self.function_now(functor, &args, result),
            Some(Propagator::Dif { a, b }) => self.still_different(number, a, b),
            Some(Propagator::Goal { variable, goal, place }) => {
                if !matches!(self.heap.deref(variable), Cell::Var(_)) {
                    self.resumed.push((goal, place));
                }
                Ok(true)
            }
        }
    }

    /// A normal sum compared with zero.
    pub(super) fn sum_now(&mut self, sum: Linear, relation: Relation) -> Step {
        match sum.terms.len() {
            0 => self.holds_now(relation, sum.constant),
            1 => self.single(sum, relation),
            _ => self.bounds(&sum, relation),
        }
    }

    pub(super) fn equal_now(&mut self, a: Cell, b: Cell) -> Step {
        match self.unify(a, b) {
            Some(conditions) => Ok(self.check(&conditions)),
            None => Ok(false),
        }
    }

    pub(super) fn holds_now(&mut self, relation: Relation, constant: Number) -> Step {
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
            let least: BigInt = ranges.iter().flatten().sum();
            if unknown == 0 && !self.leaves_room(&sum.constant, sign, &least)? {
                return Ok(false);
            }
            let Some(constant) = self.least_constant(&sum.constant, sign) else { continue };
            let total = least + constant;
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

    /// Whether a constant and the least value of the variables leave room: decided, where the constant depends on the input.
    fn leaves_room(&mut self, constant: &Number, sign: i32, least: &BigInt) -> Step {
        let signed = self.binary_number("*", constant.clone(), Number::Small(sign.into()))?;
        self.compare_now("=<", signed, Number::integer(-least))
    }

    /// The least value of a sum, or of its negative; `None` if it has none.
    pub(super) fn least_of(&self, sum: &Linear, sign: i32) -> Option<BigInt> {
        let mut total = self.least_constant(&sum.constant, sign)?;
        for (c, cell) in &sum.terms {
            total += self.least(&(c * sign), *cell)?;
        }
        Some(total)
    }

    /// The least value of a constant, or of its negative, as far as the decisions tell.
    fn least_constant(&self, constant: &Number, sign: i32) -> Option<BigInt> {
        if let Number::Sym(term) = constant {
            let (low, high) = self.rec.facts.bounds(self.rec.terms, *term);
            return if sign > 0 { low } else { high.map(|high| -high) };
        }
        Some(constant.as_integer()? * sign)
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
