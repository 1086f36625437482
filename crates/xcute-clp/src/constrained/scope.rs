//! Where conditions are read: the parts of the inputs as terms with variables, and equations between them.
//!
//! The outermost scope is the goal itself: what its conditions say about the shape of the inputs becomes a part of the goal. An inner scope is a conjunction
//! below a negation. What it says about a variable from outside must not touch that variable: it gets a *twin* there, and `X = twin` is what the conjunction asks for.
//!
//! **Invariant.** No scope binds a variable that is older than itself.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};
use xcute_term::{CtorId, Op, TermId, Terms, Value};

use crate::machine::cell::Cell;
use crate::machine::heap::Heap;
use crate::machine::symbols::Symbols;
use crate::machine::universe::{Kind, Universe};
use crate::syntax::Atom;

/// A condition, and whether it holds.
pub(super) type Literal = (bool, TermId);

/// What ends a reading.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The conditions contradict each other.
    Contradiction,
    /// It cannot be written.
    Inexpressible,
}

/// One conjunction.
#[derive(Default)]
pub(super) struct Scope {
    /// Variables before this address are older.
    pub(super) floor: u32,
    /// What older variables are here.
    pub(super) twins: BTreeMap<u32, Cell>,
    places: FxHashMap<TermId, Cell>,
    /// Terms that are integers, in the order in which it was said.
    pub(super) integers: Vec<Cell>,
    /// Terms that are atomic and no integers, with their constructors.
    pub(super) atomic: Vec<(Cell, CtorId)>,
    /// Constructors that terms do not have.
    pub(super) excluded: Vec<(Cell, CtorId)>,
}

/// What is a multiple: `of = by * quotient`.
pub(super) struct Multiple {
    pub(super) of: TermId,
    pub(super) by: BigInt,
    pub(super) quotient: Cell,
}

/// Reads the conditions of a path.
pub(super) struct Reading<'a> {
    pub(super) terms: &'a Terms,
    pub(super) universe: &'a Universe,
    pub(super) symbols: &'a mut Symbols,
    pub(super) heap: Heap,
    pub(super) scopes: Vec<Scope>,
    /// Quotients that have a variable.
    pub(super) multiples: Vec<Multiple>,
    /// How many nodes may still be written.
    pub(super) left: usize,
}

