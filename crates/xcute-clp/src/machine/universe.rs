//! The universe of a program: the ground terms that its inputs may be, as a data sort.
//!
//! The symbols are the program's own, integers where it has any, and fresh constants: `constant(n)` is the n-th constant of the program, or a
//! new atom for every other n; `integer(n)`; and a constructor for each functor. So the universe is open where it must be (there is always another
//! constant) and has no symbols that the program cannot distinguish from those.
//!
//! **Invariant.** The numbering depends on the program only, so models mean the same to all subjects of a program.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use xcute_term::{CtorId, DataSort, DataSortId, DataValue, Field, Op, Sort, TermId, Terms, Value};

use super::cell::{Cell, FunctorId};
use super::heap::Heap;
use super::symbols::Symbols;

/// The symbols that inputs are made of.
#[derive(Clone, Debug)]
pub struct Universe {
    constants: Vec<Cell>,
    numbers: FxHashMap<Cell, i64>,
    functors: Vec<(FunctorId, u32)>,
    ctors: FxHashMap<FunctorId, u32>,
    names: Vec<String>,
    integers: bool,
    /// Fresh atoms are called this and a number; no atom of the program is.
    fresh: String,
}

/// The index of the constructor of constants.
const CONSTANT: u32 = 0;
/// The index of the constructor of integers, where there are any.
const INTEGER: u32 = 1;

impl Universe {
    /// The universe of these symbols. The first constant is what an input is when nothing is asked of it.
    #[must_use]
    pub fn new(symbols: &Symbols, constants: Vec<Cell>, functors: Vec<FunctorId>, integers: bool) -> Universe {
        let numbers = constants.iter().zip(0..).map(|(&cell, number)| (cell, number)).collect();
        let first = if integers { 2 } else { 1 };
        let ctors = functors.iter().zip(first..).map(|(&functor, index)| (functor, index)).collect();
        let names = functors.iter().map(|&f| format!("{}/{}", symbols.atoms.name(symbols.name(f)), symbols.arity(f))).collect();
        let functors = functors.into_iter().map(|f| (f, symbols.arity(f))).collect();
        let mut fresh = "o".to_owned();
        while (1..100).any(|n| symbols.atoms.get(&format!("{fresh}{n}")).is_some()) {
            fresh.push('o');
        }
        Universe { constants, numbers, functors, ctors, names, integers, fresh }
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
        if self.integers { 2 } else { 1 }
    }

    /// The sort in an arena, declared there if it is not yet.
    pub fn declare(&self, terms: &mut Terms) -> DataSortId {
        let id = DataSortId(0);
        if terms.next_data() != id {
            return id;
        }
        let own = Sort::Data(id);
        let mut ctors = vec![("constant".to_owned(), vec![Field { name: "constant-number".into(), sort: Sort::Int }])];
        if self.integers {
            ctors.push(("integer".to_owned(), vec![Field { name: "integer-value".into(), sort: Sort::Int }]));
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

    /// The constructor of integers, if there are any.
    #[must_use]
    pub fn integer_ctor(&self) -> Option<CtorId> {
        self.integers.then_some(CtorId { sort: DataSortId(0), index: INTEGER })
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
        let (ctor, number) = match cell {
            Cell::Int(_) | Cell::Big(_) => (self.integer_ctor()?, symbols.as_integer(cell)?),
            _ => (self.constant_ctor(), self.number(symbols, cell).into()),
        };
        Some(Value::Data(Arc::new(DataValue { ctor, fields: vec![Value::Int(number)] })))
    }

    /// The number of a constant. Those that are not the program's get one by their name, below all others.
    fn number(&self, symbols: &Symbols, cell: Cell) -> i64 {
        if let Some(&number) = self.numbers.get(&cell) {
            return number;
        }
        let mut hasher = FxHasher::default();
        match cell {
            Cell::Atom(atom) => {
                let name = symbols.atoms.name(atom);
                if let Some(number) = name.strip_prefix(&self.fresh).and_then(|n| n.parse::<i64>().ok()).filter(|&n| n > 0) {
                    return self.constants.len() as i64 + number - 1;
                }
                hasher.write(name.as_bytes());
            }
            Cell::Float(bits) => hasher.write_u64(bits),
            Cell::Str(id) => {
                hasher.write_u8(1);
                hasher.write(symbols.text(id).as_bytes());
            }
            _ => unreachable!("only constants have numbers"),
        }
        i64::MIN / 2 + (hasher.finish() >> 3) as i64
    }

    /// The cell of the constant with this number.
    pub fn constant_cell(&self, symbols: &mut Symbols, number: &BigInt) -> Cell {
        let known = number.to_usize().and_then(|n| self.constants.get(n).copied());
        known.unwrap_or_else(|| {
            let past = number - BigInt::from(self.constants.len()) + 1;
            let name = if past > BigInt::from(0) { format!("{}{past}", self.fresh) } else { format!("{}_{}", self.fresh, -number) };
            symbols.atom(&name)
        })
    }

    /// Which constants, by number, satisfy a predicate: those that are atoms, say.
    pub fn constants_where(&self, test: impl Fn(Cell) -> bool) -> Vec<i64> {
        self.constants.iter().zip(0..).filter(|(cell, _)| test(**cell)).map(|(_, number)| number).collect()
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
                None => self.atomic(symbols, data),
            };
            heap.replace(place, cell);
        }
        heap.deref(root)
    }

    fn atomic(&self, symbols: &mut Symbols, data: &DataValue) -> Cell {
        let Value::Int(number) = &data.fields[0] else { unreachable!("constants and integers hold a number") };
        if data.ctor.index == CONSTANT { self.constant_cell(symbols, number) } else { symbols.integer(number.clone()) }
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
