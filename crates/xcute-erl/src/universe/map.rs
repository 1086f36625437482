//! Maps between values of the sorts and Erlang's terms.
//!
//! **Invariant.** The entries with keys that are not named are in Erlang's order: integers before atoms, each by their numbers.

use std::cmp::Ordering;

use num_bigint::BigInt;
use xcute_term::{DataValue, Value};

use super::{ABSENT, ATOM, ENTRY, INTEGER, MAP, NO_ENTRY, PRESENT, Universe, data, parts};
use crate::etf::{Atoms, Term};

/// A key of a map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key<'a> {
    /// One that the program names.
    Named(&'a Term),
    /// An integer or atom that it does not name.
    Other(&'a Value),
}

/// The entries of a list of entries: keys and values.
pub(crate) fn entries(value: &Value) -> Vec<(&Value, &Value)> {
    let mut all = Vec::new();
    let mut at = parts(value);
    while at.ctor == ENTRY {
        all.push((&at.fields[0], &at.fields[1]));
        at = parts(&at.fields[2]);
    }
    all
}

/// The value of a slot, if it is present.
pub(crate) fn present(slot: &Value) -> Option<&Value> {
    let slot = parts(slot);
    (slot.ctor == PRESENT).then(|| &slot.fields[0])
}

/// The order of keys that are not named; `None` for what is no such key.
pub(crate) fn order(key: &Value) -> Option<(bool, &BigInt)> {
    let key = parts(key);
    match (&key.fields.first(), key.ctor) {
        (Some(Value::Int(number)), INTEGER) => Some((false, number)),
        (Some(Value::Int(number)), ATOM) => Some((true, number)),
        _ => None,
    }
}

/// A map of these slots and of these other entries, which are sorted. Of entries with one key the first counts.
pub(crate) fn map(slots: Vec<Option<Value>>, mut others: Vec<(Value, Value)>) -> Value {
    others.sort_by(|a, b| order(&a.0).cmp(&order(&b.0)));
    others.dedup_by(|later, first| order(&later.0).cmp(&order(&first.0)) == Ordering::Equal);
    let none = data(NO_ENTRY, vec![]);
    let rest = others.into_iter().rev().fold(none, |rest, (key, value)| data(ENTRY, vec![key, value, rest]));
    let slot = |value: Option<Value>| value.map_or_else(|| data(ABSENT, vec![]), |value| data(PRESENT, vec![value]));
    data(MAP, slots.into_iter().map(slot).chain([rest]).collect())
}

impl Universe {
    /// The pairs of a map.
    pub(crate) fn pairs<'a>(&'a self, map: &'a DataValue) -> Vec<(Key<'a>, &'a Value)> {
        let named = self.keys().iter().zip(&map.fields).filter_map(|(key, slot)| Some((Key::Named(key), present(slot)?)));
        let others = entries(&map.fields[self.keys().len()]).into_iter().map(|(key, value)| (Key::Other(key), value));
        named.chain(others).collect()
    }

    /// The number of a key among those that the program names.
    #[must_use]
    pub fn named(&self, key: &Term) -> Option<usize> {
        self.keys().iter().position(|known| known == key)
    }

    /// A map as a value; `None` if it is not of the universe.
    pub(super) fn map_value(&self, pairs: &[(Term, Term)], atoms: &Atoms) -> Option<Value> {
        let (mut slots, mut others) = (vec![None; self.keys().len()], Vec::new());
        for (key, value) in pairs {
            let value = self.value(value, atoms)?;
            match self.named(key) {
                Some(number) => slots[number] = Some(value),
                None => {
                    let key = self.value(key, atoms)?;
                    order(&key)?;
                    others.push((key, value));
                }
            }
        }
        Some(map(slots, others))
    }
}