impl Reading<'_> {
    /// Says what an input is in the goal.
    pub(super) fn input(&mut self, var: TermId, cell: Cell) {
        self.scope().places.insert(var, cell);
    }

    pub(super) fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("there is the outermost")
    }

    pub(super) fn open(&mut self) {
        let floor = u32::try_from(self.heap.size()).expect("fewer than 2^32 cells");
        self.scopes.push(Scope { floor, ..Scope::default() });
    }

    pub(super) fn close(&mut self) -> Scope {
        self.scopes.pop().expect("it was opened")
    }

    /// What a cell is in this scope.
    pub(super) fn resolve(&self, mut cell: Cell) -> Cell {
        loop {
            cell = self.heap.deref(cell);
            let Cell::Var(address) = cell else { return cell };
            match self.scopes.iter().rev().find_map(|scope| scope.twins.get(&address)) {
                Some(&twin) => cell = twin,
                None => return cell,
            }
        }
    }

    /// The part of the inputs that a term of the universe is; `None` while its shape is not known.
    pub(super) fn place(&mut self, term: TermId) -> Option<Cell> {
        let (mut chain, mut at) = (Vec::new(), term);
        let mut cell = loop {
            if let Some(&known) = self.scopes.iter().rev().find_map(|scope| scope.places.get(&at)) {
                break known;
            }
            match (self.terms.op(at), self.terms.args(at), self.terms.as_value(at)) {
                (Op::Select(ctor, i), &[inner], _) => {
                    chain.push((at, ctor, i));
                    at = inner;
                }
                (_, _, Some(value @ Value::Data(_))) => break self.universe.build(self.symbols, &mut self.heap, value),
                _ => return None,
            }
        };
        for (part, ctor, i) in chain.into_iter().rev() {
            let (functor, _) = self.universe.functor(ctor)?;
            cell = match self.resolve(cell) {
                Cell::Struct(address) if self.heap.functor(address) == functor => self.heap.arg(address, i),
                _ => return None,
            };
            self.scope().places.insert(part, cell);
        }
        Some(cell)
    }

    /// Whether a variable may be bound here.
    fn is_own(&mut self, address: u32) -> bool {
        address >= self.scope().floor
    }

    fn set(&mut self, address: u32, to: Cell) {
        if self.is_own(address) {
            self.heap.bind(address, to);
        } else {
            self.scope().twins.insert(address, to);
        }
    }

    /// Makes two terms equal here.
    pub(super) fn unify(&mut self, a: Cell, b: Cell) -> Result<(), Stop> {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            match (self.resolve(a), self.resolve(b)) {
                (a, b) if a == b => {}
                // The younger refers to the older.
                (Cell::Var(x), Cell::Var(y)) => self.set(x.max(y), Cell::Var(x.min(y))),
                // Terms are finite.
                (Cell::Var(x), other) | (other, Cell::Var(x)) if self.occurs(x, other) => return Err(Stop::Contradiction),
                (Cell::Var(x), other) | (other, Cell::Var(x)) => self.set(x, other),
                (Cell::Struct(x), Cell::Struct(y)) if self.heap.functor(x) == self.heap.functor(y) => {
                    let arity = self.symbols.arity(self.heap.functor(x));
                    pending.extend((0..arity).map(|i| (self.heap.arg(x, i), self.heap.arg(y, i))));
                }
                _ => return Err(Stop::Contradiction),
            }
        }
        Ok(())
    }

    /// Whether a variable occurs in a term.
    fn occurs(&self, address: u32, cell: Cell) -> bool {
        let (mut work, mut seen) = (vec![cell], FxHashSet::default());
        while let Some(cell) = work.pop() {
            match self.resolve(cell) {
                Cell::Var(other) if other == address => return true,
                Cell::Struct(inner) if seen.insert(inner) => {
                    let arity = self.symbols.arity(self.heap.functor(inner));
                    work.extend((0..arity).map(|i| self.heap.arg(inner, i)));
                }
                _ => {}
            }
        }
        false
    }

    /// Whether two terms are equal: `None` if that depends.
    pub(super) fn equal(&mut self, a: Cell, b: Cell) -> Option<bool> {
        self.open();
        let mark = self.heap.mark();
        let unified = self.unify(a, b);
        let bound = !self.close().twins.is_empty();
        self.heap.unbind(mark);
        match unified {
            Err(_) => Some(false),
            Ok(()) => (!bound).then_some(true),
        }
    }

    /// The constructor of a term, if it is known.
    pub(super) fn constructor(&mut self, cell: Cell) -> Option<CtorId> {
        match self.resolve(cell) {
            Cell::Struct(address) => self.universe.ctor(self.heap.functor(address)),
            Cell::Int(_) | Cell::Big(_) => self.universe.integer_ctor(),
            var @ Cell::Var(_) => {
                if self.scopes.iter().any(|scope| scope.integers.iter().any(|&cell| self.resolve(cell) == var)) {
                    return self.universe.integer_ctor();
                }
                let known = |scope: &Scope| scope.atomic.iter().find(|(cell, _)| self.resolve(*cell) == var).map(|(_, ctor)| *ctor);
                self.scopes.iter().find_map(known)
            }
            Cell::Float(_) => self.universe.kind_ctor(Kind::Float),
            Cell::Str(_) => self.universe.kind_ctor(Kind::String),
            Cell::Atom(Atom::NIL) if self.universe.spelled() => self.universe.kind_ctor(Kind::Nil),
            _ => Some(self.universe.constant_ctor()),
        }
    }

    /// Takes in that a term has a constructor.
    fn shape(&mut self, cell: Cell, ctor: CtorId) -> Result<(), Stop> {
        if let Some(known) = self.constructor(cell) {
            return if known == ctor { Ok(()) } else { Err(Stop::Contradiction) };
        }
        match self.universe.functor(ctor) {
            Some((functor, arity)) => {
                let args: Vec<Cell> = (0..arity).map(|_| self.heap.var()).collect();
                let made = self.heap.compound(functor, &args);
                self.unify(cell, made)
            }
            None if self.universe.kind_ctor(Kind::Nil) == Some(ctor) => self.unify(cell, Cell::Atom(Atom::NIL)),
            None => {
                let integer = Some(ctor) == self.universe.integer_ctor();
                let scope = self.scope();
                if integer {
                    scope.integers.push(cell);
                } else {
                    scope.atomic.push((cell, ctor));
                }
                Ok(())
            }
        }
    }

    /// Takes in all that is said about the shape of the inputs; what is left is for others.
    pub(super) fn absorb(&mut self, literals: Vec<Literal>) -> Result<Vec<Literal>, Stop> {
        let mut pending = self.flat(literals);
        loop {
            let before = pending.len();
            let mut rest = Vec::new();
            for literal in pending {
                if !self.take(literal)? {
                    rest.push(literal);
                }
            }
            if rest.len() == before {
                return Ok(rest);
            }
            pending = rest;
        }
    }

    /// Conjunctions by their parts, in order.
    pub(super) fn flat(&self, mut literals: Vec<Literal>) -> Vec<Literal> {
        let mut flat = Vec::new();
        literals.reverse();
        while let Some((holds, term)) = literals.pop() {
            match (self.terms.op(term), self.terms.args(term)) {
                (Op::Not, &[inner]) => literals.push((!holds, inner)),
                (Op::And, args) if holds => literals.extend(args.iter().rev().map(|&arg| (true, arg))),
                _ => flat.push((holds, term)),
            }
        }
        flat
    }

    /// Takes in one condition; `false` if it is not about the shape, or not yet.
    fn take(&mut self, (holds, term): Literal) -> Result<bool, Stop> {
        match (holds, self.terms.op(term), self.terms.args(term)) {
            (true, Op::IsCtor(ctor), &[of]) => {
                let Some(cell) = self.place(of) else { return Ok(false) };
                self.shape(cell, ctor)?;
            }
            (true, Op::Eq, &[a, b]) => match self.sides(a, b) {
                Some((a, b)) => self.unify(a, b)?,
                None => return Ok(false),
            },
            (false, Op::And, parts) => match self.last_open(parts) {
                Some(last) => return self.take(self.plain((false, last))),
                None => return Ok(false),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The same without negations.
    pub(super) fn plain(&self, (mut holds, mut term): Literal) -> Literal {
        while let (Op::Not, &[inner]) = (self.terms.op(term), self.terms.args(term)) {
            (holds, term) = (!holds, inner);
        }
        (holds, term)
    }

    /// The one part of a conjunction that is not known to hold.
    fn last_open(&mut self, parts: &[TermId]) -> Option<TermId> {
        let mut open = None;
        for &part in parts {
            if self.known((true, part)) != Some(true) && open.replace(part).is_some() {
                return None;
            }
        }
        open
    }

    /// The terms that an equation is about: two parts of the inputs, or one whose number is a constant.
    pub(super) fn sides(&mut self, a: TermId, b: TermId) -> Option<(Cell, Cell)> {
        if let (Some(x), Some(y)) = (self.place(a), self.place(b)) {
            return Some((x, y));
        }
        for (number, of) in [(a, b), (b, a)] {
            if let (Some(value), Op::Select(ctor, _), &[inner]) = (self.terms.as_value(number), self.terms.op(of), self.terms.args(of))
                && self.universe.functor(ctor).is_none()
                && let Some(cell) = self.place(inner)
                && self.constructor(cell) == Some(ctor)
            {
                let value = self.universe.atomic_cell(self.symbols, ctor, value);
                return Some((cell, value));
            }
        }
        None
    }

    /// Whether a condition is known to hold, or not to.
    pub(super) fn known(&mut self, (holds, term): Literal) -> Option<bool> {
        let value = match (self.terms.op(term), self.terms.args(term)) {
            (Op::Not, &[inner]) => return self.known((!holds, inner)),
            (Op::IsCtor(ctor), &[of]) => {
                let cell = self.place(of)?;
                let excluded = |this: &Self| {
                    let here = this.resolve(cell);
                    this.scopes.iter().flat_map(|scope| &scope.excluded).any(|&(other, not)| not == ctor && this.resolve(other) == here)
                };
                match self.constructor(cell) {
                    Some(known) => known == ctor,
                    None if excluded(self) => false,
                    None => return None,
                }
            }
            (Op::Eq, &[a, b]) => {
                let (a, b) = self.sides(a, b)?;
                match (self.constructor(a), self.constructor(b)) {
                    (Some(one), Some(other)) if one != other => false,
                    _ => self.equal(a, b)?,
                }
            }
            _ => return None,
        };
        Some(value == holds)
    }
}
