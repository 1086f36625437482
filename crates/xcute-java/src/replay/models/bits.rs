//! Functions that count or find bits, as terms without branches (Warren, Hacker's Delight, sections 2-1 and 5-1 to 5-4).

use xcute_classfile::Kind;
use xcute_term::Op;

use super::super::Replay;
use super::super::nodes::{Node, Nodes};
use super::super::value::Value;

/// A function on the bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitModel {
    Count,
    TrailingZeros,
    LeadingZeros,
    Lowest,
    Highest,
}

impl BitModel {
    /// A static method of `Integer` or `Long`.
    pub(super) fn find(kind: Kind, name: &str, descriptor: &str) -> Option<BitModel> {
        if !matches!(kind, Kind::Int | Kind::Long) || !descriptor.starts_with(&format!("({})", kind.letter())) {
            return None;
        }
        match name {
            "bitCount" => Some(BitModel::Count),
            "numberOfTrailingZeros" => Some(BitModel::TrailingZeros),
            "numberOfLeadingZeros" => Some(BitModel::LeadingZeros),
            "lowestOneBit" => Some(BitModel::Lowest),
            "highestOneBit" => Some(BitModel::Highest),
            _ => None,
        }
    }
}

/// Terms over numbers of one width.
struct Bits<'a> {
    nodes: &'a mut Nodes,
    width: u32,
}

impl Bits<'_> {
    /// A constant: the low bits of a pattern.
    fn constant(&mut self, value: u64) -> Node {
        let value = if self.width == 64 { value } else { value & 0xffff_ffff };
        self.nodes.constant(self.width, value)
    }

    fn shifted(&mut self, x: Node, by: u64) -> Node {
        let by = self.constant(by);
        self.nodes.op2(Op::BvLshr, x, by)
    }

    /// `x & mask`, plus the same of `x >>> by`.
    fn folded(&mut self, x: Node, by: u64, mask: u64) -> Node {
        let (above, mask) = (self.shifted(x, by), self.constant(mask));
        let (low, high) = (self.nodes.op2(Op::BvAnd, x, mask), self.nodes.op2(Op::BvAnd, above, mask));
        self.nodes.op2(Op::BvAdd, low, high)
    }

    /// How many bits are set, as an `int`.
    fn count(&mut self, x: Node) -> Node {
        let masks = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0f0f_0f0f_0f0f_0f0f,
            0x00ff_00ff_00ff_00ff,
            0x0000_ffff_0000_ffff,
            0x0000_0000_ffff_ffff,
        ];
        let mut node = x;
        for (level, mask) in masks.into_iter().enumerate().take(if self.width == 64 { 6 } else { 5 }) {
            node = self.folded(node, 1 << level, mask);
        }
        self.int(node)
    }

    fn int(&mut self, node: Node) -> Node {
        if self.width == 64 { self.nodes.op1(Op::Extract(31, 0), node) } else { node }
    }

    /// All bits from the highest one that is set downwards.
    fn smeared(&mut self, x: Node) -> Node {
        let mut node = x;
        for level in 0..if self.width == 64 { 6 } else { 5 } {
            let below = self.shifted(node, 1 << level);
            node = self.nodes.op2(Op::BvOr, node, below);
        }
        node
    }
}

impl Replay<'_> {
    pub(super) fn bits(&mut self, of: BitModel, kind: Kind, number: Value, result: Value) -> Value {
        if number.node == 0 {
            return result;
        }
        let width = if kind == Kind::Long { 64 } else { 32 };
        let mut bits = Bits { nodes: &mut self.s.nodes, width };
        let x = number.node;
        let node = match of {
            BitModel::Count => bits.count(x),
            BitModel::TrailingZeros => {
                // The zeros below the lowest one become ones, and nothing else.
                let (one, not) = (bits.constant(1), bits.nodes.op1(Op::BvNot, x));
                let below = bits.nodes.op2(Op::BvSub, x, one);
                let zeros = bits.nodes.op2(Op::BvAnd, not, below);
                bits.count(zeros)
            }
            BitModel::LeadingZeros => {
                let smeared = bits.smeared(x);
                let zeros = bits.nodes.op1(Op::BvNot, smeared);
                bits.count(zeros)
            }
            BitModel::Lowest => {
                let negated = bits.nodes.op1(Op::BvNeg, x);
                bits.nodes.op2(Op::BvAnd, x, negated)
            }
            BitModel::Highest => {
                let smeared = bits.smeared(x);
                let below = bits.shifted(smeared, 1);
                bits.nodes.op2(Op::BvXor, smeared, below)
            }
        };
        Value { bits: result.bits, node }
    }
}
