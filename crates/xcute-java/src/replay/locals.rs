//! The local variables of the method in which an exception was raised that nobody caught.
//!
//! A run has events for what it reads, so the replay has the numbers of each local. What objects hold is known in part only: texts, arrays of numbers that other code
//! never had, and fresh inputs are shown with it, other objects by their class.
//!
//! **Invariant.** An exception that is caught and thrown again belongs to the place where it was raised first. Where several exceptions were not caught, nothing is said:
//! they may be those of other threads.

use rustc_hash::FxHashMap;
use xcute_classfile::opcode::ATHROW;
use xcute_classfile::{Kind, LocalVariable};
use xcute_trace::{Failure, Frame, Held as HeldValue};

use super::Replay;
use super::frames::Waiting;
use super::heap::{Origin, Slot};
use super::held::Held;
use super::value::Value;
use crate::inputs::candidate::Candidate;
use crate::inputs::literal;
use crate::inputs::variable::Key;
use crate::program::body::{Literal, MethodId};
use crate::program::{is_made, names};

/// At most this many variables are shown, and elements of an array.
const VARIABLES: usize = 40;
const ELEMENTS: u32 = 8;
/// Longer texts are left out: the input has them.
const LONG: usize = 200;

/// Where an exception was raised: the innermost of the program's own methods, and its locals then.
#[derive(Clone, Debug)]
struct Raised {
    method: MethodId,
    pc: u16,
    locals: Vec<Value>,
    stack: Vec<Frame>,
}

/// The exceptions of a run.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    /// Those on their way, and those that nobody caught.
    open: Vec<Raised>,
    /// Those that were caught, by object.
    caught: FxHashMap<u32, Raised>,
}

/// What the locals held where a run failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Locals {
    /// The frames of the program itself, innermost first.
    stack: Vec<Frame>,
    held: Vec<HeldValue>,
}

impl Locals {
    /// The values that belong to a failure: those of its first frame.
    pub(crate) fn of(self, failure: &Failure) -> Vec<HeldValue> {
        let same = |a: &Frame, b: &Frame| a.function == b.function && a.line == b.line;
        let (Some(own), Some(first)) = (self.stack.first(), failure.stack.first()) else { return Vec::new() };
        // Of a recursion it must be the same turn.
        let turns = |stack: &[Frame]| stack.iter().filter(|frame| frame.function == own.function).count();
        if same(own, first) && turns(&self.stack) == turns(&failure.stack) { self.held } else { Vec::new() }
    }
}

impl Replay<'_> {
    /// An exception is raised, or thrown again.
    pub(super) fn raised(&mut self) {
        let frames = self.s.frames.all();
        let own = |method: MethodId| {
            let method = self.program.method(method);
            self.program.is_own(&method.class) && !is_made(method)
        };
        let Some(at) = frames.iter().rposition(|frame| own(frame.method)) else { return };
        let frame = frames[at];
        let body = &self.program.method(frame.method).body;
        let Some(insn) = body.insns.get(frame.at as usize) else { return };
        let again = insn.op == ATHROW && frame.waiting == Waiting::Nothing && at + 1 == frames.len();
        if again && let Some(known) = self.exceptions.caught.get(&self.s.frames.peek(0).as_object()) {
            let known = known.clone();
            self.exceptions.open.push(known);
            return;
        }
        let (pc, locals, stack) = (insn.pc, self.s.frames.locals_of(at).to_vec(), self.stack());
        self.exceptions.open.push(Raised { method: frame.method, pc, locals, stack });
    }

    /// The exception that was raised last is caught.
    pub(super) fn was_caught(&mut self, exception: u32) {
        if let Some(raised) = self.exceptions.open.pop() {
            self.exceptions.caught.insert(exception, raised);
        }
    }

    /// The locals where the only exception was raised that nobody caught.
    pub(super) fn locals(&mut self) -> Option<Locals> {
        let [_] = self.exceptions.open.as_slice() else { return None };
        let raised = self.exceptions.open.pop()?;
        let method = self.program.method(raised.method);
        let in_scope = |local: &&LocalVariable| local.name != "this" && local.covers(raised.pc);
        let mut held = Vec::new();
        for local in method.body.variables.iter().filter(in_scope).take(VARIABLES) {
            let value = raised.locals.get(usize::from(local.local)).copied().unwrap_or_default();
            let value = match Kind::of(&local.descriptor) {
                Some(Kind::Reference) | None => self.object(value.as_object()),
                Some(kind) => literal::plain(kind, value.bits),
            };
            if value.chars().count() <= LONG {
                held.push(HeldValue { name: local.name.clone(), value });
            }
        }
        Some(Locals { stack: raised.stack, held })
    }

    /// An object for people.
    fn object(&self, object: u32) -> String {
        if object == 0 {
            return "null".to_owned();
        }
        let found = self.s.heap.get(object);
        let class = self.s.classes.name(found.class);
        match &found.text {
            Held::Text(text) if class == "java/lang/String" => return literal::text(&text.present()),
            Held::Literal(method, constant) => {
                if let Literal::Text(units) = &self.program.method(*method).body.constants[*constant as usize] {
                    return literal::text(units);
                }
            }
            _ => {}
        }
        let registry = self.known.shared.lock();
        let input = |key: &Key| registry.find(key).map_or(0, |number| self.known.value(&self.story.input, number));
        if let Origin::Input(variable, choice) = found.origin
            && let Some(owner) = registry.all().get(variable as usize)
        {
            match owner.candidates.all.get(choice as usize) {
                Some(Candidate::Text) => {
                    let units: Vec<u16> =
                        (0..input(&Key::Length(variable)) as u32).map(|at| input(&Key::Element(variable, at)) as u16).collect();
                    return literal::text(&units);
                }
                Some(Candidate::Constant(class, ordinal)) => return self.program.constant(class, *ordinal),
                _ => {}
            }
        }
        let Some(kind) = self.s.classes.element(found.class) else { return names::readable(names::original(class)) };
        let element = names::readable(class);
        let element = element.strip_suffix("[]").unwrap_or(&element);
        if kind == Kind::Reference || found.escaped || !(found.known || matches!(found.origin, Origin::Input(..))) {
            return format!("{element}[{}]", found.length);
        }
        let at = |index: u32| {
            let bits = self.s.heap.cell(self.s.heap.cell_id(object, Slot::Element(index))).map(|cell| cell.bits);
            bits.unwrap_or_else(|| if let Origin::Input(variable, _) = found.origin { input(&Key::Element(variable, index)) } else { 0 })
        };
        let shown: Vec<String> = (0..found.length.min(ELEMENTS)).map(|index| literal::plain(kind, at(index))).collect();
        let more = if found.length > ELEMENTS { ", …" } else { "" };
        format!("{element}[{}] {{{}{more}}}", found.length, shown.join(", "))
    }
}
