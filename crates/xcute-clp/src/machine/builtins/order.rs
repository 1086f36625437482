//! The standard order of terms that depend on the input.
//!
//! Which of two terms comes first is one decision, whatever kinds of terms they are: a path for each pair of kinds would say nothing about the program. Only two
//! compounds, and an integer and a float, are looked at further.

use std::cmp::Ordering;

use xcute_term::{Op, TermId, Value};

use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::number::Number;
use crate::machine::universe::Kind;
use crate::syntax::Atom;

// The places of kinds of terms; variables have 0.
pub(super) const NUMBER: usize = 1;
const STRING: usize = 2;
const NIL: usize = 3;
const ATOM: usize = 4;
const COMPOUND: usize = 5;

/// The place of a term in the standard order of kinds.
pub(super) fn rank(cell: Cell) -> usize {
    match cell {
        Cell::Var(_) => 0,
        Cell::Int(_) | Cell::Big(_) | Cell::Float(_) => NUMBER,
        Cell::Str(_) => STRING,
        // The empty list comes before all atoms.
        Cell::Atom(Atom::NIL) => NIL,
        Cell::Atom(_) => ATOM,
        _ => COMPOUND,
    }
}

const WHAT: &str = "the order of an input and a text that was made while the program ran";

impl Machine<'_> {
    /// The order of two terms of which one depends on the input; `Err` with other terms that have the same.
    pub(super) fn order_of_inputs(&mut self, a: Cell, b: Cell) -> Result<Result<Ordering, (Cell, Cell)>, Stop> {
        // Inputs are ground, and variables come before all other terms.
        match (a, b) {
            (Cell::Var(_), _) => return Ok(Ok(Ordering::Less)),
            (_, Cell::Var(_)) => return Ok(Ok(Ordering::Greater)),
            _ => {}
        }
        if let Some(conditions) = self.identical(a, b)
            && self.check(&conditions)
        {
            return Ok(Ok(Ordering::Equal));
        }
        if self.are_both(a, b, COMPOUND) {
            return Ok(Err((self.opened(a), self.opened(b))));
        }
        if self.has_floats(a, b) && self.are_both(a, b, NUMBER) {
            return self.order_of_numbers(a, b);
        }
        if self.is_made(a) || self.is_made(b) {
            return Ok(Err((self.pinned(a, WHAT)?, self.pinned(b, WHAT)?)));
        }
        for cell in [a, b] {
            self.assume_place(cell)?;
        }
        let less = self.less(a, b);
        Ok(Ok(if self.check(&[less]) { Ordering::Less } else { Ordering::Greater }))
    }

    /// Decides whether two terms are of the kinds with this place.
    fn are_both(&mut self, a: Cell, b: Cell, rank: usize) -> bool {
        let both = [self.has_rank(a, rank), self.has_rank(b, rank)];
        self.check(&both)
    }

    /// Whether one of two numbers could be a float.
    fn has_floats(&mut self, a: Cell, b: Cell) -> bool {
        let known = [a, b].into_iter().any(|cell| matches!(self.heap.deref(cell), Cell::Float(_)));
        known || self.universe.kind_ctor(Kind::Float).is_some()
    }

    /// The order of two numbers that are not identical.
    fn order_of_numbers(&mut self, a: Cell, b: Cell) -> Result<Result<Ordering, (Cell, Cell)>, Stop> {
        let (x, y) = (self.opened(a), self.opened(b));
        if !matches!(x, Cell::Sym(_)) && !matches!(y, Cell::Sym(_)) {
            return Ok(Err((x, y)));
        }
        if let (Some(p), Some(q)) = (self.number_of(x)?, self.number_of(y)?) {
            let floats = (p.is_float(), q.is_float());
            if self.compare_now("<", p.clone(), q.clone())? {
                return Ok(Ok(Ordering::Less));
            }
            // Where they are equal, the float comes first.
            if floats.0 != floats.1 && self.compare_now("=:=", p.clone(), q.clone())? {
                return Ok(Ok(if floats.0 { Ordering::Less } else { Ordering::Greater }));
            }
            if floats != (true, true) || !self.compare_now("=:=", p, q)? {
                return Ok(Ok(Ordering::Greater));
            }
        }
        let what = "the order of two floats that are equal";
        Ok(Err((self.pinned(x, what)?, self.pinned(y, what)?)))
    }

    /// The number that a term is; `None` for others.
    fn number_of(&mut self, cell: Cell) -> Result<Option<Number>, Stop> {
        let number = match cell {
            Cell::Sym(e) => self.facts_kind(e),
            Cell::Int(_) | Cell::Big(_) => Some(Kind::Integer),
            Cell::Float(_) => Some(Kind::Float),
            _ => None,
        };
        match number {
            Some(Kind::Integer | Kind::Float) => self.evaluate(cell).map(Some),
            _ => Ok(None),
        }
    }

    /// The kind of an input, if it is known.
    fn facts_kind(&mut self, e: TermId) -> Option<Kind> {
        let known = self.rec.facts.constructor(self.rec.terms, e)?;
        [Kind::Integer, Kind::Float, Kind::String].into_iter().find(|&kind| self.universe.kind_ctor(kind) == Some(known))
    }

    /// Whether a term is a text whose number says nothing about its place in the order.
    fn is_made(&mut self, cell: Cell) -> bool {
        let cell = self.heap.deref(cell);
        let (Cell::Str(_) | Cell::Atom(_)) = cell else { return false };
        if self.universe.spelled() {
            return false;
        }
        let lowest = self.universe.places(matches!(cell, Cell::Str(_))).0;
        // A string, where inputs are never strings, is compared with other kinds only.
        let Some(term) = self.universe.constant(self.rec.terms, self.symbols, cell) else { return false };
        let Some(Value::Data(data)) = self.rec.terms.as_value(term) else { unreachable!("a constant") };
        cell != Cell::Atom(Atom::NIL) && matches!(&data.fields[0], Value::Int(number) if *number < lowest.into())
    }

    /// An input is taken for one whose number says where it comes ([`Machine::note_order`]).
    fn assume_place(&mut self, cell: Cell) -> Result<(), Stop> {
        let Cell::Sym(e) = self.heap.deref(cell) else { return Ok(()) };
        if self.universe.spelled() {
            return Ok(());
        }
        self.ordered = true;
        let mut all = Vec::new();
        for (rank, strings) in [(ATOM, false), (STRING, true)] {
            let has = self.has_rank(cell, rank);
            let Some(number) = self.text_number(e, strings) else { continue };
            let lowest = self.rec.terms.value(Value::Int(self.universe.places(strings).0.into()));
            let (not, placed) = (self.rec.terms.not(has), self.rec.terms.mk(Op::Le, &[lowest, number]));
            all.push(self.rec.terms.mk(Op::Or, &[not, placed]));
        }
        if self.trial.is_none() && !self.rec.assume(self.program.code.assumption(), &all) {
            return Err(Stop::Rejected);
        }
        Ok(())
    }

    /// An input whose order was decided cannot be a text that the program makes, as far as the search knows: that is a limit where they meet.
    pub(crate) fn note_order(&mut self) {
        if self.ordered && self.universe.met_made() {
            self.rec.limit("unsupported", "inputs that are ordered, and the same as a text that was made while the program ran", true);
        }
    }

    /// The condition that one term comes before another that is not identical, where they are not both compounds, nor numbers of different kinds.
    fn less(&mut self, a: Cell, b: Cell) -> TermId {
        let ranks = [a, b].map(|cell| [NUMBER, STRING, NIL, ATOM, COMPOUND].map(|rank| self.has_rank(cell, rank)));
        let mut cases = Vec::new();
        for rank in NUMBER..=COMPOUND {
            let own = ranks[0][rank - 1];
            let later = self.rec.terms.mk(Op::Or, &[&ranks[1][rank..], &[self.rec.terms.bool(false)]].concat());
            cases.push(self.rec.terms.mk(Op::And, &[own, later]));
            if let Some(less) = self.less_of_rank(a, b, rank) {
                cases.push(self.rec.terms.mk(Op::And, &[own, ranks[1][rank - 1], less]));
            }
        }
        self.rec.terms.mk(Op::Or, &cases)
    }

    /// The condition that one of two terms with this place comes first; `None` where there are no such terms.
    fn less_of_rank(&mut self, a: Cell, b: Cell, rank: usize) -> Option<TermId> {
        let [x, y] = [self.position(a, rank), self.position(b, rank)];
        let (x, y) = (x?, y?);
        if rank != NUMBER && self.universe.spelled() {
            return Some(self.rec.terms.mk(Op::StrLt, &[x, y]));
        }
        let plain = self.rec.terms.mk(Op::Lt, &[x, y]);
        let first = if rank == NUMBER { None } else { self.universe.places(rank == STRING).1 };
        let Some(first) = first else { return Some(plain) };
        // The text with the number zero comes in another place.
        let (zero, first) = (self.rec.terms.value(Value::Int(0.into())), self.rec.terms.value(Value::Int(first.into())));
        let [is_x, is_y] = [x, y].map(|number| self.rec.terms.mk(Op::Eq, &[number, zero]));
        let (after, before) = (self.rec.terms.mk(Op::Le, &[first, y]), self.rec.terms.mk(Op::Lt, &[x, first]));
        let rest = self.rec.terms.mk(Op::Ite, &[is_y, before, plain]);
        Some(self.rec.terms.mk(Op::Ite, &[is_x, after, rest]))
    }

    /// What terms with this place are compared by; `None` for a term that never has it.
    fn position(&mut self, cell: Cell, rank: usize) -> Option<TermId> {
        match (self.heap.deref(cell), rank) {
            (Cell::Sym(e), NUMBER) => self.universe.integer_ctor().map(|_| self.integer_of(e)),
            (Cell::Sym(e), STRING | ATOM) => self.text_number(e, rank == STRING),
            (number @ (Cell::Int(_) | Cell::Big(_)), NUMBER) => {
                let value = self.symbols.as_integer(number).expect("an integer");
                Some(self.rec.terms.value(Value::Int(value)))
            }
            (Cell::Str(_), STRING) | (Cell::Atom(_), ATOM) => {
                let constant = self.universe.constant(self.rec.terms, self.symbols, self.heap.deref(cell))?;
                let Some(Value::Data(data)) = self.rec.terms.as_value(constant) else { unreachable!("a constant") };
                // The empty list may have none.
                let number = data.fields.first()?.clone();
                Some(self.rec.terms.value(number))
            }
            _ => None,
        }
    }

    /// The number of the atom or string that an input is; `None` where there are no strings.
    fn text_number(&mut self, e: TermId, string: bool) -> Option<TermId> {
        let ctor = if string { self.universe.kind_ctor(Kind::String)? } else { self.universe.constant_ctor() };
        Some(self.rec.terms.mk(Op::Select(ctor, 0), &[e]))
    }

    /// The condition that a term is of the kinds with this place.
    fn has_rank(&mut self, cell: Cell, of: usize) -> TermId {
        let e = match self.heap.deref(cell) {
            Cell::Sym(e) => e,
            known => return self.rec.terms.bool(rank(known) == of),
        };
        let condition = match of {
            NUMBER => {
                let kinds = [Kind::Integer, Kind::Float].map(|kind| self.kind_test(e, kind));
                self.rec.terms.mk(Op::Or, &kinds)
            }
            STRING => self.kind_test(e, Kind::String),
            NIL if !self.universe.spelled() && !self.universe.constants().contains(&Cell::Atom(Atom::NIL)) => self.rec.terms.bool(false),
            NIL => {
                let nil = self.universe.constant(self.rec.terms, self.symbols, Cell::Atom(Atom::NIL)).expect("an atom");
                self.rec.terms.mk(Op::Eq, &[e, nil])
            }
            ATOM => self.atom_test(e),
            _ => {
                let atomic = self.atomic_test(e);
                self.rec.terms.not(atomic)
            }
        };
        match self.rec.facts.holds(self.rec.terms, condition) {
            Some(known) => self.rec.terms.bool(known),
            None => condition,
        }
    }
}
