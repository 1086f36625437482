//! Properties of characters.
//!
//! What the running JDK says of all characters of 16 bits is asked for once, as ranges. A property is a term: in one of these ranges. It is decided first
//! whether a character is ASCII, since there are hundreds of ranges beyond.

use xcute_classfile::Kind;
use xcute_term::Op;

use super::super::nodes::Node;
use super::super::value::Value;
use super::super::{Replay, Stop};
use super::Arguments;
use crate::program::tables::MODEL;

/// A property of characters, or what they become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharModel {
    /// The bit in the JVM's table.
    Is(u32),
    ToUpper,
    ToLower,
    /// The value of a digit, to a base.
    Digit,
}

/// Bits in the JVM's table; `XcuteHost.java` has the same order.
const PROPERTIES: [&str; 17] = [
    "isDigit",
    "isLetter",
    "isLetterOrDigit",
    "isWhitespace",
    "isUpperCase",
    "isLowerCase",
    "isAlphabetic",
    "isSpaceChar",
    "isTitleCase",
    "isDefined",
    "isJavaIdentifierStart",
    "isJavaIdentifierPart",
    "isUnicodeIdentifierStart",
    "isUnicodeIdentifierPart",
    "isIdentifierIgnorable",
    "isMirrored",
    "isIdeographic",
];

impl CharModel {
    pub(super) fn find(kind: Kind, name: &str, descriptor: &str) -> Option<CharModel> {
        if kind == Kind::Char && name == "digit" {
            return Some(CharModel::Digit);
        }
        if kind != Kind::Char || !matches!(descriptor, "(C)Z" | "(I)Z" | "(C)C" | "(I)I") {
            return None;
        }
        match name {
            "toUpperCase" => Some(CharModel::ToUpper),
            "toLowerCase" => Some(CharModel::ToLower),
            _ => PROPERTIES.iter().position(|p| *p == name).map(|bit| CharModel::Is(bit as u32)),
        }
    }
}

/// What the JVM says of all characters of 16 bits: digit, properties, upper and lower case in one word each.
#[derive(Debug)]
pub(crate) struct Chars {
    words: Vec<u64>,
}

impl Chars {
    pub(crate) fn new(words: Vec<u64>) -> Chars {
        Chars { words }
    }

    /// The value of a decimal digit; -1 for other characters.
    pub(crate) fn digit(&self, unit: u16) -> i32 {
        i32::from((self.words[usize::from(unit)] as u8).cast_signed())
    }

    /// The value of a digit to a base that is greater than it: of a decimal digit, or of a Latin letter, narrow or wide.
    fn digit_to(&self, unit: u16, base: u32) -> Option<i32> {
        let letter = |first: u16| i32::from(unit - first) + 10;
        let value = match unit {
            0x41..=0x5a => letter(0x41),
            0x61..=0x7a => letter(0x61),
            0xff21..=0xff3a => letter(0xff21),
            0xff41..=0xff5a => letter(0xff41),
            _ => self.digit(unit),
        };
        (2..=36).contains(&base).then_some(value).filter(|value| (0..base.cast_signed()).contains(value))
    }

    fn has(&self, unit: u16, bit: u32) -> bool {
        self.words[usize::from(unit)] >> (8 + bit) & 1 == 1
    }

    fn case(&self, unit: u16, upper: bool) -> u16 {
        (self.words[usize::from(unit)] >> if upper { 32 } else { 48 }) as u16
    }

    /// Maximal ranges of characters for which a function has the same value; those with `None` are left out.
    fn ranges(&self, from: u32, to: u32, value: impl Fn(u16) -> Option<i32>) -> Vec<(u16, u16, i32)> {
        let mut ranges: Vec<(u16, u16, i32)> = Vec::new();
        for unit in from..to {
            let unit = u16::try_from(unit).expect("16 bits");
            let Some(value) = value(unit) else { continue };
            match ranges.last_mut() {
                Some((_, last, same)) if *same == value && *last + 1 == unit => *last = unit,
                _ => ranges.push((unit, unit, value)),
            }
        }
        ranges
    }
}

