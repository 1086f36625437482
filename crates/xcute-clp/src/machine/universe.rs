//! The universe of a program: the ground terms that its inputs may be, as a data sort.
//!
//! `constant(n)` is an atom of the program, or a new one, by its [number](super::numbering); `integer(n)`; `float(bits)`; `string(n)` is a string of the program, or a
//! new one; and a constructor for each functor. Which kinds there are, and which functors, depends on what the program can tell apart ([`crate::regular`]): so the
//! universe is open where it must be (there is always another constant) and has no symbols that the program cannot distinguish from those.
//!
//! Where the program looks into texts, atoms and strings are *spelled*: `constant(text)` and `string(text)` with a string of the solver, and the empty list, which is
//! not a text, has a constructor of its own.
//!
//! **Invariant.** The numbering depends on the program only, so models mean the same to all subjects of a program.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use xcute_term::{CtorId, DataSort, DataSortId, DataValue, Field, Op, Sort, TermId, Terms, Value};

use super::cell::{Cell, FunctorId};
use super::heap::Heap;
use super::numbering::{self, Numbering};
use super::symbols::Symbols;
use crate::syntax::Atom;

/// Kinds of atomic terms besides atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Integers of any size.
    Integer,
    /// Floats, by their bits.
    Float,
    /// Strings.
    String,
    /// The empty list, where atoms are spelled.
    Nil,
}

/// The symbols of a universe.
#[derive(Clone, Debug, Default)]
pub struct Symbolic {
    /// Atoms; the first is what an input is when nothing is asked of it.
    pub atoms: Vec<Cell>,
    /// Strings.
    pub strings: Vec<Cell>,
    /// Functors of compounds.
    pub functors: Vec<FunctorId>,
    /// Kinds of terms besides atoms and compounds.
    pub kinds: Vec<Kind>,
    /// Whether texts are followed where the program looks into them.
    pub texts: bool,
    /// Whether texts are spelled.
    pub spelled: bool,
    /// Whether the program looks at what errors of arithmetic blame, or at their kinds.
    pub blamed: bool,
}

/// The symbols that inputs are made of.
#[derive(Clone, Debug)]
pub struct Universe {
    constants: Vec<Cell>,
    strings: Vec<Cell>,
    atom_numbers: Numbering,
    string_numbers: Numbering,
    /// The number of the empty list: zero, if it is what an input is when nothing is asked of it.
    empty: i64,
    functors: Vec<(FunctorId, u32)>,
    ctors: FxHashMap<FunctorId, u32>,
    names: Vec<String>,
    kinds: Vec<Kind>,
    texts: bool,
    spelled: bool,
    blamed: bool,
    /// Whether an input was compared with a text that has no place in the order.
    met_made: Arc<AtomicBool>,
}

/// The index of the constructor of constants.
const CONSTANT: u32 = 0;

impl Universe {
    /// The universe of these symbols.
    #[must_use]
    pub fn new(symbols: &Symbols, found: Symbolic) -> Universe {
        let Symbolic { atoms: constants, strings, functors, mut kinds, texts, spelled, blamed } = found;
        if spelled {
            kinds.push(Kind::Nil);
        }
        let text = |cell: Cell| match cell {
            Cell::Atom(name) if name != Atom::NIL => Some(symbols.atoms.name(name).to_owned()),
            Cell::Str(id) => Some(symbols.text(id).to_owned()),
            _ => None,
        };
        let fresh = fresh_name(symbols);
        let numbered = |cells: &[Cell]| {
            let first = cells.first().and_then(|&cell| text(cell));
            Numbering::new(first, cells.first() == Some(&Cell::Atom(Atom::NIL)), cells.iter().filter_map(|&cell| text(cell)), &fresh)
        };
        let (atom_numbers, string_numbers) = (numbered(&constants), numbered(&strings));
        let empty = if constants.first() == Some(&Cell::Atom(Atom::NIL)) { 0 } else { numbering::NONE };
        let first = 1 + u32::try_from(kinds.len()).expect("four at most");
        let ctors = functors.iter().zip(first..).map(|(&functor, index)| (functor, index)).collect();
        let names = functors.iter().map(|&f| format!("{}/{}", symbols.atoms.name(symbols.name(f)), symbols.arity(f))).collect();
        let functors = functors.into_iter().map(|f| (f, symbols.arity(f))).collect();
        let met_made = Arc::default();
        Universe {
            constants,
            strings,
            atom_numbers,
            string_numbers,
            empty,
            functors,
            ctors,
            names,
            kinds,
            texts,
            spelled,
            blamed,
            met_made,
        }
    }

