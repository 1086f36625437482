//! Methods of `String`.
//!
//! What they return is a term over the characters, and over the length where positions do not depend on it. Elsewhere it is decided first how long a
//! string is: one path for each length.

use std::sync::Arc;

use xcute_term::Op;

use super::super::held::Text;
use super::super::nodes::Node;
use super::super::value::Value;
use super::super::{Replay, Stop};
use super::Arguments;
use crate::program::tables::MODEL;

/// A method of `String`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextModel {
    Length,
    IsEmpty,
    CharAt,
    Equals,
    EqualsIgnoreCase,
    HashCode,
    CompareTo,
    /// With a position to start from.
    StartsWith(bool),
    EndsWith,
    Contains,
    /// Of a character or a string, from the front or the back, with a position to start from.
    IndexOf {
        string: bool,
        last: bool,
        from: bool,
    },
    /// With an end.
    Substring(bool),
    Concat,
    ReplaceChar,
    Trim,
    ToCharArray,
    ToLower,
    ToUpper,
    /// Gives back what it got.
    Same,
    /// A constructor or `valueOf`: of nothing, of a string, of characters, of some of them.
    New,
    NewString,
    NewChars,
    NewSomeChars,
}

impl TextModel {
    pub(super) fn find(name: &str, descriptor: &str) -> Option<TextModel> {
        Some(match (name, descriptor) {
            ("length", _) => TextModel::Length,
            ("isEmpty", _) => TextModel::IsEmpty,
            ("charAt", _) => TextModel::CharAt,
            ("equals", _) | ("contentEquals", "(Ljava/lang/StringBuffer;)Z") => TextModel::Equals,
            ("equalsIgnoreCase", _) => TextModel::EqualsIgnoreCase,
            ("hashCode", _) => TextModel::HashCode,
            ("compareTo", "(Ljava/lang/String;)I" | "(Ljava/lang/Object;)I") => TextModel::CompareTo,
            ("startsWith", "(Ljava/lang/String;)Z") => TextModel::StartsWith(false),
            ("startsWith", "(Ljava/lang/String;I)Z") => TextModel::StartsWith(true),
            ("endsWith", _) => TextModel::EndsWith,
            ("contains", _) => TextModel::Contains,
            ("indexOf" | "lastIndexOf", descriptor) => {
                let string = descriptor.starts_with("(Ljava/lang/String;");
                let from = matches!(descriptor, "(II)I" | "(Ljava/lang/String;I)I");
                let known = from || matches!(descriptor, "(I)I" | "(Ljava/lang/String;)I");
                return known.then_some(TextModel::IndexOf { string, last: name == "lastIndexOf", from });
            }
            ("substring", "(I)Ljava/lang/String;") => TextModel::Substring(false),
            ("substring", "(II)Ljava/lang/String;") | ("subSequence", _) => TextModel::Substring(true),
            ("concat", _) => TextModel::Concat,
            ("replace", "(CC)Ljava/lang/String;") => TextModel::ReplaceChar,
            ("trim", _) => TextModel::Trim,
            ("toCharArray", _) => TextModel::ToCharArray,
            ("toLowerCase", "()Ljava/lang/String;") => TextModel::ToLower,
            ("toUpperCase", "()Ljava/lang/String;") => TextModel::ToUpper,
            ("toString" | "intern" | "strip", "()Ljava/lang/String;") if name == "toString" => TextModel::Same,
            ("<init>", "()V") => TextModel::New,
            ("<init>", "(Ljava/lang/String;)V" | "(Ljava/lang/StringBuilder;)V" | "(Ljava/lang/StringBuffer;)V") => TextModel::NewString,
            ("<init>", "([C)V") | ("valueOf" | "copyValueOf", "([C)Ljava/lang/String;") => TextModel::NewChars,
            ("<init>", "([CII)V") | ("valueOf" | "copyValueOf", "([CII)Ljava/lang/String;") => TextModel::NewSomeChars,
            _ => return None,
        })
    }
}

