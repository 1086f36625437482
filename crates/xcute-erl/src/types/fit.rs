//! Inputs made to fit: what a solver left open, or never heard of, becomes a term of its type.
//!
//! **Invariant.** A value that is of its type stays as it is; what comes out always is.

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use xcute_term::{DataValue, Value};

use super::bytes::sizes;
use super::{Inputs, Type, TypeId};
use crate::etf::Atoms;
use crate::universe::bits::{bitstring, bytes, unpacked};
use crate::universe::functions::function;
use crate::universe::map::{entries, present};
use crate::universe::{ATOM, BITS, CONS, FLOAT, FUN, INTEGER, MAP, MORE, NIL, NO_MORE, TABLED, TUPLE, Universe, data, elements, numbered};

/// Makes inputs fit.
pub struct Fit<'a> {
    /// What inputs are made of.
    pub universe: &'a Universe,
    /// Their types.
    pub inputs: &'a Inputs,
    /// The atoms of the program.
    pub atoms: &'a Atoms,
    /// Whether both zeros are the same.
    pub one_zero: bool,
}

fn parts(value: &Value) -> &DataValue {
    match value {
        Value::Data(data) => data,
        other => unreachable!("a term is data, not {other:?}"),
    }
}

impl Fit<'_> {
    /// The arguments of a run: of one clause of the specification, the one that has to change least.
    #[must_use]
    pub fn arguments(&self, values: &[Value]) -> Vec<Value> {
        let accepted =
            |types: &&Vec<TypeId>| types.iter().zip(values).filter(|(of, value)| self.is(value, **of, self.inputs.depth)).count();
        // The first of equals.
        let best = self.inputs.clauses.iter().rev().max_by_key(accepted).expect("at least one clause");
        best.iter().zip(values).map(|(of, value)| self.fitted(value, *of, self.inputs.depth)).collect()
    }

    /// Whether a value is of a type.
    pub(super) fn is(&self, value: &Value, of: TypeId, depth: Option<u32>) -> bool {
        // The spine of a list is a loop.
        let (mut value, mut of, mut depth) = (value, of, depth);
        loop {
            let data = parts(value);
            if depth == Some(0) && is_compound(data) {
                return false;
            }
            let below = depth.map(|depth| depth.saturating_sub(1));
            let alternatives = self.inputs.types.alternatives(of);
            let mut cells = Vec::new();
            for alternative in alternatives {
                match (self.inputs.types.get(alternative), data.ctor) {
                    (Type::Any, CONS) => cells.push((super::Types::ANY, super::Types::ANY)),
                    (Type::Cons(head, tail), CONS) => cells.push((*head, *tail)),
                    (Type::Any | Type::AnyTuple, TUPLE) => {
                        let items = elements(&data.fields[0]);
                        let narrow = self.inputs.depth.is_none() || items.len() <= self.inputs.widest as usize;
                        if narrow && items.iter().all(|item| self.is(item, super::Types::ANY, below)) {
                            return true;
                        }
                    }
                    (Type::Tuple(types), TUPLE) => {
                        let items = elements(&data.fields[0]);
                        if items.len() == types.len() && items.iter().zip(types).all(|(item, of)| self.is(item, *of, below)) {
                            return true;
                        }
                    }
                    (Type::Any | Type::Map(_), MAP) => {
                        if self.is_map(data, alternative, depth) {
                            return true;
                        }
                    }
                    (Type::Any, FUN) => {
                        if self.is_function(data, (None, super::Types::ANY), below) {
                            return true;
                        }
                    }
                    (Type::Fun(arity, result), FUN) => {
                        if self.is_function(data, (*arity, *result), below) {
                            return true;
                        }
                    }
                    (Type::Any, BITS) => {
                        if self.is_bits(data, (0, 1), depth) {
                            return true;
                        }
                    }
                    (Type::Bits(least, unit), BITS) => {
                        if self.is_bits(data, (*least, *unit), depth) {
                            return true;
                        }
                    }
                    (of, _) => {
                        if self.is_constant(data, of) {
                            return true;
                        }
                    }
                }
            }
            match cells[..] {
                [] => return false,
                // One way only: the tail is the next round.
                [(head, tail)] => {
                    if !self.is(&data.fields[0], head, below) {
                        return false;
                    }
                    (value, of, depth) = (&data.fields[1], tail, below);
                }
                _ => {
                    return cells
                        .iter()
                        .any(|&(head, tail)| self.is(&data.fields[0], head, below) && self.is(&data.fields[1], tail, below));
                }
            }
        }
    }

    /// Whether a bitstring is in normal form and of a size.
    fn is_bits(&self, value: &DataValue, (least, unit): (usize, usize), depth: Option<u32>) -> bool {
        let (own, extra, last) = bytes(value);
        let (byte, bit) = (|number: &BigInt| number.to_u8().is_some(), extra.to_usize().filter(|&extra| extra < 8));
        let Some(extra) = bit.filter(|_| own.iter().all(byte)) else { return false };
        if last.to_u32().is_none_or(|last| last >= 1 << extra) {
            return false;
        }
        let bits = 8 * own.len() + extra;
        let sized = match unit {
            0 => bits == least,
            1 | 8 => bits >= least && (bits - least).is_multiple_of(unit),
            _ => sizes(least, unit).any(|size| size == bits),
        };
        sized && depth.is_none_or(|depth| bits.div_ceil(8) <= depth as usize)
    }

    fn is_constant(&self, value: &DataValue, of: &Type) -> bool {
        let number = || match &value.fields[0] {
            Value::Int(number) => number.clone(),
            _ => BigInt::from(0),
        };
        match (value.ctor, of) {
            (ATOM, Type::Any | Type::Atom) => self.universe.atoms.name(&number()).is_some(),
            (ATOM, Type::AtomIs(atom)) => self.universe.atoms.number(self.atoms.name(*atom)) == Some(number()),
            (INTEGER, Type::Any) => true,
            (INTEGER, Type::Integer(low, high)) => {
                let number = number();
                low.as_ref().is_none_or(|low| *low <= number) && high.as_ref().is_none_or(|high| number <= *high)
            }
            (FLOAT, Type::Any | Type::Float) => {
                let bits = value.fields[0].as_u64().unwrap_or(0);
                f64::from_bits(bits).is_finite() && !(self.one_zero && bits == 1 << 63)
            }
            (NIL, Type::Any | Type::Nil) => true,
            (ctor, Type::Any) if TABLED.contains(&ctor) => {
                let number = number();
                number >= BigInt::from(0) && number < BigInt::from(self.universe.table(ctor).len())
            }
            (ctor, Type::Tabled(kind, places)) if ctor == *kind => {
                let number = number();
                match places {
                    Some(places) => places.iter().any(|&place| number == BigInt::from(place)),
                    None => number >= BigInt::from(0) && number < BigInt::from(self.universe.table(ctor).len()),
                }
            }
            _ => false,
        }
    }

    /// A value of the type: the given one as far as it is.
    #[must_use]
    pub fn fitted(&self, value: &Value, of: TypeId, depth: Option<u32>) -> Value {
        if self.is(value, of, depth) {
            return value.clone();
        }
        let data_value = parts(value);
        let below = depth.map(|depth| depth.saturating_sub(1));
        if depth != Some(0) || !is_compound(data_value) {
            // An alternative of the same shape keeps what it can.
            for alternative in self.inputs.types.alternatives(of) {
                match (self.inputs.types.get(alternative), data_value.ctor) {
                    (Type::Any, CONS) => return self.fitted_list(value, super::Types::ANY, depth),
                    (Type::Cons(..), CONS) if self.room(alternative, depth) => return self.fitted_list(value, of, depth),
                    (Type::Any | Type::AnyTuple, TUPLE) => {
                        let items = elements(&data_value.fields[0]);
                        let width = if self.inputs.depth.is_some() { self.inputs.widest as usize } else { items.len() };
                        let items = items.into_iter().take(width).map(|item| self.fitted(item, super::Types::ANY, below));
                        return tuple(items.collect());
                    }
                    (Type::Tuple(_), TUPLE) if self.nearest_tuple(data_value, of, depth) == Some(alternative) => {
                        let Type::Tuple(types) = self.inputs.types.get(alternative) else { unreachable!("just seen") };
                        let items = elements(&data_value.fields[0]);
                        return tuple(items.into_iter().zip(types).map(|(item, of)| self.fitted(item, *of, below)).collect());
                    }
                    (Type::Any | Type::Map(_), MAP) if self.room(alternative, depth) => {
                        return self.fitted_map(Some(data_value), alternative, depth);
                    }
                    (Type::Any, FUN) => return self.fitted_function(data_value, (None, super::Types::ANY), below),
                    (Type::Fun(arity, result), FUN) if self.room(alternative, depth) => {
                        return self.fitted_function(data_value, (*arity, *result), below);
                    }
                    (Type::Any, BITS) => return fitted_bits(data_value, (0, 1), depth),
                    (Type::Bits(least, unit), BITS) if self.room(alternative, depth) => {
                        return fitted_bits(data_value, (*least, *unit), depth);
                    }
                    (alternative, _) => {
                        if let Some(constant) = self.near_constant(data_value, alternative) {
                            return constant;
                        }
                    }
                }
            }
        }
        self.default(of, depth)
    }

    /// A constant of the same kind as one that no term has: a float that is not finite, or the number of no pid. A solver does not know them all.
    fn near_constant(&self, value: &DataValue, of: &Type) -> Option<Value> {
        match (of, value.ctor) {
            (Type::Any | Type::Float, FLOAT) => Some(data(FLOAT, vec![Value::bits(64, 0)])),
            (Type::Any | Type::Atom, ATOM) => Some(numbered(ATOM, 0.max(self.universe.atoms.lowest().unwrap_or(0)))),
            (Type::Any, kind) if TABLED.contains(&kind) => Some(numbered(kind, 0)),
            (Type::Tabled(own, places), kind) if *own == kind => {
                Some(numbered(kind, places.as_ref().and_then(|places| places.first()).copied().unwrap_or(0)))
            }
            _ => None,
        }
    }

    /// The alternative of tuples that most elements are of the right kind for, the first of equals; `None` if the tuple is of another size for all of them.
    fn nearest_tuple(&self, value: &DataValue, of: TypeId, depth: Option<u32>) -> Option<TypeId> {
        let items = elements(&value.fields[0]);
        let kinds = |types: &[TypeId]| items.iter().zip(types).filter(|(item, of)| self.same_kind(parts(item), **of)).count();
        let alternatives = self.inputs.types.alternatives(of).into_iter().rev();
        let fitting = alternatives.filter_map(|of| match self.inputs.types.get(of) {
            Type::Tuple(types) if self.room(of, depth) && self.same_constants(value, types) => Some((kinds(types), of)),
            _ => None,
        });
        fitting.max_by_key(|(count, _)| *count).map(|(_, of)| of)
    }

    /// Whether a type has terms of the same kind.
    fn same_kind(&self, value: &DataValue, of: TypeId) -> bool {
        self.inputs.types.alternatives(of).into_iter().any(|of| match (self.inputs.types.get(of), value.ctor) {
            (Type::Any, _)
            | (Type::Cons(..), CONS)
            | (Type::Tuple(_) | Type::AnyTuple, TUPLE)
            | (Type::Map(_), MAP)
            | (Type::Bits(..), BITS)
            | (Type::Fun(..), FUN) => true,
            (of, _) => self.is_constant(value, of),
        })
    }

    /// Whether a tuple has as many elements as these types, and the constants among them.
    fn same_constants(&self, value: &DataValue, types: &[TypeId]) -> bool {
        let items = elements(&value.fields[0]);
        let constant = |of: &TypeId| matches!(self.inputs.types.get(*of), Type::AtomIs(_));
        items.len() == types.len() && items.iter().zip(types).all(|(item, of)| !constant(of) || self.is(item, *of, None))
    }

    /// A list: element by element, as long as there is room.
    fn fitted_list(&self, value: &Value, of: TypeId, depth: Option<u32>) -> Value {
        let (mut items, mut value, mut of, mut depth) = (Vec::new(), value, of, depth);
        let end = loop {
            let data_value = parts(value);
            let cell = self.inputs.types.alternatives(of).into_iter().find_map(|alternative| match self.inputs.types.get(alternative) {
                Type::Any => Some((super::Types::ANY, super::Types::ANY)),
                Type::Cons(head, tail) if self.room(alternative, depth) => Some((*head, *tail)),
                _ => None,
            });
            let cell = cell.filter(|_| data_value.ctor == CONS && depth != Some(0));
            let Some((head, tail)) = cell else { break self.fitted(value, of, depth) };
            depth = depth.map(|depth| depth - 1);
            items.push(self.fitted(&data_value.fields[0], head, depth));
            (value, of) = (&data_value.fields[1], tail);
        };
        items.into_iter().rev().fold(end, |tail, head| data(CONS, vec![head, tail]))
    }

    /// Whether the smallest term of a type is within a depth.
    pub(super) fn room(&self, of: TypeId, depth: Option<u32>) -> bool {
        self.inputs.types.depth(of).is_some_and(|least| depth.is_none_or(|depth| least <= depth))
    }

    /// The simplest value of a type.
    #[must_use]
    pub fn default(&self, of: TypeId, depth: Option<u32>) -> Value {
        let alternatives = self.inputs.types.alternatives(of);
        let least = alternatives.iter().copied().min_by_key(|&of| self.inputs.types.depth(of).unwrap_or(u32::MAX));
        let below = depth.map(|depth| depth.saturating_sub(1));
        match least.map(|of| self.inputs.types.get(of)) {
            None | Some(Type::Any | Type::Atom) => numbered(ATOM, 0.max(self.universe.atoms.lowest().unwrap_or(0))),
            Some(Type::AtomIs(atom)) => numbered(ATOM, self.universe.atoms.number(self.atoms.name(*atom)).unwrap_or_default()),
            Some(Type::Integer(low, high)) => {
                let zero = BigInt::from(0);
                let at_least = low.clone().map_or(zero.clone(), |low| low.max(zero));
                numbered(INTEGER, high.clone().map_or(at_least.clone(), |high| high.min(at_least)))
            }
            Some(Type::Float) => data(FLOAT, vec![Value::bits(64, 0)]),
            Some(Type::Nil) => data(NIL, vec![]),
            Some(Type::Cons(head, tail)) => data(CONS, vec![self.default(*head, below), self.default(*tail, below)]),
            Some(Type::Tuple(types)) => tuple(types.iter().map(|of| self.default(*of, below)).collect()),
            Some(Type::AnyTuple) => tuple(vec![]),
            Some(Type::Bits(least, _)) => unpacked(&vec![0; least.div_ceil(8)], *least),
            Some(Type::Fun(arity, result)) => function(arity.unwrap_or(0), vec![], self.default(*result, below)),
            Some(Type::Map(_)) => self.fitted_map(None, least.expect("just seen"), depth),
            Some(Type::Tabled(kind, places)) => numbered(*kind, places.as_ref().and_then(|places| places.first()).copied().unwrap_or(0)),
            Some(Type::Union(_)) => unreachable!("alternatives are not unions"),
        }
    }
}

