//! Arrays: elements, lengths, and indices that inputs decide.
//!
//! An index that an input decides selects between all elements where they are numbers and all known; the selection is a tree over the bits of the
//! index. Where elements are references, or not all known, it is decided which element it is: one path for each.

use xcute_classfile::Kind;
use xcute_term::Op;

use super::classes::ClassIdx;
use super::heap::{Origin, Slot};
use super::nodes::Node;
use super::refs::Leaf;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::element;
use crate::program::body::{Insn, TypeId};
use crate::program::follow::event_of;
use crate::program::tables::{MODEL, SHAPE};
use crate::wire::event;

/// Arrays of at most this many elements are selected from by terms.
const SELECTED: u32 = 256;

impl Replay<'_> {
    /// The array that an instruction is on; `None` if it is null. Which of several it is, is decided.
    pub(super) fn array(&mut self, value: Value, site: u32) -> Result<Option<u32>, Stop> {
        let (nonnull, leaf) = self.check_null(value, site)?;
        if !nonnull {
            return Ok(None);
        }
        if let Leaf::Variable(variable) = leaf {
            self.resolve(variable, value.as_object());
        }
        Ok(Some(value.as_object()))
    }

    /// The length of an array.
    pub(super) fn length(&mut self, array: u32) -> Value {
        let found = self.s.heap.get(array);
        let (bits, node, origin) = (u64::from(found.length), found.length_node, found.origin);
        let node = match origin {
            Origin::Input(owner, _) => {
                let number = self.length_variable(owner);
                self.node_of(number)
            }
            _ => node,
        };
        Value { bits, node }
    }

    /// Whether an index is inside of an array; a decision where an input decides it.
    pub(super) fn inside(&mut self, array: u32, index: Value, site: u32) -> bool {
        let length = self.length(array);
        let inside = (index.bits as u32) < length.bits as u32;
        if index.node != 0 || length.node != 0 {
            let (i, l) = (self.s.nodes.of(index, 32), self.s.nodes.of(length, 32));
            let condition = self.s.nodes.op2(Op::BvUlt, i, l);
            self.branch(site, condition, inside);
        }
        self.story.cover(site, u32::from(inside));
        inside
    }

    /// `iaload` and its like. Whether it threw.
    pub(super) fn array_load(&mut self, insn: Insn) -> Result<bool, Stop> {
        let (reference, index) = (self.s.frames.peek(1), self.s.frames.peek(0));
        let Some(array) = self.array(reference, insn.site)? else { return Ok(true) };
        if !self.inside(array, index, insn.site + 1) {
            return Ok(true);
        }
        let kind = element(insn.op);
        let reported = self.reported(kind, event_of(kind), insn.pc)?;
        self.touch_element(array, index.bits as u32, insn.op, false);
        let value = if index.node != 0 && self.selects(array, kind)? {
            let leaves = self.elements(array, kind);
            Value { bits: reported.bits, node: self.select(index.node, leaves) }
        } else {
            self.settle_index(array, index);
            self.load(array, Slot::Element(index.bits as u32), kind, reported)?
        };
        self.s.frames.drop(2);
        self.push_kind(kind, value);
        Ok(false)
    }

    /// `iastore` and its like. Whether it threw.
    pub(super) fn array_store(&mut self, insn: Insn) -> Result<bool, Stop> {
        let kind = element(insn.op);
        let (reference, index) = (self.s.frames.peek(kind.places() + 1), self.s.frames.peek(kind.places()));
        let Some(array) = self.array(reference, insn.site)? else { return Ok(true) };
        if !self.inside(array, index, insn.site + 1) {
            return Ok(true);
        }
        let value = self.s.frames.peek(kind.places() - 1);
        if kind == Kind::Reference && !self.fits(array, value, insn.site + 2)? {
            return Ok(true);
        }
        self.s.frames.drop(kind.places() + 2);
        self.touch_element(array, index.bits as u32, insn.op, true);
        let class = self.s.heap.get(array).class;
        let held = self.s.classes.element(class).unwrap_or(kind);
        let value = self.narrowed(held, value);
        if index.node != 0 && self.selects(array, kind)? {
            let width = if kind.places() == 2 { 64 } else { 32 };
            let new = self.s.nodes.of(value, width);
            for (at, old) in (0u32..).zip(self.elements(array, kind)) {
                let here = self.s.nodes.equals(index.node, 32, u64::from(at));
                let node = self.s.nodes.ite(here, new, old);
                let bits = if at == index.bits as u32 { value.bits } else { self.element_bits(array, at, kind) };
                self.store(array, Slot::Element(at), kind, Value { bits, node });
            }
        } else {
            self.settle_index(array, index);
            self.store(array, Slot::Element(index.bits as u32), kind, value);
        }
        Ok(false)
    }

    /// Whether an object may be stored in an array; a decision where an input decides it.
    fn fits(&mut self, array: u32, value: Value, site: u32) -> Result<bool, Stop> {
        let class = self.s.heap.get(array).class;
        let Some(of) = self.s.classes.element_class(class).map(|c| self.s.classes.name(c).to_owned()) else { return Ok(true) };
        if of == "java/lang/Object" {
            return Ok(true);
        }
        let object = value.as_object();
        let class = self.s.heap.get(object).class;
        let fits = object == 0 || self.s.classes.is_subclass_named(self.program, class, &of);
        if value.node != 0
            && let (Leaf::Variable(variable), node) = self.leaf(value.node)?
        {
            let choices = self.choices(variable).to_vec();
            let mut arms = vec![self.s.nodes.equals(node, 32, 0)];
            let before = arms.len() + choices.len();
            for choice in choices {
                if self.s.classes.is_subclass_named(self.program, choice.class, &of) {
                    arms.push(self.s.nodes.equals(node, 32, u64::from(choice.address)));
                }
            }
            if arms.len() < before {
                let condition = self.s.nodes.many(Op::Or, &arms);
                self.branch(site, condition, fits);
            }
        }
        self.story.cover(site, u32::from(fits));
        Ok(fits)
    }

    /// Decides which element an index means.
    pub(super) fn settle_index(&mut self, array: u32, index: Value) {
        if index.node != 0 {
            self.settle_length(array);
            let length = self.s.heap.get(array).length;
            self.settle(MODEL, index, length);
        }
    }

    /// Decides what a number below `end` is, by halving: the same questions in every run.
    pub(super) fn settle(&mut self, site: u32, value: Value, end: u32) {
        let (mut low, mut high) = (0, end);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let bound = self.s.nodes.constant(32, u64::from(middle));
            let condition = self.s.nodes.op2(Op::BvUlt, value.node, bound);
            let below = (value.bits as u32) < middle;
            self.branch(site, condition, below);
            if below { high = middle } else { low = middle }
        }
    }

    /// Whether elements can be selected by a term. It is decided how long the array is.
    fn selects(&mut self, array: u32, kind: Kind) -> Result<bool, Stop> {
        let found = self.s.heap.get(array);
        let known = found.known || matches!(found.origin, Origin::Input(..));
        if kind == Kind::Reference || found.escaped || found.length > SELECTED {
            return Ok(false);
        }
        if !known {
            // What it holds, the JVM can say.
            return if self.run.arrays { Ok(false) } else { Err(Stop::Arrays) };
        }
        self.settle_length(array);
        Ok(true)
    }

    /// Decides how long an array is.
    pub(super) fn settle_length(&mut self, array: u32) {
        let length = self.length(array);
        if length.node != 0 {
            let input = matches!(self.s.heap.get(array).origin, Origin::Input(..));
            self.settle(SHAPE, length, if input { self.known.longest() + 1 } else { 1 << 31 });
        }
    }

    /// The nodes of all elements.
    pub(super) fn elements(&mut self, array: u32, kind: Kind) -> Vec<Node> {
        let length = self.s.heap.get(array).length;
        (0..length).map(|at| self.element_node(array, at, kind)).collect()
    }

    pub(super) fn element_node(&mut self, array: u32, at: u32, kind: Kind) -> Node {
        let id = self.s.heap.cell_id(array, Slot::Element(at));
        match (self.s.heap.cell(id), self.s.heap.get(array).origin) {
            (Some(cell), _) => self.cell_node(kind, Value { bits: cell.bits, node: cell.node }),
            (None, Origin::Input(owner, _)) => {
                let number = self.slot_variable(owner, Slot::Element(at));
                self.node_of(number)
            }
            (None, _) => self.cell_node(kind, Value::NOTHING),
        }
    }

    /// What an element holds in this run.
    pub(super) fn element_bits(&mut self, array: u32, at: u32, kind: Kind) -> u64 {
        let id = self.s.heap.cell_id(array, Slot::Element(at));
        match (self.s.heap.cell(id), self.s.heap.get(array).origin) {
            (Some(cell), _) => cell.bits,
            (None, Origin::Input(owner, _)) => {
                let number = self.slot_variable(owner, Slot::Element(at));
                let word = self.read(number);
                self.bits_of(kind_of_element(kind, self.known.kind(number)), word)
            }
            (None, _) => 0,
        }
    }

    /// The element at an index that is inside: a tree over the bits of the index.
    pub(super) fn select(&mut self, index: Node, mut leaves: Vec<Node>) -> Node {
        let mut bit = 0;
        while leaves.len() > 1 {
            let picked = self.s.nodes.op1(Op::Extract(bit, bit), index);
            let odd = self.s.nodes.equals(picked, 1, 1);
            let mut next = Vec::with_capacity(leaves.len().div_ceil(2));
            for pair in leaves.chunks(2) {
                next.push(match *pair {
                    [low, high] => self.s.nodes.ite(odd, high, low),
                    _ => pair[0],
                });
            }
            leaves = next;
            bit += 1;
        }
        leaves[0]
    }

    /// `arraylength`. Whether it threw.
    pub(super) fn array_length(&mut self, insn: Insn) -> Result<bool, Stop> {
        let Some(array) = self.array(self.s.frames.peek(0), insn.site)? else { return Ok(true) };
        let length = self.length(array);
        self.s.frames.pop();
        self.s.frames.push(length);
        Ok(false)
    }

    /// `newarray` and `anewarray`. Whether it threw.
    pub(super) fn new_array(&mut self, insn: Insn, class: ClassIdx) -> Result<bool, Stop> {
        let count = self.s.frames.peek(0);
        if !self.is_size(count, insn.site) {
            return Ok(true);
        }
        let array = self.made(insn.pc, class)?;
        self.s.heap.get_mut(array).length_node = count.node;
        self.s.frames.pop();
        self.s.frames.push(Value::concrete(u64::from(array)));
        Ok(false)
    }

    /// `multianewarray`. Whether it threw.
    pub(super) fn new_arrays(&mut self, insn: Insn) -> Result<bool, Stop> {
        let (dimensions, of) = (insn.arg >> 24, TypeId(insn.arg & 0xff_ffff));
        for below in (0..dimensions as usize).rev() {
            let count = self.s.frames.peek(below);
            if !self.is_size(count, insn.site) {
                return Ok(true);
            }
            // Inner arrays are met when they are read; their lengths are those of this run.
            if count.node != 0 {
                self.settle(SHAPE, count, 1 << 31);
            }
        }
        let class = self.s.classes.intern(&self.program.types[of.0 as usize]);
        let array = self.made(insn.pc, class)?;
        self.s.heap.get_mut(array).known = false;
        self.s.frames.drop(dimensions as usize);
        self.s.frames.push(Value::concrete(u64::from(array)));
        Ok(false)
    }

    /// Whether a number can be the size of an array; a decision where an input decides it.
    fn is_size(&mut self, count: Value, site: u32) -> bool {
        let fits = count.as_int() >= 0;
        if count.node != 0 {
            let zero = self.s.nodes.constant(32, 0);
            let condition = self.s.nodes.op2(Op::BvSle, zero, count.node);
            self.branch(site, condition, fits);
        }
        self.story.cover(site, u32::from(fits));
        fits
    }

    /// The array that an event says was made.
    fn made(&mut self, pc: u16, class: ClassIdx) -> Result<u32, Stop> {
        let found = self.events.peek().ok_or(Stop::End)?;
        if found.kind != event::MADE || found.pc != pc {
            return Err(self.unexpected("a new array"));
        }
        self.events.take(found);
        let made = self.s.heap.add(class, found.value, self.origin(), found.more as u32);
        // Also in an initialiser: a run that finds it done is given the elements by the JVM, and decides alike.
        self.s.heap.get_mut(made).known = true;
        self.bears(made);
        Ok(made)
    }

    /// Where an object that is made now comes from, seen from later runs.
    pub(super) fn origin(&self) -> Origin {
        if self.initialising == 0 { Origin::Made } else { Origin::Program }
    }
}

/// `baload` is for two types; the variable knows which.
fn kind_of_element(kind: Kind, variable: Kind) -> Kind {
    if kind == Kind::Byte { variable } else { kind }
}
