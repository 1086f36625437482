//! Values of a replay: concrete ones, and terms that depend on the input.
//!
//! A value is a small copy; what it refers to lies in a [`Heap`] of the run, whose beginning are the program's literals. Nothing is freed within a run, and
//! nothing is dropped piece by piece: a list of any length costs the stack nothing.
//!
//! **Invariant.** Every compound knows whether something inside depends on the input, so that nobody has to look for it.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use xcute_term::TermId;

use crate::etf::{Atom, Atoms, Make, Term};
use crate::flat::FunId;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Val {
    /// A small integer.
    Int(i64),
    /// Any other integer.
    Big(u32),
    /// A float.
    Float(f64),
    /// An atom.
    Atom(Atom),
    /// The empty list.
    Nil,
    /// A list cell.
    Cons(u32),
    /// A tuple.
    Tuple(u32),
    /// A map.
    Map(u32),
    /// A bitstring.
    Bits(u32),
    /// A bitstring that depends on the input, whose length is known.
    Fields(u32),
    /// A function.
    Fun(u32),
    /// A pid, port, reference, or a fun that is not ours.
    Other(u32),
    /// The raw stack of an exception: its class.
    Raw(Atom),
    /// A stack trace. Whoever looks into it sees other frames than the original program has.
    Stack(u32),
    /// A term of the universe that depends on the input.
    Sym(TermId),
    /// An integer that depends on the input.
    SymInt(TermId),
    /// A float that depends on the input.
    SymFloat(TermId),
    /// `true` or `false`, as a condition over the input.
    Cond(TermId),
}

/// A number, and how many bits it has.
pub type Field = (TermId, u32);

/// How many bits fields have.
pub fn length(fields: &[Field]) -> usize {
    fields.iter().map(|field| field.1 as usize).sum()
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunVal {
    /// A function of the program with what it captured: this many values from there on.
    Closure(FunId, u32, u32),
    /// `fun M:F/A`.
    External(Atom, Atom, u32),
}

/// A compound: its values lie from `start` on.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    length: u32,
    symbolic: bool,
}

/// Where values are.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    cells: Vec<(Val, Val, bool)>,
    tuples: Vec<Block>,
    items: Vec<Val>,
    bigs: Vec<BigInt>,
    /// Keys and values in turns, by keys.
    maps: Vec<Block>,
    bits: Vec<(Box<[u8]>, usize)>,
    rows: Vec<Box<[Field]>>,
    funs: Vec<(FunVal, bool)>,
    others: Vec<Box<[u8]>>,
    stacks: Vec<Val>,
}

/// How much of a heap is in use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark([usize; 10]);

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a heap has fewer than 2^32 values")
}

