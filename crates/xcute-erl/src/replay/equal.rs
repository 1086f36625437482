//! Identity of values (`=:=`) as a condition over the input.
//!
//! Both values are walked side by side; each part that depends on the input gives a condition of its own, so that types of parts and decisions about them
//! count. Only two whole parts of the input are compared as they are.

use xcute_term::{FloatFormat, Op, TermId, Value};

use super::maps::Found;
use super::monotone::Test;
use super::value::{FunVal, Val};
use super::{Machine, Res, Stop};
use crate::universe::{ABSENT, CONS, ENTRY, FLOAT, FUN, INTEGER, MAP, MORE, NIL, NO_ENTRY, NO_MORE, PRESENT, TUPLE, is, select};

/// More parts than this are not compared.
const LARGEST: usize = 1 << 14;

impl Machine<'_> {
    /// The conditions under which two values are the same; `None` if they never are.
    pub(crate) fn same(&mut self, a: Val, b: Val) -> Res<Option<Vec<TermId>>> {
        if !self.heap.is_symbolic(a) && !self.heap.is_symbolic(b) {
            return Ok(self.identical(a, b).then(Vec::new));
        }
        let mut conditions = Vec::new();
        let mut pending = vec![(a, b)];
        let mut walked = 0;
        while let Some((a, b)) = pending.pop() {
            walked += 1;
            if walked > LARGEST {
                return Err(Stop::Lost("two large terms are compared".to_owned()));
            }
            let (a, b) = (self.known(a), self.known(b));
            if !self.heap.is_symbolic(a) && !self.heap.is_symbolic(b) {
                if !self.identical(a, b) {
                    return Ok(None);
                }
                continue;
            }
            let same = match (a, b) {
                (Val::Cons(x), Val::Cons(y)) => {
                    let ((head, tail), (other, rest)) = (self.heap.cell(x), self.heap.cell(y));
                    pending.push((tail, rest));
                    pending.push((head, other));
                    true
                }
                (Val::Tuple(x), Val::Tuple(y)) => {
                    let pairs: Vec<(Val, Val)> = self.heap.elements(x).iter().copied().zip(self.heap.elements(y).iter().copied()).collect();
                    let same = self.heap.elements(x).len() == self.heap.elements(y).len();
                    pending.extend(pairs.into_iter().rev());
                    same
                }
                (Val::Map(x), Val::Map(y)) => self.same_pairs(x, y, &mut pending)?,
                (Val::Fun(x), Val::Fun(y)) => match (self.heap.function(x), self.heap.function(y)) {
                    (FunVal::Closure(f, start, length), FunVal::Closure(g, other, _)) if f == g => {
                        let (a, b) = (self.heap.captured(start, length).to_vec(), self.heap.captured(other, length).to_vec());
                        // A function of a letrec captures itself.
                        pending.extend(a.into_iter().zip(b).filter(|&(a, b)| (a, b) != (Val::Fun(x), Val::Fun(y))));
                        true
                    }
                    (a, b) => a == b,
                },
                (Val::Bits(_) | Val::Fields(_), Val::Bits(_) | Val::Fields(_)) => {
                    let ctx = self.deciding();
                    let (x, y) = (self.fields(&ctx, a)?, self.fields(&ctx, b)?);
                    match self.same_fields(&x, &y) {
                        Some(same) => {
                            conditions.extend(same);
                            true
                        }
                        None => false,
                    }
                }
                (Val::Sym(x), Val::Sym(y)) if x == y => true,
                (Val::Sym(x), Val::Sym(y)) => {
                    self.compares_functions(x, y);
                    self.domain.look_inside(&mut self.rec, x);
                    self.domain.look_inside(&mut self.rec, y);
                    conditions.push(self.mk(Op::Eq, &[x, y]));
                    true
                }
                (Val::Sym(term), other) | (other, Val::Sym(term)) => self.part(term, other, &mut conditions, &mut pending)?,
                (Val::Cond(x), Val::Cond(y)) => {
                    conditions.push(self.mk(Op::Eq, &[x, y]));
                    true
                }
                (Val::Cond(x), Val::Atom(atom)) | (Val::Atom(atom), Val::Cond(x)) => match self.as_bool(atom) {
                    Some(true) => {
                        conditions.push(x);
                        true
                    }
                    Some(false) => {
                        conditions.push(self.not(x));
                        true
                    }
                    None => false,
                },
                _ => match (self.integer_term(a), self.integer_term(b)) {
                    (Some(x), Some(y)) => {
                        conditions.push(self.mk(Op::Eq, &[x, y]));
                        true
                    }
                    _ => match (self.float_term(a), self.float_term(b)) {
                        (Some(x), Some(y)) => {
                            conditions.push(self.floats_equal(x, y));
                            true
                        }
                        _ => false,
                    },
                },
            };
            if !same || conditions.last().is_some_and(|&last| self.rec.terms.as_u64(last) == Some(0)) {
                return Ok(None);
            }
        }
        Ok(Some(conditions))
    }

    /// Identity of values that do not depend on the input. Both zeros are the same where Erlang says so.
    pub(crate) fn identical(&self, a: Val, b: Val) -> bool {
        self.heap.identical(a, b) && (self.one_zero || !matches!((a, b), (Val::Float(x), Val::Float(y)) if x.to_bits() != y.to_bits()))
    }

    /// The conditions under which a part of the input is a value whose kind is known; parts of both are compared later.
    fn part(&mut self, term: TermId, other: Val, conditions: &mut Vec<TermId>, pending: &mut Vec<(Val, Val)>) -> Res<bool> {
        match other {
            Val::Nil => conditions.push(is(self.rec.terms, NIL, term)),
            Val::Atom(atom) => {
                let same = self.is_atom(term, atom);
                conditions.push(same);
            }
            Val::Cons(cell) => {
                conditions.push(is(self.rec.terms, CONS, term));
                let (head, tail) = self.heap.cell(cell);
                pending.push((Val::Sym(select(self.rec.terms, CONS, 1, term)), tail));
                pending.push((Val::Sym(select(self.rec.terms, CONS, 0, term)), head));
            }
            Val::Tuple(tuple) => {
                let items = self.heap.elements(tuple).to_vec();
                let parts = self.tuple_parts(term, items.len(), conditions);
                pending.extend(parts.into_iter().zip(items).rev());
            }
            Val::Cond(_) => {
                let Some(other) = self.term(other) else { return Ok(false) };
                conditions.push(self.mk(Op::Eq, &[term, other]));
            }
            Val::Int(_) | Val::Big(_) | Val::SymInt(_) => {
                conditions.push(is(self.rec.terms, INTEGER, term));
                let number = select(self.rec.terms, INTEGER, 0, term);
                let other = self.integer_term(other).expect("an integer");
                conditions.push(self.mk(Op::Eq, &[number, other]));
            }
            Val::Float(value) => {
                conditions.push(is(self.rec.terms, FLOAT, term));
                let bits = self.domain.look_at_constant(&mut self.rec, FLOAT, term);
                let value = if self.one_zero && value == 0.0 { 0 } else { value.to_bits() };
                let value = self.rec.terms.bv(64, value);
                conditions.push(self.mk(Op::Eq, &[bits, value]));
            }
            Val::SymFloat(float) => {
                conditions.push(is(self.rec.terms, FLOAT, term));
                let bits = self.domain.look_at_constant(&mut self.rec, FLOAT, term);
                let own = self.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]);
                conditions.push(self.floats_equal(own, float));
            }
            Val::Map(map) => {
                conditions.push(is(self.rec.terms, MAP, term));
                return self.same_map(term, map, conditions, pending);
            }
            Val::Bits(_) | Val::Fields(_) => {
                let ctx = self.deciding();
                let fields = self.fields(&ctx, other)?;
                self.is_bits(term, &fields, conditions);
            }
            Val::Fun(_) | Val::Other(_) => {
                let Some((kind, place)) = self.place(other) else { return Ok(self.not_of_universe(other)) };
                conditions.push(is(self.rec.terms, kind, term));
                let number = self.domain.look_at_constant(&mut self.rec, kind, term);
                let place = self.rec.terms.value(Value::Int(place.into()));
                conditions.push(self.mk(Op::Eq, &[number, place]));
            }
            Val::Stack(_) | Val::Raw(_) | Val::Sym(_) => return Ok(false),
        }
        Ok(true)
    }

    /// Functions of the input that are called have the rows of their own calls only: that two of them are the same one is not tried.
    fn compares_functions(&mut self, x: TermId, y: TermId) {
        if [x, y].into_iter().any(|term| self.rec.facts.constructor(self.rec.terms, term) == Some(FUN)) {
            self.rec.limit("unsupported", "functions of the input are compared", true);
        }
    }

    /// Takes note that an input cannot be made that equals a value from outside.
    fn not_of_universe(&mut self, value: Val) -> bool {
        let what = match value {
            Val::Fun(fun) => match self.heap.function(fun) {
                FunVal::Closure(..) => return false,
                FunVal::External(..) => "inputs that equal a function of a module",
            },
            _ => "inputs that equal a pid, port or reference of the run",
        };
        self.rec.limit("unsupported", what, true);
        false
    }

    /// Whether two maps that the program made have the same keys, which is decided where they depend on the input; values are compared later.
    fn same_pairs(&mut self, x: u32, y: u32, pending: &mut Vec<(Val, Val)>) -> Res<bool> {
        if self.heap.pairs(x).len() != self.heap.pairs(y).len() {
            return Ok(false);
        }
        let ctx = self.deciding();
        let pairs: Vec<[Val; 2]> = self.heap.pairs(x).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        for [key, value] in pairs {
            match self.find(&ctx, Val::Map(y), key)? {
                Found::Yes(other) => pending.push((value, other)),
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The conditions under which a map of the input has the keys of one that the program made, and no others; values are compared later.
    fn same_map(&mut self, term: TermId, map: u32, conditions: &mut Vec<TermId>, pending: &mut Vec<(Val, Val)>) -> Res<bool> {
        let pairs: Vec<[Val; 2]> = self.heap.pairs(map).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let mut places = Vec::new();
        for [key, value] in pairs {
            match self.key_place(key) {
                Some(place) => places.push((place, value)),
                None if self.heap.is_symbolic(key) => {
                    // Which keys there are is decided first.
                    let ctx = self.deciding();
                    let test = is(self.rec.terms, MAP, term);
                    let not = self.not(test);
                    if self.choose(&ctx, &[not, test])? == 0 {
                        return Ok(false);
                    }
                    let own = self.all_pairs(&ctx, Val::Sym(term))?;
                    let Val::Map(own) = self.map_of(&own) else { unreachable!("a map is made") };
                    return self.same_pairs(map, own, pending);
                }
                None => {
                    let entries = select(self.rec.terms, MAP, self.program.universe.rest(), term);
                    if self.domain.leaves_out_keys(self.rec.terms, entries) {
                        self.rec.limit(
                            "unsupported",
                            "inputs that equal a map with keys that are neither atoms nor integers nor named",
                            true,
                        );
                    }
                    return Ok(false);
                }
            }
        }
        for (number, slot) in (0..).zip(0..self.keys.len()) {
            let field = select(self.rec.terms, MAP, number, term);
            match places.iter().find(|(place, _)| *place == Ok(slot)) {
                Some((_, value)) => {
                    conditions.push(is(self.rec.terms, PRESENT, field));
                    pending.push((Val::Sym(select(self.rec.terms, PRESENT, 0, field)), *value));
                }
                None => conditions.push(is(self.rec.terms, ABSENT, field)),
            }
        }
        // Keys on the heap are in the order of atoms as they were met, not in Erlang's.
        let mut others: Vec<(TermId, Val)> = places.into_iter().filter_map(|(place, value)| Some((place.err()?, value))).collect();
        let order =
            |key: &TermId| self.rec.terms.as_value(*key).and_then(crate::universe::map::order).map(|(atom, number)| (atom, number.clone()));
        others.sort_by_cached_key(|(key, _)| order(key));
        let mut rest = select(self.rec.terms, MAP, self.program.universe.rest(), term);
        for (key, value) in others {
            conditions.push(is(self.rec.terms, ENTRY, rest));
            let own = select(self.rec.terms, ENTRY, 0, rest);
            conditions.push(self.mk(Op::Eq, &[own, key]));
            pending.push((Val::Sym(select(self.rec.terms, ENTRY, 1, rest)), value));
            rest = select(self.rec.terms, ENTRY, 2, rest);
        }
        conditions.push(is(self.rec.terms, NO_ENTRY, rest));
        Ok(true)
    }

    /// The elements of a part of the input that is a tuple of this size, under conditions that say so.
    pub(crate) fn tuple_parts(&mut self, term: TermId, size: usize, conditions: &mut Vec<TermId>) -> Vec<Val> {
        conditions.push(is(self.rec.terms, TUPLE, term));
        let mut rest = select(self.rec.terms, TUPLE, 0, term);
        let mut parts = Vec::with_capacity(size);
        for _ in 0..size {
            conditions.push(is(self.rec.terms, MORE, rest));
            parts.push(Val::Sym(select(self.rec.terms, MORE, 0, rest)));
            rest = select(self.rec.terms, MORE, 1, rest);
        }
        conditions.push(is(self.rec.terms, NO_MORE, rest));
        parts
    }

    /// The truth value that an atom is.
    pub(crate) fn as_bool(&self, atom: crate::etf::Atom) -> Option<bool> {
        match atom {
            crate::etf::Atom::TRUE => Some(true),
            crate::etf::Atom::FALSE => Some(false),
            _ => None,
        }
    }

    /// Identity of floats: by value where both zeros are the same, else by bits.
    fn floats_equal(&mut self, a: TermId, b: TermId) -> TermId {
        if self.one_zero
            && let Some(equal) = self.tested_chain(Test::Equal, a, b)
        {
            return equal;
        }
        let op = if self.one_zero { Op::FpEq } else { Op::Eq };
        self.mk(op, &[a, b])
    }
}
