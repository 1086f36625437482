//! Texts in upper and lower case.
//!
//! It is decided which characters are ASCII, since there are hundreds of ranges of letters beyond. A character beyond 16 bits is two surrogates, of which
//! only the second differs between the cases. Some characters are several in another case, or depend on what stands next to them: those are not computed.

use std::sync::Arc;

use xcute_term::Op;

use super::super::held::Text;
use super::super::nodes::Node;
use super::super::value::Value;
use super::super::{Replay, Stop};
use super::chars::Case;
use crate::program::tables::MODEL;

impl Replay<'_> {
    /// A text in upper or lower case; `None` where that is not computed.
    pub(super) fn cased(&mut self, text: &Arc<Text>, upper: bool) -> Result<Option<Text>, Stop> {
        let text = self.settled(text);
        for &unit in &text.units {
            if !self.is_ascii(unit) {
                self.needs_chars()?;
                if self.is_irregular(unit, upper) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(self.in_case(&text, if upper { Case::Upper } else { Case::Lower })))
    }

    /// A text by which texts are compared regardless of case.
    pub(super) fn folded(&mut self, text: &Arc<Text>) -> Result<Text, Stop> {
        let text = self.settled(text);
        for &unit in &text.units {
            if !self.is_ascii(unit) {
                self.needs_chars()?;
            }
        }
        Ok(self.in_case(&text, Case::Folded))
    }

    /// Decides whether a character is ASCII.
    fn is_ascii(&mut self, unit: Value) -> bool {
        let small = unit.bits < 128;
        if unit.node != 0 {
            let bound = self.s.nodes.constant(32, 128);
            let condition = self.s.nodes.op2(Op::BvUlt, unit.node, bound);
            self.branch(MODEL, condition, small);
        }
        small
    }

    /// Decides whether a character is not one character in another case.
    fn is_irregular(&mut self, unit: Value, upper: bool) -> bool {
        let ranges = self.chars().irregular(upper);
        let is = ranges.iter().any(|(first, last, _)| (*first..=*last).contains(&(unit.bits as u16)));
        if unit.node != 0 {
            let arms: Vec<Node> = ranges.into_iter().map(|(first, last, _)| self.in_range(unit.node, (first, last))).collect();
            let condition = self.s.nodes.many(Op::Or, &arms);
            self.branch(MODEL, condition, is);
        }
        is
    }

    /// A text of which each character is known to be ASCII or not, in a case.
    fn in_case(&mut self, text: &Text, case: Case) -> Text {
        let mut units = Vec::with_capacity(text.units.len());
        let mut before = None;
        for &unit in &text.units {
            let wide = unit.bits >= 128;
            units.push(if wide { self.wide_case(before, unit, case) } else { self.ascii_case(unit, case == Case::Upper) });
            before = Some(unit).filter(|_| wide);
        }
        Text::of(units)
    }

    fn ascii_case(&mut self, unit: Value, upper: bool) -> Value {
        let (from, to) = if upper { (b'a', b'z') } else { (b'A', b'Z') };
        let inside = (u64::from(from)..=u64::from(to)).contains(&unit.bits);
        let bits = if inside { unit.bits ^ 32 } else { unit.bits };
        if unit.node == 0 {
            return Value::concrete(bits);
        }
        let letter = self.in_range(unit.node, (from.into(), to.into()));
        let bit = self.s.nodes.constant(32, 32);
        let other = self.s.nodes.op2(Op::BvXor, unit.node, bit);
        Value { bits, node: self.s.nodes.ite(letter, other, unit.node) }
    }

    /// A character that is not ASCII, after another one that is not.
    fn wide_case(&mut self, before: Option<Value>, unit: Value, case: Case) -> Value {
        let shifts = self.chars().shifts(case).clone();
        let mut bits = unit.bits;
        let mut node = unit.node;
        for &(first, last, by) in shifts.units.iter().rev() {
            if (first..=last).contains(&(unit.bits as u16)) {
                bits = unit.bits.wrapping_add_signed(by.into());
            }
            if unit.node != 0 {
                let inside = self.in_range(unit.node, (first, last));
                node = self.shifted(inside, unit.node, by, node);
            }
        }
        let Some(before) = before else { return Value { bits, node } };
        let alone = bits;
        for &(high, first, last, by) in &shifts.pairs {
            if before.bits as u16 == high && (first..=last).contains(&(unit.bits as u16)) {
                bits = unit.bits.wrapping_add_signed(by.into());
            }
            if unit.node != 0 || before.node != 0 {
                let (one, two) = (self.s.nodes.of(before, 32), self.s.nodes.of(unit, 32));
                let same = self.s.nodes.equals(one, 32, high.into());
                let inside = self.in_range(two, (first, last));
                let pair = self.s.nodes.many(Op::And, &[same, inside]);
                let otherwise = if node == 0 { self.s.nodes.constant(32, alone) } else { node };
                node = self.shifted(pair, two, by, otherwise);
            }
        }
        Value { bits, node }
    }

    fn shifted(&mut self, condition: Node, unit: Node, by: i32, otherwise: Node) -> Node {
        let by = self.s.nodes.constant(32, u64::from(by.cast_unsigned()));
        let moved = self.s.nodes.op2(Op::BvAdd, unit, by);
        self.s.nodes.ite(condition, moved, otherwise)
    }
}
