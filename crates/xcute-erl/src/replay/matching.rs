//! Patterns: built to values, and matched with values that may depend on the input.
//!
//! Matching gives the conditions under which a pattern matches, and binds its variables to parts of the value. The variables of each clause are its
//! own, so those of a clause that is not chosen do no harm.

use xcute_term::TermId;

use super::look::Kind;
use super::value::Val;
use super::{Ctx, Machine, Res, Stop};
use crate::etf::Atom;
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
                    let Val::Map(map) = self.opaque_part(value, Kind::Map, "a map is matched")? else { return Ok(None) };
                    for (key, value) in pairs {
                        let key = self.build(*key);
                        let ctx = self.deciding();
                        let key = self.fixed(&ctx, key, "the key of a map")?;
                        match self.find_key(map, key) {
                            Some(found) => pending.push((*value, found)),
                            None => return Ok(None),
                        }
                    }
                }
                Pat::Bits(segments) => {
                    let Val::Bits(bits) = self.opaque_part(value, Kind::Bitstring, "a bitstring is matched")? else { return Ok(None) };
                    if !self.match_segments(segments, bits, &mut conditions)? {
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

    /// A value that somebody looks into of whom we only know constants: first whether it is of the kind at all, then which.
    fn opaque_part(&mut self, value: Val, kind: Kind, what: &str) -> Res<Val> {
        let value = self.known(value);
        if let Val::Sym(_) = value {
            let ctx = self.deciding();
            let is = self.is_kind(value, kind);
            let not = self.not(is);
            if self.choose(&ctx, &[not, is])? == 0 {
                return Ok(Val::Nil);
            }
            return self.fixed(&ctx, value, what);
        }
        Ok(value)
    }

    /// The value of a key.
    pub(crate) fn find_key(&self, map: u32, key: Val) -> Option<Val> {
        let pairs = self.heap.pairs(map);
        let (mut low, mut high) = (0, pairs.len() / 2);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.heap.compare_exactly(pairs[2 * middle], key) {
                std::cmp::Ordering::Equal => return Some(pairs[2 * middle + 1]),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The frames of a stack trace that somebody looks at: they are not those of the original program.
    pub(crate) fn inspected(&mut self, stack: u32) -> Val {
        self.rec.limit("unsupported", "a program that looks into stack traces", true);
        self.heap.frames(stack)
    }

    /// A map with pairs added.
    pub(crate) fn build_map(&mut self, ctx: &mut Ctx, base: Val, pairs: &[(bool, PatId, PatId)]) -> Res<Val> {
        let base = self.known(base);
        let base = match base {
            Val::Sym(_) => {
                let map = self.is_kind(base, Kind::Map);
                let reason = self.heap.tuple(&[Val::Atom(Atom::BADMAP), base]);
                self.require(ctx, map, reason)?;
                self.fixed(ctx, base, "a map is changed")?
            }
            other => other,
        };
        let Val::Map(map) = base else {
            let reason = self.heap.tuple(&[Val::Atom(Atom::BADMAP), base]);
            return self.fail(ctx, reason, Val::Nil);
        };
        let mut entries: Vec<[Val; 2]> = self.heap.pairs(map).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        for (assoc, key, value) in pairs {
            let key = self.build(*key);
            let key = self.fixed(ctx, key, "the key of a map")?;
            let value = self.build(*value);
            match entries.binary_search_by(|entry| self.heap.compare_exactly(entry[0], key)) {
                Ok(at) => entries[at][1] = value,
                Err(at) if *assoc => entries.insert(at, [key, value]),
                Err(_) => {
                    let reason = self.heap.tuple(&[Val::Atom(Atom::BADKEY), key]);
                    return self.fail(ctx, reason, Val::Nil);
                }
            }
        }
        let pairs: Vec<Val> = entries.concat();
        Ok(self.heap.map(&pairs))
    }

    /// `is_map_key`, `map_size` or `map_get`.
    pub(super) fn map_bif(&mut self, ctx: &mut Ctx, bif: crate::calls::Bif, args: &[Val]) -> Res<Val> {
        use crate::calls::Bif;
        let subject = *args.last().expect("a map");
        let map = self.is_kind(subject, Kind::Map);
        let reason = self.heap.tuple(&[Val::Atom(Atom::BADMAP), subject]);
        self.require(ctx, map, reason)?;
        let known = self.known(subject);
        let Val::Map(map) = self.fixed_map(ctx, known)? else { return Ok(Val::Nil) };
        if bif == Bif::MapSize {
            return Ok(Val::Int(i64::try_from(self.heap.pairs(map).len() / 2).expect("a small map")));
        }
        let key = self.fixed(ctx, args[0], "the key of a map")?;
        match (bif, self.find_key(map, key)) {
            (Bif::IsMapKey, found) => Ok(Val::Atom(if found.is_some() { Atom::TRUE } else { Atom::FALSE })),
            (_, Some(value)) => Ok(value),
            (_, None) => {
                let reason = self.heap.tuple(&[Val::Atom(Atom::BADKEY), key]);
                self.fail(ctx, reason, Val::Nil)
            }
        }
    }

    /// A map that is not one of the input's.
    fn fixed_map(&mut self, ctx: &Ctx, value: Val) -> Res<Val> {
        match value {
            Val::Sym(_) => self.fixed(ctx, value, "a map is looked into"),
            Val::Map(_) => Ok(value),
            // Only in a pure guard that has failed.
            _ if matches!(ctx.mode, super::Mode::Pure) => Err(Stop::Split),
            _ => Ok(value),
        }
    }
}
