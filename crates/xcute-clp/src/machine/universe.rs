//! The universe of a program: the ground terms that its inputs may be, as a data sort.
//!
//! `constant(n)` is the n-th atom of the program, or a new one for every other n; `integer(n)`; `float(bits)`; `string(n)` is the n-th string of the program, or a
//! new one; and a constructor for each functor. Which kinds there are, and which functors, depends on what the program can tell apart ([`crate::regular`]): so the
//! universe is open where it must be (there is always another constant) and has no symbols that the program cannot distinguish from those.
//!
//! **Invariant.** The numbering depends on the program only, so models mean the same to all subjects of a program.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive};
use rustc_hash::FxHashMap;
use xcute_term::{CtorId, DataSort, DataSortId, DataValue, Field, Op, Sort, TermId, Terms, Value};

use super::cell::{Cell, FunctorId};
use super::heap::Heap;
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
}

/// The symbols that inputs are made of.
#[derive(Clone, Debug)]
pub struct Universe {
    constants: Vec<Cell>,
    strings: Vec<Cell>,
    numbers: FxHashMap<Cell, i64>,
    functors: Vec<(FunctorId, u32)>,
    ctors: FxHashMap<FunctorId, u32>,
    names: Vec<String>,
    kinds: Vec<Kind>,
    /// Fresh atoms and strings are called this and a number; no atom of the program is.
    fresh: String,
}

/// The index of the constructor of constants.
const CONSTANT: u32 = 0;

/// The number of the empty list, where it is not one of the program's constants. No text has it.
const EMPTY: i64 = -2;

