//! The universe of inputs: Erlang's terms as a data sort of the engine.
//!
//! Atoms and integers are numbers, floats are their bits, lists are cells, a tuple is a list of its own sort, so that every value of the sorts is a term.
//! A map has a field for each key that the program names, which is absent or present with a value, and a list of its other entries: so having a key is one
//! condition, however many other keys there are. Keys of that list are atoms and integers in Erlang's order, none of them named.
//! A bitstring is a list of bytes and fewer than eight bits after them. A function is a finite table, see [`functions`]. Pids, references and ports are constants
//! out of a table: the program can tell them from other terms and from each other, but nobody looks into them.
//!
//! **Invariant.** Constructors and tables depend on the program only, so models mean the same to all subjects of a program. Equal terms are equal values.

mod atoms;
pub(crate) mod bits;
mod build;
mod clauses;
mod elements;
pub mod functions;
pub mod made;
pub(crate) mod map;
mod print;
mod quoted;

pub use atoms::AtomLine;
pub(crate) use elements::elements;
pub use print::shown;
pub(crate) use quoted::atom_text;

use std::sync::Arc;

use num_bigint::BigInt;
use xcute_term::{CtorId, DataSort, DataSortId, DataValue, Field, Sort, TermId, Terms, Value};

use crate::etf::Term;

/// The sort of terms.
pub const TERM: DataSortId = DataSortId(0);
/// The sort of a tuple's elements.
pub const ELEMENTS: DataSortId = DataSortId(1);
/// The sort of what a map has under a named key.
pub const SLOT: DataSortId = DataSortId(2);
/// The sort of a map's other entries.
pub const ENTRIES: DataSortId = DataSortId(3);
/// The sort of a bitstring's bytes.
pub const BYTES: DataSortId = DataSortId(4);
/// The sort of the rows of a function's table.
pub const ROWS: DataSortId = DataSortId(5);

const fn ctor(index: u32) -> CtorId {
    CtorId { sort: TERM, index }
}

/// An atom, by its number on the line.
pub const ATOM: CtorId = ctor(0);
/// An integer.
pub const INTEGER: CtorId = ctor(1);
/// A float, by its bits.
pub const FLOAT: CtorId = ctor(2);
/// The empty list.
pub const NIL: CtorId = ctor(3);
/// A list cell.
pub const CONS: CtorId = ctor(4);
/// A tuple.
pub const TUPLE: CtorId = ctor(5);
/// A map: a slot for each named key, and the other entries.
pub const MAP: CtorId = ctor(6);
/// A bitstring: its bytes, how many bits come after them, and the number that these are.
pub const BITS: CtorId = ctor(7);
/// A function: how many arguments it takes, its rows, and what it returns for arguments that are in none.
pub const FUN: CtorId = ctor(8);
/// A pid, by its place in the table; so the kinds after it.
pub const PID: CtorId = ctor(9);
#[allow(missing_docs, reason = "see above")]
pub const REFERENCE: CtorId = ctor(10);
#[allow(missing_docs, reason = "see above")]
pub const PORT: CtorId = ctor(11);

/// No more elements.
pub const NO_MORE: CtorId = CtorId { sort: ELEMENTS, index: 0 };
/// An element and those after it.
pub const MORE: CtorId = CtorId { sort: ELEMENTS, index: 1 };

/// A named key is not there.
pub const ABSENT: CtorId = CtorId { sort: SLOT, index: 0 };
/// The value of a named key.
pub const PRESENT: CtorId = CtorId { sort: SLOT, index: 1 };

/// No more entries.
pub const NO_ENTRY: CtorId = CtorId { sort: ENTRIES, index: 0 };
/// A key, its value, and the entries after it.
pub const ENTRY: CtorId = CtorId { sort: ENTRIES, index: 1 };

/// No more bytes.
pub const NO_BYTE: CtorId = CtorId { sort: BYTES, index: 0 };
/// A byte and those after it.
pub const BYTE: CtorId = CtorId { sort: BYTES, index: 1 };

/// No more rows.
pub const NO_ROW: CtorId = CtorId { sort: ROWS, index: 0 };
/// Arguments, what the function returns for them, and the rows after it.
pub const ROW: CtorId = CtorId { sort: ROWS, index: 1 };

/// The constructors whose values come out of a table.
pub const TABLED: [CtorId; 3] = [PID, REFERENCE, PORT];

/// A table for each constructor of [`TABLED`].
pub type Tables = [Vec<Term>; TABLED.len()];

/// What inputs are made of.
#[derive(Clone, Debug)]
pub struct Universe {
    /// The atoms.
    pub atoms: AtomLine,
    /// The keys that the program names, without duplicates.
    keys: Vec<Term>,
    /// For each constructor of [`TABLED`], the terms that inputs may be.
    tables: Tables,
}

impl Universe {
    /// The universe of these atoms, of maps with these named keys, and of these terms of the kinds of [`TABLED`].
    #[must_use]
    pub fn new(atoms: AtomLine, keys: Vec<Term>, tables: Tables) -> Universe {
        Universe { atoms, keys, tables }
    }

