//! From numbers to strings and back.
//!
//! How many digits a number has is decided; the digits are terms then. A string that is read as a number is decided to be one, or not to be one.

use xcute_classfile::Kind;
use xcute_term::Op;

use super::super::held::Text;
use super::super::nodes::Node;
use super::super::value::Value;
use super::super::{Replay, Stop};
use super::Arguments;
use crate::program::tables::MODEL;

/// What is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberModel {
    /// A value of a kind as text.
    Show(Kind),
    /// A box as text.
    ShowBox(Kind),
    /// An object as text.
    ShowObject,
    /// A number from text.
    Parse(Kind),
    /// A box from text.
    ParseBox(Kind),
    /// `Boolean.parseBoolean`.
    ParseTruth,
}

impl NumberModel {
    /// A method of a class that boxes values of a kind.
    pub(super) fn find(kind: Kind, name: &str, descriptor: &str) -> Option<NumberModel> {
        let letter = kind.letter();
        let numeric = matches!(kind, Kind::Int | Kind::Long);
        match (name, descriptor) {
            ("toString", "()Ljava/lang/String;") => Some(NumberModel::ShowBox(kind)),
            ("toString", _) if descriptor == format!("({letter})Ljava/lang/String;") => Some(NumberModel::Show(kind)),
            ("parseInt" | "parseLong", _)
                if numeric && (descriptor.starts_with("(Ljava/lang/String;)") || descriptor.starts_with("(Ljava/lang/String;I)")) =>
            {
                Some(NumberModel::Parse(kind))
            }
            ("valueOf", _) if numeric && descriptor.starts_with("(Ljava/lang/String;)L") => Some(NumberModel::ParseBox(kind)),
            ("parseBoolean", _) => Some(NumberModel::ParseTruth),
            _ => None,
        }
    }

    /// `String.valueOf`.
    pub(super) fn of_string(name: &str, descriptor: &str) -> Option<NumberModel> {
        if name != "valueOf" {
            return None;
        }
        let argument = descriptor.strip_prefix('(')?;
        if argument.starts_with("Ljava/lang/Object;)") {
            return Some(NumberModel::ShowObject);
        }
        let kind = Kind::of(argument).filter(|kind| *kind != Kind::Reference)?;
        Some(NumberModel::Show(kind))
    }
}

/// Whether the base that a number is read to is 10.
fn is_decimal(arguments: &Arguments) -> bool {
    arguments.get(1).is_none_or(|base| base.node == 0 && base.bits == 10)
}

