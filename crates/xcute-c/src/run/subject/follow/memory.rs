//! Memory while a run is read: what it holds, as terms over what it held when the present segment began.
//!
//! **Invariant.** Whatever is not known is an error ([`Lost`]), never a guess.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use xcute_term::{Op, TermId, Terms};
use xcute_trace::segments::Segment;

use super::mutant::{Broken, FollowMutant};
use super::places::{Piece, Places, Slot, SlotId, Space};
use crate::instrument::compiled::ObjectName;
use crate::run::subject::names::Names;

/// The subject's stack (`XC_STACK`, `XC_STACK_SIZE`) and its heap (`XC_HEAP`, `XC_HEAP_END`).
const STACK: std::ops::Range<u64> = 0x8_0000_0000..0x8_0100_0000;
const HEAP: std::ops::Range<u64> = 0x2_0000_0000..0x6_0000_0000;
/// The objects of inputs (`XC_INPUTS`, `XC_INPUTS_END`).
const INPUTS: std::ops::Range<u64> = 0x1_0000_0000..0x2_0000_0000;

/// Why a run cannot be followed further, for people.
pub(super) type Lost = String;

/// The call of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) base: u64,
    pub(super) back: u32,
    function: u32,
}

/// A heap object that was allocated in this run.
#[derive(Clone, Copy, Debug)]
struct Object {
    bytes: u64,
    /// What its slot holds while it can be used.
    state: u64,
}

/// The calls that are under way.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Call>);

impl Calls {
    pub(super) fn enter(&mut self, base: u64, back: u32, function: u32) {
        self.leave(base + 1);
        self.0.push(Call { base, back, function });
    }

    /// Frames below this one are gone.
    pub(super) fn leave(&mut self, base: u64) {
        while self.0.last().is_some_and(|call| call.base < base) {
            self.0.pop();
        }
    }

    /// Where each was made, and the base of its frame; the outermost first.
    pub(super) fn stack(&self) -> Vec<(u32, u64)> {
        self.0.iter().map(|call| (call.back, call.base)).collect()
    }

    /// Where an address is.
    pub(super) fn space(&self, at: u64) -> Space {
        if !STACK.contains(&at) {
            return 0;
        }
        self.0.iter().rev().find(|call| call.base > at).map_or(0, |call| call.function)
    }

    pub(super) fn piece(&self, at: u64, bytes: u64) -> Piece {
        Piece { space: self.space(at), at, bytes }
    }
}

/// What a load gives.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    /// Over cells at the segment's begin.
    pub(super) term: TermId,
    /// The contents it is made of, the first byte's first.
    pub(super) slots: Vec<SlotId>,
    /// What must be as it is for the load to be good: slots and what they hold.
    pub(super) given: Vec<(SlotId, TermId)>,
}

/// Memory, and what else a run has for its state.
pub(super) struct Memory<'a> {
    pub(super) places: &'a mut Places,
    names: &'a mut Names,
    objects: &'a [ObjectName],
    pub(super) calls: Calls,
    heap: BTreeMap<u64, Object>,
    /// Objects of inputs: how many bytes each has.
    pub(super) inputs: BTreeMap<u64, u64>,
    /// What the next object's place depends on.
    top: u64,
    now: FxHashMap<SlotId, TermId>,
    /// When each slot was written last.
    written: FxHashMap<SlotId, usize>,
    initial: FxHashMap<SlotId, TermId>,
    pub(super) equalities: Vec<TermId>,
    /// Counts what happens.
    pub(super) time: usize,
    pub(super) broken: Broken,
}

