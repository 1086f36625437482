//! `System.arraycopy`, and `clone` of arrays.

use xcute_classfile::Kind;
use xcute_term::Op;

use super::super::heap::{Origin, Slot};
use super::super::value::Value;
use super::super::{Replay, Stop};
use super::Arguments;
use crate::program::tables::MODEL;

impl Replay<'_> {
    /// Whether `arraycopy` throws: an array is null, or a range leaves its array.
    pub(super) fn copy_before(&mut self, arguments: &Arguments, site: u32) -> Result<(), Stop> {
        let [from, start, to, target, count] = arguments[..] else { return Err(self.lost("five arguments")) };
        let (Some(source), Some(destination)) = (self.array(from, site)?, self.array(to, site)?) else { return Ok(()) };
        let lengths = [self.length(source), self.length(destination)];
        let long = |v: Value| i64::from(v.as_int());
        let fits = [start, target, count].iter().all(|v| v.as_int() >= 0)
            && long(start) + long(count) <= long(lengths[0])
            && long(target) + long(count) <= long(lengths[1]);
        if [start, target, count, lengths[0], lengths[1]].iter().any(|v| v.node != 0) {
            let nodes = &mut self.s.nodes;
            let wide = |nodes: &mut super::super::nodes::Nodes, v: Value| {
                let node = nodes.of(v, 32);
                nodes.op1(Op::SignExt(64), node)
            };
            let zero = nodes.constant(64, 0);
            let [start, target, count] = [start, target, count].map(|v| wide(nodes, v));
            let mut all: Vec<_> = [start, target, count].into_iter().map(|n| nodes.op2(Op::BvSle, zero, n)).collect();
            for (position, length) in [(start, lengths[0]), (target, lengths[1])] {
                let (end, length) = (nodes.op2(Op::BvAdd, position, count), wide(nodes, length));
                all.push(nodes.op2(Op::BvSle, end, length));
            }
            let condition = nodes.many(Op::And, &all);
            self.branch(site, condition, fits);
        }
        self.story.cover(site, u32::from(fits));
        Ok(())
    }

    /// What `arraycopy` does to the cells.
    pub(super) fn copy_after(&mut self, arguments: &Arguments) -> Result<(), Stop> {
        let [from, start, to, target, count] = arguments[..] else { return Err(self.lost("five arguments")) };
        let (source, destination) = (from.as_object(), to.as_object());
        for (value, array) in [(start, source), (target, destination), (count, source)] {
            if value.node != 0 {
                self.settle_length(array);
                let end = self.s.heap.get(array).length + 1;
                self.settle(MODEL, value, end);
            }
        }
        self.touch_elements(source, start.bits as u32, count.bits as u32, false);
        self.touch_elements(destination, target.bits as u32, count.bits as u32, true);
        let class = self.s.heap.get(source).class;
        let kind = self.s.classes.element(class).unwrap_or(Kind::Reference);
        let cells: Vec<Option<Value>> = (0..count.bits as u32).map(|at| self.cell_value(source, start.bits as u32 + at, kind)).collect();
        for (at, cell) in (0..).zip(cells) {
            let slot = Slot::Element(target.bits as u32 + at);
            match cell {
                Some(value) => self.store(destination, slot, kind, value),
                None => self.unknown_store(destination, slot),
            }
        }
        Ok(())
    }

    /// What an element holds, if that is known.
    fn cell_value(&mut self, array: u32, at: u32, kind: Kind) -> Option<Value> {
        let id = self.s.heap.cell_id(array, Slot::Element(at));
        let (origin, known) = (self.s.heap.get(array).origin, self.s.heap.get(array).known);
        match (self.s.heap.cell(id), origin) {
            (Some(cell), _) => Some(Value { bits: cell.bits, node: cell.node }),
            (None, Origin::Input(..)) => {
                let bits = self.element_bits(array, at, kind);
                let Origin::Input(owner, _) = origin else { return None };
                let number = self.slot_variable(owner, Slot::Element(at));
                let node = self.node_of(number);
                let bits = if kind == Kind::Reference { self.object_at(bits as u32) } else { bits };
                Some(Value { bits, node })
            }
            (None, _) if known => Some(Value::NOTHING),
            (None, _) => None,
        }
    }

    /// An element gets a value that no input decides and that is not known here.
    fn unknown_store(&mut self, array: u32, slot: Slot) {
        let id = self.s.heap.cell_id(array, slot);
        let origin = self.s.heap.get(array).origin;
        self.soil(origin);
        self.s.heap.forget(id);
        self.s.heap.get_mut(array).known = false;
        if let Origin::Input(..) = origin {
            // It is no longer a variable; what it is, the next read says.
            self.s.heap.set(id, Value::NOTHING);
        }
    }

    /// The object that a run has at an address.
    pub(in super::super) fn object_at(&self, address: u32) -> u64 {
        let count = u32::try_from(self.s.heap.len()).expect("few objects");
        (1..count).find(|&object| self.s.heap.address(object) == address).map_or(0, u64::from)
    }

    /// A clone has the cells of the original.
    pub(super) fn clone_after(&mut self, reference: Value, result: Value) -> Result<Value, Stop> {
        let (source, made) = (reference.as_object(), result.as_object());
        let class = self.s.heap.get(source).class;
        self.bears(made);
        let Some(kind) = self.s.classes.element(class) else {
            self.clone_fields(source, made);
            return Ok(result);
        };
        let length = self.length(source);
        self.touch_elements(source, 0, length.bits as u32, false);
        let origin = self.origin();
        let found = self.s.heap.get_mut(made);
        (found.origin, found.length_node, found.known) = (origin, length.node, true);
        for at in 0..length.bits as u32 {
            match self.cell_value(source, at, kind) {
                Some(value) if value != Value::NOTHING => self.store(made, Slot::Element(at), kind, value),
                Some(_) => {}
                None => self.s.heap.get_mut(made).known = false,
            }
        }
        Ok(result)
    }

    /// A clone of an object that is not an array.
    fn clone_fields(&mut self, source: u32, made: u32) {
        let (origin, class) = (self.origin(), self.s.heap.get(source).class);
        self.s.heap.get_mut(made).origin = origin;
        let program = self.program;
        for (number, field) in (0u32..).zip(&program.fields) {
            let own = field.access & xcute_classfile::access::STATIC == 0 && self.s.classes.is_subclass_named(program, class, &field.class);
            if !own {
                continue;
            }
            let id = self.s.heap.cell_id(source, Slot::Field(number));
            let value = match (self.s.heap.cell(id), self.s.heap.get(source).origin) {
                (Some(cell), _) => Value { bits: cell.bits, node: cell.node },
                (None, Origin::Input(owner, _)) => {
                    let variable = self.field_variable(owner, number);
                    let word = self.read(variable);
                    let bits = if field.kind == Kind::Reference { self.object_at(word as u32) } else { self.bits_of(field.kind, word) };
                    Value { bits, node: self.node_of(variable) }
                }
                (None, _) => continue,
            };
            self.store(made, Slot::Field(number), field.kind, value);
        }
    }
}
