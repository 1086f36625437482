//! Types of terms that come out of a table: which of its constants are of the type, and one that is, if there is none.

use num_bigint::BigInt;

use super::Reader;
use super::builtin::constant;
use crate::etf::{Atom, Term};
use crate::types::{Type, TypeId};
use crate::universe::{BITS, FUN, MAP, PID, PORT, REFERENCE};
use xcute_term::CtorId;

impl Reader<'_> {
    fn table(&mut self, kind: CtorId) -> &mut Vec<Term> {
        &mut self.tables[(kind.index - MAP.index) as usize]
    }

    /// The places of a kind's constants that pass a test.
    fn places(&mut self, kind: CtorId, test: impl Fn(&Term) -> bool) -> Box<[u32]> {
        (0..).zip(self.table(kind).iter()).filter(|(_, term)| test(term)).map(|(place, _)| place).collect()
    }

    /// Bitstrings of some size: `binary()`, `<<_:M, _:_*N>>`.
    pub(super) fn bits(&mut self, name: &str, args: &[Term]) -> TypeId {
        let number = |at: usize| args.get(at).and_then(|arg| constant(arg, self.atoms)).and_then(|value| usize::try_from(value).ok());
        let (least, unit) = match (name, number(0), number(1)) {
            (_, Some(least), unit) => (least, unit.unwrap_or(0)),
            ("nonempty_binary", ..) => (8, 8),
            ("nonempty_bitstring", ..) => (1, 1),
            _ => (0, 8),
        };
        let fits = |bits: usize| bits == least || (unit > 0 && bits > least && (bits - least).is_multiple_of(unit));
        if self.places(BITS, |term| matches!(term, Term::Bits(_, bits) if fits(*bits))).is_empty() {
            self.table(BITS).push(Term::Bits(vec![0; least.div_ceil(8)].into(), least));
        }
        let places = self.places(BITS, |term| matches!(term, Term::Bits(_, bits) if fits(*bits)));
        self.types.add(Type::Tabled(BITS, Some(places)))
    }

    /// The constants of a kind that are of a type; the simplest one is added if there is none.
    pub(super) fn conforming(&mut self, kind: CtorId, of: TypeId) -> Box<[u32]> {
        let found: Vec<u32> =
            (0..).zip(self.table(kind).clone()).filter(|(_, term)| self.is(term, of, 0)).map(|(place, _)| place).collect();
        if found.is_empty()
            && let Some(simplest) = self.simplest(of, 0)
        {
            self.table(kind).push(simplest);
            return [u32::try_from(self.table(kind).len() - 1).expect("few constants")].into();
        }
        found.into()
    }

    /// Whether a term is of a type. Deep ones are said not to be.
    fn is(&self, term: &Term, of: TypeId, depth: u32) -> bool {
        if depth > 50 {
            return false;
        }
        self.types.alternatives(of).into_iter().any(|of| match (self.types.get(of), term) {
            (Type::Any, _) | (Type::Atom, Term::Atom(_)) | (Type::Float, Term::Float(_)) | (Type::Nil, Term::Nil) => true,
            (Type::AnyTuple, Term::Tuple(_)) => true,
            (Type::AtomIs(atom), Term::Atom(own)) => atom == own,
            (Type::Integer(low, high), Term::Int(_) | Term::Big(_)) => {
                let value = term.integer().expect("an integer");
                low.as_ref().is_none_or(|low| *low <= value) && high.as_ref().is_none_or(|high| value <= *high)
            }
            (Type::Tuple(types), Term::Tuple(items)) => {
                types.len() == items.len() && types.iter().zip(items).all(|(of, item)| self.is(item, *of, depth + 1))
            }
            (Type::Cons(head, tail), Term::List(items, end)) => {
                let rest = if items.len() == 1 { (**end).clone() } else { Term::List(items[1..].to_vec(), end.clone()) };
                self.is(&items[0], *head, depth + 1) && self.is(&rest, *tail, depth + 1)
            }
            (Type::Tabled(kind, _), _) if *kind == MAP => self.is_map(term, of, depth),
            (Type::Tabled(kind, places), _) => {
                let own = match term {
                    Term::Bits(..) => *kind == BITS,
                    Term::External(..) => *kind == FUN,
                    Term::Other(_) => [PID, PORT, REFERENCE].contains(kind),
                    _ => false,
                };
                let table = &self.tables[(kind.index - MAP.index) as usize];
                own && places.as_ref().is_none_or(|places| places.iter().any(|&place| table.get(place as usize) == Some(term)))
            }
            _ => false,
        })
    }

    fn is_map(&self, term: &Term, of: TypeId, depth: u32) -> bool {
        let Term::Map(entries) = term else { return false };
        let Some((_, pairs)) = self.maps.iter().find(|(known, _)| *known == of) else { return true };
        let belongs = |(key, value): &(Term, Term)| {
            let first = pairs.iter().find(|(_, of, _)| self.is(key, *of, depth + 1));
            first.is_some_and(|(_, _, of)| self.is(value, *of, depth + 1))
        };
        let there = |(exact, of, _): &(bool, TypeId, TypeId)| !exact || entries.iter().any(|(key, _)| self.is(key, *of, depth + 1));
        entries.iter().all(belongs) && pairs.iter().all(there)
    }

    /// The simplest term of a type; `None` if there is none that is not deep.
    fn simplest(&mut self, of: TypeId, depth: u32) -> Option<Term> {
        if depth > 20 {
            return None;
        }
        for of in self.types.alternatives(of) {
            let simple = match self.types.get(of).clone() {
                Type::Any | Type::Atom => Some(Term::Atom(Atom::A)),
                Type::AtomIs(atom) => Some(Term::Atom(atom)),
                Type::Integer(low, high) => {
                    let zero = BigInt::from(0);
                    let value = low.map_or(zero.clone(), |low| low.max(zero));
                    let value = high.map_or(value.clone(), |high| high.min(value));
                    Some(i64::try_from(&value).map_or(Term::Big(value), Term::Int))
                }
                Type::Float => Some(Term::Float(0.0)),
                Type::Nil => Some(Term::Nil),
                Type::AnyTuple => Some(Term::Tuple(vec![])),
                Type::Tuple(items) => items.iter().map(|of| self.simplest(*of, depth + 1)).collect::<Option<_>>().map(Term::Tuple),
                Type::Cons(head, tail) => {
                    let (head, tail) = (self.simplest(head, depth + 1), self.simplest(tail, depth + 1));
                    head.zip(tail).map(|(head, tail)| Term::List(vec![head], Box::new(tail)))
                }
                Type::Tabled(MAP, None) => self.simplest_map(of, depth),
                Type::Tabled(kind, places) => {
                    let place = places.and_then(|places| places.first().copied()).unwrap_or(0);
                    self.table(kind).get(place as usize).cloned()
                }
                Type::Union(_) => None,
            };
            if simple.is_some() {
                return simple;
            }
        }
        None
    }

    fn simplest_map(&mut self, of: TypeId, depth: u32) -> Option<Term> {
        let pairs = self.maps.iter().find(|(known, _)| *known == of).map(|(_, pairs)| pairs.clone()).unwrap_or_default();
        let mut entries = Vec::new();
        for (exact, key, value) in pairs {
            if exact {
                entries.push((self.simplest(key, depth + 1)?, self.simplest(value, depth + 1)?));
            }
        }
        Some(Term::Map(entries))
    }
}