    /// The keys of maps that the program names: key `i` is field `i` of [`MAP`].
    #[must_use]
    pub fn keys(&self) -> &[Term] {
        &self.keys
    }

    /// The field of [`MAP`] with the entries whose keys are not named.
    #[must_use]
    pub fn rest(&self) -> u32 {
        u32::try_from(self.keys.len()).expect("few keys")
    }

    /// Declares the sorts in an arena, unless they are.
    pub fn declare(&self, terms: &mut Terms) -> Sort {
        let sort = Sort::Data(TERM);
        if terms.next_data() != TERM {
            return sort;
        }
        let elements = Sort::Data(ELEMENTS);
        let field = |name: &str, sort| Field { name: name.to_owned(), sort };
        let number = |name: &str| (name.to_owned(), vec![field(&format!("{name}-number"), Sort::Int)]);
        let slots = (0..self.keys.len()).map(|key| field(&format!("key-{key}"), Sort::Data(SLOT)));
        let map = slots.chain([field("entries", Sort::Data(ENTRIES))]).collect();
        let fun = vec![field("fun-arity", Sort::Int), field("fun-rows", Sort::Data(ROWS)), field("fun-default", sort)];
        let bits = vec![field("bytes", Sort::Data(BYTES)), field("extra-bits", Sort::Int), field("extra-value", Sort::Int)];
        let ctors = vec![
            number("atom"),
            ("integer".to_owned(), vec![field("integer-value", Sort::Int)]),
            ("float".to_owned(), vec![field("float-bits", Sort::BitVec(64))]),
            ("nil".to_owned(), vec![]),
            ("cons".to_owned(), vec![field("head", sort), field("tail", sort)]),
            ("tuple".to_owned(), vec![field("elements", elements)]),
            ("map".to_owned(), map),
            ("bitstring".to_owned(), bits),
            ("fun".to_owned(), fun),
            number("pid"),
            number("reference"),
            number("port"),
        ];
        let of = terms.declare_data(DataSort { name: "term".into(), ctors });
        debug_assert_eq!(of, TERM, "the first data sort of an arena");
        let more = vec![field("element", sort), field("more", elements)];
        let ctors = vec![("no-more".to_owned(), vec![]), ("more".to_owned(), more)];
        let of = terms.declare_data(DataSort { name: "elements".into(), ctors });
        debug_assert_eq!(of, ELEMENTS, "the second data sort of an arena");
        let ctors = vec![("absent".to_owned(), vec![]), ("present".to_owned(), vec![field("slot-value", sort)])];
        let of = terms.declare_data(DataSort { name: "slot".into(), ctors });
        debug_assert_eq!(of, SLOT, "the third data sort of an arena");
        let entry = vec![field("entry-key", sort), field("entry-value", sort), field("entries-after", Sort::Data(ENTRIES))];
        let ctors = vec![("no-entry".to_owned(), vec![]), ("entry".to_owned(), entry)];
        let of = terms.declare_data(DataSort { name: "entries".into(), ctors });
        debug_assert_eq!(of, ENTRIES, "the fourth data sort of an arena");
        let byte = vec![field("byte-value", Sort::Int), field("bytes-after", Sort::Data(BYTES))];
        let ctors = vec![("no-byte".to_owned(), vec![]), ("byte".to_owned(), byte)];
        let of = terms.declare_data(DataSort { name: "bytes".into(), ctors });
        debug_assert_eq!(of, BYTES, "the fifth data sort of an arena");
        let row = vec![field("row-arguments", elements), field("row-result", sort), field("rows-after", Sort::Data(ROWS))];
        let ctors = vec![("no-row".to_owned(), vec![]), ("row".to_owned(), row)];
        let of = terms.declare_data(DataSort { name: "rows".into(), ctors });
        debug_assert_eq!(of, ROWS, "the sixth data sort of an arena");
        sort
    }

    /// The terms of a kind.
    #[must_use]
    pub fn table(&self, kind: CtorId) -> &[Term] {
        &self.tables[(kind.index - PID.index) as usize]
    }

    /// The place of a term in the table of its kind.
    #[must_use]
    pub fn place(&self, kind: CtorId, term: &Term) -> Option<usize> {
        self.table(kind).iter().position(|known| known == term)
    }
}

/// The value of a data sort.
pub(crate) fn parts(value: &Value) -> &DataValue {
    match value {
        Value::Data(data) => data,
        other => unreachable!("a term is data, not {other:?}"),
    }
}

/// A value of a constructor.
#[must_use]
pub fn data(ctor: CtorId, fields: Vec<Value>) -> Value {
    Value::Data(Arc::new(DataValue { ctor, fields }))
}

/// A value of a constructor with a number.
#[must_use]
pub fn numbered(ctor: CtorId, number: impl Into<BigInt>) -> Value {
    data(ctor, vec![Value::Int(number.into())])
}

/// A selector.
pub fn select(terms: &mut Terms, ctor: CtorId, field: u32, of: TermId) -> TermId {
    terms.mk(xcute_term::Op::Select(ctor, field), &[of])
}

/// A tester.
pub fn is(terms: &mut Terms, ctor: CtorId, of: TermId) -> TermId {
    terms.mk(xcute_term::Op::IsCtor(ctor), &[of])
}
