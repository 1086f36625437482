//! Maps that depend on the input: looking up, putting and removing keys.
//!
//! A map of the input stays a term: a named key is a slot of it, and changing one gives another term. A map that the program made has its pairs on the heap:
//! keys that do not depend on the input first, in order, then those that do; that all of them differ was decided when they were put there.
//!
//! **Invariant.** Where a key is looked for that is neither named nor an atom or integer, no input has it, which is a limit.

use xcute_term::{Op, TermId};

use super::look::Kind;
use super::value::Val;
use super::{Ctx, Machine, Mode, Res, Stop};
use crate::calls::Bif;
use crate::etf::Atom;
use crate::flat::PatId;
use crate::universe::{ABSENT, ATOM, ENTRY, INTEGER, MAP, NO_ENTRY, PRESENT, is, select};

/// What a map has under a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    No,
    Yes(Val),
    /// This value, if the condition holds.
    If(TermId, Val),
}

/// Where a key is, or would be, in a map of the input.
enum Place {
    /// The field of a named key.
    Slot(u32),
    /// After these entries; the list from there on, and whether its first entry has the key.
    Rest { before: Vec<(TermId, TermId)>, rest: TermId, found: bool },
    /// Nowhere: no input has such a key.
    Nowhere,
}

impl Machine<'_> {
    /// Whether two values are the same, decided.
    pub(super) fn decided_same(&mut self, ctx: &Ctx, a: Val, b: Val) -> Res<bool> {
        let Some(conditions) = self.same(a, b)? else { return Ok(false) };
        let same = self.and(&conditions);
        let other = self.not(same);
        Ok(self.choose(ctx, &[other, same])? == 1)
    }

    /// The place of a key among the pairs of a map that the program made.
    fn find_pair(&mut self, ctx: &Ctx, map: u32, key: Val) -> Res<Option<usize>> {
        let pairs = self.heap.pairs(map).to_vec();
        let count = pairs.len() / 2;
        let plain = if count > 0 && self.heap.is_symbolic(pairs[2 * count - 2]) {
            (0..count).take_while(|&at| !self.heap.is_symbolic(pairs[2 * at])).count()
        } else {
            count
        };
        let key = self.resolved(key);
        let mut first = 0;
        if !self.heap.is_symbolic(key) {
            let (mut low, mut high) = (0, plain);
            while low < high {
                let middle = usize::midpoint(low, high);
                match self.heap.compare_exactly(pairs[2 * middle], key) {
                    std::cmp::Ordering::Equal => return Ok(Some(middle)),
                    std::cmp::Ordering::Less => low = middle + 1,
                    std::cmp::Ordering::Greater => high = middle,
                }
            }
            first = plain;
        }
        for at in first..count {
            if self.decided_same(ctx, pairs[2 * at], key)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Where a key is in a map of the input. It is decided which of the named keys it is, and where it is among the others.
    fn find_place(&mut self, ctx: &Ctx, map: TermId, key: Val) -> Res<Place> {
        let key = self.resolved(key);
        let symbolic = self.heap.is_symbolic(key);
        for (number, &named) in (0..).zip(self.keys) {
            if if symbolic { self.decided_same(ctx, key, named)? } else { self.identical(key, named) } {
                return Ok(Place::Slot(number));
            }
        }
        let entries = select(self.rec.terms, MAP, self.program.universe.rest(), map);
        let kinds = [self.is_kind(key, Kind::Integer), self.is_kind(key, Kind::Atom)];
        let either = self.or(&kinds);
        let other = self.not(either);
        let number = match self.choose(ctx, &[kinds[0], kinds[1], other])? {
            0 => self.known_integer(key),
            1 => self.atom_of(key),
            _ => None,
        };
        let Some((kind, number)) = number else {
            if self.domain.leaves_out_keys(self.rec.terms, entries) {
                self.rec.limit(
                    "unsupported",
                    "maps of the input with other keys than atoms, integers and those that the program names",
                    true,
                );
            }
            return Ok(Place::Nowhere);
        };
        let (mut before, mut rest) = (Vec::new(), entries);
        while self.next_entry(ctx, rest)? {
            let own = select(self.rec.terms, ENTRY, 0, rest);
            let [less, same, more] = self.compared_key(kind, number, own);
            match self.choose(ctx, &[less, same, more])? {
                0 => break,
                1 => return Ok(Place::Rest { before, rest, found: true }),
                _ => {
                    before.push((own, select(self.rec.terms, ENTRY, 1, rest)));
                    rest = select(self.rec.terms, ENTRY, 2, rest);
                }
            }
        }
        Ok(Place::Rest { before, rest, found: false })
    }

    /// Whether there is another entry, decided.
    fn next_entry(&mut self, ctx: &Ctx, rest: TermId) -> Res<bool> {
        self.spend()?;
        let ways = [is(self.rec.terms, NO_ENTRY, rest), is(self.rec.terms, ENTRY, rest)];
        if self.choose(ctx, &ways)? == 0 {
            return Ok(false);
        }
        self.domain.look_at_entry(&mut self.rec, rest);
        Ok(true)
    }

    fn known_integer(&mut self, key: Val) -> Option<(xcute_term::CtorId, TermId)> {
        let key = match self.known(key) {
            Val::Sym(term) => select(self.rec.terms, INTEGER, 0, term),
            other => self.integer_term(other)?,
        };
        Some((INTEGER, key))
    }

    fn atom_of(&mut self, key: Val) -> Option<(xcute_term::CtorId, TermId)> {
        let known = self.known(key);
        let number = match known {
            Val::Sym(term) => self.domain.look_at_constant(&mut self.rec, ATOM, term),
            Val::Atom(atom) => self.atom_number(atom)?,
            _ => {
                let term = self.term(known)?;
                select(self.rec.terms, ATOM, 0, term)
            }
        };
        Some((ATOM, number))
    }

    /// How an integer or an atom compares with the key of an entry: less, the same, greater.
    fn compared_key(&mut self, kind: xcute_term::CtorId, number: TermId, own: TermId) -> [TermId; 3] {
        let (same_kind, theirs) = (is(self.rec.terms, kind, own), select(self.rec.terms, kind, 0, own));
        let tests = [self.mk(Op::Lt, &[number, theirs]), self.mk(Op::Eq, &[number, theirs]), self.mk(Op::Lt, &[theirs, number])];
        let mut ways = tests.map(|test| self.and(&[same_kind, test]));
        // Integers come before atoms.
        let other = self.not(same_kind);
        let at = if kind == INTEGER { 0 } else { 2 };
        ways[at] = self.or(&[ways[at], other]);
        ways
    }

    /// What a map has under a key. The value is a map, or else nobody uses what comes out.
    pub(super) fn find(&mut self, ctx: &Ctx, map: Val, key: Val) -> Res<Found> {
        match self.known(map) {
            Val::Map(map) => Ok(match self.find_pair(ctx, map, key)? {
                Some(at) => Found::Yes(self.heap.pairs(map)[2 * at + 1]),
                None => Found::No,
            }),
            Val::Sym(term) => Ok(match self.find_place(ctx, term, key)? {
                Place::Slot(number) => {
                    let slot = select(self.rec.terms, MAP, number, term);
                    let there = is(self.rec.terms, PRESENT, slot);
                    let value = Val::Sym(select(self.rec.terms, PRESENT, 0, slot));
                    match self.rec.facts.holds(self.rec.terms, there) {
                        Some(true) => Found::Yes(value),
                        Some(false) => Found::No,
                        None => Found::If(there, value),
                    }
                }
                Place::Rest { rest, found: true, .. } => Found::Yes(Val::Sym(select(self.rec.terms, ENTRY, 1, rest))),
                _ => Found::No,
            }),
            // Only in a pure guard that has failed.
            _ if matches!(ctx.mode, Mode::Pure) => Err(Stop::Split),
            _ => Ok(Found::No),
        }
    }

    /// A map with other fields: those of this one, but for one of them.
    fn with_field(&mut self, map: TermId, field: u32, value: TermId) -> Val {
        let rest = self.program.universe.rest();
        let fields: Vec<TermId> = (0..=rest).map(|at| if at == field { value } else { select(self.rec.terms, MAP, at, map) }).collect();
        Val::Sym(self.mk(Op::Construct(MAP), &fields))
    }

    /// A map with these entries before others.
    fn with_entries(&mut self, map: TermId, before: Vec<(TermId, TermId)>, rest: TermId) -> Val {
        let entries =
            before.into_iter().rev().fold(rest, |rest, (key, value)| self.rec.terms.mk(Op::Construct(ENTRY), &[key, value, rest]));
        self.with_field(map, self.program.universe.rest(), entries)
    }

    /// A map with a value under a key; with `exact`, the key must be there.
    pub(super) fn put(&mut self, ctx: &mut Ctx, map: Val, key: Val, value: Val, exact: bool) -> Res<Val> {
        match self.known(map) {
            Val::Map(map) => self.put_pair(ctx, map, key, value, exact),
            Val::Sym(term) => {
                let place = self.find_place(ctx, term, key)?;
                if exact {
                    let there = match place {
                        Place::Slot(number) => {
                            let slot = select(self.rec.terms, MAP, number, term);
                            is(self.rec.terms, PRESENT, slot)
                        }
                        Place::Rest { found, .. } => self.rec.terms.bool(found),
                        Place::Nowhere => self.no(),
                    };
                    self.require_key(ctx, there, key)?;
                }
                match (place, self.term(key).zip(self.term(value))) {
                    (Place::Slot(number), Some((_, value))) => {
                        let slot = self.mk(Op::Construct(PRESENT), &[value]);
                        Ok(self.with_field(term, number, slot))
                    }
                    (Place::Rest { mut before, rest, found }, Some((key, value))) => {
                        before.push((key, value));
                        let rest = if found { select(self.rec.terms, ENTRY, 2, rest) } else { rest };
                        Ok(self.with_entries(term, before, rest))
                    }
                    // What cannot be part of a term goes into a map on the heap.
                    _ => {
                        let pairs = self.all_pairs(ctx, Val::Sym(term))?;
                        let Val::Map(map) = self.map_of(&pairs) else { unreachable!("a map is made") };
                        self.put_pair(ctx, map, key, value, false)
                    }
                }
            }
            _ => Ok(Val::Nil),
        }
    }

    fn require_key(&mut self, ctx: &mut Ctx, there: TermId, key: Val) -> Res<()> {
        let reason = self.heap.tuple(&[Val::Atom(Atom::BADKEY), key]);
        self.require(ctx, there, reason)
    }

    fn put_pair(&mut self, ctx: &mut Ctx, map: u32, key: Val, value: Val, exact: bool) -> Res<Val> {
        let found = self.find_pair(ctx, map, key)?;
        let mut pairs = self.heap.pairs(map).to_vec();
        match found {
            Some(at) => pairs[2 * at + 1] = value,
            None if exact => {
                let no = self.no();
                self.require_key(ctx, no, key)?;
            }
            None => {
                let key = self.resolved(key);
                let at = if self.heap.is_symbolic(key) { pairs.len() / 2 } else { self.position(&pairs, key) };
                pairs.splice(2 * at..2 * at, [key, value]);
            }
        }
        Ok(self.heap.map(&pairs))
    }

    /// Where a key that does not depend on the input belongs.
    fn position(&self, pairs: &[Val], key: Val) -> usize {
        let before = |pair: &&[Val]| !self.heap.is_symbolic(pair[0]) && self.heap.compare_exactly(pair[0], key).is_lt();
        pairs.chunks_exact(2).take_while(before).count()
    }

    /// A map of pairs whose keys differ, in any order.
    pub(super) fn map_of(&mut self, pairs: &[[Val; 2]]) -> Val {
        let mut sorted: Vec<Val> = Vec::with_capacity(2 * pairs.len());
        for &[key, value] in pairs {
            let key = self.resolved(key);
            let at = if self.heap.is_symbolic(key) { sorted.len() / 2 } else { self.position(&sorted, key) };
            sorted.splice(2 * at..2 * at, [key, value]);
        }
        self.heap.map(&sorted)
    }

    /// A map without a key.
    pub(super) fn removed(&mut self, ctx: &Ctx, map: Val, key: Val) -> Res<Val> {
        match self.known(map) {
            Val::Map(map) => {
                let Some(at) = self.find_pair(ctx, map, key)? else { return Ok(Val::Map(map)) };
                let mut pairs = self.heap.pairs(map).to_vec();
                pairs.drain(2 * at..2 * at + 2);
                Ok(self.heap.map(&pairs))
            }
            Val::Sym(term) => Ok(match self.find_place(ctx, term, key)? {
                Place::Slot(number) => {
                    let absent = self.rec.terms.value(crate::universe::data(ABSENT, vec![]));
                    self.with_field(term, number, absent)
                }
                Place::Rest { before, rest, found: true } => {
                    let rest = select(self.rec.terms, ENTRY, 2, rest);
                    self.with_entries(term, before, rest)
                }
                _ => Val::Sym(term),
            }),
            other => Ok(other),
        }
    }

    /// All pairs of a map. Of one of the input it is decided which keys there are.
    pub(super) fn all_pairs(&mut self, ctx: &Ctx, map: Val) -> Res<Vec<[Val; 2]>> {
        let term = match self.known(map) {
            Val::Map(map) => return Ok(self.heap.pairs(map).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()),
            Val::Sym(term) => term,
            _ => return Ok(Vec::new()),
        };
        let mut pairs = Vec::new();
        for (number, &key) in (0..).zip(self.keys) {
            let slot = select(self.rec.terms, MAP, number, term);
            let ways = [is(self.rec.terms, ABSENT, slot), is(self.rec.terms, PRESENT, slot)];
            if self.choose(ctx, &ways)? == 1 {
                pairs.push([key, Val::Sym(select(self.rec.terms, PRESENT, 0, slot))]);
            }
        }
        let mut rest = select(self.rec.terms, MAP, self.program.universe.rest(), term);
        if self.domain.leaves_out_keys(self.rec.terms, rest) {
            self.rec.limit("unsupported", "maps of the input with other keys than atoms, integers and those that the program names", true);
        }
        while self.next_entry(ctx, rest)? {
            let [key, value] = [0, 1].map(|field| Val::Sym(select(self.rec.terms, ENTRY, field, rest)));
            pairs.push([key, value]);
            rest = select(self.rec.terms, ENTRY, 2, rest);
        }
        Ok(pairs)
    }

    /// How many keys a map has.
    fn map_size(&mut self, ctx: &Ctx, map: Val) -> Res<Val> {
        let term = match self.known(map) {
            Val::Map(map) => return Ok(Val::Int(i64::try_from(self.heap.pairs(map).len() / 2).expect("a small map"))),
            Val::Sym(term) => term,
            _ => return Ok(Val::Int(0)),
        };
        let number = |machine: &mut Self, value: i64| machine.rec.terms.value(xcute_term::Value::Int(value.into()));
        let (zero, one) = (number(self, 0), number(self, 1));
        let mut sum = zero;
        for key in 0..self.program.universe.rest() {
            let slot = select(self.rec.terms, MAP, key, term);
            let there = is(self.rec.terms, PRESENT, slot);
            let counts = self.mk(Op::Ite, &[there, one, zero]);
            sum = self.mk(Op::Add, &[sum, counts]);
        }
        let mut rest = select(self.rec.terms, MAP, self.program.universe.rest(), term);
        while self.next_entry(ctx, rest)? {
            sum = self.mk(Op::Add, &[sum, one]);
            rest = select(self.rec.terms, ENTRY, 2, rest);
        }
        Ok(self.integer_value(sum))
    }

    /// A map with pairs added.
    pub(crate) fn build_map(&mut self, ctx: &mut Ctx, base: Val, pairs: &[(bool, PatId, PatId)]) -> Res<Val> {
        let mut map = self.require_map(ctx, base)?;
        for (assoc, key, value) in pairs {
            let (key, value) = (self.build(*key), self.build(*value));
            map = self.put(ctx, map, key, value, !*assoc)?;
        }
        Ok(map)
    }

    /// A value that must be a map.
    pub(super) fn require_map(&mut self, ctx: &mut Ctx, value: Val) -> Res<Val> {
        let map = self.is_kind(value, Kind::Map);
        let reason = self.heap.tuple(&[Val::Atom(Atom::BADMAP), value]);
        self.require(ctx, map, reason)?;
        Ok(self.known(value))
    }

    /// `is_map_key`, `map_size` or `map_get`.
    pub(super) fn map_bif(&mut self, ctx: &mut Ctx, bif: Bif, args: &[Val]) -> Res<Val> {
        let map = self.require_map(ctx, *args.last().expect("a map"))?;
        if bif == Bif::MapSize {
            return self.map_size(ctx, map);
        }
        match (bif, self.find(ctx, map, args[0])?) {
            (Bif::IsMapKey, Found::If(there, _)) => Ok(Val::Cond(there)),
            (Bif::IsMapKey, found) => Ok(Val::Atom(if matches!(found, Found::Yes(_)) { Atom::TRUE } else { Atom::FALSE })),
            (_, Found::Yes(value)) => Ok(value),
            (_, Found::If(there, value)) => {
                self.require_key(ctx, there, args[0])?;
                Ok(value)
            }
            (_, Found::No) => {
                let no = self.no();
                self.require_key(ctx, no, args[0])?;
                Ok(Val::Nil)
            }
        }
    }
}
