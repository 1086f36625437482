//! Code that is not followed: what of an input can reach it.
//!
//! It runs as it is, with the values of the run. Where something that an input decides can reach it, its result may depend on the input in a way that nobody
//! knows, which is counted with its name. What can reach it: numbers, strings, boxes and arrays, directly or through other arrays. Objects of followed
//! classes are closed to it, because only their own methods, which are followed, look into them; unless it works by reflection, or is a method that is left out.
//!
//! Which object a reference is, and whether it is null, is decided before it is passed: then it is the same on the whole path.

use xcute_classfile::Kind;

use super::heap::{Origin, Slot};
use super::nodes::Expr;
use super::refs::Leaf;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::Call;
use crate::program::names;
use crate::program::tables::SHAPE;

/// Objects that are looked through at most.
const LOOKED_THROUGH: usize = 10_000;

impl Replay<'_> {
    /// Decides whether a reference is null and which object it is; whether it is null.
    pub(super) fn settle_reference(&mut self, value: Value) -> Result<bool, Stop> {
        let null = value.bits == 0;
        if value.node != 0
            && let (Leaf::Variable(variable), node) = self.leaf(value.node)?
        {
            let condition = self.s.nodes.equals(node, 32, 0);
            self.branch(SHAPE, condition, null);
            if !null {
                self.resolve(variable, value.as_object());
            }
        }
        Ok(null)
    }

    /// Before code that is not followed runs.
    pub(super) fn pass(&mut self, call: &Call, declaring: &str) -> Result<(), Stop> {
        let left_out = self.program.left_out.called(&call.name, &call.descriptor);
        let arrives = self.arrives(call, left_out.is_some() || is_reflective(declaring))?;
        match left_out {
            Some(method) => self.story.left_out(&method),
            None if arrives => self.count(declaring, &call.name),
            None => {}
        }
        let kinds = call.has_receiver().then_some(Kind::Reference).into_iter().chain(call.parameters.iter().copied());
        let references: Vec<u32> =
            kinds.zip(self.arguments(call)).filter(|(kind, _)| *kind == Kind::Reference).map(|(_, value)| value.as_object()).collect();
        for object in references {
            self.used_by_foreign(object, declaring);
        }
        Ok(())
    }

    /// Whether something that an input decides is among the arguments of a call, or can be reached from them.
    pub(super) fn reached(&mut self, call: &Call) -> Result<bool, Stop> {
        self.arrives(call, false)
    }

    fn arrives(&mut self, call: &Call, reflective: bool) -> Result<bool, Stop> {
        let kinds = call.has_receiver().then_some(Kind::Reference).into_iter().chain(call.parameters.iter().copied());
        let all: Vec<(Kind, Value)> = kinds.zip(self.arguments(call)).collect();
        let mut reached = self.leaked;
        for (kind, value) in all {
            if kind == Kind::Reference {
                self.settle_reference(value)?;
                let carries = matches!(self.s.nodes.get(value.node), Expr::Boxed(..)) && value.node != 0;
                reached |= carries || self.reaches(value.as_object(), reflective);
            } else {
                reached |= value.node != 0;
            }
        }
        Ok(reached)
    }

    /// Counts code that is not followed and that something of an input reached.
    pub(super) fn count(&mut self, class: &str, name: &str) {
        let what = if class.is_empty() { name.to_owned() } else { format!("{}.{name}", names::readable(class)) };
        self.story.limit("uninstrumented", what, true);
    }

    /// A value that code which is not followed gets back from a followed method.
    pub(super) fn hand_back(&mut self, kind: Kind, value: Value) -> Result<(), Stop> {
        let waits = self.s.frames.top().map(|frame| (frame.method, frame.waiting));
        let name = match waits {
            Some((method, super::frames::Waiting::Foreign(call, model))) => {
                if model == Some(super::models::Model::Output) {
                    return Ok(());
                }
                let call = &self.program.method(method).body.calls[call as usize];
                (call.class.clone(), call.name.clone())
            }
            _ => (String::new(), "code that is not followed".to_owned()),
        };
        let reached = if kind == Kind::Reference {
            self.settle_reference(value)?;
            matches!(self.s.nodes.get(value.node), Expr::Boxed(..)) && value.node != 0 || self.reaches(value.as_object(), false)
        } else {
            value.node != 0
        };
        if reached {
            self.count(&name.0, &name.1);
        }
        Ok(())
    }

    /// Whether something that an input decides can be reached from an object. What is passed is marked.
    pub(super) fn reaches(&mut self, object: u32, reflective: bool) -> bool {
        let mut open = vec![object];
        let mut seen = rustc_hash::FxHashSet::default();
        let mut reached = false;
        while let Some(object) = open.pop() {
            if object == 0 || !seen.insert(object) || seen.len() > LOOKED_THROUGH {
                continue;
            }
            let found = self.s.heap.get(object);
            let (class, origin) = (found.class, found.origin);
            match self.s.classes.element(class) {
                Some(kind) => {
                    reached |= self.is_symbolic_array(object);
                    // Whoever has it may write to it.
                    let found = self.s.heap.get_mut(object);
                    (found.escaped, found.known) = (true, false);
                    if kind == Kind::Reference {
                        open.extend(self.s.heap.linked(object));
                    }
                }
                None => {
                    reached |= self.has_symbolic_text(object);
                    let boxed = crate::inputs::candidate::BOXES.iter().any(|b| b.0 == self.s.classes.name(class));
                    reached |= boxed && matches!(origin, Origin::Input(..));
                    if self.s.classes.name(class).starts_with("java/util/Optional")
                        && let Some(held) = self.held_in(object)
                    {
                        reached |= held.node != 0;
                        if self.s.classes.name(class) == "java/util/Optional" {
                            open.push(held.bits as u32);
                        }
                    }
                    if reflective {
                        reached |= matches!(origin, Origin::Input(..)) || self.s.heap.symbolic_holders().contains(&object);
                        open.extend(self.s.heap.linked(object));
                    }
                }
            }
        }
        reached
    }

    /// Something is stored in an array that code which is not followed has.
    pub(super) fn stored_in_escaped(&mut self, kind: Kind, value: Value) {
        let object = value.as_object();
        self.leaked |= value.node != 0 || (kind == Kind::Reference && (self.has_symbolic_text(object) || self.held_in(object).is_some()));
    }

    /// Code that is not followed may change an object that static fields lead to.
    fn used_by_foreign(&mut self, object: u32, declaring: &str) {
        let found = self.s.heap.get(object);
        if object == 0 || matches!(found.origin, Origin::Made | Origin::Input(..) | Origin::Constant(_)) {
            return;
        }
        let name = self.s.classes.name(found.class);
        let constant = matches!(name, "java/lang/String" | "java/lang/Class" | "java/io/PrintStream")
            || crate::inputs::candidate::BOXES.iter().any(|b| b.0 == name)
            || declaring == "java/lang/Object";
        if !constant {
            let origin = found.origin;
            self.soil(origin);
        }
    }

    /// An array is known to hold this.
    pub(super) fn array_holds(&mut self, array: u32, words: &[u64]) {
        let found = self.s.heap.get(array);
        let (class, length, known, origin) = (found.class, found.length, found.known, found.origin);
        let Some(kind) = self.s.classes.element(class).filter(|kind| *kind != Kind::Reference) else { return };
        if known || matches!(origin, Origin::Input(..)) {
            return;
        }
        let bytes = (kind.bits() as usize).div_ceil(8);
        for at in 0..length {
            let offset = at as usize * bytes;
            let word = words.get(offset / 8).copied().unwrap_or(0) >> (8 * (offset % 8));
            let bits = self.bits_of(kind, if bytes == 8 { word } else { word & ((1 << (8 * bytes)) - 1) });
            let id = self.s.heap.cell_id(array, Slot::Element(at));
            if self.s.heap.cell(id).is_none() {
                self.s.heap.set(id, Value::concrete(bits));
            }
        }
        self.s.heap.get_mut(array).known = true;
    }
}

/// Whether a class looks into objects of any class.
fn is_reflective(class: &str) -> bool {
    let packages = ["java/lang/reflect/", "java/lang/invoke/", "jdk/internal/", "sun/"];
    let classes = ["java/io/ObjectOutputStream", "java/io/ObjectInputStream"];
    packages.iter().any(|package| class.starts_with(package)) || classes.contains(&class) || class.ends_with("FieldUpdater")
}
