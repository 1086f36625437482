//! Strings: how the replay learns what they hold, and what that depends on.
//!
//! Strings hold what they were made with, so their text hangs on the object; builders change theirs.
//!
//! What strings hold that no input decides the JVM reports only when somebody asks: then the case runs once more, and from there on all do.

use std::sync::Arc;

use super::events::Event;
use super::heap::Origin;
use super::held::{Held, Text};
use super::refs::Leaf;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::MethodId;
use crate::program::tables::SHAPE;

impl Replay<'_> {
    /// A string is known to be a constant of the method that runs.
    pub(super) fn knows_literal(&mut self, object: u32, method: MethodId, constant: u32) {
        let held = &mut self.s.heap.get_mut(object).text;
        if matches!(held, Held::Unknown) {
            *held = Held::Literal(method, constant);
        }
    }

    /// Takes over what an event says an object holds.
    pub(super) fn knows_contents(&mut self, object: u32, event: Event) {
        let class = self.s.heap.get(object).class;
        let contents = self.events.contents(event);
        let name = self.s.classes.name(class);
        match (name, contents) {
            ("java/lang/String" | "java/lang/StringBuilder" | "java/lang/StringBuffer", Some(words)) => {
                let length = event.more as u32 as usize;
                let units = (0..length).map(|at| (words[at / 4] >> (16 * (at % 4))) as u16);
                self.holds_now(object, Text::concrete(units), name == "java/lang/String");
            }
            ("java/lang/String", None) if self.run.texts => {
                let held = &mut self.s.heap.get_mut(object).text;
                if matches!(held, Held::Unknown) {
                    *held = Held::TooLong;
                }
            }
            (_, Some(words)) if name.starts_with('[') => self.array_holds(object, words),
            (_, Some(&[word])) => self.knows_box(object, word),
            _ => {}
        }
    }

    /// A string or builder holds this in the run; what it depends on stays.
    fn holds_now(&mut self, object: u32, text: Text, string: bool) {
        let origin = self.s.heap.get(object).origin;
        if matches!(origin, Origin::Input(..)) {
            return;
        }
        let replaced = match &self.s.heap.get(object).text {
            Held::Text(known) if known.is_symbolic() => {
                if known.present() == text.present() {
                    return;
                }
                true
            }
            Held::Text(_) | Held::Lost(_) if string => return,
            Held::Lost(_) => return,
            _ => false,
        };
        if replaced {
            let what = format!("{}: code that is not followed changed a text", self.place());
            self.story.limit("overwritten", what, true);
        }
        self.s.heap.get_mut(object).text = Held::Text(Arc::new(text));
    }

    /// The case has to run again, and report what strings hold.
    pub(super) fn needs_texts(&mut self, why: &str) -> Stop {
        if !self.run.texts {
            return Stop::Texts;
        }
        self.story.limit("unsupported", format!("{}: {why}", self.place()), true);
        Stop::Unfollowed
    }

    /// Whether an input decides what a string or builder holds, as far as is known.
    pub(super) fn has_symbolic_text(&self, object: u32) -> bool {
        let found = self.s.heap.get(object);
        match &found.text {
            Held::Text(text) => text.is_symbolic(),
            Held::Lost(_) => true,
            _ => matches!(found.origin, Origin::Input(..)) && self.s.classes.name(found.class) == "java/lang/String",
        }
    }

    /// What a string or builder holds.
    pub(super) fn text(&mut self, object: u32) -> Result<Arc<Text>, Stop> {
        if let Origin::Input(owner, _) = self.s.heap.get(object).origin
            && !matches!(self.s.heap.get(object).text, Held::Text(_))
        {
            let text = Arc::new(self.input_text(owner));
            self.s.heap.get_mut(object).text = Held::Text(text);
        }
        if let Held::Lost(what) = &self.s.heap.get(object).text {
            let what = what.to_string();
            self.story.limit("uninstrumented", what, true);
            self.s.heap.get_mut(object).text = Held::Unknown;
        }
        match &self.s.heap.get(object).text {
            Held::Text(text) => Ok(Arc::clone(text)),
            Held::Literal(method, constant) => {
                let literal = &self.program.method(*method).body.constants[*constant as usize];
                let crate::program::body::Literal::Text(units) = literal else { return Err(self.lost("a text")) };
                let text = Arc::new(Text::concrete(units.iter().copied()));
                self.s.heap.get_mut(object).text = Held::Text(Arc::clone(&text));
                Ok(text)
            }
            Held::TooLong => Err(self.needs_texts("a string that is too long to be followed")),
            Held::Unknown | Held::Lost(_) => Err(self.needs_texts("a text of which nobody knows what it holds")),
        }
    }

    /// What the string holds that a reference leads to; where that may be one of several inputs, what each of them holds.
    pub(super) fn text_at(&mut self, reference: Value) -> Result<Arc<Text>, Stop> {
        let object = reference.as_object();
        let own = self.text(object)?;
        if reference.node == 0 || object == 0 {
            return Ok(own);
        }
        let (Leaf::Variable(variable), _) = self.leaf(reference.node)? else { return Ok(own) };
        let alternatives = self.alternatives(variable, object, "java/lang/String");
        let Some((last, others)) = alternatives.split_last() else { return Ok(own) };
        let mut merged = self.input_text(last.0);
        for &(owner, condition) in others {
            let text = self.input_text(owner);
            merged.length.node = self.s.nodes.ite(condition, text.length.node, merged.length.node);
            for (unit, other) in merged.units.iter_mut().zip(&text.units) {
                unit.node = self.s.nodes.ite(condition, other.node, unit.node);
            }
        }
        // The values are those of the run.
        merged.length.bits = own.length.bits;
        for (unit, own) in merged.units.iter_mut().zip(&own.units) {
            unit.bits = own.bits;
        }
        Ok(Arc::new(merged))
    }

    /// The string that a variable owns.
    fn input_text(&mut self, owner: u32) -> Text {
        let number = self.length_variable(owner);
        let length = Value { bits: self.read(number), node: self.node_of(number) };
        let mut units = Vec::new();
        for at in 0..self.known.longest() {
            let number = self.element_variable(owner, at, "C");
            units.push(Value { bits: self.read(number), node: self.node_of(number) });
        }
        Text { length, units }
    }

    /// A text of which it is decided how long it is.
    pub(super) fn settled(&mut self, text: &Arc<Text>) -> Arc<Text> {
        if text.length.node == 0 {
            return Arc::clone(text);
        }
        let most = u32::try_from(text.units.len()).expect("texts are short");
        self.settle(SHAPE, text.length, most + 1);
        let units = text.units[..text.length.bits as usize].to_vec();
        Arc::new(Text::of(units))
    }

    /// A string or builder holds a text from now on.
    pub(super) fn set_text(&mut self, object: u32, text: Text) {
        self.s.heap.get_mut(object).text = Held::Text(Arc::new(text));
    }

    /// A string depends on inputs in a way that nobody knows.
    pub(super) fn lose_text(&mut self, object: u32, what: &str) {
        let found = self.s.heap.get_mut(object);
        if !matches!(found.origin, Origin::Input(..)) && !matches!(found.text, Held::Literal(..)) {
            found.text = Held::Lost(what.into());
        }
    }

    /// The characters of a string in this run, if they are known.
    pub(super) fn known_text(&mut self, object: u32) -> Option<Vec<u16>> {
        self.text(object).ok().map(|text| text.present())
    }
}
