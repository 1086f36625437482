//! Objects of the JDK that hold one value: `Optional` and its like.
//!
//! Their classes cannot be copied where streams return them. They never change, and have no more than their value, so that is kept next to them; it is decided
//! before they are made whether it is null.

use xcute_classfile::Kind;

use super::super::Replay;
use super::super::heap::{Cell, Slot};
use super::super::value::Value;
use super::Arguments;
use crate::program::body::Call;

/// The slot of the value.
const VALUE: Slot = Slot::Field((1 << 31) - 2);

impl Replay<'_> {
    /// `of` and `ofNullable`. That which holds nothing is always the same.
    pub(super) fn hold(&mut self, value: Value, result: Value) {
        let class = self.s.heap.get(result.as_object()).class;
        let empty = value.bits == 0 && self.s.classes.name(class) == "java/util/Optional";
        if result.bits != 0 && !empty {
            let id = self.s.heap.cell_id(result.as_object(), VALUE);
            self.s.heap.set(id, value);
        }
    }

    /// `get` and its like.
    pub(super) fn held_by(&mut self, holder: Value, result: Value) -> Value {
        let node = self.held_in(holder.as_object()).map_or(0, |cell| cell.node);
        Value { bits: result.bits, node }
    }

    /// A method that the replay computes gets such an object: it may ask for its text, which is not followed.
    pub(super) fn shows_held(&mut self, call: &Call, arguments: &Arguments) {
        let parameters = arguments.iter().skip(usize::from(call.has_receiver()));
        let objects = call.parameters.iter().zip(parameters).filter(|(kind, value)| **kind == Kind::Reference && value.bits != 0);
        for object in objects.map(|(_, value)| value.as_object()).collect::<Vec<_>>() {
            if self.held_in(object).is_some() && self.reaches(object, false) {
                self.count("java/util/Optional", "toString");
            }
        }
    }

    /// What such an object holds, if it is known.
    pub(in super::super) fn held_in(&mut self, holder: u32) -> Option<Cell> {
        let id = self.s.heap.cell_id(holder, VALUE);
        self.s.heap.cell(id)
    }
}
