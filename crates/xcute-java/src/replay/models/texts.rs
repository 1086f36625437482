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
                if other.length.node != 0 {
                    // The very string is the result where nothing is appended.
                    let empty = self.s.nodes.equals(other.length.node, 32, 0);
                    self.branch(MODEL, empty, other.length.bits == 0);
                }
                self.joined(&own, &other)
            }
            TextModel::ReplaceChar => {
                let own = self.settled(own);
                let (old, new) = (self.s.nodes.of(arguments[1], 32), self.s.nodes.of(arguments[2], 32));
                let mut units = Vec::new();
                for &unit in &own.units {
                    let node = self.s.nodes.of(unit, 32);
                    let same = self.s.nodes.op2(Op::Eq, node, old);
                    let bits = if unit.bits as u16 == arguments[1].bits as u16 { arguments[2].bits } else { unit.bits };
                    units.push(Value { bits, node: self.s.nodes.ite(same, new, node) });
                }
                let text = Text::of(units);
                self.decides_same(&own, &text, arguments[0], result);
                text
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
            TextModel::ToLower | TextModel::ToUpper => match self.cased(own, of == TextModel::ToUpper)? {
                Some(text) => {
                    let own = self.settled(own);
                    self.decides_same(&own, &text, arguments[0], result);
                    text
                }
                None => {
                    self.lose_text(
                        result.as_object(),
                        "java.lang.String: upper or lower case of a character that is not one character there",
                    );
                    return Ok(result);
                }
            },
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

    /// Decides whether a change leaves a text of settled length as it is: then the very string is the result.
    fn decides_same(&mut self, own: &Text, text: &Text, receiver: Value, result: Value) {
        let mut all = Vec::new();
        for (&x, &y) in own.units.iter().zip(&text.units).filter(|(x, y)| x != y) {
            let (x, y) = (self.s.nodes.of(x, 32), self.s.nodes.of(y, 32));
            all.push(self.s.nodes.op2(Op::Eq, x, y));
        }
        if own.units.iter().chain(&text.units).any(|unit| unit.node != 0) && !all.is_empty() {
            let condition = self.s.nodes.many(Op::And, &all);
            self.branch(MODEL, condition, receiver.as_object() == result.as_object());
        }
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

    /// Whether making a string of some of the characters of an array throws.
    pub(super) fn some_chars_before(&mut self, arguments: &Arguments, site: u32) {
        let &[.., array, start, count] = arguments.as_slice() else { return };
        let array = array.as_object();
        if array == 0 {
            return;
        }
        let length = self.length(array);
        let inside = i64::from(start.as_int()) + i64::from(count.as_int()) <= i64::from(length.as_int());
        let fits = start.as_int() >= 0 && count.as_int() >= 0 && inside;
        if [start, count, length].iter().any(|v| v.node != 0) {
            let nodes = &mut self.s.nodes;
            let (zero, start, count, length) = (nodes.constant(32, 0), nodes.of(start, 32), nodes.of(count, 32), nodes.of(length, 32));
            // Without overflow: the rest after the start is not negative.
            let rest = nodes.op2(Op::BvSub, length, start);
            let all = [
                nodes.op2(Op::BvSle, zero, start),
                nodes.op2(Op::BvSle, zero, count),
                nodes.op2(Op::BvSle, start, length),
                nodes.op2(Op::BvSle, count, rest),
            ];
            let condition = nodes.many(Op::And, &all);
            self.branch(site, condition, fits);
        }
        self.story.cover(site, u32::from(fits));
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