impl Replay<'_> {
    fn chars(&self) -> &Chars {
        self.s.chars.as_ref().expect("asked for before")
    }

    /// The properties of characters are needed from here on.
    pub(super) fn needs_chars(&self) -> Result<(), Stop> {
        if self.s.chars.is_some() { Ok(()) } else { Err(Stop::Chars) }
    }

    /// The condition under which a character is in a range.
    fn in_range(&mut self, node: Node, (first, last): (u16, u16)) -> Node {
        if first == last {
            return self.s.nodes.equals(node, 32, u64::from(first));
        }
        let (low, span) = (self.s.nodes.constant(32, first.into()), self.s.nodes.constant(32, u64::from(last - first)));
        let offset = self.s.nodes.op2(Op::BvSub, node, low);
        self.s.nodes.op2(Op::BvUle, offset, span)
    }

    /// Whether a character is a decimal digit, and the condition for it.
    pub(super) fn is_digit(&mut self, unit: Value) -> (bool, Node) {
        let is = self.chars().digit(unit.bits as u16) >= 0;
        if unit.node == 0 {
            return (is, self.s.nodes.truth(is));
        }
        let ranges = self.chars().ranges(0, 0x1_0000, |c| (self.chars().digit(c) >= 0).then_some(0));
        let arms: Vec<Node> = ranges.into_iter().map(|(first, last, _)| self.in_range(unit.node, (first, last))).collect();
        (is, self.s.nodes.many(Op::Or, &arms))
    }

    /// The value of a character that is a digit.
    pub(super) fn digit_value(&mut self, unit: Value) -> Node {
        if unit.node == 0 {
            let digit = self.chars().digit(unit.bits as u16).max(0);
            return self.s.nodes.constant(32, u64::from(digit.unsigned_abs()));
        }
        // Digits come in tens, so the distance to their zero is the value.
        let ranges = self.chars().ranges(0, 0x1_0000, |c| {
            let digit = self.chars().digit(c);
            (digit >= 0).then(|| i32::from(c) - digit)
        });
        let mut node = self.s.nodes.constant(32, 0);
        for (first, last, zero) in ranges.into_iter().rev() {
            let inside = self.in_range(unit.node, (first, last));
            let zero = self.s.nodes.constant(32, u64::from(zero.unsigned_abs()));
            let value = self.s.nodes.op2(Op::BvSub, unit.node, zero);
            node = self.s.nodes.ite(inside, value, node);
        }
        node
    }

    /// What the result of a method of `Character` depends on.
    pub(super) fn char_after(&mut self, of: CharModel, arguments: &Arguments, result: Value) -> Result<Value, Stop> {
        let (unit, base) = (arguments[0], arguments.get(1).copied().unwrap_or(Value::NOTHING));
        if base.node != 0 {
            self.story.limit("uninstrumented", "java.lang.Character.digit to a base that an input decides", true);
            return Ok(result);
        }
        if unit.node == 0 {
            return Ok(result);
        }
        self.needs_chars()?;
        let ascii = unit.bits < 128;
        let bound = self.s.nodes.constant(32, 128);
        let condition = self.s.nodes.op2(Op::BvUlt, unit.node, bound);
        self.branch(MODEL, condition, ascii);
        if unit.bits > 0xffff {
            self.story.limit("uninstrumented", "java.lang.Character of a character beyond 16 bits", true);
            return Ok(result);
        }
        if !ascii {
            let bound = self.s.nodes.constant(32, 0x1_0000);
            let condition = self.s.nodes.op2(Op::BvUlt, unit.node, bound);
            self.branch(MODEL, condition, true);
        }
        let (from, to) = if ascii { (0, 128) } else { (128, 0x1_0000) };
        let node = match of {
            CharModel::Digit => {
                let zero = |chars: &Chars, c: u16| chars.digit_to(c, base.bits as u32).map(|value| i32::from(c) - value);
                let ranges = self.chars().ranges(from, to, |c| zero(self.chars(), c));
                let mut node = self.s.nodes.constant(32, u64::from(u32::MAX));
                for (first, last, zero) in ranges.into_iter().rev() {
                    let inside = self.in_range(unit.node, (first, last));
                    let zero = self.s.nodes.constant(32, u64::from(zero.cast_unsigned()));
                    let value = self.s.nodes.op2(Op::BvSub, unit.node, zero);
                    node = self.s.nodes.ite(inside, value, node);
                }
                node
            }
            CharModel::Is(bit) => {
                let ranges = self.chars().ranges(from, to, |c| self.chars().has(c, bit).then_some(0));
                let arms: Vec<Node> = ranges.into_iter().map(|(first, last, _)| self.in_range(unit.node, (first, last))).collect();
                let is = self.s.nodes.many(Op::Or, &arms);
                self.s.nodes.as_int(is)
            }
            CharModel::ToUpper | CharModel::ToLower => {
                let upper = of == CharModel::ToUpper;
                let moved = |chars: &Chars, c: u16| i32::from(chars.case(c, upper)) - i32::from(c);
                let ranges = self.chars().ranges(from, to, |c| Some(moved(self.chars(), c)).filter(|by| *by != 0));
                let mut node = unit.node;
                for (first, last, by) in ranges.into_iter().rev() {
                    let inside = self.in_range(unit.node, (first, last));
                    let by = self.s.nodes.constant(32, u64::from(by.cast_unsigned()));
                    let other = self.s.nodes.op2(Op::BvAdd, unit.node, by);
                    node = self.s.nodes.ite(inside, other, node);
                }
                node
            }
        };
        Ok(Value { bits: result.bits, node })
    }
}