impl<'a> Memory<'a> {
    pub(super) fn new(places: &'a mut Places, names: &'a mut Names, objects: &'a [ObjectName], broken: Broken) -> Memory<'a> {
        Memory {
            places,
            names,
            objects,
            calls: Calls::default(),
            heap: BTreeMap::new(),
            inputs: BTreeMap::new(),
            top: 0,
            now: FxHashMap::default(),
            written: FxHashMap::default(),
            initial: FxHashMap::default(),
            equalities: Vec::new(),
            time: 0,
            broken,
        }
    }

    pub(super) fn has_heap(&self) -> bool {
        !self.heap.is_empty()
    }

    /// What a slot holds, over what slots held when the segment began.
    pub(super) fn read(&self, slot: SlotId) -> TermId {
        self.now.get(&slot).copied().unwrap_or_else(|| self.places.get(slot).term)
    }

    pub(super) fn write(&mut self, slot: SlotId, term: TermId) {
        self.now.insert(slot, term);
        self.written.insert(slot, self.time);
    }

    /// Whether a slot was not written since then.
    pub(super) fn is_unchanged(&self, slot: SlotId, since: usize) -> bool {
        self.written.get(&slot).is_none_or(|&at| at < since)
    }

    /// What a slot held at the start of the run.
    pub(super) fn initial(&self, terms: &mut Terms, slot: SlotId) -> TermId {
        self.initial.get(&slot).copied().unwrap_or_else(|| {
            let Slot { term, start, .. } = self.places.get(slot);
            let width = terms.width(term);
            terms.bv(width, start)
        })
    }

    fn content(&mut self, terms: &mut Terms, cell: Piece) -> SlotId {
        let (names, objects) = (&mut *self.names, self.objects);
        self.places.content(terms, cell, |at| names.of(at, objects))
    }

    /// Notes what is in memory, which is what was there from the start if nothing was done to it before.
    pub(super) fn touch(&mut self, terms: &mut Terms, piece: Piece, word: u64) {
        for cell in self.places.pieces(piece) {
            let slot = self.content(terms, cell);
            if cell.space == 0 && !self.initial.contains_key(&slot) {
                let bits = u32::try_from(8 * cell.bytes).unwrap_or(64);
                let value = terms.bv(bits, word >> (8 * (cell.at - piece.at)));
                self.initial.insert(slot, value);
            }
        }
    }

    /// `undefined`: all of it is uninitialised, which does no harm as long as nothing depends on it.
    pub(super) fn load(&mut self, terms: &mut Terms, piece: Piece, undefined: bool) -> Result<Loaded, Lost> {
        let mut loaded = Loaded { term: terms.bool(true), slots: Vec::new(), given: self.object(terms, piece)? };
        let mut parts = Vec::new();
        for cell in self.places.pieces(piece) {
            let slot = self.content(terms, cell);
            self.places.read(cell);
            let defined = self.places.defined(cell);
            if if undefined { defined.is_none() } else { cell.space != 0 && !self.written.contains_key(&slot) } {
                return Err(format!("{} is read and not initialised", terms.info(self.places.get(slot).var).name));
            }
            if let Some(defined) = defined {
                let bit = terms.bv(1, u64::from(!undefined));
                loaded.given.push((defined, bit));
            }
            loaded.slots.push(slot);
            parts.push(self.read(slot));
        }
        loaded.term = concat(terms, parts).ok_or("nothing is read")?;
        self.demand(terms, &loaded.given)?;
        Ok(loaded)
    }

    pub(super) fn store(&mut self, terms: &mut Terms, piece: Piece, term: TermId, undefined: bool) -> Result<(), Lost> {
        let given = self.object(terms, piece)?;
        self.demand(terms, &given)?;
        for cell in self.places.pieces(piece) {
            let part = extract(terms, term, cell.at - piece.at, cell.bytes);
            let slot = self.content(terms, cell);
            if cell.space != 0 || !self.broken.is(FollowMutant::StoreForgotten) {
                self.write(slot, part);
            }
            if undefined || self.places.defined(cell).is_some() {
                let defined = self.watch(terms, cell);
                let bit = terms.bv(1, u64::from(!undefined));
                self.write(defined, bit);
            }
        }
        Ok(())
    }

    fn watch(&mut self, terms: &mut Terms, cell: Piece) -> SlotId {
        let (names, objects) = (&mut *self.names, self.objects);
        self.places.watch(terms, cell, |at| names.of(at, objects))
    }

    /// Memory becomes blank.
    pub(super) fn blank(&mut self, terms: &mut Terms, piece: Piece) {
        if self.broken.is(FollowMutant::BlankForgotten) {
            return;
        }
        for cell in self.places.pieces(piece) {
            let defined = self.watch(terms, cell);
            let zero = terms.bv(1, 0);
            self.write(defined, zero);
        }
    }

    pub(super) fn copy(&mut self, terms: &mut Terms, to: Piece, from: Piece) -> Result<(), Lost> {
        let mut given = self.object(terms, from)?;
        given.extend(self.object(terms, to)?);
        self.demand(terms, &given)?;
        let mut contents = Vec::new();
        let mut bits = Vec::new();
        for cell in self.places.pieces(from) {
            let slot = self.content(terms, cell);
            contents.push(self.read(slot));
            self.places.read(cell);
            bits.push((cell, self.places.defined(cell).map(|slot| self.read(slot))));
        }
        let whole = concat(terms, contents).ok_or("nothing is copied")?;
        if self.broken.is(FollowMutant::CopyForgotten) {
            return Ok(());
        }
        for cell in self.places.pieces(to) {
            let offset = cell.at - to.at;
            let part = extract(terms, whole, offset, cell.bytes);
            let slot = self.content(terms, cell);
            self.write(slot, part);
            let source = offset + from.at..offset + from.at + cell.bytes;
            let over = bits.iter().filter(|(of, _)| of.at < source.end && source.start < of.at + of.bytes);
            let watched: Vec<TermId> = over.filter_map(|(_, bit)| *bit).collect();
            if !watched.is_empty() || self.places.defined(cell).is_some() {
                let one = terms.bv(1, 1);
                let all = watched.into_iter().fold(one, |all, bit| terms.mk(Op::BvAnd, &[all, bit]));
                let defined = self.watch(terms, cell);
                self.write(defined, all);
            }
        }
        Ok(())
    }

    pub(super) fn allocate(&mut self, terms: &mut Terms, at: u64, bytes: u64, blank: bool) -> Result<(), Lost> {
        let top = self.places.other(terms, "heap", 0, 64);
        let before = terms.bv(64, self.top);
        self.demand(terms, &[(top, before)])?;
        self.top = at + bytes;
        let after = terms.bv(64, self.top);
        self.write(top, after);
        let object = Object { bytes, state: bytes << 2 | u64::from(blank) << 1 | 1 };
        self.heap.insert(at, object);
        let slot = self.places.other(terms, "object", at, 64);
        let state = terms.bv(64, object.state);
        self.write(slot, state);
        Ok(())
    }

    pub(super) fn free(&mut self, terms: &mut Terms, at: u64) -> Result<(), Lost> {
        let given = self.object(terms, Piece { space: 0, at, bytes: 1 })?;
        self.demand(terms, &given)?;
        let slot = self.places.other(terms, "object", at, 64);
        let none = terms.bv(64, 0);
        self.write(slot, none);
        Ok(())
    }

    /// An input is asked for, for the n-th time.
    pub(super) fn count(&mut self, terms: &mut Terms, key: u32, nth: u64) -> Result<(), Lost> {
        let slot = self.places.other(terms, "asked", key.into(), 64);
        let (before, after) = (terms.bv(64, nth), terms.bv(64, nth + 1));
        self.demand(terms, &[(slot, before)])?;
        self.write(slot, after);
        Ok(())
    }

    /// What is in an object of an input when it is met for the first time: it was always there.
    pub(super) fn begin_with(&mut self, terms: &mut Terms, piece: Piece, term: TermId) {
        for cell in self.places.pieces(piece) {
            let part = extract(terms, term, cell.at - piece.at, cell.bytes);
            let slot = self.content(terms, cell);
            self.initial.insert(slot, part);
        }
    }

    /// What must be so for memory of the heap to be usable: its object is there.
    fn object(&mut self, terms: &mut Terms, piece: Piece) -> Result<Vec<(SlotId, TermId)>, Lost> {
        if INPUTS.contains(&piece.at) {
            let object = self.inputs.range(..=piece.at).next_back().filter(|(base, bytes)| piece.at < **base + **bytes);
            return object.map(|_| Vec::new()).ok_or_else(|| "memory of an input is used that is not there".to_owned());
        }
        if !HEAP.contains(&piece.at) || self.broken.is(FollowMutant::ObjectForgotten) {
            return Ok(Vec::new());
        }
        let (&base, &object) = self.heap.range(..=piece.at).next_back().ok_or("memory is used that was allocated before the run")?;
        let inside = piece.at < base + object.bytes.max(1);
        inside.then_some(()).ok_or("memory is used that was allocated by code that is not instrumented")?;
        let slot = self.places.other(terms, "object", base, 64);
        let state = terms.bv(64, object.state);
        Ok(vec![(slot, state)])
    }

    /// Adds to the equalities what these slots must hold.
    fn demand(&mut self, terms: &mut Terms, given: &[(SlotId, TermId)]) -> Result<(), Lost> {
        for &(slot, value) in given {
            let term = self.read(slot);
            let equal = terms.mk(Op::Eq, &[term, value]);
            self.require(terms, equal)?;
        }
        Ok(())
    }

    /// Adds an equality.
    pub(super) fn require(&mut self, terms: &Terms, equality: TermId) -> Result<(), Lost> {
        match terms.as_u64(equality) {
            Some(1) => Ok(()),
            Some(_) => Err("the record contradicts itself".to_owned()),
            None => {
                if !self.equalities.contains(&equality) {
                    self.equalities.push(equality);
                }
                Ok(())
            }
        }
    }

    /// Ends the segment.
    pub(super) fn segment(&mut self) -> Segment {
        let mut written: Vec<(SlotId, TermId)> = self.now.drain().collect();
        written.sort_unstable_by_key(|write| write.0);
        let places = &self.places;
        let writes = written.into_iter().map(|(slot, term)| (places.get(slot), term)).filter(|(slot, term)| slot.term != *term);
        Segment { writes: writes.map(|(slot, term)| (slot.var, term)).collect(), equalities: std::mem::take(&mut self.equalities) }
    }
}

/// The parts as one number, the first one lowest.
pub(super) fn concat(terms: &mut Terms, parts: Vec<TermId>) -> Option<TermId> {
    parts.into_iter().reduce(|low, high| terms.mk(Op::Concat, &[high, low]))
}

fn extract(terms: &mut Terms, term: TermId, first: u64, bytes: u64) -> TermId {
    let (low, width) = (u32::try_from(8 * first).unwrap_or(0), u32::try_from(8 * bytes).unwrap_or(0));
    if width == terms.width(term) { term } else { terms.mk(Op::Extract(low + width - 1, low), &[term]) }
}
