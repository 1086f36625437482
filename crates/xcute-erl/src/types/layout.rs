//! What a type of maps says about each key: those that the program names, and the others.
//!
//! "Maps" in the Erlang reference manual, types: associations with `:=` must be there, those with `=>` may; where key types overlap, the first counts.
//!
//! **Invariant.** A map that a layout allows is of its type. It allows less where other keys than atoms and integers are not named: `others` says so.

use super::{Type, TypeId, Types};
use crate::etf::Term;

/// An association of a type of maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Association {
    /// Whether such a key must be there.
    pub exact: bool,
    /// The type of the key.
    pub key: TypeId,
    /// The type of the value.
    pub value: TypeId,
}

/// What a map may have under a named key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Nothing.
    Never,
    /// Nothing, or a value of this type.
    May(TypeId),
    /// A value of this type.
    Must(TypeId),
}

/// What maps of a type have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Under each named key.
    pub slots: Vec<Slot>,
    /// Under other keys: associations whose keys may be atoms or integers, in the order of the type.
    pub rest: Vec<Association>,
    /// Whether there must be another key. It is one of the first association.
    pub must: bool,
    /// Whether the type allows other keys that are neither atoms nor integers.
    pub others: bool,
}

impl Layout {
    /// Any map.
    #[must_use]
    pub fn any(keys: usize) -> Layout {
        let rest = vec![Association { exact: false, key: Types::ANY, value: Types::ANY }];
        Layout { slots: vec![Slot::May(Types::ANY); keys], rest, must: false, others: true }
    }
}

impl Types {
    /// Computes the layouts of all types of maps, once the named keys are known.
    pub fn lay_out(&mut self, keys: &[Term]) {
        self.layouts = self.nodes.iter().map(|_| None).collect();
        for node in 0..self.nodes.len() {
            if let Type::Map(associations) = &self.nodes[node] {
                self.layouts[node] = Some(self.layout_of(associations, keys));
            }
        }
        self.any_map = Layout::any(keys.len());
        let only = |layout: &&Layout| layout.others && layout.rest.is_empty();
        if self.layouts.iter().flatten().any(|layout| only(&layout)) {
            let note = "maps whose keys are neither atoms nor integers have no other keys than those that the program names";
            self.notes.push(note.to_owned());
        }
    }

    /// The layout of a type of maps; of any other type, that of all maps.
    #[must_use]
    pub fn layout(&self, id: TypeId) -> &Layout {
        self.layouts.get(id.0 as usize).and_then(Option::as_ref).unwrap_or(&self.any_map)
    }

    fn layout_of(&self, associations: &[Association], keys: &[Term]) -> Layout {
        let slot = |key: &Term| {
            let first = associations.iter().find(|association| self.contains(association.key, key));
            first.map_or(Slot::Never, |of| if of.exact && self.only(of.key).is_some() { Slot::Must(of.value) } else { Slot::May(of.value) })
        };
        let mut layout = Layout { slots: keys.iter().map(slot).collect(), ..Layout::default() };
        for association in associations {
            if self.only(association.key).is_some_and(|key| keys.contains(&key)) {
                continue;
            }
            let kinds = self.alternatives(association.key);
            let plain = |of: &TypeId| matches!(self.get(*of), Type::Atom | Type::AtomIs(_) | Type::Integer(..) | Type::Any);
            layout.others |= kinds.iter().any(|of| !plain(of) || *of == Types::ANY);
            if kinds.iter().any(plain) {
                layout.must |= association.exact;
                // What must be there comes first.
                let at = if association.exact { 0 } else { layout.rest.len() };
                layout.rest.insert(at, *association);
            }
        }
        layout
    }

    /// The only term of a type; `None` if there are several, or it is not plain.
    #[must_use]
    pub fn only(&self, id: TypeId) -> Option<Term> {
        let [of] = self.alternatives(id)[..] else { return None };
        match self.get(of) {
            Type::AtomIs(atom) => Some(Term::Atom(*atom)),
            Type::Integer(Some(low), Some(high)) if low == high => {
                Some(i64::try_from(low).map_or_else(|_| Term::Big(low.clone()), Term::Int))
            }
            Type::Nil => Some(Term::Nil),
            Type::Tuple(items) => items.iter().map(|item| self.only(*item)).collect::<Option<_>>().map(Term::Tuple),
            _ => None,
        }
    }

    /// Whether a term is of a type. As deep as the term is nested.
    #[must_use]
    pub fn contains(&self, id: TypeId, term: &Term) -> bool {
        self.alternatives(id).into_iter().any(|of| match (self.get(of), term) {
            (Type::Any, _) | (Type::Atom, Term::Atom(_)) | (Type::Float, Term::Float(_)) | (Type::Nil, Term::Nil) => true,
            (Type::AnyTuple, Term::Tuple(_)) => true,
            (Type::AtomIs(atom), Term::Atom(own)) => atom == own,
            (Type::Integer(low, high), Term::Int(_) | Term::Big(_)) => {
                let value = term.integer().expect("an integer");
                low.as_ref().is_none_or(|low| *low <= value) && high.as_ref().is_none_or(|high| value <= *high)
            }
            (Type::Tuple(types), Term::Tuple(items)) => {
                types.len() == items.len() && types.iter().zip(items).all(|(of, item)| self.contains(*of, item))
            }
            (Type::Cons(head, tail), Term::List(items, end)) => {
                let rest = if items.len() == 1 { (**end).clone() } else { Term::List(items[1..].to_vec(), end.clone()) };
                self.contains(*head, &items[0]) && self.contains(*tail, &rest)
            }
            (Type::Bits(least, unit), Term::Bits(_, bits)) => {
                bits == least || (*unit > 0 && bits > least && (bits - least).is_multiple_of(*unit))
            }
            (Type::Map(associations), Term::Map(pairs)) => {
                let belongs = |(key, value): &(Term, Term)| {
                    let first = associations.iter().find(|of| self.contains(of.key, key));
                    first.is_some_and(|of| self.contains(of.value, value))
                };
                let there = |of: &Association| !of.exact || pairs.iter().any(|(key, _)| self.contains(of.key, key));
                pairs.iter().all(belongs) && associations.iter().all(there)
            }
            _ => false,
        })
    }
}
