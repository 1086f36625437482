//! Looking into terms that depend on the input: every look is a decision, or fixes the value and is counted.

use num_bigint::BigInt;
use xcute_term::{CtorId, DataSortId, Op, TermId, Value};
use xcute_trace::{DecisionKind, SiteId};

use super::Machine;
use super::cell::{Cell, FunctorId};
use super::error::{Step, Stop};
use super::goals::Call;
use crate::syntax::Atom;

/// A builtin predicate that walks through a list takes a step more for each of this many elements, and an occurs check for each of this many compounds: what sorts a
/// list that grows for ever has to end, too.
pub(super) const WALKED: u64 = 32;

/// What is fixed where a program looks into a text.
pub(crate) const OF_A_TEXT: &str = "the text of an input";

/// The same where an option would have followed it.
const NOT_FOLLOWED: &str = "the text of an input (--texts follows texts)";

/// A term as a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListView {
    Nil,
    Cons(Cell, Cell),
    Open(u32),
    Other(Cell),
}

impl Machine<'_> {
    /// The site of a test in the body of a clause; of its checks, if the goal was made while the program ran.
    pub(crate) fn test_site(&self, call: Call) -> SiteId {
        let (Some(clause), Cell::Struct(address)) = (self.clause_at(call.place), call.goal) else { return self.sites_here().check };
        let offset = address.wrapping_sub(call.place.base);
        clause.tests.get(&offset).copied().unwrap_or(clause.sites.check)
    }

    /// Decides a conjunction that a builtin predicate depends on.
    pub(crate) fn check(&mut self, conjuncts: &[TermId]) -> bool {
        if let Some(trial) = self.trial.as_mut().filter(|trial| !trial.deciding) {
            let condition = self.rec.facts.simplify(self.rec.terms, conjuncts);
            return self.rec.facts.holds(self.rec.terms, condition).unwrap_or_else(|| {
                trial.undecided = true;
                true
            });
        }
        let site = self.sites_here().check;
        let holds = self.rec.decide(site, conjuncts);
        self.assume_later();
        holds
    }

    /// Unifies two terms now; the bindings are undone if it fails.
    pub(crate) fn unify_now(&mut self, a: Cell, b: Cell) -> Step {
        let site = self.sites_here().check;
        self.unify_at(site, a, b)
    }

    /// The same with its own site.
    pub(crate) fn unify_at(&mut self, site: SiteId, a: Cell, b: Cell) -> Step {
        let mark = self.heap.mark();
        let holds = match self.unify(a, b) {
            Some(conditions) => self.rec.decide(site, &conditions),
            None => false,
        };
        if !holds {
            self.heap.unbind(mark);
            return Ok(false);
        }
        self.wake()
    }

    /// The condition that a term has a functor; `None` if it never does.
    pub(crate) fn has_functor(&mut self, e: TermId, functor: FunctorId) -> Option<TermId> {
        let ctor = self.universe.ctor(functor)?;
        Some(self.rec.terms.mk(Op::IsCtor(ctor), &[e]))
    }

    /// The condition that a term is an integer; `None` if it never is.
    pub(crate) fn is_integer(&mut self, e: TermId) -> Option<TermId> {
        let ctor = self.universe.integer_ctor()?;
        Some(self.rec.terms.mk(Op::IsCtor(ctor), &[e]))
    }

    /// The number of an integer term.
    pub(crate) fn integer_of(&mut self, e: TermId) -> TermId {
        let ctor = self.universe.integer_ctor().expect("only asked of integers");
        self.rec.terms.mk(Op::Select(ctor, 0), &[e])
    }

    /// An expression over the integers as a cell.
    pub(crate) fn integer_cell(&mut self, number: TermId) -> Cell {
        if let Some(Value::Int(value)) = self.rec.terms.as_value(number) {
            let value: BigInt = value.clone();
            return self.symbols.integer(value);
        }
        let ctor = self.universe.integer_ctor().expect("expressions come from integers");
        Cell::Sym(self.rec.terms.mk(Op::Construct(ctor), &[number]))
    }

    /// Decides which constructor a term has: one decision with an arm for each.
    pub(crate) fn shape(&mut self, e: TermId) -> CtorId {
        if let Some(ctor) = self.rec.facts.constructor(self.rec.terms, e) {
            return ctor;
        }
        let Value::Data(data) = self.rec.value(e) else { unreachable!("a term of the universe") };
        let ctor = data.ctor;
        let count = self.universe.constructors();
        let site = self.sites_here().shape;
        let test = move |index| Op::IsCtor(CtorId { sort: DataSortId(0), index });
        let is = self.rec.terms.mk(test(ctor.index), &[e]);
        if self.rec.facts.holds(self.rec.terms, is).is_none() {
            let facts: Vec<Option<bool>> = (0..count)
                .map(|index| {
                    let is = self.rec.terms.mk(test(index), &[e]);
                    self.rec.facts.holds(self.rec.terms, is)
                })
                .collect();
            self.rec.record(site, DecisionKind::Branch, ctor.index, |terms| {
                let arm = |(index, fact): (u32, Option<bool>)| match fact {
                    Some(known) => terms.bool(known),
                    None => terms.mk(test(index), &[e]),
                };
                (0..count).zip(facts).map(arm).collect()
            });
        }
        self.rec.facts.learn(self.rec.terms, is, true);
        ctor
    }

    /// A term with its outermost symbol known: a compound is on the heap, of constants and integers only the kind is known.
    pub(crate) fn opened(&mut self, cell: Cell) -> Cell {
        match self.heap.deref(cell) {
            Cell::Sym(e) => {
                self.look_at_kind(e);
                let ctor = self.shape(e);
                match self.universe.functor(ctor) {
                    Some((functor, _)) => self.expand(e, functor),
                    None => self.constant_if_known(e),
                }
            }
            other => other,
        }
    }

    /// A constant or integer as itself if the decisions so far determine it.
    fn constant_if_known(&mut self, e: TermId) -> Cell {
        let Some(constant) = self.rec.facts.constant(self.rec.terms, e) else { return Cell::Sym(e) };
        let Some(value) = self.rec.terms.as_value(constant).cloned() else { return Cell::Sym(e) };
        self.universe.build(self.symbols, &mut self.heap, &value)
    }

    /// A term that is known to have a functor as a compound on the heap.
    pub(crate) fn expand(&mut self, e: TermId, functor: FunctorId) -> Cell {
        let ctor = self.universe.ctor(functor).expect("a functor of the universe");
        let parts: Vec<Cell> = (0..self.symbols.arity(functor)).map(|i| Cell::Sym(self.rec.terms.mk(Op::Select(ctor, i), &[e]))).collect();
        self.heap.compound(functor, &parts)
    }

    /// A term as a list: only whether it is a list cell or the empty list is decided.
    pub(crate) fn list_view(&mut self, cell: Cell) -> ListView {
        let dot = self.symbols.functor(Atom::DOT, 2);
        match self.heap.deref(cell) {
            Cell::Atom(Atom::NIL) => ListView::Nil,
            Cell::Struct(address) if self.heap.functor(address) == dot => {
                ListView::Cons(self.heap.arg(address, 0), self.heap.arg(address, 1))
            }
            Cell::Var(address) => ListView::Open(address),
            Cell::Sym(e) => {
                if let Some(is) = self.has_functor(e, dot)
                    && self.check(&[is])
                {
                    let Cell::Struct(address) = self.expand(e, dot) else { unreachable!("just made") };
                    return ListView::Cons(self.heap.at(address + 1), self.heap.at(address + 2));
                }
                let nil = self.universe.constant(self.rec.terms, self.symbols, Cell::Atom(Atom::NIL)).expect("an atom");
                let is = self.rec.terms.mk(Op::Eq, &[e, nil]);
                if self.check(&[is]) { ListView::Nil } else { ListView::Other(Cell::Sym(e)) }
            }
            other => ListView::Other(other),
        }
    }

    /// An input is taken apart: unless the number of its arguments is given, inputs could be of more functors than are tried.
    pub(crate) fn any_functor(&mut self, term: Cell, given: bool, what: &str) {
        if let Cell::Sym(e) = self.heap.deref(term)
            && !given
            && self.rec.facts.constructor(self.rec.terms, e).is_none()
        {
            self.rec.limit("universe", &format!("inputs with other functors than those of the program, taken apart by {what}"), true);
        }
    }

    /// Whether a term is a list whose end is known.
    pub(crate) fn is_proper(&self, mut cell: Cell) -> bool {
        loop {
            match self.heap.deref(cell) {
                Cell::Struct(address) if self.symbols.arity(self.heap.functor(address)) == 2 => cell = self.heap.arg(address, 1),
                end => return end == Cell::Atom(Atom::NIL),
            }
        }
    }

    /// The elements of a proper list; `Err` with what it ends in otherwise.
    pub(crate) fn elements(&mut self, list: Cell) -> Result<Vec<Cell>, ListView> {
        let (mut items, mut at) = (Vec::new(), list);
        loop {
            match self.list_view(at) {
                ListView::Nil => {
                    self.steps += items.len() as u64 / WALKED;
                    return Ok(items);
                }
                ListView::Cons(head, tail) => {
                    items.push(head);
                    at = tail;
                }
                other => return Err(other),
            }
        }
    }

    /// A list of cells with a tail.
    pub(crate) fn list(&mut self, items: &[Cell], tail: Cell) -> Cell {
        let dot = self.symbols.functor(Atom::DOT, 2);
        items.iter().rev().fold(tail, |rest, &item| self.heap.compound(dot, &[item, rest]))
    }

    /// A term in which everything that depends on the input is fixed to its value. `what` says what needs it.
    pub(crate) fn pinned(&mut self, cell: Cell, what: &str) -> Result<Cell, Stop> {
        let site = self.sites_here().pin;
        let what = if what == OF_A_TEXT && !self.universe.follows_texts() { NOT_FOLLOWED } else { what };
        let mut copy = self.freeze(cell)?;
        if !copy.cells.iter().any(|cell| matches!(cell, Cell::Sym(_))) {
            return Ok(self.heap.deref(cell));
        }
        let mut places = Vec::new();
        for at in 0..copy.cells.len() {
            if let Cell::Sym(e) = copy.cells[at] {
                let value = self.rec.pin(site, e, what);
                places.push((at, self.universe.build(self.symbols, &mut self.heap, &value)));
            }
        }
        // The copy has its own variables; those of the term itself are put back by unifying both.
        for (at, _) in &places {
            copy.cells[*at] = Cell::Var(u32::try_from(*at).expect("small"));
        }
        let base = self.heap.instantiate(&copy.cells);
        for (at, value) in places {
            self.heap.replace(base + u32::try_from(at).expect("small"), value);
        }
        let fixed = self.heap.deref(self.heap.at(base));
        let unified = self.unify(fixed, cell);
        debug_assert!(unified.is_some(), "a term unifies with itself");
        Ok(fixed)
    }

    /// A term with the values of this run, for people: nothing is decided.
    pub(crate) fn valued(&mut self, cell: Cell) -> Cell {
        self.valued_within(cell, self.bounds.cells).unwrap_or(cell)
    }

    /// The same for a term of at most this many cells.
    pub(crate) fn valued_within(&mut self, cell: Cell, cells: usize) -> Option<Cell> {
        let symbols = &self.symbols;
        let mut copy = self.heap.freeze(cell, |functor| symbols.arity(functor), cells)?;
        for at in 0..copy.cells.len() {
            if let Cell::Sym(e) = copy.cells[at] {
                let value = self.rec.value(e);
                let mut own = super::heap::Heap::default();
                let built = self.universe.build(self.symbols, &mut own, &value);
                let symbols = &self.symbols;
                let part = own.freeze(built, |functor| symbols.arity(functor), self.bounds.cells).expect("inputs are small");
                let base = u32::try_from(copy.cells.len()).expect("small");
                let moved: Vec<Cell> = part.cells.iter().map(|&cell| super::choice::relocated(cell, base)).collect();
                copy.cells[at] = moved[0];
                copy.cells.extend(moved);
            }
        }
        Some(self.heap.thaw(&copy))
    }
}
