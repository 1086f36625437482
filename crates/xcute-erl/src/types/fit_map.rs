//! Maps made to fit: keys that the type allows, in order, with values of their types.

use num_bigint::BigInt;
use xcute_term::{DataValue, Value};

use super::fit::Fit;
use super::layout::Slot;
use super::{Type, TypeId};
use crate::etf::Term;
use crate::universe::map::{entries, map, order, present};
use crate::universe::{ATOM, INTEGER, numbered};

impl Fit<'_> {
    /// Whether a map is of a type, and in its normal form.
    pub(super) fn is_map(&self, value: &DataValue, of: TypeId, depth: Option<u32>) -> bool {
        let layout = self.inputs.types.layout(of);
        let below = depth.map(|depth| depth.saturating_sub(1));
        let slots = layout.slots.iter().zip(&value.fields).all(|(slot, field)| match (slot, present(field)) {
            (Slot::Never | Slot::May(_), None) => true,
            (Slot::May(of) | Slot::Must(of), Some(value)) => self.is(value, *of, below),
            (Slot::Must(_), None) | (Slot::Never, Some(_)) => false,
        });
        let others = entries(&value.fields[layout.slots.len()]);
        let sorted = others.windows(2).all(|pair| order(pair[0].0) < order(pair[1].0));
        let few = depth.is_none_or(|depth| others.len() <= depth as usize);
        let starts = !layout.must || others.first().is_some_and(|(key, _)| self.is(key, layout.rest[0].key, below));
        slots && sorted && few && starts && others.iter().all(|(key, value)| self.is_entry(key, value, of, below))
    }

    /// Whether an entry with a key that is not named is of a type of maps.
    fn is_entry(&self, key: &Value, value: &Value, of: TypeId, below: Option<u32>) -> bool {
        self.entry_type(key, of, below).is_some_and(|of| self.is(value, of, below))
    }

    /// The type of values under a key that is not named; `None` if there is no such key.
    fn entry_type(&self, key: &Value, of: TypeId, below: Option<u32>) -> Option<TypeId> {
        order(key)?;
        if self.is_named(key) {
            return None;
        }
        let layout = self.inputs.types.layout(of);
        layout.rest.iter().find(|association| self.is(key, association.key, below)).map(|association| association.value)
    }

    fn is_named(&self, key: &Value) -> bool {
        let same = |named: &Term| self.universe.value(named, self.atoms).is_some_and(|named| named == *key);
        self.universe.keys().iter().any(|named| matches!(named, Term::Int(_) | Term::Big(_) | Term::Atom(_)) && same(named))
    }

    /// A map of a type: what can be kept of this one.
    pub(super) fn fitted_map(&self, value: Option<&DataValue>, of: TypeId, depth: Option<u32>) -> Value {
        let layout = self.inputs.types.layout(of);
        let below = depth.map(|depth| depth.saturating_sub(1));
        let room = |of: TypeId| depth != Some(0) && self.room(of, below);
        let slot = |(key, slot): (usize, &Slot)| {
            let own = value.and_then(|value| present(&value.fields[key]));
            match (slot, own) {
                (Slot::Must(of), Some(own)) => Some(self.fitted(own, *of, below)),
                (Slot::Must(of), None) => Some(self.default(*of, below)),
                (Slot::May(of), Some(own)) if room(*of) => Some(self.fitted(own, *of, below)),
                _ => None,
            }
        };
        let slots = layout.slots.iter().enumerate().map(slot).collect();
        let own = value.map(|value| entries(&value.fields[layout.slots.len()])).unwrap_or_default();
        let most = depth.map_or(usize::MAX, |depth| depth as usize);
        let mut others: Vec<(Value, Value)> = Vec::new();
        for (key, value) in own.into_iter().take(most) {
            // As many entries as there were: a key that cannot be there becomes the next one that can.
            let before = others.last().map(|(key, _)| key);
            let first = before.is_none() && layout.must;
            let allowed = |key: &Value| !first || self.is(key, layout.rest[0].key, below);
            let fine = before.is_none_or(|before| order(before) < order(key)) && allowed(key);
            let key = if fine && self.entry_type(key, of, below).is_some() { Some(key.clone()) } else { self.next_key(before, of, first) };
            let entry = key.and_then(|key| Some((self.entry_type(&key, of, below).filter(|of| room(*of))?, key)));
            if let Some((of, key)) = entry {
                others.push((key, self.fitted(value, of, below)));
            }
        }
        if let (true, Some(key)) = (layout.must && others.is_empty(), self.next_key(None, of, true)) {
            others.push((key, self.default(layout.rest[0].value, below)));
        }
        map(slots, others)
    }

    /// The next key of a type of maps that is not named, after another one; with `first`, one that must be there.
    fn next_key(&self, before: Option<&Value>, of: TypeId, first: bool) -> Option<Value> {
        let layout = self.inputs.types.layout(of);
        let associations = if first { &layout.rest[..layout.rest.len().min(1)] } else { &layout.rest[..] };
        let alternatives = associations.iter().flat_map(|association| self.inputs.types.alternatives(association.key));
        let after = before.and_then(order);
        let keys = alternatives.filter_map(|of| {
            let (kind, low, high) = match self.inputs.types.get(of) {
                Type::Integer(low, high) => (INTEGER, low.clone(), high.clone()),
                Type::Atom => (ATOM, None, None),
                Type::AtomIs(atom) => {
                    let number = self.universe.atoms.number(self.atoms.name(*atom));
                    (ATOM, number.clone(), number)
                }
                Type::Any => (if after.is_some_and(|(atom, _)| atom) { ATOM } else { INTEGER }, None, None),
                _ => return None,
            };
            let start = match after {
                Some((true, _)) if kind == INTEGER => return None,
                Some((atom, number)) if atom == (kind == ATOM) => Some(number + 1),
                _ => None,
            };
            let least = [start, low].into_iter().flatten().max();
            let mut number = least.unwrap_or_else(|| BigInt::from(0));
            // One of this many numbers is not named.
            let last = &number + self.universe.keys().len();
            while number <= last && high.as_ref().is_none_or(|high| number <= *high) {
                let key = numbered(kind, number.clone());
                if !self.is_named(&key) {
                    return Some(key);
                }
                number += 1;
            }
            None
        });
        keys.min_by(|a, b| order(a).cmp(&order(b)))
    }
}
