//! From the events of a followed run to segments.
//!
//! The events are read twice: first for how they cut memory into cells, then for what happened. At each decision the condition is said over cells as
//! they are then; where that cannot be, because a cell was written between its use and the decision, it goes through a slot of its own.
//!
//! **Invariant.** From where something is not known on, nothing is said: the run ends there with `End::Lost`.

use std::cell::RefCell;

use xcute_term::{Op, TermId, Terms, VarWalk};
use xcute_trace::SiteKind;
use xcute_trace::segments::{Arm, Choice, Decision, End, Point, Points};

use super::memory::{Lost, Memory};
use super::mutant::{Broken, FollowMutant};
use super::places::{Piece, Places};
use super::pointers::{Functions, Shapes};
use super::views::{AtBegin, Load, Log, Now};
use crate::instrument::compiled::Compiled;
use crate::run::import::{Importer, Recorded};
use crate::run::subject::trace::{arm, switch};
use crate::run::subject::variables::Known;
use crate::types::inputs::TypeTable;
use crate::wire::{XcEvent, XcNode, event, lost, op, untold};

/// `XC_UNDEFINED`: some bit of a node is uninitialised.
const UNDEFINED: u8 = 2;

/// What a followed run is read with.
pub(super) struct Source<'a> {
    pub(super) compiled: &'a Compiled,
    pub(super) types: &'a TypeTable,
    pub(super) known: &'a Known,
    pub(super) nodes: &'a [XcNode],
    pub(super) recorded: Recorded<'a>,
    pub(super) functions: &'a Functions,
    pub(super) broken: Broken,
}

/// Cuts memory as the events use it.
pub(super) fn cut(places: &mut Places, source: &Source<'_>, events: &[XcEvent]) {
    let mut calls = super::memory::Calls::default();
    places.begin();
    for e in events {
        match e.kind {
            event::ENTER => calls.enter(e.value, e.site, e.taken),
            event::FRAME => calls.leave(e.value),
            event::LOAD => {
                if let Some(node) = load_node(source, e) {
                    places.cut(calls.piece(address(node), u64::from(node.width / 8)));
                }
            }
            event::STORE | event::TOUCH => places.cut(calls.piece(e.value, u64::from(e.more))),
            event::COPY => {
                let (to, from) = (calls.piece(e.value, e.handle.into()), calls.piece(words(e), e.handle.into()));
                places.cut(to);
                places.cut(from);
                places.cut_alike(to, from);
                places.cut_alike(from, to);
            }
            event::LOCAL => {
                if let Some(object) = source.compiled.objects.get(e.site as usize) {
                    places.local(calls.piece(e.value, e.handle.into()), &object.name, &object.function);
                }
            }
            event::LOST => return,
            _ => {}
        }
    }
}

fn load_node<'a>(source: &Source<'a>, e: &XcEvent) -> Option<&'a XcNode> {
    source.nodes.get(e.handle as usize).filter(|node| node.op == op::LOAD && node.width.is_multiple_of(8) && node.width > 0)
}

fn address(node: &XcNode) -> u64 {
    u64::from(node.b) | u64::from(node.c) << 32
}

/// The number whose halves an event has.
fn words(e: &XcEvent) -> u64 {
    u64::from(e.site) | u64::from(e.taken) << 32
}

/// Reads what happened.
pub(super) struct Reading<'a, 'm> {
    pub(super) source: &'a Source<'a>,
    pub(super) memory: Memory<'m>,
    pub(super) points: &'m mut Points,
    importers: [Importer; 2],
    log: Log,
    pub(super) decisions: Vec<Decision>,
    /// For each decision whether an input decides it, its site and its arm.
    pub(super) passed: Vec<(bool, u32, u32)>,
    /// What the next access or decision depends on.
    pending: Vec<(u32, u64)>,
    /// How many decisions of the same site came right before.
    row: (u32, u32),
    pub(super) shapes: Shapes,
}

impl<'a, 'm> Reading<'a, 'm> {
    pub(super) fn new(source: &'a Source<'a>, memory: Memory<'m>, points: &'m mut Points) -> Reading<'a, 'm> {
        let mut importers = [Importer::new(), Importer::new()];
        importers.iter_mut().for_each(|importer| importer.begin(source.nodes.len()));
        Reading {
            source,
            memory,
            points,
            importers,
            log: Log::default(),
            decisions: Vec::new(),
            passed: Vec::new(),
            pending: Vec::new(),
            row: (u32::MAX, 0),
            shapes: Shapes::default(),
        }
    }