/// Bytes and extra bits of a bitstring, in normal form.
fn normal(value: &DataValue) -> (Vec<u8>, usize, u8) {
    let (bytes, extra, last) = bytes(value);
    let low = |number: &BigInt, below: u32| num_integer::Integer::mod_floor(number, &BigInt::from(below)).to_u8().unwrap_or(0);
    let extra = usize::from(low(&extra, 8));
    (bytes.iter().map(|byte| low(byte, 256)).collect(), extra, low(&last, 1 << extra))
}

/// A bitstring of a size: the given one as far as it is.
fn fitted_bits(value: &DataValue, (least, unit): (usize, usize), depth: Option<u32>) -> Value {
    let (mut bytes, mut extra, mut last) = normal(value);
    let most = depth.map_or(usize::MAX, |depth| 8 * depth as usize);
    let own = 8 * bytes.len() + extra;
    // The largest size that is allowed and not larger than its own, or else the least one.
    let count = own.min(most).saturating_sub(least).checked_div(unit).unwrap_or(0);
    let count = if matches!(unit, 0 | 1 | 8) { count } else { count.min(sizes(0, 1).count() - 1) };
    let bits = least + count * unit;
    if bits != own {
        // Bits that are cut off or added.
        bytes.resize(bits / 8, 0);
        (extra, last) = (bits % 8, if bits % 8 == extra { last } else { 0 });
    }
    bitstring(bytes.into_iter(), extra, last)
}

fn is_compound(value: &DataValue) -> bool {
    let full = || {
        value.fields.split_last().is_some_and(|(rest, slots)| slots.iter().any(|slot| present(slot).is_some()) || !entries(rest).is_empty())
    };
    let bits = || !normal(value).0.is_empty() || normal(value).1 > 0;
    value.ctor == CONS
        || (value.ctor == BITS && bits())
        || (value.ctor == MAP && full())
        || (value.ctor == TUPLE && parts(&value.fields[0]).ctor == MORE)
}

/// A tuple of these elements.
fn tuple(items: Vec<Value>) -> Value {
    let none = data(NO_MORE, vec![]);
    data(TUPLE, vec![items.into_iter().rev().fold(none, |rest, item| data(MORE, vec![item, rest]))])
}
