//! Declared types of inputs: `:- pred p(+list(int), -int)`.
//!
//! A type is a condition on the input, unrolled to some depth, that every run assumes; what lies deeper is assumed when a run comes to it.
//!
//! **Invariant.** An input that a run begins with is of its type.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::Signed;
use xcute_term::{CtorId, DataValue, Op, TermId, Terms, Value};

use crate::machine::cell::Cell;
use crate::machine::later::{Later, Unroll};
use crate::machine::symbols::Symbols;
use crate::machine::universe::Universe;
use crate::syntax::{Arena, Atom, Atoms, Term, TermRef};

/// A type of ground terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Any term.
    Any,
    /// An integer.
    Integer,
    /// An integer that is not negative: the domain of CLP(N).
    Natural,
    /// A positive integer.
    Positive,
    /// The code of a character.
    Code,
    /// An atom.
    Atom,
    /// `true` or `false`.
    Boolean,
    /// A list of such elements.
    List(Box<Type>),
}

type Made = fn() -> Type;

/// The names of types.
const NAMES: &[(&str, Made)] = &[
    ("int", || Type::Integer),
    ("integer", || Type::Integer),
    ("nat", || Type::Natural),
    ("nonneg", || Type::Natural),
    ("natural", || Type::Natural),
    ("positive_integer", || Type::Positive),
    ("pos", || Type::Positive),
    ("code", || Type::Code),
    ("codes", || Type::List(Box::new(Type::Code))),
    ("atom", || Type::Atom),
    ("atm", || Type::Atom),
    ("bool", || Type::Boolean),
    ("boolean", || Type::Boolean),
    ("list", || Type::List(Box::new(Type::Any))),
    ("term", || Type::Any),
    ("any", || Type::Any),
    ("gnd", || Type::Any),
    ("ground", || Type::Any),
];

/// How deep types are unrolled, and how large a condition may become.
const DEPTH: u32 = 12;
const LARGEST: usize = 4_000;
/// The last code of a character.
const LAST_CODE: u32 = char::MAX as u32;

impl Type {
    /// The type that a term of a declaration names; the part that names none where it is not known.
    ///
    /// # Errors
    /// If a name is not that of a type.
    pub fn read(arena: &Arena, atoms: &Atoms, mut term: TermRef) -> Result<Type, TermRef> {
        let mut lists = 0;
        loop {
            match arena.get(term) {
                Term::Atom(name) => {
                    let (_, inner) = NAMES.iter().find(|(of, _)| *of == atoms.name(*name)).ok_or(term)?;
                    return Ok((0..lists).fold(inner(), |of, _| Type::List(Box::new(of))));
                }
                // A variable stands for any type.
                Term::Var(_) => return Ok((0..lists).fold(Type::Any, |of, _| Type::List(Box::new(of)))),
                Term::Compound(compound) if compound.arity() == 1 && matches!(atoms.name(compound.name), "list" | "list_of") => {
                    lists += 1;
                    term = arena.args(*compound)[0];
                }
                _ => return Err(term),
            }
        }
    }

    /// The names of types.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Whether integers are needed for it.
    #[must_use]
    pub(crate) fn needs_integers(&self) -> bool {
        match self {
            Type::Integer | Type::Natural | Type::Positive | Type::Code => true,
            Type::List(of) => of.needs_integers(),
            _ => false,
        }
    }

    /// Whether lists are needed for it.
    #[must_use]
    pub(crate) fn needs_lists(&self) -> bool {
        matches!(self, Type::List(_))
    }

