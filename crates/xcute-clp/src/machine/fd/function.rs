//! Operations that are not sums: their results when the arguments are known, and bounds before.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::domain::Domain;
use crate::machine::Machine;
use crate::machine::cell::{Cell, FunctorId};
use crate::machine::error::{Step, Stop};
use crate::machine::number::Number;

/// Bounds that do not depend on the input.
type Range = (Option<BigInt>, Option<BigInt>);

impl Machine<'_> {
    pub(super) fn function_now(&mut self, functor: FunctorId, args: &[Cell], result: Cell) -> Step {
        let mut args: Vec<Cell> = args.iter().map(|&arg| self.heap.deref(arg)).collect();
        if args.iter().all(|arg| !matches!(arg, Cell::Var(_))) {
            if let &[a, b] = &args[..]
                && let Some(holds) = self.special_now(functor, [a, b], result)?
            {
                return Ok(holds);
            }
            let expression = self.heap.compound(functor, &args);
            let value = self.evaluate(expression)?;
            let value = self.number_cell(value);
            return self.equal_now(result, value);
        }
        for arg in &mut args {
            *arg = self.decided_value(*arg)?;
        }
        let result = self.decided_value(result)?;
        let name = self.symbols.atoms.name(self.symbols.name(functor)).to_owned();
        match (name.as_str(), &args[..]) {
            ("*", &[a, b]) if a == b => self.square(a, result),
            ("*", &[a, b]) => self.product(a, b, result),
            ("^", &[a, Cell::Int(2)]) => self.square(a, result),
            ("abs", &[a]) => self.absolute_value(a, result),
            ("min", &[a, b]) => self.extreme(a, b, result, false),
            ("max", &[a, b]) => self.extreme(a, b, result, true),
            ("mod", &[_, Cell::Int(by)]) if by > 0 => self.bound_now(result, (Some(BigInt::zero()), Some(BigInt::from(by - 1)))),
            _ => Ok(true),
        }
    }

    /// What arithmetic would throw for: division by zero has no result, and a negative power only those of 0 (which is 0 here), 1 and -1.
    fn special_now(&mut self, functor: FunctorId, args: [Cell; 2], result: Cell) -> Result<Option<bool>, Stop> {
        let name = self.symbols.atoms.name(self.symbols.name(functor)).to_owned();
        if !matches!(name.as_str(), "//" | "div" | "mod" | "rem" | "^") {
            return Ok(None);
        }
        let [base, by] = args.map(|arg| self.fd_number(arg, "type_error"));
        let (base, by) = (base?, by?);
        if name != "^" {
            return Ok(self.compare_now("=:=", by, Number::Small(0))?.then_some(false));
        }
        if !self.compare_now("<", by, Number::Small(0))? {
            return Ok(None);
        }
        if self.compare_now("=:=", base.clone(), Number::Small(0))? {
            return self.equal_now(result, Cell::Int(0)).map(Some);
        }
        for one in [1, -1] {
            if self.compare_now("=:=", base.clone(), Number::Small(one))? {
                return Ok(None);
            }
        }
        Ok(Some(false))
    }

    fn range(&self, cell: Cell) -> Range {
        match self.heap.deref(cell) {
            Cell::Var(variable) => self.heap.store.domain(variable).map_or((None, None), Domain::concrete),
            other => {
                let value = self.symbols.as_integer(other);
                (value.clone(), value)
            }
        }
    }

    /// Narrows a variable; of what is none, nothing is asked before all is known.
    fn bound_now(&mut self, cell: Cell, (low, high): Range) -> Step {
        match self.heap.deref(cell) {
            Cell::Var(variable) => {
                self.narrow(variable, Domain { low: low.map(Number::integer), high: high.map(Number::integer), holes: Vec::new() })
            }
            other => Ok(self
                .symbols
                .as_integer(other)
                .is_none_or(|value| low.is_none_or(|low| low <= value) && high.is_none_or(|high| value <= high))),
        }
    }

    fn product(&mut self, a: Cell, b: Cell, result: Cell) -> Step {
        if let ((Some(a1), Some(a2)), (Some(b1), Some(b2))) = (self.range(a), self.range(b)) {
            let all = [&a1 * &b1, &a1 * &b2, &a2 * &b1, &a2 * &b2];
            if !self.bound_now(result, (all.iter().min().cloned(), all.iter().max().cloned()))? {
                return Ok(false);
            }
        }
        Ok(self.factor(a, b, result)? && self.factor(b, a, result)?)
    }

    /// Bounds of `a` in `a·b = result`, for a `b` that is not zero.
    fn factor(&mut self, a: Cell, b: Cell, result: Cell) -> Step {
        let ((Some(b1), Some(b2)), (Some(r1), Some(r2))) = (self.range(b), self.range(result)) else {
            return self.positive_factor(a, b, result);
        };
        if !b1.is_positive() && !b2.is_negative() {
            return Ok(true);
        }
        let quotients = || [&r1, &r2].into_iter().flat_map(|r| [(r, &b1), (r, &b2)]);
        let low = quotients().map(|(r, b)| r.div_ceil(b)).min();
        let high = quotients().map(|(r, b)| r.div_floor(b)).max();
        self.bound_now(a, (low, high))
    }

    /// The same where `b` is positive and has no upper bound: no factor is larger than the result.
    fn positive_factor(&mut self, a: Cell, b: Cell, result: Cell) -> Step {
        match (self.range(b).0, self.range(result).1) {
            (Some(b), Some(most)) if b.is_positive() && !most.is_negative() => self.bound_now(a, (None, Some(most / b))),
            _ => Ok(true),
        }
    }

    fn square(&mut self, a: Cell, result: Cell) -> Step {
        let (low, high) = self.range(a);
        let most = low.as_ref().zip(high.as_ref()).map(|(low, high)| low.abs().max(high.abs()).pow(2));
        let least = match (&low, &high) {
            (Some(low), _) if low.is_positive() => low.pow(2),
            (_, Some(high)) if high.is_negative() => high.pow(2),
            _ => BigInt::zero(),
        };
        if !self.bound_now(result, (Some(least), most))? {
            return Ok(false);
        }
        let (Some(least), most) = self.range(result) else { return Ok(true) };
        let root = if least.is_positive() { (&least - 1u8).sqrt() + 1u8 } else { BigInt::zero() };
        let largest = most.map(|most| most.sqrt());
        let mut domain =
            Domain { low: largest.clone().map(|value| Number::integer(-value)), high: largest.map(Number::integer), holes: Vec::new() };
        if root.is_positive() {
            domain.holes.push((1 - &root, root - 1));
        }
        match self.heap.deref(a) {
            Cell::Var(variable) => self.narrow(variable, domain),
            _ => Ok(true),
        }
    }

    fn absolute_value(&mut self, a: Cell, result: Cell) -> Step {
        let (low, high) = self.range(a);
        let most = low.zip(high).map(|(low, high)| low.abs().max(high.abs()));
        if !self.bound_now(result, (Some(BigInt::zero()), most))? {
            return Ok(false);
        }
        let (least, most) = self.range(result);
        let mut domain =
            Domain { low: most.clone().map(|value| Number::integer(-value)), high: most.map(Number::integer), holes: Vec::new() };
        if let Some(least) = least.filter(Signed::is_positive) {
            domain.holes.push((1 - &least, least - 1));
        }
        let narrowed = match self.heap.deref(a) {
            Cell::Var(variable) => self.narrow(variable, domain)?,
            _ => true,
        };
        Ok(narrowed && self.exchange_holes_of_absolute(a, result)?)
    }

    fn extreme(&mut self, a: Cell, b: Cell, result: Cell, greatest: bool) -> Step {
        let ((a1, a2), (b1, b2)) = (self.range(a), self.range(b));
        let pick = |x: Option<BigInt>, y: Option<BigInt>, all: bool| match (x, y) {
            (Some(x), Some(y)) => Some(if greatest { x.max(y) } else { x.min(y) }),
            (one, other) if !all => one.or(other),
            _ => None,
        };
        // One bound is known as soon as one argument has it, the other needs both.
        let range = (pick(a1, b1, !greatest), pick(a2, b2, greatest));
        if !self.bound_now(result, range)? {
            return Ok(false);
        }
        let (least, most) = self.range(result);
        let of = if greatest { (None, most) } else { (least, None) };
        Ok(self.bound_now(a, of.clone())? && self.bound_now(b, of)?)
    }
}
