//! Patterns: built to values, and matched with values that may depend on the input.
//!
//! Matching gives the conditions under which a pattern matches, and binds its variables to parts of the value. The variables of each clause are its
//! own, so those of a clause that is not chosen do no harm.

use xcute_term::TermId;

use super::look::Kind;
use super::maps::Found;
use super::value::Val;
use super::{Ctx, Machine, Res};
use crate::flat::{Pat, PatId};
use crate::universe::{CONS, select};

impl Machine<'_> {
    /// The value of a pattern of variables that are bound.
    pub(crate) fn build(&mut self, pattern: PatId) -> Val {
        let code = &self.program.code;
        match code.pat(pattern) {
            Pat::Var(slot) => self.slot(*slot),
            Pat::Lit(literal) => self.literals[literal.0 as usize],
            Pat::Function(fun) => self.heap.closure(*fun, &[]),
            Pat::Cons(..) => {
                // A list is built from its end.
                let (mut heads, mut at) = (Vec::new(), pattern);
                while let Pat::Cons(head, tail) = code.pat(at) {
                    heads.push(*head);
                    at = *tail;
                }
                let mut list = self.build(at);
                for head in heads.into_iter().rev() {
                    let head = self.build(head);
                    list = self.heap.cons(head, list);
                }
                list
            }
            Pat::Tuple(items) => {
                let items: Vec<Val> = items.iter().map(|item| self.build(*item)).collect();
                self.heap.tuple(&items)
            }
            Pat::Alias(..) | Pat::Map(_) | Pat::Bits(_) => unreachable!("these are only matched"),
        }
    }

    /// The conditions under which patterns match values; `None` if they never do.
    pub(crate) fn matches(&mut self, patterns: &[PatId], values: &[Val]) -> Res<Option<Vec<TermId>>> {
        let code = &self.program.code;
        let mut conditions = Vec::new();
        let mut pending: Vec<(PatId, Val)> = patterns.iter().copied().zip(values.iter().copied()).rev().collect();
        while let Some((pattern, value)) = pending.pop() {
            match code.pat(pattern) {
                Pat::Var(slot) => self.set_slot(*slot, value),
                Pat::Alias(name, inner) => {
                    pending.push((*inner, value));
                    pending.push((*name, value));
                }
                Pat::Lit(literal) => {
                    let literal = self.literals[literal.0 as usize];
                    match self.same(value, literal)? {
                        Some(same) => conditions.extend(same),
                        None => return Ok(None),
                    }
                }
                Pat::Function(_) => return Ok(None),
                Pat::Cons(head, tail) => match self.known(value) {
                    Val::Cons(cell) => {
                        let (first, rest) = self.heap.cell(cell);
                        pending.push((*tail, rest));
                        pending.push((*head, first));
                    }
                    Val::Sym(term) => {
                        let cell = self.is_kind(value, Kind::Cons);
                        if self.rec.facts.holds(self.rec.terms, cell) == Some(false) {
                            return Ok(None);
                        }
                        conditions.push(cell);
                        pending.push((*tail, Val::Sym(select(self.rec.terms, CONS, 1, term))));
                        pending.push((*head, Val::Sym(select(self.rec.terms, CONS, 0, term))));
                    }
                    Val::Stack(stack) => {
                        let frames = self.inspected(stack);
                        pending.push((pattern, frames));
                    }
                    _ => return Ok(None),
                },
                Pat::Tuple(items) => match self.known(value) {
                    Val::Tuple(tuple) => {
                        let elements = self.heap.elements(tuple).to_vec();
                        if elements.len() != items.len() {
                            return Ok(None);
                        }
                        pending.extend(items.iter().copied().zip(elements).rev());
                    }
                    Val::Sym(term) => {
                        let parts = self.tuple_parts(term, items.len(), &mut conditions);
                        pending.extend(items.iter().copied().zip(parts).rev());
                    }
                    _ => return Ok(None),
                },
                Pat::Map(pairs) => {
                    let map = self.is_kind(value, Kind::Map);
                    let ctx = self.deciding();
                    match self.rec.facts.holds(self.rec.terms, map) {
                        Some(true) => {}
                        Some(false) => return Ok(None),
                        // A key that is not named is looked for in maps only.
                        None if pairs.iter().any(|(key, _)| !self.is_named(*key)) => {
                            let not = self.not(map);
                            if self.choose(&ctx, &[not, map])? == 0 {
                                return Ok(None);
                            }
                        }
                        None => conditions.push(map),
                    }
                    for (key, inner) in pairs {
                        let key = self.build(*key);
                        match self.find(&ctx, value, key)? {
                            Found::No => return Ok(None),
                            Found::Yes(found) => pending.push((*inner, found)),
                            Found::If(there, found) => {
                                conditions.push(there);
                                pending.push((*inner, found));
                            }
                        }
                    }
                }
                Pat::Bits(segments) => {
                    let matched = match self.known(value) {
                        Val::Bits(bits) if !self.sizes_depend(segments) => self.match_segments(segments, bits, &mut conditions)?,
                        known => self.match_bits(segments, known, &mut conditions)?,
                    };
                    if !matched {
                        return Ok(None);
                    }
                }
            }
            if conditions.last().is_some_and(|&last| self.rec.facts.holds(self.rec.terms, last) == Some(false)) {
                return Ok(None);
            }
        }
        Ok(Some(conditions))
    }

    /// A context outside of guards and checks, in which things may be decided.
    pub(crate) fn deciding(&self) -> Ctx {
        Ctx { mode: super::Mode::Guard, fails: self.no() }
    }

    /// Whether the size of a segment depends on the input.
    fn sizes_depend(&mut self, segments: &[crate::flat::Segment]) -> bool {
        segments.iter().filter_map(|segment| segment.size).any(|size| {
            let size = self.build(size);
            self.heap.is_symbolic(size)
        })
    }

    /// Whether a key of a pattern is one of those that have a slot.
    fn is_named(&mut self, key: PatId) -> bool {
        let key = self.build(key);
        !self.heap.is_symbolic(key) && self.keys.iter().any(|&named| self.identical(named, key))
    }

    /// The frames of a stack trace that somebody looks at: they are not those of the original program.
    pub(crate) fn inspected(&mut self, stack: u32) -> Val {
        self.rec.limit("unsupported", "a program that looks into stack traces", true);
        self.heap.frames(stack)
    }
}