    /// The conditions under which a term is of this type, to a depth, and the parts that lie deeper.
    pub(crate) fn conditions(
        &self,
        universe: &Universe,
        terms: &mut Terms,
        symbols: &mut Symbols,
        input: TermId,
    ) -> (Vec<TermId>, Vec<Later>) {
        let nil = universe.constant(terms, symbols, Cell::Atom(Atom::NIL)).expect("an atom");
        let dot = symbols.functor(Atom::DOT, 2);
        let (mut conditions, mut later) = (Vec::new(), Vec::new());
        let mut pending = vec![(self, input, None::<TermId>, DEPTH)];
        while let Some((of, term, guard, depth)) = pending.pop() {
            let condition = match of {
                Type::Any => continue,
                Type::Integer | Type::Natural | Type::Positive | Type::Code => {
                    let ctor = universe.integer_ctor().expect("integers were asked for");
                    let is = terms.mk(Op::IsCtor(ctor), &[term]);
                    let number = terms.mk(Op::Select(ctor, 0), &[term]);
                    let least = terms.value(Value::Int(BigInt::from(i64::from(*of == Type::Positive))));
                    let mut all = vec![is];
                    if *of != Type::Integer {
                        all.push(terms.mk(Op::Le, &[least, number]));
                    }
                    if *of == Type::Code {
                        let most = terms.value(Value::Int(BigInt::from(LAST_CODE)));
                        all.push(terms.mk(Op::Le, &[number, most]));
                    }
                    if let [is] = all[..] { is } else { terms.mk(Op::And, &all) }
                }
                Type::Atom => atom(universe, terms, nil, term),
                Type::Boolean => {
                    let each = [Atom::TRUE, Atom::FALSE].map(|name| {
                        let constant = universe.constant(terms, symbols, Cell::Atom(name)).expect("an atom");
                        terms.mk(Op::Eq, &[term, constant])
                    });
                    terms.mk(Op::Or, &each)
                }
                Type::List(element) => {
                    let ctor = universe.ctor(dot).expect("lists were asked for");
                    let (empty, cons) = (terms.mk(Op::Eq, &[term, nil]), terms.mk(Op::IsCtor(ctor), &[term]));
                    if depth > 0 && conditions.len() < LARGEST {
                        let inner = match guard {
                            Some(guard) => terms.mk(Op::And, &[guard, cons]),
                            None => cons,
                        };
                        let (head, tail) = (terms.mk(Op::Select(ctor, 0), &[term]), terms.mk(Op::Select(ctor, 1), &[term]));
                        pending.push((of, tail, Some(inner), depth - 1));
                        pending.push((element, head, Some(inner), depth - 1));
                    } else {
                        let of = of.clone();
                        let unroll: Unroll = Arc::new(move |universe, terms, symbols, part| of.conditions(universe, terms, symbols, part));
                        later.push(Later { part: term, unroll });
                    }
                    terms.mk(Op::Or, &[empty, cons])
                }
            };
            conditions.push(match guard {
                Some(guard) => {
                    let not = terms.not(guard);
                    terms.mk(Op::Or, &[not, condition])
                }
                None => condition,
            });
        }
        (conditions, later)
    }

    /// A value that is of this type: the given one, where it is, with defaults for what is not.
    #[must_use]
    pub(crate) fn fitted(&self, universe: &Universe, symbols: &mut Symbols, value: &Value) -> Value {
        let dot = symbols.functor(Atom::DOT, 2);
        let Value::Data(data) = value else { return value.clone() };
        match self {
            Type::Any => value.clone(),
            Type::Integer | Type::Natural | Type::Positive | Type::Code => {
                let ctor = universe.integer_ctor().expect("integers were asked for");
                let least = BigInt::from(i64::from(*self == Type::Positive));
                match &data.fields[..] {
                    [Value::Int(number)] if data.ctor == ctor && *self == Type::Code && *number > BigInt::from(LAST_CODE) => {
                        integer(ctor, least)
                    }
                    [Value::Int(number)] if data.ctor == ctor && (*self == Type::Integer || *number >= least) => value.clone(),
                    [Value::Int(number)] if data.ctor == ctor => integer(ctor, number.abs().max(least)),
                    _ => integer(ctor, if *self == Type::Integer { BigInt::from(0) } else { least }),
                }
            }
            Type::Atom | Type::Boolean => {
                let mut heap = crate::machine::heap::Heap::default();
                let cell = universe.build(symbols, &mut heap, value);
                let fits = match (self, cell) {
                    (Type::Boolean, cell) => matches!(cell, Cell::Atom(Atom::TRUE | Atom::FALSE)),
                    (_, cell) => matches!(cell, Cell::Atom(name) if name != Atom::NIL),
                };
                let default = |symbols: &mut Symbols| if *self == Type::Boolean { Atom::TRUE } else { universe.any_atom(symbols) };
                if fits {
                    return value.clone();
                }
                let default = default(symbols);
                constant(universe, symbols, default)
            }
            Type::List(element) => {
                // From the end: a list of what is there.
                let (ctor, mut items, mut at) = (universe.ctor(dot).expect("lists were asked for"), Vec::new(), data);
                while at.ctor == ctor {
                    items.push(element.fitted(universe, symbols, &at.fields[0]));
                    let Value::Data(tail) = &at.fields[1] else { break };
                    at = tail;
                }
                let nil = constant(universe, symbols, Atom::NIL);
                items.into_iter().rev().fold(nil, |tail, head| Value::Data(Arc::new(DataValue { ctor, fields: vec![head, tail] })))
            }
        }
    }
}

fn integer(ctor: CtorId, number: BigInt) -> Value {
    Value::Data(Arc::new(DataValue { ctor, fields: vec![Value::Int(number)] }))
}

fn constant(universe: &Universe, symbols: &Symbols, name: Atom) -> Value {
    let heap = crate::machine::heap::Heap::default();
    universe.value(symbols, &heap, Cell::Atom(name)).expect("atoms are of every universe")
}

/// The condition that a term is an atom: any constant but the empty list.
fn atom(universe: &Universe, terms: &mut Terms, nil: TermId, term: TermId) -> TermId {
    let is = terms.mk(Op::IsCtor(universe.constant_ctor()), &[term]);
    let same = terms.mk(Op::Eq, &[term, nil]);
    let other = terms.not(same);
    terms.mk(Op::And, &[is, other])
}