impl Replay<'_> {
    /// Whether reading a number throws.
    pub(super) fn number_before(&mut self, of: NumberModel, arguments: &Arguments, site: u32) -> Result<(), Stop> {
        let (NumberModel::Parse(kind) | NumberModel::ParseBox(kind)) = of else { return Ok(()) };
        if self.settle_reference(arguments[0])? || !self.has_symbolic_text(arguments[0].as_object()) {
            return Ok(());
        }
        if !is_decimal(arguments) {
            self.story.limit("uninstrumented", "reading a number to another base than 10", true);
            return Ok(());
        }
        self.needs_chars()?;
        let text = self.text_at(arguments[0])?;
        let text = self.settled(&text);
        let (digits, negative) = self.sign(&text);
        let (mut condition, mut holds) = (self.s.nodes.truth(!digits.is_empty()), !digits.is_empty());
        if !digits.is_empty() {
            let mut all = Vec::new();
            for &unit in &digits {
                let (is, node) = self.is_digit(unit);
                holds &= is;
                all.push(node);
            }
            let (value, fits) = self.magnitude(&digits, kind, negative);
            all.push(fits);
            let _ = value;
            condition = self.s.nodes.many(Op::And, &all);
            holds = holds && self.parsed(&digits, negative, kind);
        }
        self.branch(site, condition, holds);
        self.story.cover(site, u32::from(holds));
        Ok(())
    }

    /// Decides whether a number has a sign; its digits, and whether it is negative.
    fn sign(&mut self, text: &Text) -> (Vec<Value>, bool) {
        let Some((&first, rest)) = text.units.split_first() else { return (Vec::new(), false) };
        for (sign, negative) in [('-', true), ('+', false)] {
            let is = first.bits == u64::from(u32::from(sign));
            if first.node != 0 {
                let condition = self.s.nodes.equals(first.node, 32, u64::from(u32::from(sign)));
                self.branch(MODEL, condition, is);
            }
            if is {
                return (rest.to_vec(), negative);
            }
        }
        (text.units.clone(), false)
    }

    /// Whether the digits of this run are a number that fits.
    fn parsed(&self, digits: &[Value], negative: bool, kind: Kind) -> bool {
        let mut value: i128 = 0;
        for unit in digits {
            let digit = self.s.chars.as_ref().map_or(0, |chars| chars.digit(unit.bits as u16));
            value = value.saturating_mul(10).saturating_add(i128::from(digit));
        }
        let value = if negative { -value } else { value };
        if kind == Kind::Int { i32::try_from(value).is_ok() } else { i64::try_from(value).is_ok() }
    }

    /// The number that digits are, and the condition under which it fits.
    fn magnitude(&mut self, digits: &[Value], kind: Kind, negative: bool) -> (Node, Node) {
        // Wide enough for all digits: four bits for each.
        let width = 64.max(4 * u32::try_from(digits.len()).expect("texts are short") + 8).next_multiple_of(32);
        let mut value = self.s.nodes.constant(width, 0);
        let ten = self.s.nodes.constant(width, 10);
        for &unit in digits {
            let more = self.s.nodes.op2(Op::BvMul, value, ten);
            let digit = self.digit_value(unit);
            let digit = self.s.nodes.op1(Op::ZeroExt(width), digit);
            value = self.s.nodes.op2(Op::BvAdd, more, digit);
        }
        let most: u64 = if kind == Kind::Int { i32::MAX as u64 } else { i64::MAX as u64 };
        let most = self.s.nodes.constant(width, most + u64::from(negative));
        let fits = self.s.nodes.op2(Op::BvUle, value, most);
        let result = if kind == Kind::Int { 32 } else { 64 };
        let low = self.s.nodes.op1(Op::Extract(result - 1, 0), value);
        let low = if negative { self.s.nodes.op1(Op::BvNeg, low) } else { low };
        (low, fits)
    }

    /// What the result depends on.
    pub(super) fn number_after(&mut self, of: NumberModel, arguments: &Arguments, result: Value) -> Result<Value, Stop> {
        match of {
            NumberModel::Parse(kind) | NumberModel::ParseBox(kind) => {
                if !self.has_symbolic_text(arguments[0].as_object()) || !is_decimal(arguments) {
                    return Ok(result);
                }
                self.needs_chars()?;
                let text = self.text_at(arguments[0])?;
                let text = self.settled(&text);
                let (digits, negative) = self.sign(&text);
                let (node, _) = self.magnitude(&digits, kind, negative);
                let value = Value { bits: result.bits, node };
                Ok(if matches!(of, NumberModel::Parse(_)) { value } else { self.boxed(kind, value, result) })
            }
            NumberModel::ParseTruth => {
                if self.settle_reference(arguments[0])? || !self.has_symbolic_text(arguments[0].as_object()) {
                    return Ok(result);
                }
                let text = self.text_at(arguments[0])?;
                let folded = self.folded(&text)?;
                let same = self.equal_texts(&folded, &Text::concrete("true".encode_utf16()));
                Ok(Value { bits: result.bits, node: self.s.nodes.as_int(same) })
            }
            NumberModel::ShowObject => {
                if self.settle_reference(arguments[0])? {
                    return Ok(result);
                }
                self.shown_object(arguments[0], result)
            }
            NumberModel::Show(_) if arguments[0].node == 0 => Ok(result),
            NumberModel::Show(_) => {
                match self.number_text(of, arguments[0])? {
                    Some(text) => self.new_text(result.as_object(), text),
                    None => self.lose_text(result.as_object(), "java.lang.String.valueOf of a float"),
                }
                Ok(result)
            }
            NumberModel::ShowBox(kind) => {
                if arguments[0].node == 0
                    && !matches!(self.s.heap.get(arguments[0].as_object()).origin, super::super::heap::Origin::Input(..))
                {
                    return Ok(result);
                }
                let value = self.box_value(kind, arguments[0])?;
                let bits = if value.node == 0 { value.bits } else { self.evaluate(value.node) };
                match self.number_text(NumberModel::Show(kind), Value { bits, node: value.node })? {
                    Some(text) => self.new_text(result.as_object(), text),
                    None => self.lose_text(result.as_object(), "java.lang.Double.toString"),
                }
                Ok(result)
            }
        }
    }

    /// `String.valueOf(object)`: a string is itself, others say what they are.
    fn shown_object(&mut self, reference: Value, result: Value) -> Result<Value, Stop> {
        let class = self.s.heap.get(reference.as_object()).class;
        let kind = crate::inputs::candidate::BOXES.iter().find(|b| b.0 == self.s.classes.name(class)).map(|b| b.1);
        match kind {
            Some(kind) => self.number_after(NumberModel::ShowBox(kind), &smallvec::smallvec![reference], result),
            None => Ok(result),
        }
    }

    /// A value as text; `None` for floats that inputs decide.
    pub(super) fn number_text(&mut self, of: NumberModel, value: Value) -> Result<Option<Text>, Stop> {
        let NumberModel::Show(kind) = of else { return Ok(None) };
        Ok(match kind {
            Kind::Char => Some(Text::of(vec![value])),
            Kind::Boolean => {
                let holds = value.bits & 1 == 1;
                if value.node != 0 {
                    let condition = self.s.nodes.against_zero(xcute_classfile::opcode::IFNE, value.node);
                    self.branch(MODEL, condition, holds);
                }
                Some(Text::concrete(if holds { "true" } else { "false" }.encode_utf16()))
            }
            Kind::Float | Kind::Double | Kind::Reference => None,
            Kind::Long if value.node == 0 => Some(Text::concrete(value.as_long().to_string().encode_utf16())),
            _ if value.node == 0 => Some(Text::concrete(value.as_int().to_string().encode_utf16())),
            _ => Some(self.decimal(value, if kind == Kind::Long { 64 } else { 32 })),
        })
    }

    /// The digits of a number that an input decides.
    fn decimal(&mut self, value: Value, width: u32) -> Text {
        let negative = if width == 64 { value.as_long() < 0 } else { value.as_int() < 0 };
        let zero = self.s.nodes.constant(width, 0);
        let below = self.s.nodes.op2(Op::BvSlt, value.node, zero);
        self.branch(MODEL, below, negative);
        let magnitude = if negative { self.s.nodes.op1(Op::BvNeg, value.node) } else { value.node };
        let present = if width == 64 { value.as_long().unsigned_abs() } else { u64::from(value.as_int().unsigned_abs()) };
        let digits = present.checked_ilog10().unwrap_or(0) + 1;
        let most = if width == 64 { 19 } else { 10 };
        for count in 1..most {
            let bound = self.s.nodes.constant(width, 10u64.pow(count));
            let short = self.s.nodes.op2(Op::BvUlt, magnitude, bound);
            self.branch(MODEL, short, digits <= count);
            if digits <= count {
                break;
            }
        }
        let mut units = Vec::new();
        if negative {
            units.push(Value::concrete(u64::from(b'-')));
        }
        for place in (0..digits).rev() {
            let (power, ten) = (self.s.nodes.constant(width, 10u64.pow(place)), self.s.nodes.constant(width, 10));
            let shifted = self.s.nodes.op2(Op::BvUdiv, magnitude, power);
            let mut digit = self.s.nodes.op2(Op::BvUrem, shifted, ten);
            if width == 64 {
                digit = self.s.nodes.op1(Op::Extract(31, 0), digit);
            }
            let letter = self.s.nodes.constant(32, u64::from(b'0'));
            let node = self.s.nodes.op2(Op::BvAdd, digit, letter);
            units.push(Value { bits: present / 10u64.pow(place) % 10 + u64::from(b'0'), node });
        }
        Text::of(units)
    }
}