    /// Its functors with their arities.
    #[must_use]
    pub fn functors(&self) -> &[(FunctorId, u32)] {
        &self.functors
    }

    /// How many constructors its sort has.
    #[must_use]
    pub fn constructors(&self) -> u32 {
        self.first_functor() + u32::try_from(self.functors.len()).expect("few functors")
    }

    /// Whether texts are followed where the program looks into them.
    #[must_use]
    pub(crate) fn follows_texts(&self) -> bool {
        self.texts
    }

    /// Whether atoms and strings are spelled.
    #[must_use]
    pub(crate) fn spelled(&self) -> bool {
        self.spelled
    }

    /// Whether the program looks at what errors of arithmetic blame, or at their kinds.
    #[must_use]
    pub(crate) fn blamed(&self) -> bool {
        self.blamed
    }

    fn first_functor(&self) -> u32 {
        1 + u32::try_from(self.kinds.len()).expect("four at most")
    }

    /// The sort in an arena, declared there if it is not yet.
    pub fn declare(&self, terms: &mut Terms) -> DataSortId {
        let id = DataSortId(0);
        if terms.next_data() != id {
            return id;
        }
        let own = Sort::Data(id);
        let text = if self.spelled { Sort::Str } else { Sort::Int };
        let mut ctors = vec![("constant".to_owned(), vec![Field { name: "constant-number".into(), sort: text }])];
        for kind in &self.kinds {
            let (name, field, sort) = match kind {
                Kind::Integer => ("integer", "integer-value", Sort::Int),
                Kind::Float => ("float", "float-bits", Sort::BitVec(64)),
                Kind::String => ("string", "string-number", text),
                Kind::Nil => {
                    ctors.push(("nil".to_owned(), Vec::new()));
                    continue;
                }
            };
            ctors.push((name.to_owned(), vec![Field { name: field.into(), sort }]));
        }
        for (name, &(_, arity)) in self.names.iter().zip(&self.functors) {
            let fields = (1..=arity).map(|i| Field { name: format!("{name}-{i}"), sort: own }).collect();
            ctors.push((name.clone(), fields));
        }
        terms.declare_data(DataSort { name: "term".into(), ctors })
    }

    /// The constructor of constants.
    #[must_use]
    pub(crate) fn constant_ctor(&self) -> CtorId {
        CtorId { sort: DataSortId(0), index: CONSTANT }
    }

    /// The constructor of a kind of atomic terms, if there are any.
    #[must_use]
    pub(crate) fn kind_ctor(&self, kind: Kind) -> Option<CtorId> {
        let index = self.kinds.iter().zip(1..).find(|(known, _)| **known == kind)?.1;
        Some(CtorId { sort: DataSortId(0), index })
    }

    /// The constructor of integers, if there are any.
    #[must_use]
    pub fn integer_ctor(&self) -> Option<CtorId> {
        self.kind_ctor(Kind::Integer)
    }

    /// The constructors of terms that are not compounds.
    pub(crate) fn atomic_ctors(&self) -> impl Iterator<Item = CtorId> + use<> {
        (CONSTANT..self.first_functor()).map(|index| CtorId { sort: DataSortId(0), index })
    }

    /// The constructor of a functor, if it is of the universe.
    #[must_use]
    pub fn ctor(&self, functor: FunctorId) -> Option<CtorId> {
        self.ctors.get(&functor).map(|&index| CtorId { sort: DataSortId(0), index })
    }

    /// The functor of a constructor.
    #[must_use]
    pub fn functor(&self, ctor: CtorId) -> Option<(FunctorId, u32)> {
        ctor.index.checked_sub(self.first_functor()).map(|index| self.functors[index as usize])
    }

    /// An atomic cell as a constant term; `None` for an integer where there are none.
    pub fn constant(&self, terms: &mut Terms, symbols: &Symbols, cell: Cell) -> Option<TermId> {
        let value = self.constant_value(symbols, cell)?;
        Some(terms.value(value))
    }