impl Heap {
    /// How much is in use.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark([
            self.cells.len(),
            self.tuples.len(),
            self.items.len(),
            self.bigs.len(),
            self.maps.len(),
            self.bits.len(),
            self.funs.len(),
            self.others.len(),
            self.stacks.len(),
            self.rows.len(),
        ])
    }

    /// Forgets what came after a mark.
    pub fn reset(&mut self, mark: Mark) {
        let [cells, tuples, items, bigs, maps, bits, funs, others, stacks, rows] = mark.0;
        self.cells.truncate(cells);
        self.tuples.truncate(tuples);
        self.items.truncate(items);
        self.bigs.truncate(bigs);
        self.maps.truncate(maps);
        self.bits.truncate(bits);
        self.funs.truncate(funs);
        self.others.truncate(others);
        self.stacks.truncate(stacks);
        self.rows.truncate(rows);
    }

    /// Roughly how many words are in use.
    #[must_use]
    pub fn size(&self) -> usize {
        self.cells.len() * 5
            + self.items.len() * 2
            + self.tuples.len()
            + self.maps.len()
            + self.bits.len() * 4
            + self.rows.len() * 8
            + self.bigs.len() * 4
    }

    /// Whether something inside depends on the input.
    #[must_use]
    pub fn is_symbolic(&self, value: Val) -> bool {
        match value {
            Val::Sym(_) | Val::SymInt(_) | Val::SymFloat(_) | Val::Cond(_) | Val::Fields(_) => true,
            Val::Cons(cell) => self.cells[cell as usize].2,
            Val::Tuple(tuple) => self.tuples[tuple as usize].symbolic,
            Val::Map(map) => self.maps[map as usize].symbolic,
            Val::Fun(fun) => self.funs[fun as usize].1,
            _ => false,
        }
    }

    /// A list cell.
    pub fn cons(&mut self, head: Val, tail: Val) -> Val {
        let symbolic = self.is_symbolic(head) || self.is_symbolic(tail);
        self.cells.push((head, tail, symbolic));
        Val::Cons(number(self.cells.len() - 1))
    }

    /// Head and tail of a list cell.
    #[must_use]
    pub fn cell(&self, cell: u32) -> (Val, Val) {
        let (head, tail, _) = self.cells[cell as usize];
        (head, tail)
    }

    fn block(&mut self, items: &[Val]) -> Block {
        let start = number(self.items.len());
        let symbolic = items.iter().any(|&item| self.is_symbolic(item));
        self.items.extend_from_slice(items);
        Block { start, length: number(items.len()), symbolic }
    }

    fn items(&self, block: Block) -> &[Val] {
        &self.items[block.start as usize..(block.start + block.length) as usize]
    }

    /// A tuple.
    pub fn tuple(&mut self, items: &[Val]) -> Val {
        let block = self.block(items);
        self.tuples.push(block);
        Val::Tuple(number(self.tuples.len() - 1))
    }

    /// The elements of a tuple.
    #[must_use]
    pub fn elements(&self, tuple: u32) -> &[Val] {
        self.items(self.tuples[tuple as usize])
    }

    /// A map of keys and values in turns, which are sorted by their keys.
    pub fn map(&mut self, pairs: &[Val]) -> Val {
        let block = self.block(pairs);
        self.maps.push(block);
        Val::Map(number(self.maps.len() - 1))
    }

    /// Keys and values of a map in turns.
    #[must_use]
    pub fn pairs(&self, map: u32) -> &[Val] {
        self.items(self.maps[map as usize])
    }

    /// An integer.
    pub fn integer(&mut self, value: BigInt) -> Val {
        if let Some(small) = value.to_i64() {
            return Val::Int(small);
        }
        self.bigs.push(value);
        Val::Big(number(self.bigs.len() - 1))
    }

    /// A large integer.
    #[must_use]
    pub fn big(&self, big: u32) -> &BigInt {
        &self.bigs[big as usize]
    }

    /// A bitstring.
    pub fn bitstring(&mut self, bytes: &[u8], bits: usize) -> Val {
        self.bits.push((bytes.into(), bits));
        Val::Bits(number(self.bits.len() - 1))
    }

    /// A bitstring that depends on the input.
    pub fn fields(&mut self, fields: Vec<Field>) -> Val {
        self.rows.push(fields.into());
        Val::Fields(number(self.rows.len() - 1))
    }

    /// The fields of a bitstring that depends on the input.
    #[must_use]
    pub fn field_row(&self, row: u32) -> &[Field] {
        &self.rows[row as usize]
    }

    /// The bytes of a bitstring, and how many bits of them count.
    #[must_use]
    pub fn bytes(&self, bits: u32) -> (&[u8], usize) {
        let (bytes, length) = &self.bits[bits as usize];
        (bytes, *length)
    }

    /// A function.
    pub fn fun(&mut self, fun: FunVal) -> Val {
        self.funs.push((fun, false));
        Val::Fun(number(self.funs.len() - 1))
    }

    /// A closure over these values.
    pub fn closure(&mut self, fun: FunId, captured: &[Val]) -> Val {
        let block = self.block(captured);
        self.funs.push((FunVal::Closure(fun, block.start, block.length), block.symbolic));
        Val::Fun(number(self.funs.len() - 1))
    }

    /// Gives closures that know each other what they captured.
    pub fn recapture(&mut self, closure: Val, captured: &[Val], symbolic: bool) {
        if let Val::Fun(fun) = closure
            && let (FunVal::Closure(_, start, _), flag) = &mut self.funs[fun as usize]
        {
            *flag = symbolic;
            self.items[*start as usize..*start as usize + captured.len()].copy_from_slice(captured);
        }
    }

    /// What a function is.
    #[must_use]
    pub fn function(&self, fun: u32) -> FunVal {
        self.funs[fun as usize].0
    }

    /// What a closure captured.
    #[must_use]
    pub fn captured(&self, start: u32, length: u32) -> &[Val] {
        &self.items[start as usize..(start + length) as usize]
    }

    /// A pid, port, reference or foreign fun.
    #[must_use]
    pub fn other(&self, other: u32) -> &[u8] {
        &self.others[other as usize]
    }

    /// A stack trace.
    pub fn stack(&mut self, trace: Val) -> Val {
        self.stacks.push(trace);
        Val::Stack(number(self.stacks.len() - 1))
    }

    /// The frames of a stack trace.
    #[must_use]
    pub fn frames(&self, stack: u32) -> Val {
        self.stacks[stack as usize]
    }

    /// A proper list.
    pub fn list(&mut self, items: &[Val], tail: Val) -> Val {
        items.iter().rev().fold(tail, |rest, &item| self.cons(item, rest))
    }

    /// A term of the program's text.
    pub fn literal(&mut self, term: &Term) -> Val {
        match term {
            Term::Int(value) => Val::Int(*value),
            Term::Big(value) => self.integer(value.clone()),
            Term::Float(value) => Val::Float(*value),
            Term::Atom(atom) => Val::Atom(*atom),
            Term::Nil => Val::Nil,
            Term::Bits(bytes, bits) => self.bitstring(bytes, *bits),
            Term::List(items, tail) => {
                let tail = self.literal(tail);
                let items: Vec<Val> = items.iter().map(|item| self.literal(item)).collect();
                self.list(&items, tail)
            }
            Term::Tuple(items) => {
                let items: Vec<Val> = items.iter().map(|item| self.literal(item)).collect();
                self.tuple(&items)
            }
            Term::Map(pairs) => {
                let pairs: Vec<Val> = pairs.iter().flat_map(|(key, value)| [self.literal(key), self.literal(value)]).collect();
                self.sorted_map(&pairs)
            }
            Term::External(module, name, arity) => self.fun(FunVal::External(*module, *name, u32::from(*arity))),
            Term::Other(bytes) => {
                self.others.push((**bytes).into());
                Val::Other(number(self.others.len() - 1))
            }
        }
    }

    /// A map of concrete keys in any order.
    pub fn sorted_map(&mut self, pairs: &[Val]) -> Val {
        let mut entries: Vec<[Val; 2]> = pairs.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        entries.sort_by(|a, b| self.compare_exactly(a[0], b[0]));
        let sorted: Vec<Val> = entries.concat();
        self.map(&sorted)
    }
}