    /// Takes in an event.
    pub(super) fn event(&mut self, terms: &mut Terms, e: &XcEvent) -> Result<(), Lost> {
        self.memory.time += 1;
        let decides = matches!(e.kind, event::BRANCH | event::SWITCH | event::CHECK | event::ASSUME | event::PIN);
        if !decides && e.kind != event::EQUAL {
            self.row = (u32::MAX, 0);
        }
        if !(decides || e.kind == event::EQUAL || e.kind == event::LOAD && e.more == 1) {
            self.pending.clear();
        }
        match e.kind {
            _ if decides => return self.decision(terms, e),
            event::LOAD => self.load(terms, e)?,
            event::STORE => {
                let piece = self.memory.calls.piece(e.value, e.more.into());
                let term = self.at_begin(terms, e.handle)?;
                let (term, always) = self.stored(terms, piece, term)?;
                if always {
                    return Ok(());
                }
                self.memory.touch(terms, piece, words(e));
                let whole = u64::from(terms.width(term)) == 8 * piece.bytes;
                whole.then_some(()).ok_or("the record is damaged")?;
                self.memory.store(terms, piece, term, self.is_undefined(e.handle)?)?;
            }
            event::EQUAL if self.source.broken.is(FollowMutant::AddressForgotten) => {}
            event::EQUAL => {
                self.shape(terms, e)?;
                let term = self.at_begin(terms, e.handle)?;
                let equal = equal(terms, term, e.value);
                self.memory.require(terms, equal)?;
                self.pending.push((e.handle, e.value));
            }
            event::ENTER => self.memory.calls.enter(e.value, e.site, e.taken),
            event::FRAME => self.memory.calls.leave(e.value),
            event::TOUCH => {
                let piece = self.memory.calls.piece(e.value, e.more.into());
                self.memory.touch(terms, piece, words(e));
            }
            event::COPY => {
                let bytes = e.handle.into();
                let (to, from) = (self.memory.calls.piece(e.value, bytes), self.memory.calls.piece(words(e), bytes));
                self.memory.copy(terms, to, from)?;
            }
            event::BLANK => {
                let piece = self.memory.calls.piece(e.value, e.handle.into());
                self.memory.blank(terms, piece);
            }
            event::ALLOC => self.memory.allocate(terms, e.value, words(e), e.handle != 0)?,
            event::FREE => self.memory.free(terms, e.value)?,
            event::LOCAL | event::FOREIGN | event::PLACE => {}
            event::INPUT => self.input(e)?,
            event::ASKED => self.asked(terms, e)?,
            event::MADE => self.made(e),
            event::STALE => return Err("code that is not instrumented wrote over an input".to_owned()),
            event::LOST => return Err(self.untold(e)),
            event::UNSUPPORTED => {
                let what = self.source.compiled.unsupported.get(e.site as usize).filter(|_| e.site < lost::THREAD);
                return Err(what.map_or("something is not supported", String::as_str).to_owned());
            }
            _ => return Err("the record is damaged".to_owned()),
        }
        Ok(())
    }

    fn untold(&self, e: &XcEvent) -> Lost {
        let row = |table: &'a [String]| table.get(e.site as usize).map_or("?", String::as_str);
        match e.taken {
            untold::CONSTRUCT => row(&self.source.compiled.unsupported).to_owned(),
            untold::FOREIGN => format!("{} is not instrumented", row(&self.source.compiled.foreign)),
            untold::SIZE => "an object has a symbolic size".to_owned(),
            untold::VARIADIC => "variable arguments".to_owned(),
            untold::STACK => "a variable-length array".to_owned(),
            _ => "a large block is copied".to_owned(),
        }
    }

    /// Whether all of a value is uninitialised. Which bits are of one that is so in part is not followed.
    fn is_undefined(&self, mut handle: u32) -> Result<bool, Lost> {
        loop {
            match self.source.nodes.get(handle as usize).filter(|node| node.flags & UNDEFINED != 0) {
                None => return Ok(false),
                Some(node) if node.op == op::UNDEF => return Ok(true),
                Some(node) if node.op == op::LOAD && node.a < handle => handle = node.a,
                Some(_) => return Err("a value is uninitialised in part".to_owned()),
            }
        }
    }

