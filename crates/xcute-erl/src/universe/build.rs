//! Between values of the sorts and Erlang's terms.
//!
//! **Invariant.** Nothing recurses over lists: a long list is a loop.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use xcute_term::{DataValue, Value};

use super::bits::{packed, unpacked};
use super::elements::{elements, row_of};
use super::functions::{self, Table};
use super::map::Key;
use super::{ATOM, BITS, CONS, FLOAT, FUN, INTEGER, MAP, NIL, TABLED, TUPLE, Universe, data, numbered, parts};
use crate::etf::{Atoms, Encoder, Term, encode};

fn number(data: &DataValue) -> &BigInt {
    match &data.fields[0] {
        Value::Int(number) => number,
        other => unreachable!("a number, not {other:?}"),
    }
}

impl Universe {
    /// The name of the atom with a number. A number that is not an atom's does not come here: [`crate::types`] sees to it.
    #[must_use]
    pub fn atom_name(&self, number: &BigInt) -> String {
        self.atoms.name(number).unwrap_or_else(|| "a".to_owned())
    }

    /// Appends a value as an external term.
    pub fn encode(&self, value: &Value, atoms: &Atoms, out: &mut Encoder) {
        enum Todo<'a> {
            Value(&'a Value),
            Named(&'a Term),
            /// A row of a function: its arguments and its result.
            Row(&'a Value, &'a Value),
            Nil,
        }
        let mut pending = vec![Todo::Value(value)];
        while let Some(next) = pending.pop() {
            let value = match next {
                Todo::Value(value) => value,
                Todo::Named(key) => {
                    encode(key, atoms, out);
                    continue;
                }
                Todo::Row(arguments, result) => {
                    let arguments = elements(arguments);
                    out.tuple(2);
                    out.tuple(arguments.len());
                    pending.push(Todo::Value(result));
                    pending.extend(arguments.into_iter().rev().map(Todo::Value));
                    continue;
                }
                Todo::Nil => {
                    out.nil();
                    continue;
                }
            };
            let data = parts(value);
            match data.ctor {
                ATOM => out.atom(&self.atom_name(number(data))),
                INTEGER => out.big(number(data)),
                FLOAT => out.float(f64::from_bits(data.fields[0].as_u64().unwrap_or(0))),
                NIL => out.nil(),
                CONS => {
                    let mut items = Vec::new();
                    let mut at = value;
                    while parts(at).ctor == CONS {
                        items.push(&parts(at).fields[0]);
                        at = &parts(at).fields[1];
                    }
                    out.list(items.len());
                    pending.push(if parts(at).ctor == NIL { Todo::Nil } else { Todo::Value(at) });
                    pending.extend(items.into_iter().rev().map(Todo::Value));
                }
                TUPLE => {
                    let items = elements(&data.fields[0]);
                    out.tuple(items.len());
                    pending.extend(items.into_iter().rev().map(Todo::Value));
                }
                MAP => {
                    let pairs = self.pairs(data);
                    out.map(pairs.len());
                    for (key, value) in pairs.into_iter().rev() {
                        pending.push(Todo::Value(value));
                        pending.push(match key {
                            Key::Named(key) => Todo::Named(key),
                            Key::Other(key) => Todo::Value(key),
                        });
                    }
                }
                BITS => {
                    let (bytes, bits) = packed(data);
                    out.bits(&bytes, bits);
                }
                FUN => {
                    let rows = functions::rows(data);
                    functions::encode_head(data, out);
                    pending.push(Todo::Value(&data.fields[2]));
                    if !rows.is_empty() {
                        out.list(rows.len());
                    }
                    pending.push(Todo::Nil);
                    pending.extend(rows.into_iter().rev().map(|(arguments, result)| Todo::Row(arguments, result)));
                }
                kind => encode(&self.tabled(kind, number(data)), atoms, out),
            }
        }
    }

    /// The term of a kind at a place of its table.
    #[must_use]
    pub fn tabled(&self, kind: xcute_term::CtorId, place: &BigInt) -> Term {
        let table = self.table(kind);
        place.to_usize().and_then(|place| table.get(place)).or_else(|| table.first()).cloned().unwrap_or(Term::Nil)
    }

    /// A value as a term. As deep as the value is nested, lists aside.
    #[must_use]
    pub fn term(&self, value: &Value, atoms: &mut Atoms) -> Term {
        let data = parts(value);
        match data.ctor {
            ATOM => Term::Atom(atoms.intern(&self.atom_name(number(data)))),
            INTEGER => match number(data).to_i64() {
                Some(small) => Term::Int(small),
                None => Term::Big(number(data).clone()),
            },
            FLOAT => Term::Float(f64::from_bits(data.fields[0].as_u64().unwrap_or(0))),
            NIL => Term::Nil,
            CONS => {
                let mut items = Vec::new();
                let mut at = value;
                while parts(at).ctor == CONS {
                    items.push(self.term(&parts(at).fields[0], atoms));
                    at = &parts(at).fields[1];
                }
                Term::List(items, Box::new(self.term(at, atoms)))
            }
            TUPLE => Term::Tuple(elements(&data.fields[0]).into_iter().map(|item| self.term(item, atoms)).collect()),
            MAP => {
                let pair = |(key, value): (Key<'_>, &Value), atoms: &mut Atoms| {
                    let key = match key {
                        Key::Named(key) => key.clone(),
                        Key::Other(key) => self.term(key, atoms),
                    };
                    (key, self.term(value, atoms))
                };
                Term::Map(self.pairs(data).into_iter().map(|entry| pair(entry, atoms)).collect())
            }
            BITS => {
                let (bytes, bits) = packed(data);
                Term::Bits(bytes.into(), bits)
            }
            FUN => self.function_term(data, atoms),
            kind => self.tabled(kind, number(data)),
        }
    }

    /// A term as a value; `None` if it is not of the universe. As deep as the term is nested, lists aside.
    #[must_use]
    pub fn value(&self, term: &Term, atoms: &Atoms) -> Option<Value> {
        Some(match term {
            Term::Atom(atom) => numbered(ATOM, self.atoms.number(atoms.name(*atom))?),
            Term::Int(value) => numbered(INTEGER, *value),
            Term::Big(value) => numbered(INTEGER, value.clone()),
            Term::Float(value) => data(FLOAT, vec![Value::bits(64, value.to_bits())]),
            Term::Nil => data(NIL, vec![]),
            Term::List(items, tail) => {
                let mut list = self.value(tail, atoms)?;
                for item in items.iter().rev() {
                    list = data(CONS, vec![self.value(item, atoms)?, list]);
                }
                list
            }
            Term::Tuple(items) => match Table::of(term, atoms) {
                Some(table) => self.function_value(&table, atoms)?,
                None => data(TUPLE, vec![row_of(items.iter().map(|item| self.value(item, atoms)).collect::<Option<_>>()?)]),
            },
            Term::Map(pairs) => self.map_value(pairs, atoms)?,
            Term::Bits(bytes, bits) => unpacked(bytes, *bits),
            // Functions of inputs are tables.
            Term::External(..) => return None,
            Term::Other(_) => TABLED.into_iter().find_map(|kind| Some(numbered(kind, self.place(kind, term)?)))?,
        })
    }
}