    fn constant_value(&self, symbols: &Symbols, cell: Cell) -> Option<Value> {
        let (ctor, field) = match cell {
            Cell::Int(_) | Cell::Big(_) => (self.integer_ctor()?, Value::Int(symbols.as_integer(cell)?)),
            Cell::Float(bits) => (self.kind_ctor(Kind::Float)?, Value::bits(64, bits)),
            Cell::Atom(Atom::NIL) if self.spelled => {
                return Some(Value::Data(Arc::new(DataValue { ctor: self.kind_ctor(Kind::Nil)?, fields: Vec::new() })));
            }
            Cell::Atom(name) if self.spelled => (self.constant_ctor(), Value::Str(symbols.atoms.name(name).into())),
            Cell::Str(id) if self.spelled => (self.kind_ctor(Kind::String)?, Value::Str(symbols.text(id).into())),
            Cell::Str(id) => (self.kind_ctor(Kind::String)?, self.number(&self.string_numbers, symbols.text(id))),
            Cell::Atom(Atom::NIL) => (self.constant_ctor(), Value::Int(self.empty.into())),
            Cell::Atom(name) => (self.constant_ctor(), self.number(&self.atom_numbers, symbols.atoms.name(name))),
            _ => return None,
        };
        Some(Value::Data(Arc::new(DataValue { ctor, fields: vec![field] })))
    }

    fn number(&self, numbering: &Numbering, text: &str) -> Value {
        let number = numbering.number(text);
        if !numbering.has_place(&number) {
            self.met_made.store(true, Relaxed);
        }
        Value::Int(number)
    }

    /// Whether an input was ever compared with a text that was made while the program ran, and whose number says nothing about its place in the order.
    #[must_use]
    pub(crate) fn met_made(&self) -> bool {
        self.met_made.load(Relaxed)
    }

    /// The cell of the constant with this number.
    pub(crate) fn constant_cell(&self, symbols: &mut Symbols, number: &BigInt) -> Cell {
        if *number == BigInt::from(self.empty) { Cell::Atom(Atom::NIL) } else { symbols.atom(&self.atom_numbers.text(number)) }
    }

    /// Of the numbers of atoms, or of those of strings, the smallest that has a place in the order of texts, and the place of the text with the number zero.
    #[must_use]
    pub fn places(&self, of_strings: bool) -> (i64, Option<i64>) {
        let numbering = if of_strings { &self.string_numbers } else { &self.atom_numbers };
        (numbering.lowest(), numbering.place_of_first())
    }

    /// The cell of an atomic term of a constructor.
    pub(crate) fn atomic_cell(&self, symbols: &mut Symbols, ctor: CtorId, field: &Value) -> Cell {
        match (ctor.index.checked_sub(1).map(|index| self.kinds[index as usize]), field) {
            (None, Value::Int(number)) => self.constant_cell(symbols, number),
            (None, Value::Str(text)) => symbols.atom(text),
            (Some(Kind::String), Value::Str(text)) => symbols.string(text),
            (Some(Kind::Integer), Value::Int(number)) => symbols.integer(number.clone()),
            (Some(Kind::String), Value::Int(number)) => symbols.string(&self.string_numbers.text(number)),
            (Some(Kind::Float), bits) => Cell::Float(bits.as_u64().unwrap_or(0)),
            _ => unreachable!("the fields of atomic terms are numbers"),
        }
    }

    /// An atom of the program that is not the empty list, or a new one.
    pub(crate) fn any_atom(&self, symbols: &mut Symbols) -> Atom {
        let known = self
            .constants
            .iter()
            .find_map(|&cell| if let Cell::Atom(name) = cell { Some(name).filter(|&name| name != Atom::NIL) } else { None });
        known.unwrap_or_else(|| symbols.atoms.intern(&self.atom_numbers.text(&1.into())))
    }

    /// The constants of the program.
    #[must_use]
    pub fn constants(&self) -> &[Cell] {
        &self.constants
    }

