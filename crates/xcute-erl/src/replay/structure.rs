//! Lists and tuples that depend on the input: their length, elements, and conversions.

use xcute_term::{Op, TermId};

use super::look::Kind;
use super::value::Val;
use super::{Ctx, Machine, Res, Stop};
use crate::etf::Atom;
use crate::universe::{CONS, MORE, NO_MORE, TUPLE, is, select};

/// Elements of a tuple among which an index that depends on the input chooses.
const CHOICES: usize = 32;

impl Machine<'_> {
    /// The head or the tail of a list.
    pub(super) fn cell_part(&mut self, ctx: &mut Ctx, list: Val, field: u32) -> Res<Val> {
        let cell = self.is_kind(list, Kind::Cons);
        self.require(ctx, cell, Val::Atom(Atom::BADARG))?;
        Ok(match self.known(list) {
            Val::Cons(cell) => {
                let (head, tail) = self.heap.cell(cell);
                if field == 0 { head } else { tail }
            }
            Val::Sym(term) => Val::Sym(select(self.rec.terms, CONS, field, term)),
            _ => Val::Nil,
        })
    }

    /// The elements of a proper list, or an error.
    pub(super) fn list_items(&mut self, ctx: &mut Ctx, list: Val) -> Res<Vec<Val>> {
        let (mut items, mut at) = (Vec::new(), list);
        loop {
            self.spend()?;
            match self.known(at) {
                Val::Nil => return Ok(items),
                Val::Cons(cell) => {
                    let (head, tail) = self.heap.cell(cell);
                    items.push(head);
                    at = tail;
                }
                Val::Sym(_) => {
                    let list = self.is_kind(at, Kind::List);
                    self.require_decided(ctx, list, Atom::BADARG)?;
                    let ways = [self.is_kind(at, Kind::Nil), self.is_kind(at, Kind::Cons)];
                    self.choose(ctx, &ways)?;
                }
                _ => return self.fail(ctx, Val::Atom(Atom::BADARG), items),
            }
        }
    }

    /// As [`Machine::require`], but in a pure guard it cannot be left open.
    fn require_decided(&mut self, ctx: &mut Ctx, condition: TermId, reason: Atom) -> Res<()> {
        if matches!(ctx.mode, super::Mode::Pure) && self.rec.facts.holds(self.rec.terms, condition).is_none() {
            return Err(Stop::Split);
        }
        self.require(ctx, condition, Val::Atom(reason))
    }

    /// The elements of a tuple, or an error; how many there are is decided.
    pub(super) fn elements(&mut self, ctx: &mut Ctx, tuple: Val) -> Res<Vec<Val>> {
        let test = self.is_kind(tuple, Kind::Tuple);
        self.require_decided(ctx, test, Atom::BADARG)?;
        let term = match self.known(tuple) {
            Val::Tuple(tuple) => return Ok(self.heap.elements(tuple).to_vec()),
            Val::Sym(term) => term,
            _ => return Ok(Vec::new()),
        };
        let mut rest = select(self.rec.terms, TUPLE, 0, term);
        let mut items = Vec::new();
        loop {
            self.spend()?;
            let ways = [is(self.rec.terms, NO_MORE, rest), is(self.rec.terms, MORE, rest)];
            if self.choose(ctx, &ways)? == 0 {
                return Ok(items);
            }
            items.push(Val::Sym(select(self.rec.terms, MORE, 0, rest)));
            rest = select(self.rec.terms, MORE, 1, rest);
        }
    }

    /// `element(N, Tuple)`.
    pub(super) fn element(&mut self, ctx: &mut Ctx, n: Val, tuple: Val) -> Res<Val> {
        let n = self.integer(ctx, n, Atom::BADARG)?;
        let test = self.is_kind(tuple, Kind::Tuple);
        self.require(ctx, test, Val::Atom(Atom::BADARG))?;
        match (n, self.known(tuple)) {
            (Val::SymInt(index), Val::Tuple(tuple)) => {
                let items = self.heap.elements(tuple).to_vec();
                self.chosen(ctx, index, &items)
            }
            (n, Val::Tuple(tuple)) => {
                let items = self.heap.elements(tuple);
                let at = self.small(n).and_then(|n| usize::try_from(n - 1).ok()).filter(|&at| at < items.len());
                match at {
                    Some(at) => Ok(items[at]),
                    None => self.fail(ctx, Val::Atom(Atom::BADARG), Val::Nil),
                }
            }
            (Val::SymInt(index), Val::Sym(_)) => {
                let items = self.elements(ctx, tuple)?;
                self.chosen(ctx, index, &items)
            }
            (n, Val::Sym(term)) => {
                let Some(before) = self.small(n).and_then(|n| usize::try_from(n - 1).ok()).filter(|&n| n < 1 << 20) else {
                    return self.fail(ctx, Val::Atom(Atom::BADARG), Val::Nil);
                };
                let mut rest = select(self.rec.terms, TUPLE, 0, term);
                for _ in 0..before {
                    rest = select(self.rec.terms, MORE, 1, rest);
                }
                let there = is(self.rec.terms, MORE, rest);
                self.require(ctx, there, Val::Atom(Atom::BADARG))?;
                Ok(Val::Sym(select(self.rec.terms, MORE, 0, rest)))
            }
            _ => Ok(Val::Nil),
        }
    }

    /// The element at an index that depends on the input.
    fn chosen(&mut self, ctx: &mut Ctx, index: TermId, items: &[Val]) -> Res<Val> {
        let inside = self.within(index, 1, items.len());
        self.require(ctx, inside, Val::Atom(Atom::BADARG))?;
        let terms: Option<Vec<TermId>> =
            if items.is_empty() || items.len() > CHOICES { None } else { items.iter().map(|&item| self.term(item)).collect() };
        let Some(terms) = terms else {
            // Among many elements, or functions: one value of the index after the other.
            if matches!(ctx.mode, super::Mode::Pure) {
                return Err(Stop::Split);
            }
            let n = self.each(ctx, index, (1, i64::try_from(items.len()).expect("a small tuple").max(1)))?;
            return Ok(self.small(n).and_then(|n| items.get(usize::try_from(n - 1).ok()?).copied()).unwrap_or(Val::Nil));
        };
        let mut chosen = *terms.last().expect("not empty");
        for (n, &term) in terms.iter().enumerate().rev().skip(1) {
            let here = self.number_term(n + 1);
            let here = self.mk(Op::Eq, &[index, here]);
            chosen = self.mk(Op::Ite, &[here, term, chosen]);
        }
        Ok(Val::Sym(chosen))
    }

    /// `setelement(N, Tuple, Value)`.
    pub(super) fn set_element(&mut self, ctx: &mut Ctx, n: Val, tuple: Val, value: Val) -> Res<Val> {
        let n = self.integer(ctx, n, Atom::BADARG)?;
        let mut items = self.elements(ctx, tuple)?;
        let n = match n {
            Val::SymInt(index) => {
                let inside = self.within(index, 1, items.len());
                self.require(ctx, inside, Val::Atom(Atom::BADARG))?;
                self.each(ctx, index, (1, i64::try_from(items.len()).expect("a small tuple").max(1)))?
            }
            other => other,
        };
        match self.small(n).and_then(|n| usize::try_from(n - 1).ok()).filter(|&at| at < items.len()) {
            Some(at) => {
                items[at] = value;
                Ok(self.heap.tuple(&items))
            }
            None => self.fail(ctx, Val::Atom(Atom::BADARG), Val::Nil),
        }
    }
}
