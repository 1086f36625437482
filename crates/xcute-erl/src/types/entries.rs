//! Maps in the domain of inputs: which slots they have, and what is assumed of the entries with other keys.

use xcute_match::Recorder;
use xcute_term::{Op, TermId, Terms, Value};

use super::domain::{Domain, and, or};
use super::layout::Slot;
use super::{Type, TypeId};
use crate::etf::Term;
use crate::universe::{ABSENT, ATOM, ENTRY, INTEGER, MAP, NO_ENTRY, PRESENT, is, select};

impl Domain<'_> {
    /// The shape of maps of a type.
    pub(super) fn map_shape(&self, terms: &mut Terms, part: TermId, of: TypeId, depth: Option<u32>) -> TermId {
        let layout = self.inputs.types.layout(of);
        let below = depth.map(|depth| depth.saturating_sub(1));
        let mut all = vec![is(terms, MAP, part)];
        for (key, slot) in (0..).zip(&layout.slots) {
            let field = select(terms, MAP, key, part);
            match *slot {
                Slot::Must(of) => {
                    all.push(is(terms, PRESENT, field));
                    let value = select(terms, PRESENT, 0, field);
                    all.extend(self.constants(terms, value, of));
                }
                Slot::May(of) if depth != Some(0) && self.fits(of, below) => {}
                Slot::May(_) | Slot::Never => all.push(is(terms, ABSENT, field)),
            }
        }
        let rest = select(terms, MAP, self.universe.rest(), part);
        if layout.must {
            all.push(is(terms, ENTRY, rest));
            let key = select(terms, ENTRY, 0, rest);
            let first = self.inputs.types.alternatives(layout.rest[0].key);
            all.push(self.local(terms, key, &first, below));
        }
        if layout.rest.is_empty() || depth == Some(0) {
            all.push(is(terms, NO_ENTRY, rest));
        } else {
            all.extend(self.few_entries(terms, part, depth));
        }
        and(terms, &all)
    }

    /// A map, if it is one, has no more entries with keys that are not named than it is deep.
    pub(super) fn few_entries(&self, terms: &mut Terms, part: TermId, depth: Option<u32>) -> Option<TermId> {
        let mut rest = select(terms, MAP, self.universe.rest(), part);
        for _ in 0..depth? {
            rest = select(terms, ENTRY, 2, rest);
        }
        let more = is(terms, ENTRY, rest);
        Some(terms.not(more))
    }

    /// A map, if it is one, is empty.
    pub(super) fn empty_map(&self, terms: &mut Terms, part: TermId) -> Vec<TermId> {
        let mut all = Vec::new();
        for key in 0..self.universe.rest() {
            let field = select(terms, MAP, key, part);
            let there = is(terms, PRESENT, field);
            all.push(terms.not(there));
        }
        let rest = select(terms, MAP, self.universe.rest(), part);
        let there = is(terms, ENTRY, rest);
        all.push(terms.not(there));
        all
    }

    /// What follows for a part of a map of a type: its types, each under a condition besides the shape of the map.
    pub(super) fn inside_map(&self, terms: &mut Terms, outer: TermId, of: TypeId, place: super::domain::Part) -> Vec<(TermId, TypeId)> {
        use super::domain::Part;
        let layout = self.inputs.types.layout(of);
        let entry = |terms: &mut Terms, number: usize| {
            let mut rest = select(terms, MAP, self.universe.rest(), outer);
            for _ in 0..number {
                rest = select(terms, ENTRY, 2, rest);
            }
            rest
        };
        // What is not there is a constant, which need not be of the type.
        match place {
            Part::Slot(key) => match layout.slots.get(key) {
                Some(Slot::May(of) | Slot::Must(of)) => {
                    let slot = select(terms, MAP, u32::try_from(key).expect("few keys"), outer);
                    vec![(is(terms, PRESENT, slot), *of)]
                }
                _ => vec![],
            },
            Part::Key(number) => {
                let rest = entry(terms, number);
                let there = is(terms, ENTRY, rest);
                layout.rest.iter().map(|of| (there, of.key)).collect()
            }
            Part::Value(number) => {
                let rest = entry(terms, number);
                let there = is(terms, ENTRY, rest);
                if let [one] = layout.rest[..] {
                    return vec![(there, one.value)];
                }
                let key = select(terms, ENTRY, 0, rest);
                let guard = |of: &super::Association, terms: &mut Terms| {
                    let alternatives = self.inputs.types.alternatives(of.key);
                    let local = self.local(terms, key, &alternatives, None);
                    and(terms, &[there, local])
                };
                layout.rest.iter().map(|of| (guard(of, terms), of.value)).collect()
            }
            Part::Head | Part::Tail | Part::Element(_) | Part::Result(_) | Part::Default => vec![],
        }
    }

    /// Looks at an entry that is there: its key is an atom or integer that is not named, and comes after the key before it.
    pub fn look_at_entry(&mut self, rec: &mut Recorder<'_>, entries: TermId) {
        if rec.terms.is_const(entries) || rec.terms.op(entries) == Op::Construct(ENTRY) || !self.seen.insert(entries) {
            return;
        }
        let key = select(rec.terms, ENTRY, 0, entries);
        let ways = [is(rec.terms, INTEGER, key), is(rec.terms, ATOM, key)];
        let mut conditions = vec![or(rec.terms, &ways)];
        let atom = self.look_at_constant(rec, ATOM, key);
        let integer = select(rec.terms, INTEGER, 0, key);
        for named in self.universe.keys() {
            let (way, own, number) = match named {
                Term::Int(_) | Term::Big(_) => (ways[0], integer, named.integer().expect("an integer")),
                Term::Atom(name) => match self.universe.atoms.number(self.atoms.name(*name)) {
                    Some(number) => (ways[1], atom, number),
                    None => continue,
                },
                _ => continue,
            };
            let number = rec.terms.value(Value::Int(number));
            let same = rec.terms.mk(Op::Eq, &[own, number]);
            let both = and(rec.terms, &[way, same]);
            conditions.push(rec.terms.not(both));
        }
        if let (Op::Select(ENTRY, 2), &[before]) = (rec.terms.op(entries), rec.terms.args(entries)) {
            let earlier = select(rec.terms, ENTRY, 0, before);
            conditions.push(key_less(rec.terms, earlier, key));
        }
        self.assume(rec, &conditions);
        self.look(rec, key);
    }

    /// Whether the map that a list of entries belongs to may have keys that are never made: neither named nor atoms nor integers.
    pub fn leaves_out_keys(&mut self, terms: &mut Terms, entries: TermId) -> bool {
        let mut at = entries;
        while let (Op::Select(ENTRY, 2), &[before]) = (terms.op(at), terms.args(at)) {
            at = before;
        }
        let (Op::Select(MAP, _), &[map]) = (terms.op(at), terms.args(at)) else { return false };
        let obligations = self.of(terms, map);
        let others = |of: &TypeId| match self.inputs.types.get(*of) {
            Type::Any => true,
            Type::Map(_) => self.inputs.types.layout(*of).others,
            _ => false,
        };
        obligations.is_empty() || obligations.iter().any(|obligation| obligation.of.iter().any(others))
    }
}

/// The condition that an atom or integer comes before another one in Erlang's order.
pub(crate) fn key_less(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let integers = [a, b].map(|key| is(terms, INTEGER, key));
    let atoms = [a, b].map(|key| is(terms, ATOM, key));
    let less = |terms: &mut Terms, ctor| {
        let numbers = [a, b].map(|key| select(terms, ctor, 0, key));
        terms.mk(Op::Lt, &numbers)
    };
    let (by_value, by_name) = (less(terms, INTEGER), less(terms, ATOM));
    let ways = [
        and(terms, &[integers[0], integers[1], by_value]),
        and(terms, &[integers[0], atoms[1]]),
        and(terms, &[atoms[0], atoms[1], by_name]),
    ];
    or(terms, &ways)
}
