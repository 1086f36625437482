//! Fields: of objects, and static ones.

use super::heap::{CellId, Origin, Slot};
use super::nodes::Node;
use super::refs::Leaf;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::Insn;
use crate::program::follow::event_of;
use xcute_classfile::Kind;

impl Replay<'_> {
    /// `getfield`. Whether it threw.
    pub(super) fn get_field(&mut self, insn: Insn) -> Result<bool, Stop> {
        let receiver = self.s.frames.peek(0);
        let (nonnull, leaf) = self.check_null(receiver, insn.site)?;
        if !nonnull {
            return Ok(true);
        }
        let program = self.program;
        let info = &program.fields[insn.arg as usize];
        let reported = self.reported(info.kind, event_of(info.kind), insn.pc)?;
        let object = receiver.as_object();
        self.touch_field(object, insn.arg, false);
        self.inherit(object, info.kind, reported);
        let slot = Slot::Field(insn.arg);
        let mut value = self.load(object, slot, info.kind, reported)?;
        if let Leaf::Variable(variable) = leaf {
            let alternatives = self.alternatives(variable, object, &info.class);
            if let Some(node) = self.choose(alternatives, slot, info.kind) {
                value.node = node;
            }
        }
        self.s.frames.pop();
        self.push_kind(info.kind, value);
        Ok(false)
    }

    /// What reading gives if the object may be one of several: a choice between their cells. `None` if there is no choice.
    fn choose(&mut self, mut alternatives: Vec<(u32, Node)>, slot: Slot, kind: Kind) -> Option<Node> {
        let (last, _) = alternatives.pop()?;
        let mut node = self.owned_cell(last, slot, kind);
        for (owner, condition) in alternatives.into_iter().rev() {
            let other = self.owned_cell(owner, slot, kind);
            node = self.s.nodes.ite(condition, other, node);
        }
        Some(node)
    }

    /// The node of a value of a kind; references are addresses.
    pub(super) fn cell_node(&mut self, kind: Kind, value: Value) -> Node {
        if value.node != 0 {
            return value.node;
        }
        let bits = if kind == Kind::Reference { u64::from(self.s.heap.address(value.as_object())) } else { value.bits };
        let width = if kind.places() == 2 { 64 } else { 32 };
        self.s.nodes.constant(width, bits)
    }

    /// What a cell of the object that a variable owns holds, whether the object exists in this run or not.
    fn owned_cell(&mut self, owner: u32, slot: Slot, kind: Kind) -> Node {
        let id = CellId::of_variable(owner, slot);
        match self.s.heap.cell(id) {
            Some(cell) => self.cell_node(kind, Value { bits: cell.bits, node: cell.node }),
            None => {
                let number = self.slot_variable(owner, slot);
                self.node_of(number)
            }
        }
    }

    /// The value of a cell that the JVM reports, with what it depends on.
    pub(super) fn load(&mut self, object: u32, slot: Slot, kind: Kind, reported: Value) -> Result<Value, Stop> {
        self.entangles(object, slot, false);
        let id = self.s.heap.cell_id(object, slot);
        Ok(match self.s.heap.cell(id) {
            Some(cell) if super::enter::same(kind, cell.bits, reported.bits) => Value { bits: reported.bits, node: cell.node },
            Some(cell) => {
                // Somebody else wrote it.
                if cell.node != 0 {
                    let what = format!("{}: code that is not followed changed a value", self.place());
                    self.story.limit("overwritten", what, true);
                }
                self.s.heap.set(id, reported);
                reported
            }
            None => match self.s.heap.get(object).origin {
                Origin::Input(owner, _) => {
                    let number = self.slot_variable(owner, slot);
                    self.has_value(number, reported)?;
                    Value { bits: reported.bits, node: self.node_of(number) }
                }
                _ => reported,
            },
        })
    }

    /// A reference that is never null was null in this run, because nobody knew of it: then the case runs again.
    pub(super) fn has_value(&mut self, number: u32, reported: Value) -> Result<(), Stop> {
        if reported.bits == 0 && self.known.kind(number) == Kind::Reference {
            let meant = u32::try_from(self.read(number)).unwrap_or(0);
            if meant != 0 {
                return Err(Stop::Again(number, meant));
            }
        }
        Ok(())
    }

    /// `putfield`. Whether it threw.
    pub(super) fn put_field(&mut self, insn: Insn) -> Result<bool, Stop> {
        let program = self.program;
        let info = &program.fields[insn.arg as usize];
        let receiver = self.s.frames.peek(info.kind.places());
        let (nonnull, leaf) = self.check_null(receiver, insn.site)?;
        if !nonnull {
            return Ok(true);
        }
        let value = self.pop_kind(info.kind);
        let value = self.narrowed(info.kind, value);
        self.s.frames.pop();
        let object = receiver.as_object();
        self.touch_field(object, insn.arg, true);
        let slot = Slot::Field(insn.arg);
        let alternatives = match leaf {
            Leaf::Variable(variable) => self.alternatives(variable, object, &info.class),
            _ => Vec::new(),
        };
        self.store_everywhere(object, &alternatives, slot, info.kind, value);
        Ok(false)
    }

    /// Writes a cell of an object that may be one of several.
    fn store_everywhere(&mut self, object: u32, alternatives: &[(u32, Node)], slot: Slot, kind: Kind, value: Value) {
        let mut here = value;
        let new = if alternatives.is_empty() { 0 } else { self.cell_node(kind, value) };
        for &(owner, condition) in alternatives {
            let old = self.owned_cell(owner, slot, kind);
            let node = self.s.nodes.ite(condition, new, old);
            if matches!(self.s.heap.get(object).origin, Origin::Input(present, _) if present == owner) {
                here.node = node;
                continue;
            }
            let id = CellId::of_variable(owner, slot);
            let bits = self.s.heap.cell(id).map_or_else(|| self.default_bits(owner, slot, kind), |cell| cell.bits);
            self.s.heap.set(id, Value { bits, node });
        }
        self.store(object, slot, kind, here);
    }

    /// What the JVM has in a cell that was never written, of an object that a variable owns.
    fn default_bits(&mut self, owner: u32, slot: Slot, kind: Kind) -> u64 {
        let number = self.slot_variable(owner, slot);
        let word = self.read(number);
        if kind != Kind::Reference {
            return self.bits_of(kind, word);
        }
        // The object with this address, if the run has it.
        let address = u32::try_from(word).unwrap_or(0);
        (1..u32::try_from(self.s.heap.len()).expect("few objects")).find(|&o| self.s.heap.address(o) == address).map_or(0, u64::from)
    }

    /// Writes a cell.
    pub(super) fn store(&mut self, object: u32, slot: Slot, kind: Kind, value: Value) {
        self.entangles(object, slot, true);
        if self.initialising > 0 && value.node != 0 {
            self.entangled(true);
        }
        let id = self.s.heap.cell_id(object, slot);
        let found = self.s.heap.get(object);
        let (origin, escaped, known) = (found.origin, found.escaped, found.known);
        self.soil(origin);
        let kept = value.node != 0 || matches!(origin, Origin::Input(..)) || (known && matches!(slot, Slot::Element(_)));
        if kept {
            self.s.heap.set(id, value);
        } else {
            self.s.heap.forget(id);
        }
        if kind == Kind::Reference && value.bits != 0 {
            self.s.heap.link(object, value.as_object());
        }
        if escaped {
            self.stored_in_escaped(kind, value);
        }
    }

    /// Static state has changed, unless an initialiser runs.
    pub(super) fn soil(&mut self, origin: Origin) {
        if self.initialising == 0 {
            self.dirty[0] |= matches!(origin, Origin::Program | Origin::Constant(_));
            self.dirty[1] |= origin == Origin::Copies;
        }
    }

    /// An object that is met for the first time comes from where its holder comes from.
    fn inherit(&mut self, holder: u32, kind: Kind, value: Value) {
        if kind == Kind::Reference && self.s.heap.get(holder).origin == Origin::Copies {
            let object = self.s.heap.get_mut(value.as_object());
            if object.origin == Origin::Program {
                object.origin = Origin::Copies;
            }
        }
    }

    /// `getstatic`.
    pub(super) fn get_static(&mut self, insn: Insn) -> Result<(), Stop> {
        let program = self.program;
        let info = &program.fields[insn.arg as usize];
        let mut value = self.reported(info.kind, event_of(info.kind), insn.pc)?;
        self.touch_static(insn.arg, false);
        self.entangles_static(insn.arg, false);
        if info.kind == Kind::Reference && value.bits != 0 && info.class.starts_with(crate::program::names::COPIES) {
            let object = self.s.heap.get_mut(value.as_object());
            if object.origin == Origin::Program {
                object.origin = Origin::Copies;
            }
        }
        if info.name == "REVERSE" && info.class.ends_with("java/util/ImmutableCollections") {
            self.story.limit("environment", "the order of the elements of Set.of and Map.of changes from run to run", true);
        }
        if let Some(cell) = self.s.heap.cell(CellId::of_static(insn.arg)) {
            if super::enter::same(info.kind, cell.bits, value.bits) {
                value.node = cell.node;
            } else {
                let what = format!("{}: code that is not followed changed a value", self.place());
                self.story.limit("overwritten", what, true);
                self.s.heap.forget(CellId::of_static(insn.arg));
            }
        }
        self.push_kind(info.kind, value);
        Ok(())
    }

    /// `putstatic`.
    pub(super) fn put_static(&mut self, insn: Insn) {
        let program = self.program;
        let info = &program.fields[insn.arg as usize];
        let value = self.pop_kind(info.kind);
        let value = self.narrowed(info.kind, value);
        self.touch_static(insn.arg, true);
        self.entangles_static(insn.arg, true);
        let id = CellId::of_static(insn.arg);
        if value.node != 0 {
            self.s.heap.set(id, value);
            // An initialiser that takes inputs has to run again each time.
            self.dirty = [true, true];
            self.tangled |= self.initialising > 0;
        } else {
            self.s.heap.forget(id);
        }
        if self.initialising == 0 {
            let copies = info.class.starts_with(crate::program::names::COPIES);
            self.dirty[usize::from(copies)] = true;
        }
    }

    /// A value as a field of a kind keeps it: small integers lose their upper bits.
    pub(super) fn narrowed(&mut self, kind: Kind, value: Value) -> Value {
        use xcute_classfile::opcode::{I2B, I2C, I2S};
        match kind {
            Kind::Boolean => {
                let bits = value.bits & 1;
                if value.node == 0 {
                    return Value::concrete(bits);
                }
                let one = self.s.nodes.constant(32, 1);
                Value { bits, node: self.s.nodes.op2(xcute_term::Op::BvAnd, value.node, one) }
            }
            Kind::Byte => self.s.nodes.convert(I2B, value),
            Kind::Char => self.s.nodes.convert(I2C, value),
            Kind::Short => self.s.nodes.convert(I2S, value),
            _ => value,
        }
    }
}
