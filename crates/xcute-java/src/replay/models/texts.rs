//! Methods that make strings and arrays of characters.

use std::sync::Arc;

use xcute_classfile::Kind;
use xcute_term::Op;

use super::super::heap::{Origin, Slot};
use super::super::held::{Held, Text};
use super::super::value::Value;
use super::super::{Replay, Stop};
use super::Arguments;
use super::strings::TextModel;
use crate::program::tables::MODEL;

impl Replay<'_> {
    /// A string that a method of another one makes.
    pub(super) fn text_result(&mut self, of: TextModel, own: &Arc<Text>, arguments: &Arguments, result: Value) -> Result<Value, Stop> {
        let text = match of {
            TextModel::Same => return Ok(result),
            TextModel::Substring(ends) => {
                let own = self.settled(own);
                let length = u32::try_from(own.units.len()).expect("texts are short");
                for value in arguments[1..].iter().filter(|v| v.node != 0) {
                    self.settle(MODEL, *value, length + 1);
                }
                let start = arguments[1].bits as usize;
                let end = if ends { arguments[2].bits as usize } else { own.units.len() };
                Text::of(own.units.get(start..end).unwrap_or_default().to_vec())
            }
            TextModel::Concat => {
                let other = self.text_at(arguments[1])?;
                let own = self.settled(own);
                self.joined(&own, &other)
            }
            TextModel::ReplaceChar => {
                let (old, new) = (self.s.nodes.of(arguments[1], 32), self.s.nodes.of(arguments[2], 32));
                let mut units = Vec::new();
                for &unit in &own.units {
                    let node = self.s.nodes.of(unit, 32);
                    let same = self.s.nodes.op2(Op::Eq, node, old);
                    let bits = if unit.bits as u16 == arguments[1].bits as u16 { arguments[2].bits } else { unit.bits };
                    units.push(Value { bits, node: self.s.nodes.ite(same, new, node) });
                }
                Text { length: own.length, units }
            }
            TextModel::Trim => {
                let own = self.settled(own);
                let mut units = own.units.as_slice();
                while let Some((&first, rest)) = units.split_first()
                    && self.is_space(first)
                {
                    units = rest;
                }
                while let Some((&last, rest)) = units.split_last()
                    && self.is_space(last)
                {
                    units = rest;
                }
                Text::of(units.to_vec())
            }
            TextModel::ToLower | TextModel::ToUpper => self.cased(own, of == TextModel::ToUpper)?,
            TextModel::ToCharArray => {
                let own = self.settled(own);
                self.array_of_chars(result.as_object(), &own);
                return Ok(result);
            }
            _ => return Ok(result),
        };
        self.new_text(result.as_object(), text);
        Ok(result)
    }

    /// A string that was made; if it is one that was there before, it holds what it held.
    pub(super) fn new_text(&mut self, object: u32, text: Text) {
        let found = self.s.heap.get(object);
        let fresh = !matches!(found.origin, Origin::Input(..)) && !matches!(found.text, Held::Literal(..));
        if fresh {
            self.set_text(object, text);
        }
    }

    /// Two texts, one after the other; it is decided how long the first is.
    pub(super) fn joined(&mut self, first: &Text, second: &Text) -> Text {
        let mut units = first.units.clone();
        units.extend(&second.units);
        let mut length = Value::concrete(first.length.bits + second.length.bits);
        if second.length.node != 0 {
            let count = self.s.nodes.constant(32, first.units.len() as u64);
            length.node = self.s.nodes.op2(Op::BvAdd, count, second.length.node);
        }
        Text { length, units }
    }

    /// Decides whether `trim` takes a character away.
    fn is_space(&mut self, unit: Value) -> bool {
        let space = unit.bits <= 32;
        if unit.node != 0 {
            let blank = self.s.nodes.constant(32, 32);
            let condition = self.s.nodes.op2(Op::BvUle, unit.node, blank);
            self.branch(MODEL, condition, space);
        }
        space
    }

    /// Decides that characters are plain ASCII; whether they are.
    fn plain(&mut self, text: &Text) -> bool {
        let mut plain = true;
        for unit in text.units.iter().take(text.length.bits as usize) {
            let small = unit.bits < 128;
            if unit.node != 0 {
                let bound = self.s.nodes.constant(32, 128);
                let condition = self.s.nodes.op2(Op::BvUlt, unit.node, bound);
                self.branch(MODEL, condition, small);
            }
            plain &= small;
        }
        plain
    }

    /// A text in upper or lower case. Characters that are not ASCII are counted.
    fn cased(&mut self, text: &Arc<Text>, upper: bool) -> Result<Text, Stop> {
        let text = self.settled(text);
        if !self.plain(&text) {
            self.story.limit("uninstrumented", "java.lang.String: upper and lower case of characters that are not ASCII", true);
            return Ok(Text::concrete(std::iter::empty()));
        }
        let (from, to) = if upper { (b'a', b'z') } else { (b'A', b'Z') };
        let mut units = Vec::new();
        for &unit in &text.units {
            let inside = (u64::from(from)..=u64::from(to)).contains(&unit.bits);
            let bits = if inside { unit.bits ^ 32 } else { unit.bits };
            let mut node = 0;
            if unit.node != 0 {
                let nodes = &mut self.s.nodes;
                let (low, high, bit) = (nodes.constant(32, from.into()), nodes.constant(32, to.into()), nodes.constant(32, 32));
                let (above, below) = (nodes.op2(Op::BvUle, low, unit.node), nodes.op2(Op::BvUle, unit.node, high));
                let letter = nodes.many(Op::And, &[above, below]);
                let other = nodes.op2(Op::BvXor, unit.node, bit);
                node = nodes.ite(letter, other, unit.node);
            }
            units.push(Value { bits, node });
        }
        Ok(Text::of(units))
    }

    /// A text by which texts are compared regardless of case.
    pub(super) fn folded(&mut self, text: &Arc<Text>) -> Result<Text, Stop> {
        self.cased(text, false)
    }

    /// An array holds the characters of a text.
    fn array_of_chars(&mut self, array: u32, text: &Text) {
        let origin = self.origin();
        let found = self.s.heap.get_mut(array);
        (found.origin, found.known) = (origin, true);
        self.bears(array);
        for (at, &unit) in (0u32..).zip(&text.units) {
            self.store(array, Slot::Element(at), Kind::Char, unit);
        }
    }

    /// A constructor of `String`, or `valueOf`.
    pub(super) fn text_made(&mut self, of: TextModel, arguments: &Arguments, result: Value) -> Result<Value, Stop> {
        // A constructor has its object as receiver; a factory returns it.
        let constructor = result == Value::NOTHING;
        let made = if constructor { arguments[0].as_object() } else { result.as_object() };
        let rest = &arguments[usize::from(constructor)..];
        match of {
            TextModel::NewString if self.has_symbolic_text(rest[0].as_object()) => {
                let text = self.text_at(rest[0])?;
                self.set_text(made, (*text).clone());
            }
            TextModel::NewChars | TextModel::NewSomeChars => {
                let array = rest[0].as_object();
                if self.is_symbolic_array(array) || rest[1..].iter().any(|v| v.node != 0) {
                    let text = self.chars_of(array, rest.get(1).copied().zip(rest.get(2).copied()))?;
                    self.set_text(made, text);
                }
            }
            _ => {}
        }
        Ok(result)
    }

    /// Whether an input decides some element of an array, or its length.
    pub(in super::super) fn is_symbolic_array(&mut self, array: u32) -> bool {
        let found = self.s.heap.get(array);
        let length = found.length;
        matches!(found.origin, Origin::Input(..))
            || found.length_node != 0
            || self.s.heap.is_symbolic(array, (0..length).map(Slot::Element))
    }

    /// The characters of an array, or of a part of it that is inside.
    pub(super) fn chars_of(&mut self, array: u32, part: Option<(Value, Value)>) -> Result<Text, Stop> {
        self.settle_length(array);
        let length = self.s.heap.get(array).length;
        let (start, count) = part.unwrap_or((Value::NOTHING, Value::concrete(u64::from(length))));
        for value in [start, count] {
            if value.node != 0 {
                self.settle(MODEL, value, length + 1);
            }
        }
        let known = self.s.heap.get(array).known || matches!(self.s.heap.get(array).origin, Origin::Input(..));
        if !known {
            return Err(self.needs_arrays());
        }
        let mut units = Vec::new();
        for at in start.bits as u32..(start.bits + count.bits) as u32 {
            let (node, bits) = (self.element_node(array, at, Kind::Char), self.element_bits(array, at, Kind::Char));
            let constant = matches!(self.s.nodes.get(node), super::super::nodes::Expr::Const(..));
            units.push(Value { bits, node: if constant { 0 } else { node } });
        }
        Ok(Text::of(units))
    }

    /// The case has to run again, and report what arrays hold.
    pub(in super::super) fn needs_arrays(&mut self) -> Stop {
        if !self.run.arrays {
            return Stop::Arrays;
        }
        self.story.limit("unsupported", format!("{}: an array that is too long to be followed", self.place()), true);
        Stop::Unfollowed
    }
}