    /// Puts a value of the sort on the heap.
    pub fn build(&self, symbols: &mut Symbols, heap: &mut Heap, value: &Value) -> Cell {
        let root = heap.var();
        let Cell::Var(place) = root else { unreachable!("just made") };
        let mut pending = vec![(value.clone(), place)];
        while let Some((value, place)) = pending.pop() {
            let Value::Data(data) = &value else { unreachable!("a value of the universe") };
            let cell = match self.functor(data.ctor) {
                Some((functor, arity)) => {
                    let made = heap.compound(functor, &vec![Cell::Int(0); arity as usize]);
                    let Cell::Struct(address) = made else { unreachable!("just made") };
                    pending.extend(data.fields.iter().cloned().zip(address + 1..));
                    made
                }
                None => data.fields.first().map_or(Cell::Atom(Atom::NIL), |field| self.atomic_cell(symbols, data.ctor, field)),
            };
            heap.replace(place, cell);
        }
        heap.deref(root)
    }

    /// The ground term on the heap as a value; `None` if it is not of the universe.
    #[must_use]
    pub fn value(&self, symbols: &Symbols, heap: &Heap, cell: Cell) -> Option<Value> {
        enum Todo {
            Visit(Cell),
            Make(CtorId, usize),
        }
        let (mut todo, mut done) = (vec![Todo::Visit(cell)], Vec::new());
        while let Some(next) = todo.pop() {
            match next {
                Todo::Visit(cell) => match heap.deref(cell) {
                    Cell::Struct(address) => {
                        let functor = heap.functor(address);
                        let arity = symbols.arity(functor);
                        todo.push(Todo::Make(self.ctor(functor)?, arity as usize));
                        todo.extend((0..arity).rev().map(|i| Todo::Visit(heap.arg(address, i))));
                    }
                    Cell::Var(_) | Cell::Sym(_) => return None,
                    atomic => done.push(self.constant_value(symbols, atomic)?),
                },
                Todo::Make(ctor, arity) => {
                    let fields = done.split_off(done.len() - arity);
                    done.push(Value::Data(Arc::new(DataValue { ctor, fields })));
                }
            }
        }
        done.pop()
    }

    /// The strings of the program.
    #[must_use]
    pub fn strings(&self) -> &[Cell] {
        &self.strings
    }

    /// The condition that a term is not a compound.
    pub(crate) fn is_atomic(&self, terms: &mut Terms, term: TermId) -> TermId {
        let tests: Vec<TermId> = self.atomic_ctors().map(|ctor| terms.mk(Op::IsCtor(ctor), &[term])).collect();
        match tests[..] {
            [one] => one,
            _ => terms.mk(Op::Or, &tests),
        }
    }

    /// A condition that holds iff a term of the sort has at most this depth: a constant has 0. `None` where it would be larger than `limit` terms.
    pub(crate) fn depth_at_most(&self, terms: &mut Terms, term: TermId, depth: u32, limit: usize) -> Option<TermId> {
        let mut conditions = Vec::new();
        let mut level = vec![term];
        let mut made = 0;
        for left in (0..=depth).rev() {
            if level.is_empty() {
                break;
            }
            made += level.len();
            let mut next = Vec::new();
            for &at in &level {
                for index in 0..self.functors.len() {
                    let ctor = CtorId { sort: DataSortId(0), index: self.first_functor() + u32::try_from(index).expect("few") };
                    let arity = self.functors[index].1;
                    if left == 0 {
                        // One by one: each of them answers a question of its own.
                        let is = terms.mk(Op::IsCtor(ctor), &[at]);
                        conditions.push(terms.not(is));
                    } else {
                        next.extend((0..arity).map(|i| terms.mk(Op::Select(ctor, i), &[at])));
                    }
                    if made + conditions.len() + next.len() > limit {
                        return None;
                    }
                }
            }
            level = next;
        }
        // A selector of another constructor gives the default, which is a constant: deep conditions need no guards.
        Some(match conditions[..] {
            [] => terms.bool(true),
            _ => terms.mk(Op::And, &conditions),
        })
    }
}

/// A name that no atom or string of the program begins with and then has a digit.
fn fresh_name(symbols: &Symbols) -> String {
    let mut fresh = "o".to_owned();
    while symbols.texts().any(|text| text.strip_prefix(&fresh).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))) {
        fresh.push('o');
    }
    fresh
}