    fn load(&mut self, terms: &mut Terms, e: &XcEvent) -> Result<(), Lost> {
        let node = load_node(self.source, e).ok_or("the record is damaged")?;
        let piece: Piece = self.memory.calls.piece(address(node), u64::from(node.width / 8));
        self.memory.touch(terms, piece, node.k);
        let mut loaded = self.memory.load(terms, piece, self.is_undefined(e.handle)?)?;
        self.always(terms, &mut loaded);
        let address = if e.more == 1 { self.pending.clone() } else { Vec::new() };
        let (time, segment) = (self.memory.time, self.decisions.len());
        self.log.insert(e.handle, Load { loaded, time, segment, address });
        Ok(())
    }

    /// The term of a node, over cells at the segment's begin.
    fn at_begin(&mut self, terms: &mut Terms, handle: u32) -> Result<TermId, Lost> {
        let view = AtBegin { memory: &self.memory, log: &self.log, segment: self.decisions.len() };
        let recorded = Recorded { loads: Some(&view), ..self.source.recorded };
        self.importers[0].bits(terms, &recorded, handle).ok_or_else(|| "a register holds what memory holds no more".to_owned())
    }

    fn decision(&mut self, terms: &mut Terms, e: &XcEvent) -> Result<(), Lost> {
        if e.more != 0 && self.source.broken.is(FollowMutant::ConcreteForgotten) {
            return Ok(());
        }
        let taken = arm(self.source.compiled, e).ok_or("the record is damaged")?;
        let (value, own) = match e.handle {
            0 => (None, Vec::new()),
            handle => {
                let (value, own) = self.condition(terms, handle)?;
                (Some(value), own)
            }
        };
        let arms = match (value, e.kind) {
            (None, _) => {
                (0..self.source.compiled.sites.sites[e.site as usize].arms.max(taken + 1)).map(|n| terms.bool(n == taken)).collect()
            }
            (Some(value), event::SWITCH) => {
                let cases = self.source.compiled.switches.get(&xcute_trace::SiteId(e.site)).ok_or("the record is damaged")?;
                switch(terms, value, cases)
            }
            (Some(value), event::PIN) => two(terms, value, e.value),
            (Some(value), _) => two(terms, value, 1),
        };
        let choice = match e.kind {
            event::ASSUME => Choice::Assume(arms, 1),
            event::PIN if self.source.broken.is(FollowMutant::PinForgotten) => Choice::Assume(arms, taken),
            event::PIN => Choice::Pin(arms),
            _ => Choice::Branch(arms),
        };
        let point = self.point(e, value);
        let segment = self.memory.segment();
        let (point, in_trace) = (self.points.id(&point), e.more == 0);
        // Checks, and whatever else depends on which values are symbolic, are not in all runs.
        let counted = matches!(e.kind, event::BRANCH | event::SWITCH) && self.source.compiled.sites.sites[e.site as usize].counts();
        let decision = Decision { point, segment, own, choice, taken: Arm::Nth(taken), in_trace, counted };
        self.decided(decision, (in_trace, e.site, taken));
        Ok(())
    }

    /// Ends the segment with a decision.
    pub(super) fn decided(&mut self, decision: Decision, passed: (bool, u32, u32)) {
        self.decisions.push(decision);
        self.passed.push(passed);
        self.importers[0].begin(self.source.nodes.len());
    }

    /// Decisions of one instruction share its site: which of them it is belongs to the point, too.
    fn point(&mut self, e: &XcEvent, value: Option<TermId>) -> Point {
        let again = self.row.0 == e.site;
        self.row = (e.site, if again { self.row.1 + 1 } else { 0 });
        let mut stack = if self.source.broken.is(FollowMutant::StackForgotten) { Vec::new() } else { self.memory.calls.stack() };
        let kind = self.source.compiled.sites.sites[e.site as usize].kind;
        if again || kind == SiteKind::Concretised {
            stack.push((u32::MAX - self.row.1, value.map_or(0, |value| value.index() as u64)));
        }
        Point { site: e.site, stack, thread: 0 }
    }