impl Replay<'_> {
    /// Whether an input decides what some of these strings hold, or one of the other arguments.
    pub(super) fn touches(&self, arguments: &Arguments) -> bool {
        arguments
            .iter()
            .any(|v| v.node != 0 || (v.bits != 0 && (v.bits as usize) < self.s.heap.len() && self.has_symbolic_text(v.as_object())))
    }

    /// Whether a method of `String` throws.
    pub(super) fn text_before(&mut self, of: TextModel, arguments: &Arguments, site: u32) -> Result<(), Stop> {
        match of {
            TextModel::CharAt | TextModel::Substring(_) if self.is_text_or_number(arguments) => {
                let text = self.text_at(arguments[0])?;
                let (start, end, length) = (arguments[1], arguments.get(2).copied(), text.length);
                let number = |v: Value| v.as_int();
                let fits = match (of, end) {
                    (TextModel::CharAt, _) => (0..number(length)).contains(&number(start)),
                    (_, None) => (0..=number(length)).contains(&number(start)),
                    (_, Some(end)) => number(start) >= 0 && number(start) <= number(end) && number(end) <= number(length),
                };
                let all = [Some(start), end, Some(length)];
                if all.iter().flatten().any(|v| v.node != 0) {
                    let nodes = &mut self.s.nodes;
                    let (s, l) = (nodes.of(start, 32), nodes.of(length, 32));
                    let condition = match (of, end) {
                        (TextModel::CharAt, _) => nodes.op2(Op::BvUlt, s, l),
                        (_, None) => nodes.op2(Op::BvUle, s, l),
                        (_, Some(end)) => {
                            let e = nodes.of(end, 32);
                            // The end is not negative if it is at most the length as an unsigned number.
                            let (ordered, inside) = (nodes.op2(Op::BvUle, s, e), nodes.op2(Op::BvUle, e, l));
                            nodes.many(Op::And, &[ordered, inside])
                        }
                    };
                    self.branch(site, condition, fits);
                }
                self.story.cover(site, u32::from(fits));
            }
            TextModel::NewSomeChars => self.some_chars_before(arguments, site),
            // It throws where the other one is null or something else.
            TextModel::CompareTo => drop(self.settle_reference(arguments[1])?),
            _ => {}
        }
        Ok(())
    }

    fn is_text_or_number(&self, arguments: &Arguments) -> bool {
        self.has_symbolic_text(arguments[0].as_object()) || arguments[1..].iter().any(|v| v.node != 0)
    }

    /// What the result of a method of `String` depends on.
    pub(super) fn text_after(&mut self, of: TextModel, arguments: &Arguments, result: Value) -> Result<Value, Stop> {
        if let TextModel::New | TextModel::NewString | TextModel::NewChars | TextModel::NewSomeChars = of {
            return self.text_made(of, arguments, result);
        }
        for &argument in &arguments[1..] {
            if argument.node != 0
                && matches!(of, TextModel::Equals | TextModel::CompareTo | TextModel::Concat | TextModel::EqualsIgnoreCase)
            {
                self.settle_reference(argument)?;
            }
        }
        if !self.touches(arguments) {
            return Ok(result);
        }
        let own = self.text_at(arguments[0])?;
        let node = match of {
            TextModel::Length => own.length.node,
            TextModel::IsEmpty => {
                let length = self.s.nodes.of(own.length, 32);
                let empty = self.s.nodes.equals(length, 32, 0);
                self.s.nodes.as_int(empty)
            }
            TextModel::CharAt => self.char_at(&own, arguments[1]),
            TextModel::Equals => match self.other_text(arguments[1])? {
                Some(other) => {
                    let same = self.equal_texts(&own, &other);
                    self.s.nodes.as_int(same)
                }
                None => 0,
            },
            TextModel::EqualsIgnoreCase => match self.other_text(arguments[1])? {
                Some(other) => {
                    let own = self.folded(&own)?;
                    let other = self.folded(&other)?;
                    let same = self.equal_texts(&own, &other);
                    self.s.nodes.as_int(same)
                }
                None => 0,
            },
            TextModel::HashCode => {
                let own = self.settled(&own);
                self.text_hash(&own)
            }
            TextModel::CompareTo => {
                let other = self.text_at(arguments[1])?;
                let (own, other) = (self.settled(&own), self.settled(&other));
                self.compare_texts(&own, &other)
            }
            TextModel::StartsWith(_) | TextModel::EndsWith | TextModel::Contains => self.part_of(of, &own, arguments)?,
            TextModel::IndexOf { .. } => self.index_of(of, &own, arguments)?,
            _ => return self.text_result(of, &own, arguments, result),
        };
        Ok(Value { bits: result.bits, node })
    }

    /// The text of an argument that may be null or something else than a string.
    fn other_text(&mut self, reference: Value) -> Result<Option<Arc<Text>>, Stop> {
        let object = reference.as_object();
        let class = self.s.heap.get(object).class;
        let text = matches!(self.s.classes.name(class), "java/lang/String" | "java/lang/StringBuffer" | "java/lang/StringBuilder");
        if object == 0 || !text { Ok(None) } else { self.text_at(reference).map(Some) }
    }

    /// The character at a position that is inside.
    pub(super) fn char_at(&mut self, text: &Text, index: Value) -> Node {
        if index.node == 0 {
            return text.units.get(index.bits as usize).map_or(0, |unit| unit.node);
        }
        let leaves: Vec<Node> = text.units.iter().map(|&unit| self.s.nodes.of(unit, 32)).collect();
        if leaves.is_empty() { 0 } else { self.select(index.node, leaves) }
    }

    /// The condition under which two texts are equal.
    pub(super) fn equal_texts(&mut self, a: &Text, b: &Text) -> Node {
        let mut all = Vec::new();
        let (la, lb) = (self.s.nodes.of(a.length, 32), self.s.nodes.of(b.length, 32));
        all.push(self.s.nodes.op2(Op::Eq, la, lb));
        if (a.length.node == 0 && a.units.len() > b.units.len()) || (b.length.node == 0 && b.units.len() > a.units.len()) {
            return self.s.nodes.truth(false);
        }
        for (at, (&x, &y)) in a.units.iter().zip(&b.units).enumerate() {
            if x.node == 0 && y.node == 0 && x.bits == y.bits {
                continue;
            }
            let (x, y) = (self.s.nodes.of(x, 32), self.s.nodes.of(y, 32));
            let mut same = self.s.nodes.op2(Op::Eq, x, y);
            if a.length.node != 0 && b.length.node != 0 {
                let at = self.s.nodes.constant(32, at as u64);
                let behind = self.s.nodes.op2(Op::BvUle, la, at);
                same = self.s.nodes.many(Op::Or, &[behind, same]);
            }
            all.push(same);
        }
        self.s.nodes.many(Op::And, &all)
    }

    fn text_hash(&mut self, text: &Text) -> Node {
        let mut hash = self.s.nodes.constant(32, 0);
        for &unit in &text.units {
            let by = self.s.nodes.constant(32, 31);
            let more = self.s.nodes.op2(Op::BvMul, hash, by);
            let unit = self.s.nodes.of(unit, 32);
            hash = self.s.nodes.op2(Op::BvAdd, more, unit);
        }
        hash
    }

    fn compare_texts(&mut self, a: &Text, b: &Text) -> Node {
        let difference = a.units.len() as i64 - b.units.len() as i64;
        let mut node = self.s.nodes.constant(32, u64::from((difference as i32).cast_unsigned()));
        for (&x, &y) in a.units.iter().zip(&b.units).rev() {
            let (x, y) = (self.s.nodes.of(x, 32), self.s.nodes.of(y, 32));
            let same = self.s.nodes.op2(Op::Eq, x, y);
            let by = self.s.nodes.op2(Op::BvSub, x, y);
            node = self.s.nodes.ite(same, node, by);
        }
        node
    }

    /// The condition under which `part` is in a text of settled length at a position.
    fn part_at(&mut self, text: &Text, part: &Text, at: usize) -> Node {
        if at + part.units.len() > text.units.len() {
            return self.s.nodes.truth(false);
        }
        let mut all = Vec::new();
        for (&x, &y) in text.units[at..].iter().zip(&part.units) {
            let (x, y) = (self.s.nodes.of(x, 32), self.s.nodes.of(y, 32));
            all.push(self.s.nodes.op2(Op::Eq, x, y));
        }
        self.s.nodes.many(Op::And, &all)
    }

    fn part_of(&mut self, of: TextModel, own: &Arc<Text>, arguments: &Arguments) -> Result<Node, Stop> {
        let Some(part) = self.other_text(arguments[1])? else { return Ok(0) };
        let part = self.settled(&part);
        if of == TextModel::StartsWith(false) {
            // The length need not be known: it only has to be enough.
            let count = self.s.nodes.constant(32, part.units.len() as u64);
            let length = self.s.nodes.of(own.length, 32);
            let (enough, there) = (self.s.nodes.op2(Op::BvUle, count, length), self.part_at(own, &part, 0));
            let starts = self.s.nodes.many(Op::And, &[enough, there]);
            return Ok(self.s.nodes.as_int(starts));
        }
        let own = self.settled(own);
        let holds = match of {
            TextModel::EndsWith => match own.units.len().checked_sub(part.units.len()) {
                Some(at) => self.part_at(&own, &part, at),
                None => self.s.nodes.truth(false),
            },
            TextModel::Contains => {
                let places: Vec<Node> = (0..=own.units.len()).map(|at| self.part_at(&own, &part, at)).collect();
                self.s.nodes.many(Op::Or, &places)
            }
            _ => {
                let mut places = Vec::new();
                for at in 0..=own.units.len() {
                    let from = self.s.nodes.of(arguments[2], 32);
                    let here = self.s.nodes.equals(from, 32, at as u64);
                    let there = self.part_at(&own, &part, at);
                    places.push(self.s.nodes.many(Op::And, &[here, there]));
                }
                self.s.nodes.many(Op::Or, &places)
            }
        };
        Ok(self.s.nodes.as_int(holds))
    }

    fn index_of(&mut self, of: TextModel, own: &Arc<Text>, arguments: &Arguments) -> Result<Node, Stop> {
        let TextModel::IndexOf { string, last, from } = of else { return Ok(0) };
        let own = self.settled(own);
        let part = if string {
            let Some(part) = self.other_text(arguments[1])? else { return Ok(0) };
            self.settled(&part)
        } else {
            // A character beyond 16 bits would be two.
            let wide = arguments[1].bits as u32 > 0xffff;
            if arguments[1].node != 0 {
                let bound = self.s.nodes.constant(32, 0x1_0000);
                let condition = self.s.nodes.op2(Op::BvUlt, arguments[1].node, bound);
                self.branch(MODEL, condition, !wide);
            }
            if wide {
                self.story.limit("uninstrumented", "java.lang.String.indexOf of a character beyond 16 bits", true);
                return Ok(0);
            }
            Arc::new(Text::of(vec![arguments[1]]))
        };
        let mut node = self.s.nodes.constant(32, u64::from(u32::MAX));
        let places: Vec<usize> = (0..=own.units.len().saturating_sub(part.units.len())).collect();
        // The first place found is the outermost choice.
        let order: Box<dyn Iterator<Item = usize>> = if last { Box::new(places.into_iter()) } else { Box::new(places.into_iter().rev()) };
        for at in order {
            let mut there = self.part_at(&own, &part, at);
            if from {
                let start = self.s.nodes.of(arguments[2], 32);
                let here = self.s.nodes.constant(32, at as u64);
                let (low, high) = if last { (here, start) } else { (start, here) };
                let reached = self.s.nodes.op2(Op::BvSle, low, high);
                there = self.s.nodes.many(Op::And, &[reached, there]);
            }
            let here = self.s.nodes.constant(32, at as u64);
            node = self.s.nodes.ite(there, here, node);
        }
        // The empty string is found at the end from everywhere behind it.
        if from && !last && part.units.is_empty() {
            let start = self.s.nodes.of(arguments[2], 32);
            let end = self.s.nodes.constant(32, own.units.len() as u64);
            let behind = self.s.nodes.op2(Op::BvSle, end, start);
            node = self.s.nodes.ite(behind, end, node);
        }
        Ok(node)
    }
}
