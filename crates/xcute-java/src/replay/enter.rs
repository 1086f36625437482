//! Methods begin: called by followed code, or by code that is not followed.

use xcute_classfile::Kind;

use super::heap::Origin;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::MethodId;
use crate::program::follow::event_of;
use crate::wire::event;

impl Replay<'_> {
    /// Takes over the objects of the input; the driver begins.
    pub(super) fn begin(&mut self) -> Result<(), Stop> {
        for object in &self.run.recipe.objects {
            let found = self.events.peek().ok_or(Stop::End)?;
            if found.kind != event::INPUT || found.value == 0 {
                return Err(self.lost("an input object"));
            }
            self.events.take(found);
            let class = self.class_of(found.more)?;
            let origin = match crate::inputs::variable::owner(object.address) {
                Some((variable, candidate)) => Origin::Input(variable, candidate),
                None => Origin::Constant(object.address),
            };
            // Boxes of the input and of the program may share an object.
            if self.s.heap.find(found.value).is_none() {
                self.s.heap.add(class, found.value, origin, found.more as u32);
            }
        }
        let found = self.events.peek().ok_or(Stop::End)?;
        if found.kind != event::ENTER {
            return Err(self.lost("the driver"));
        }
        self.called_from_outside(MethodId(found.value))
    }

    /// A method that code which is not followed calls: its arguments come with the events.
    pub(super) fn called_from_outside(&mut self, id: MethodId) -> Result<(), Stop> {
        let program = self.program;
        let Some(method) = program.methods.get(id.0 as usize) else { return Err(self.lost("a method that exists")) };
        let found = self.events.peek().ok_or(Stop::End)?;
        self.events.take(found);
        let mut places = 0;
        if method.reports_arguments() {
            let mut local = 0;
            for kind in std::iter::once(Kind::Reference).chain(method.parameters.iter().copied()) {
                let value = self.reported(kind, event_of(kind), local)?;
                self.push_kind(kind, value);
                local += u16::try_from(kind.places()).expect("one or two");
                places += kind.places();
            }
        } else if !method.parameters.is_empty() || !method.is_static() {
            let what = format!("{}.{} is called by reflection", method.class, method.name);
            self.story.limit("unsupported", what, true);
            return Err(Stop::Unfollowed);
        }
        let initialiser = method.name == "<clinit>";
        self.initialising += u32::from(initialiser);
        self.initialisers += u32::from(initialiser);
        if initialiser && self.initialising == 1 {
            self.born.clear();
        }
        self.initialiser_begins();
        self.s.frames.enter(id, &method.body, places, true, initialiser);
        self.is_born();
        Ok(())
    }

    /// A method that the frame on top calls: its arguments are the last places of the stack.
    pub(super) fn call(&mut self, id: MethodId, places: usize) -> Result<(), Stop> {
        let program = self.program;
        let method = program.method(id);
        let found = self.events.peek().ok_or(Stop::End)?;
        debug_assert!(found.kind == event::ENTER && found.value == id.0, "the caller looked");
        self.events.take(found);
        if method.reports_arguments() {
            let mut local = 0;
            let mut below = places;
            for kind in std::iter::once(Kind::Reference).chain(method.parameters.iter().copied()) {
                let expected = self.s.frames.peek(below - 1);
                let value = self.reported(kind, event_of(kind), local)?;
                if !same(kind, value.bits, expected.bits) {
                    return Err(self.lost("the argument that was passed"));
                }
                local += u16::try_from(kind.places()).expect("one or two");
                below -= kind.places();
            }
        }
        self.entangles_call(method);
        self.s.frames.enter(id, &method.body, places, false, false);
        self.is_born();
        Ok(())
    }

    /// A value that the next event reports.
    pub(super) fn reported(&mut self, kind: Kind, as_event: u8, pc: u16) -> Result<Value, Stop> {
        let found = self.events.peek().ok_or(Stop::End)?;
        if found.kind != as_event || found.pc != pc {
            return Err(self.unexpected("a value"));
        }
        self.events.take(found);
        Ok(Value::concrete(match kind {
            Kind::Long | Kind::Double => found.more,
            Kind::Reference => u64::from(self.object_of(found)?),
            _ => u64::from(found.value),
        }))
    }

    pub(super) fn push_kind(&mut self, kind: Kind, value: Value) {
        if kind.places() == 2 {
            self.s.frames.push2(value);
        } else {
            self.s.frames.push(value);
        }
    }

    pub(super) fn pop_kind(&mut self, kind: Kind) -> Value {
        if kind.places() == 2 { self.s.frames.pop2() } else { self.s.frames.pop() }
    }
}

/// Whether two values are the same, as far as a program can see: all NaNs are.
pub(super) fn same(kind: Kind, a: u64, b: u64) -> bool {
    match kind {
        Kind::Float => a == b || (f32::from_bits(a as u32).is_nan() && f32::from_bits(b as u32).is_nan()),
        Kind::Double => a == b || (f64::from_bits(a).is_nan() && f64::from_bits(b).is_nan()),
        Kind::Long => a == b,
        _ => a as u32 == b as u32,
    }
}