    /// What is decided by a node, over cells as they are now, and what it depends on.
    pub(super) fn condition(&mut self, terms: &mut Terms, handle: u32) -> Result<(TermId, Vec<TermId>), Lost> {
        match self.now(terms, handle) {
            Some(known) => Ok(known),
            None => Ok((self.detour(terms, handle)?, Vec::new())),
        }
    }

    /// The term of a node over cells as they are now, and what it depends on; `None` where it cannot be said so.
    fn now(&mut self, terms: &mut Terms, handle: u32) -> Option<(TermId, Vec<TermId>)> {
        self.importers[1].begin(self.source.nodes.len());
        let view = Now { memory: &self.memory, log: &self.log, asked: RefCell::default() };
        let recorded = Recorded { loads: Some(&view), ..self.source.recorded };
        let value = self.importers[1].bits(terms, &recorded, handle)?;
        let mut own = Vec::new();
        let (mut work, mut done) = (self.pending.clone(), Vec::new());
        loop {
            for load in view.asked.take() {
                let load = &self.log[&load];
                work.extend_from_slice(&load.address);
                for &(slot, held) in &load.loaded.given {
                    if !self.memory.is_unchanged(slot, load.time) {
                        return None;
                    }
                    let term = self.memory.places.get(slot).term;
                    own.push(terms.mk(Op::Eq, &[term, held]));
                }
            }
            let Some(next) = work.pop() else { break };
            if done.contains(&next) {
                continue;
            }
            done.push(next);
            let term = self.importers[1].bits(terms, &recorded, next.0)?;
            own.push(equal(terms, term, next.1));
        }
        own.retain(|&term| !terms.is_const(term));
        own.sort_unstable();
        own.dedup();
        Some((value, own))
    }

    /// A condition that cannot be said over cells as they are now is kept in a slot of its own.
    fn detour(&mut self, terms: &mut Terms, handle: u32) -> Result<TermId, Lost> {
        let term = self.at_begin(terms, handle)?;
        let width = terms.width(term);
        let slot = self.memory.places.other(terms, "condition", width.into(), width);
        self.memory.write(slot, term);
        Ok(self.memory.places.get(slot).term)
    }

    /// Ends the run.
    pub(super) fn finish(mut self, terms: &mut Terms, end: End) -> Finished {
        let last = self.memory.segment();
        let (mut mentioned, mut walk) = (Vec::new(), VarWalk::default());
        let segments = self.decisions.iter().map(|decision| &decision.segment).chain([&last]);
        for segment in segments {
            mentioned.extend(segment.writes.iter().map(|write| write.0));
            for term in segment.writes.iter().map(|write| write.1).chain(segment.equalities.iter().copied()) {
                walk.visit(terms, term, |var| mentioned.push(var));
            }
        }
        for decision in &self.decisions {
            let (Choice::Branch(arms) | Choice::Assume(arms, _) | Choice::Pin(arms) | Choice::Shape(arms)) = &decision.choice else {
                continue;
            };
            for &term in arms.iter().chain(&decision.own) {
                walk.visit(terms, term, |var| mentioned.push(var));
            }
        }
        mentioned.sort_unstable();
        mentioned.dedup();
        let slots: Vec<_> = mentioned.into_iter().filter_map(|var| Some((var, self.memory.places.of(var)?))).collect();
        let initial = slots.into_iter().map(|(var, slot)| (var, self.memory.initial(terms, slot))).collect();
        Finished { partition: self.memory.places.partition, initial, decisions: self.decisions, last, end, passed: self.passed }
    }
}

/// What a run comes to.
pub(super) struct Finished {
    pub(super) partition: u32,
    pub(super) initial: Vec<(xcute_term::VarId, TermId)>,
    pub(super) decisions: Vec<Decision>,
    pub(super) last: xcute_trace::segments::Segment,
    pub(super) end: End,
    pub(super) passed: Vec<(bool, u32, u32)>,
}

fn equal(terms: &mut Terms, term: TermId, value: u64) -> TermId {
    let value = terms.bv(terms.width(term), value);
    terms.mk(Op::Eq, &[term, value])
}

/// Is it not this value? Is it?
fn two(terms: &mut Terms, term: TermId, value: u64) -> Vec<TermId> {
    let same = equal(terms, term, value);
    vec![terms.not(same), same]
}