/// Builds values out of external terms.
pub struct Values<'a> {
    /// Where they go.
    pub heap: &'a mut Heap,
    /// The atoms of the run.
    pub atoms: &'a mut Atoms,
}

impl Make for Values<'_> {
    type Term = Val;

    fn int(&mut self, value: i64) -> Val {
        Val::Int(value)
    }

    fn big(&mut self, value: BigInt) -> Val {
        self.heap.integer(value)
    }

    fn float(&mut self, value: f64) -> Val {
        Val::Float(value)
    }

    fn atom(&mut self, name: &str) -> Val {
        Val::Atom(self.atoms.intern(name))
    }

    fn bits(&mut self, bytes: &[u8], bits: usize) -> Val {
        self.heap.bitstring(bytes, bits)
    }

    fn nil(&mut self) -> Val {
        Val::Nil
    }

    fn list(&mut self, items: Vec<Val>, tail: Val) -> Val {
        self.heap.list(&items, tail)
    }

    fn tuple(&mut self, items: Vec<Val>) -> Val {
        self.heap.tuple(&items)
    }

    fn map(&mut self, pairs: Vec<Val>) -> Val {
        self.heap.sorted_map(&pairs)
    }

    fn external(&mut self, items: Vec<Val>) -> Val {
        match items[..] {
            [Val::Atom(module), Val::Atom(name), Val::Int(arity)] => {
                self.heap.fun(FunVal::External(module, name, u32::try_from(arity).unwrap_or(u32::MAX)))
            }
            _ => self.heap.tuple(&items),
        }
    }

    fn other(&mut self, bytes: &[u8]) -> Val {
        self.heap.others.push(bytes.into());
        Val::Other(number(self.heap.others.len() - 1))
    }
}
