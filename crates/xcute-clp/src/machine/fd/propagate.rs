//! Propagators: sums by bounds consistency (as in Schulte & Stuckey, "When do bounds and domain propagation lead to the same search space?", 2005),
//! operations and disequations when their arguments are known.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use xcute_term::{Op, Value};

use super::domain::Domain;
use super::linear::Linear;
use super::store::{Propagator, Relation};
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::number::Number;

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
            0 => self.demand_comparison(relation.name(), sum.constant, Number::Small(0)),
            1 => self.single(sum, relation),
            _ => Ok(self.bounds(&sum, relation)? && (relation != Relation::Equal || self.exchange_holes(&sum)?)),
        }
    }

    pub(super) fn equal_now(&mut self, a: Cell, b: Cell) -> Step {
        match self.unify(a, b) {
            Some(conditions) => Ok(self.demand(&conditions)),
            None => Ok(false),
        }
    }

    pub(super) fn holds_now(&mut self, relation: Relation, constant: Number) -> Step {
        self.compare_now(relation.name(), constant, Number::Small(0))
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
                let domain = self.at_most(&coefficient, negated)?;
                self.narrow(variable, domain)
            }
            Relation::Unequal => match negated.as_integer() {
                Some(value) if value.is_multiple_of(&coefficient) => {
                    let hole = value / coefficient;
                    self.narrow(variable, Domain { holes: vec![(hole.clone(), hole)], ..Domain::default() })
                }
                Some(_) => Ok(true),
                None => self.not_at_the_ends(variable, &coefficient, &negated),
            },
        }
    }

    /// `c·x` is not a number that depends on the input: only where it is a bound of `x` that makes a difference, until `x` has a value.
    fn not_at_the_ends(&mut self, variable: u32, c: &BigInt, value: &Number) -> Step {
        // A domain without an end keeps room for the variable.
        let (Some(low), Some(high)) = self.heap.store.ends_of(variable) else { return Ok(true) };
        for (end, step) in [(low, 1), (high, -1)] {
            let product = self.binary_number("*", end.clone(), Number::integer(c.clone()))?;
            if self.compare_now("=:=", product, value.clone())? {
                let next = Some(self.binary_number("+", end, Number::Small(step))?);
                let domain = if step == 1 { Domain { low: next, ..Domain::default() } } else { Domain { high: next, ..Domain::default() } };
                return self.narrow(variable, domain);
            }
        }
        Ok(true)
    }

    /// `value / by`, if it divides.
    fn quotient(&mut self, value: Number, by: &BigInt) -> Result<Option<Number>, Stop> {
        if let Some(value) = value.as_integer() {
            return Ok(value.is_multiple_of(by).then(|| Number::integer(value / by)));
        }
        // What is known of the value is known of the quotient then.
        if by.abs().is_one() {
            return if by.is_one() { Ok(Some(value)) } else { self.binary_number("-", Number::Small(0), value).map(Some) };
        }
        let (term, divisor) = (self.number_term(&value).expect("no float"), self.rec.terms.value(Value::Int(by.clone())));
        let zero = self.rec.terms.value(Value::Int(BigInt::zero()));
        let remainder = self.rec.terms.mk(Op::IntMod, &[term, divisor]);
        let divides = self.rec.terms.mk(Op::Eq, &[remainder, zero]);
        if !self.demand(&[divides]) {
            return Ok(None);
        }
        let quotient = self.rec.terms.mk(Op::IntDiv, &[term, divisor]);
        Ok(Some(self.known_number(quotient)))
    }

    /// Several variables: each is bounded by the bounds of the others. Bounds may depend on the input: then comparing them decides, and the variables have the
    /// domains that they have for each of its values.
    fn bounds(&mut self, sum: &Linear, relation: Relation) -> Step {
        if relation == Relation::Unequal {
            return Ok(true);
        }
        let directions: &[i32] = if relation == Relation::Equal { &[1, -1] } else { &[1] };
        for &sign in directions {
            let mut ranges = Vec::with_capacity(sum.terms.len());
            for (c, cell) in &sum.terms {
                ranges.push(self.least(&(c * sign), *cell)?);
            }
            let unknown = ranges.iter().filter(|least| least.is_none()).count();
            if unknown > 1 {
                continue;
            }
            let mut total = self.binary_number("*", sum.constant.clone(), Number::Small(sign.into()))?;
            for least in ranges.iter().flatten() {
                total = self.binary_number("+", total, least.clone())?;
            }
            if unknown == 0 && !self.demand_comparison("=<", total.clone(), Number::Small(0))? {
                return Ok(false);
            }
            for ((c, cell), least) in sum.terms.iter().zip(ranges) {
                if unknown == 1 && least.is_some() {
                    continue;
                }
                let c = c * sign;
                let room = self.binary_number("-", least.unwrap_or(Number::Small(0)), total.clone())?;
                let domain = self.at_most(&c, room)?;
                if let Cell::Var(variable) = self.heap.deref(*cell)
                    && !self.narrow(variable, domain)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The domain of `x` in `c·x ≤ room`.
    fn at_most(&mut self, c: &BigInt, room: Number) -> Result<Domain, Stop> {
        if c.is_positive() {
            return Ok(Domain { high: Some(self.binary_number("div", room, Number::integer(c.clone()))?), ..Domain::default() });
        }
        // x ≥ ⌈room / c⌉ = -⌊room / -c⌋.
        let floor = self.binary_number("div", room, Number::integer(-c))?;
        Ok(Domain { low: Some(self.binary_number("-", Number::Small(0), floor)?), ..Domain::default() })
    }

    /// The least value of a sum, or of its negative; `None` if it has none.
    pub(super) fn least_of(&mut self, sum: &Linear, sign: i32) -> Result<Option<Number>, Stop> {
        let mut total = self.binary_number("*", sum.constant.clone(), Number::Small(sign.into()))?;
        for (c, cell) in &sum.terms {
            let Some(least) = self.least(&(c * sign), *cell)? else { return Ok(None) };
            total = self.binary_number("+", total, least)?;
        }
        Ok(Some(total))
    }

    /// The least value of `c·x`.
    fn least(&mut self, c: &BigInt, cell: Cell) -> Result<Option<Number>, Stop> {
        let bound = match self.heap.deref(cell) {
            Cell::Var(variable) => {
                let (low, high) = self.heap.store.ends_of(variable);
                if c.is_positive() { low } else { high }
            }
            other => Some(self.fd_number(other, "type_error")?),
        };
        match bound {
            Some(bound) => self.binary_number("*", bound, Number::integer(c.clone())).map(Some),
            None => Ok(None),
        }
    }

    /// Intersects the domain of a variable with another one.
    pub(crate) fn narrow(&mut self, variable: u32, by: Domain) -> Step {
        let old = self.heap.store.domain(variable).cloned().unwrap_or_default();
        let mut new = old.clone();
        let low = by.low.map(|low| self.simple_bound(low)).transpose()?;
        let high = by.high.map(|high| self.simple_bound(high)).transpose()?;
        if let Some(low) = low {
            new.low = Some(match new.low {
                Some(known) if self.compare_now("=<", low.clone(), known.clone())? => known,
                _ => low,
            });
        }
        if let Some(high) = high {
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
        let new = self.without_holes_at_the_ends(new.tightened())?;
        if new == old {
            return Ok(true);
        }
        let mut only = None;
        if let (Some(low), Some(high)) = (&new.low, &new.high) {
            if !self.demand_comparison("=<", low.clone(), high.clone())? {
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

    /// Moves bounds that depend on the input over what is left out.
    fn without_holes_at_the_ends(&mut self, mut domain: Domain) -> Result<Domain, Stop> {
        for (from, to) in domain.gaps() {
            let ends = [(domain.low.clone(), true), (domain.high.clone(), false)];
            for (end, lower) in ends {
                let Some(end @ Number::Sym(_)) = end else { continue };
                if self.compare_now("=<", Number::integer(from.clone()), end.clone())?
                    && self.compare_now("=<", end, Number::integer(to.clone()))?
                {
                    if lower {
                        domain.low = Some(Number::integer(&to + 1));
                    } else {
                        domain.high = Some(Number::integer(&from - 1));
                    }
                }
            }
        }
        Ok(domain)
    }

    /// Whether a number is in a domain.
    pub(crate) fn inside(&mut self, number: Number, domain: &Domain) -> Step {
        if let Some(low) = &domain.low
            && !self.demand_comparison("=<", low.clone(), number.clone())?
        {
            return Ok(false);
        }
        if let Some(high) = &domain.high
            && !self.demand_comparison("=<", number.clone(), high.clone())?
        {
            return Ok(false);
        }
        if let Some(value) = number.as_integer() {
            return Ok(!domain.leaves_out(&value));
        }
        for (from, to) in domain.gaps() {
            let (above, below) =
                (self.comparison("=<", Number::integer(from), number.clone()), self.comparison("=<", number.clone(), Number::integer(to)));
            if let (Ok(above), Ok(below)) = (above, below) {
                let within = self.rec.terms.mk(Op::And, &[above, below]);
                let outside = self.rec.terms.not(within);
                if !self.demand(&[outside]) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Two terms that are to stay different: false if they have become equal; waits for the variables that could make them so.
    fn still_different(&mut self, number: u32, a: Cell, b: Cell) -> Step {
        let mark = self.heap.mark();
        let conditions = self.unify(a, b);
        let variables: Vec<u32> = self.heap.bound_since(mark).to_vec();
        let queue = self.heap.store.queue.clone();
        self.heap.unbind(mark);
        self.heap.store.queue = queue;
        let Some(conditions) = conditions else {
            self.heap.store.settle(number);
            return Ok(true);
        };
        if variables.is_empty() {
            let equal = match conditions[..] {
                [] => return Ok(false),
                [one] => one,
                _ => self.rec.terms.mk(Op::And, &conditions),
            };
            let different = self.rec.terms.not(equal);
            return Ok(self.demand(&[different]));
        }
        for variable in variables {
            self.heap.store.watch_once(variable, number);
        }
        Ok(true)
    }
}