impl Universe {
    /// The universe of these symbols.
    #[must_use]
    pub fn new(symbols: &Symbols, found: Symbolic) -> Universe {
        let Symbolic { atoms: constants, strings, functors, kinds } = found;
        let numbered = |cells: &[Cell]| cells.iter().copied().zip(0..).collect::<Vec<(Cell, i64)>>();
        let numbers = numbered(&constants).into_iter().chain(numbered(&strings)).collect();
        let first = 1 + u32::try_from(kinds.len()).expect("three at most");
        let ctors = functors.iter().zip(first..).map(|(&functor, index)| (functor, index)).collect();
        let names = functors.iter().map(|&f| format!("{}/{}", symbols.atoms.name(symbols.name(f)), symbols.arity(f))).collect();
        let functors = functors.into_iter().map(|f| (f, symbols.arity(f))).collect();
        let fresh = fresh_name(symbols);
        Universe { constants, strings, numbers, functors, ctors, names, kinds, fresh }
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

    fn first_functor(&self) -> u32 {
        1 + u32::try_from(self.kinds.len()).expect("three at most")
    }

    /// The sort in an arena, declared there if it is not yet.
    pub fn declare(&self, terms: &mut Terms) -> DataSortId {
        let id = DataSortId(0);
        if terms.next_data() != id {
            return id;
        }
        let own = Sort::Data(id);
        let mut ctors = vec![("constant".to_owned(), vec![Field { name: "constant-number".into(), sort: Sort::Int }])];
        for kind in &self.kinds {
            let (name, field, sort) = match kind {
                Kind::Integer => ("integer", "integer-value", Sort::Int),
                Kind::Float => ("float", "float-bits", Sort::BitVec(64)),
                Kind::String => ("string", "string-number", Sort::Int),
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
    pub fn constant_ctor(&self) -> CtorId {
        CtorId { sort: DataSortId(0), index: CONSTANT }
    }

    /// The constructor of a kind of atomic terms, if there are any.
    #[must_use]
    pub fn kind_ctor(&self, kind: Kind) -> Option<CtorId> {
        let index = self.kinds.iter().zip(1..).find(|(known, _)| **known == kind)?.1;
        Some(CtorId { sort: DataSortId(0), index })
    }

    /// The constructor of integers, if there are any.
    #[must_use]
    pub fn integer_ctor(&self) -> Option<CtorId> {
        self.kind_ctor(Kind::Integer)
    }

    /// The constructors of terms that are not compounds.
    pub fn atomic_ctors(&self) -> impl Iterator<Item = CtorId> + use<> {
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
            Cell::Str(id) => (self.kind_ctor(Kind::String)?, Value::Int(self.number(cell, symbols.text(id), self.strings.len()))),
            Cell::Atom(name) => (self.constant_ctor(), Value::Int(self.number(cell, symbols.atoms.name(name), self.constants.len()))),
            _ => return None,
        };
        Some(Value::Data(Arc::new(DataValue { ctor, fields: vec![field] })))
    }

    /// The number of an atom or string. Those that are not the program's are numbered by their text, below all others.
    fn number(&self, cell: Cell, text: &str, known: usize) -> BigInt {
        if let Some(&number) = self.numbers.get(&cell) {
            return number.into();
        }
        let fresh = text.strip_prefix(&self.fresh).filter(|digits| !digits.starts_with(['0', '+'])).and_then(|n| n.parse::<i64>().ok());
        match fresh.filter(|&n| n > 0) {
            _ if cell == Cell::Atom(Atom::NIL) => EMPTY.into(),
            Some(number) => BigInt::from(known) + number - 1,
            None => -BigInt::from_bytes_be(Sign::Plus, &[&[1], text.as_bytes()].concat()),
        }
    }

    /// The text of the atom or string with this number; `is_known` says which texts have other numbers.
    fn text(&self, number: &BigInt, known: usize, is_known: impl Fn(&str) -> bool) -> String {
        let past: BigInt = number - BigInt::from(known) + 1;
        if past.is_positive() {
            return format!("{}{past}", self.fresh);
        }
        let (_, bytes) = number.to_bytes_be();
        let text = bytes.strip_prefix(&[1]).and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        let taken = |text: &String| is_known(text) || text.strip_prefix(&self.fresh).is_some_and(|rest| rest.parse::<i64>().is_ok());
        text.filter(|text| !taken(text)).unwrap_or_else(|| format!("{}_{}", self.fresh, -number))
    }

    /// The cell of the constant with this number.
    pub fn constant_cell(&self, symbols: &mut Symbols, number: &BigInt) -> Cell {
        let known = number.to_usize().and_then(|n| self.constants.get(n).copied());
        if *number == BigInt::from(EMPTY) && !self.numbers.contains_key(&Cell::Atom(Atom::NIL)) {
            return Cell::Atom(Atom::NIL);
        }
        known.unwrap_or_else(|| {
            let is_known = |text: &str| symbols.atoms.get(text).is_some_and(|name| self.numbers.contains_key(&Cell::Atom(name)));
            let text = self.text(number, self.constants.len(), is_known);
            symbols.atom(&text)
        })
    }

    /// The cell of an atomic term of a constructor.
    pub fn atomic_cell(&self, symbols: &mut Symbols, ctor: CtorId, field: &Value) -> Cell {
        match (ctor.index.checked_sub(1).map(|index| self.kinds[index as usize]), field) {
            (None, Value::Int(number)) => self.constant_cell(symbols, number),
            (Some(Kind::Integer), Value::Int(number)) => symbols.integer(number.clone()),
            (Some(Kind::String), Value::Int(number)) => {
                let known = number.to_usize().and_then(|n| self.strings.get(n).copied());
                known.unwrap_or_else(|| {
                    let is_known = |text: &str| self.strings.iter().any(|&cell| matches!(cell, Cell::Str(id) if symbols.text(id) == text));
                    let text = self.text(number, self.strings.len(), is_known);
                    symbols.string(&text)
                })
            }
            (Some(Kind::Float), bits) => Cell::Float(bits.as_u64().unwrap_or(0)),
            _ => unreachable!("the fields of atomic terms are numbers"),
        }
    }

    /// An atom of the program that is not the empty list, or a new one.
    pub fn any_atom(&self, symbols: &mut Symbols) -> Atom {
        let known = self
            .constants
            .iter()
            .find_map(|&cell| if let Cell::Atom(name) = cell { Some(name).filter(|&name| name != Atom::NIL) } else { None });
        known.unwrap_or_else(|| symbols.atoms.intern(&format!("{}1", self.fresh)))
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
                None => self.atomic_cell(symbols, data.ctor, &data.fields[0]),
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
    pub fn is_atomic(&self, terms: &mut Terms, term: TermId) -> TermId {
        let tests: Vec<TermId> = self.atomic_ctors().map(|ctor| terms.mk(Op::IsCtor(ctor), &[term])).collect();
        match tests[..] {
            [one] => one,
            _ => terms.mk(Op::Or, &tests),
        }
    }

    /// A condition that holds iff a term of the sort has at most this depth: a constant has 0. `None` where it would be larger than `limit` terms.
    pub fn depth_at_most(&self, terms: &mut Terms, term: TermId, depth: u32, limit: usize) -> Option<TermId> {
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

/// A name that no atom of the program begins with and then has a number.
fn fresh_name(symbols: &Symbols) -> String {
    let mut fresh = "o".to_owned();
    while (1..100).any(|n| symbols.atoms.get(&format!("{fresh}{n}")).is_some()) {
        fresh.push('o');
    }
    fresh
}
