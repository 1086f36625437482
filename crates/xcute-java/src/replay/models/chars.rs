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
const PROPERTIES: [&str; 21] = [
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
    "isSurrogate",
    "isHighSurrogate",
    "isLowSurrogate",
    "isISOControl",
];

/// The bit of characters that are more than one in upper case; the next one is that of lower case.
const IRREGULAR: u32 = PROPERTIES.len() as u32;

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

/// What the JVM says of all characters of 16 bits: digit, properties, upper and lower case in one word each. Then come the characters beyond that are others
/// in upper or lower case.
#[derive(Debug)]
pub(crate) struct Chars {
    words: Vec<u64>,
    /// What becomes of characters, for each case.
    shifts: [Shifts; 3],
}

/// Upper or lower case, or that in which texts are compared regardless of case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Upper,
    Lower,
    Folded,
}

/// By how much characters move that are others in some case.
#[derive(Clone, Debug, Default)]
pub(super) struct Shifts {
    /// Characters of 16 bits that are not ASCII: the first and the last, and by how much.
    pub(super) units: Vec<(u16, u16, i32)>,
    /// The second of two surrogates, after a first one.
    pub(super) pairs: Vec<(u16, u16, u16, i32)>,
}

impl Chars {
    pub(crate) fn new(words: Vec<u64>) -> Chars {
        let mut chars = Chars { words, shifts: Default::default() };
        for (number, case) in [Case::Upper, Case::Lower, Case::Folded].into_iter().enumerate() {
            chars.shifts[number] = chars.shifts_to(case);
        }
        chars
    }

    pub(super) fn shifts(&self, case: Case) -> &Shifts {
        &self.shifts[case as usize]
    }

    fn shifts_to(&self, case: Case) -> Shifts {
        let units = self.ranges(128, 0x1_0000, |c| {
            let by = i32::from(self.in_case(c, case)) - i32::from(c);
            (by != 0).then_some(by)
        });
        let mut pairs: Vec<(u16, u16, u16, i32)> = Vec::new();
        for word in &self.words[0x1_0000..] {
            // Both cases differ in the second of the two only.
            let (code, upper, lower) = (*word as u32 & 0xff_ffff, (word >> 24) as u16, (word >> 40) as u16);
            let high = (0xd7c0 + (code >> 10)) as u16;
            let low = |code: u16| 0xdc00 | code & 0x3ff;
            let second = low(code as u16);
            let to = low(if case == Case::Upper { upper } else { lower });
            let by = i32::from(to) - i32::from(second);
            match pairs.last_mut() {
                _ if by == 0 => {}
                Some((first, _, last, same)) if *first == high && *last + 1 == second && *same == by => *last = second,
                _ => pairs.push((high, second, second, by)),
            }
        }
        Shifts { units, pairs }
    }

    /// A character of 16 bits in some case.
    fn in_case(&self, unit: u16, case: Case) -> u16 {
        match case {
            Case::Upper => self.case(unit, true),
            Case::Lower => self.case(unit, false),
            Case::Folded => self.case(self.case(unit, true), false),
        }
    }

    /// Characters that are not one character in a case, in ranges.
    pub(super) fn irregular(&self, upper: bool) -> Vec<(u16, u16, i32)> {
        let bit = IRREGULAR + u32::from(!upper);
        self.ranges(128, 0x1_0000, |c| self.has(c, bit).then_some(0))
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
    pub(super) fn chars(&self) -> &Chars {
        self.s.chars.as_ref().expect("asked for before")
    }

    /// The properties of characters are needed from here on.
    pub(super) fn needs_chars(&self) -> Result<(), Stop> {
        if self.s.chars.is_some() { Ok(()) } else { Err(Stop::Chars) }
    }

    /// The condition under which a character is in a range.
    pub(super) fn in_range(&mut self, node: Node, (first, last): (u16, u16)) -> Node {
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
