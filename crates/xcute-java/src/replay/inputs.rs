//! Variables as runs meet them.

use std::sync::Arc;

use xcute_classfile::Kind;
use xcute_term::Op;

use super::Replay;
use super::heap::Slot;
use super::nodes::Node;
use crate::inputs::variable::{Key, Variable};

impl Replay<'_> {
    /// The next input of a run.
    pub(super) fn take_input(&mut self, descriptor: &str, string: bool) -> u32 {
        let ordinal = self.taken;
        self.taken += 1;
        self.entangles_input();
        let key = Key::Root { ordinal, of: descriptor.to_owned() };
        let name = self.program.input_name(ordinal);
        let receiver = self.program.plan.is_receiver(ordinal);
        self.variable(key, descriptor, string || receiver, |_| name)
    }

    /// The variable that is a field of the object that another one owns.
    pub(super) fn field_variable(&mut self, owner: u32, field: u32) -> u32 {
        if let Some(&known) = self.s.parts.get(&(owner, field)) {
            self.read(known);
            return known;
        }
        let info = &self.program.fields[field as usize];
        // The enclosing object of an inner class is always there.
        let nonnull = info.name.starts_with("this$");
        let key = Key::Field(owner, info.class.clone(), info.name.clone());
        let name = format!(".{}", info.name);
        let number = self.variable(key, &info.descriptor, nonnull, |parent| format!("{parent}{name}"));
        self.s.parts.insert((owner, field), number);
        number
    }

    /// The variable that is an element of an array, or a character of a string, that another one owns.
    pub(super) fn element_variable(&mut self, owner: u32, index: u32, descriptor: &str) -> u32 {
        let slot = index | 1 << 31;
        if let Some(&known) = self.s.parts.get(&(owner, slot)) {
            self.read(known);
            return known;
        }
        let number = self.variable(Key::Element(owner, index), descriptor, false, |parent| format!("{parent}[{index}]"));
        self.s.parts.insert((owner, slot), number);
        number
    }

    /// The variable that is the length of an array or string that another one owns.
    pub(super) fn length_variable(&mut self, owner: u32) -> u32 {
        self.variable(Key::Length(owner), "I", false, |parent| format!("{parent}.length"))
    }

    /// The variable that is the value in a box that another one owns.
    pub(super) fn boxed_variable(&mut self, owner: u32, kind: Kind) -> u32 {
        self.variable(Key::Value(owner), &kind.letter().to_string(), false, |parent| format!("{parent}.value"))
    }

    fn variable(&mut self, key: Key, descriptor: &str, nonnull: bool, name: impl FnOnce(&str) -> String) -> u32 {
        let kind = Kind::of(descriptor).unwrap_or(Kind::Reference);
        let (program, finder) = (self.program, &mut self.s.finder);
        let mut limit = None;
        let number = self.known.find(self.terms, &key.clone(), |registry| {
            let candidates =
                if kind == Kind::Reference { finder.of(&mut program.tables().hierarchy, descriptor) } else { Default::default() };
            let parent = key.owner().map_or("", |owner| registry.all()[owner as usize].name.as_str());
            let name = name(parent);
            Variable { key, descriptor: descriptor.to_owned(), kind, name, nonnull, candidates: Arc::new(candidates) }
        });
        if kind == Kind::Reference {
            limit = self.s.finder.of(&mut program.tables().hierarchy, descriptor).limit;
        }
        if let Some(limit) = limit {
            self.story.limit("unsupported", limit, true);
        }
        self.read(number);
        number
    }

    /// The value of a variable in this run, which is part of its input from now on.
    pub(super) fn read(&mut self, number: u32) -> u64 {
        let word = self.known.value(self.run.input, number);
        let id = self.known.id(number).expect("declared");
        self.story.input.set_word(id, word);
        word
    }

    /// A variable as a value of the JVM: small integers are extended.
    pub(super) fn node_of(&mut self, number: u32) -> Node {
        let kind = self.known.kind(number);
        let node = self.s.nodes.var(number);
        self.extended(kind, node)
    }

    /// A value of a kind as the stack has it.
    pub(super) fn extended(&mut self, kind: Kind, node: Node) -> Node {
        match kind {
            Kind::Boolean | Kind::Char => self.s.nodes.op1(Op::ZeroExt(32), node),
            Kind::Byte | Kind::Short => self.s.nodes.op1(Op::SignExt(32), node),
            _ => node,
        }
    }

    /// The bits of a variable's value as the stack has them.
    pub(super) fn bits_of(&self, kind: Kind, word: u64) -> u64 {
        match kind {
            Kind::Byte => u64::from(i32::from((word as u8).cast_signed()).cast_unsigned()),
            Kind::Short => u64::from(i32::from((word as u16).cast_signed()).cast_unsigned()),
            _ => word,
        }
    }

    /// The variable of a slot of the object that a variable owns.
    pub(super) fn slot_variable(&mut self, owner: u32, slot: Slot) -> u32 {
        match slot {
            Slot::Field(field) => self.field_variable(owner, field),
            Slot::Element(index) => {
                let shared = self.known.shared.clone();
                let descriptor = shared.lock().all()[owner as usize].element_descriptor();
                self.element_variable(owner, index, &descriptor)
            }
        }
    }
}
