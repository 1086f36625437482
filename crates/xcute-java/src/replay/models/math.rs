//! Functions on numbers that are terms.

use xcute_classfile::Kind;
use xcute_classfile::opcode::*;
use xcute_term::{FloatFormat, Op, Rounding};

use super::super::Replay;
use super::super::nodes::Node;
use super::super::value::Value;
use super::Arguments;

/// A function on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MathModel {
    Abs,
    Min,
    Max,
    Sum,
    Sqrt,
    Floor,
    Ceil,
    Rint,
    Round,
    Signum,
    /// The bits of a float, or the float of bits.
    Raw,
    /// The bits of a float, with one NaN only.
    Bits,
    IsNan,
    IsInfinite,
    IsFinite,
    /// On Booleans.
    And,
    Or,
    Xor,
}

impl MathModel {
    /// A method of `Math`, and what it computes with.
    pub(super) fn find(name: &str, descriptor: &str) -> Option<(MathModel, Kind)> {
        let kind = Kind::of(descriptor.strip_prefix('(')?)?;
        let model = match name {
            "abs" => MathModel::Abs,
            "min" => MathModel::Min,
            "max" => MathModel::Max,
            "sqrt" => MathModel::Sqrt,
            "floor" => MathModel::Floor,
            "ceil" => MathModel::Ceil,
            "rint" => MathModel::Rint,
            "round" => MathModel::Round,
            _ => return None,
        };
        Some((model, kind))
    }

    /// A static method of a class that boxes values of a kind.
    pub(super) fn of_box(kind: Kind, name: &str, descriptor: &str) -> Option<(MathModel, Kind)> {
        let letter = kind.letter();
        let (one, two) = (descriptor.starts_with(&format!("({letter})")), descriptor.starts_with(&format!("({letter}{letter})")));
        let model = match name {
            "min" if two => MathModel::Min,
            "max" if two => MathModel::Max,
            "sum" if two => MathModel::Sum,
            "signum" if one => MathModel::Signum,
            "isNaN" if one => MathModel::IsNan,
            "isInfinite" if one => MathModel::IsInfinite,
            "isFinite" if one => MathModel::IsFinite,
            "floatToIntBits" | "doubleToLongBits" => MathModel::Bits,
            "floatToRawIntBits" | "doubleToRawLongBits" | "intBitsToFloat" | "longBitsToDouble" => MathModel::Raw,
            "logicalAnd" => MathModel::And,
            "logicalOr" => MathModel::Or,
            "logicalXor" => MathModel::Xor,
            _ => return None,
        };
        Some((model, kind))
    }
}

fn format(kind: Kind) -> FloatFormat {
    if kind == Kind::Float { FloatFormat::SINGLE } else { FloatFormat::DOUBLE }
}

impl Replay<'_> {
    pub(super) fn math(&mut self, of: MathModel, kind: Kind, arguments: &Arguments, result: Value) -> Value {
        if arguments.iter().all(|a| a.node == 0) {
            return result;
        }
        let float = matches!(kind, Kind::Float | Kind::Double);
        let node = if float { self.float_math(of, kind, arguments) } else { self.int_math(of, kind, arguments) };
        Value { bits: result.bits, node }
    }

    fn int_math(&mut self, of: MathModel, kind: Kind, arguments: &Arguments) -> Node {
        let width = if kind == Kind::Long { 64 } else { 32 };
        let nodes = &mut self.s.nodes;
        let a = nodes.of(arguments[0], width);
        let b = arguments.get(1).map_or(0, |&b| nodes.of(b, width));
        let zero = nodes.constant(width, 0);
        match of {
            MathModel::Abs => {
                let (negative, negated) = (nodes.op2(Op::BvSlt, a, zero), nodes.op1(Op::BvNeg, a));
                nodes.ite(negative, negated, a)
            }
            MathModel::Min | MathModel::Max => {
                let less = nodes.op2(Op::BvSle, a, b);
                if of == MathModel::Min { nodes.ite(less, a, b) } else { nodes.ite(less, b, a) }
            }
            MathModel::Sum => nodes.op2(Op::BvAdd, a, b),
            MathModel::Signum => nodes.compare(super::super::nodes::Order::Signed, a, zero),
            MathModel::And => nodes.op2(Op::BvAnd, a, b),
            MathModel::Or => nodes.op2(Op::BvOr, a, b),
            MathModel::Xor => nodes.op2(Op::BvXor, a, b),
            // Bits are what a float is here.
            _ => a,
        }
    }

    fn float_math(&mut self, of: MathModel, kind: Kind, arguments: &Arguments) -> Node {
        let format = format(kind);
        let width = format.width();
        let bits = self.s.nodes.of(arguments[0], width);
        let nodes = &mut self.s.nodes;
        let a = nodes.op1(Op::FpFromBits(format), bits);
        let rounded = |nodes: &mut super::super::nodes::Nodes, rounding| {
            let float = nodes.op1(Op::FpRound(rounding), a);
            nodes.op1(Op::FpToBits, float)
        };
        match of {
            MathModel::Abs => {
                let float = nodes.op1(Op::FpAbs, a);
                nodes.op1(Op::FpToBits, float)
            }
            MathModel::Sqrt => {
                let float = nodes.op1(Op::FpSqrt(Rounding::NearestEven), a);
                nodes.op1(Op::FpToBits, float)
            }
            MathModel::Floor => rounded(nodes, Rounding::Down),
            MathModel::Ceil => rounded(nodes, Rounding::Up),
            MathModel::Rint => rounded(nodes, Rounding::NearestEven),
            MathModel::IsNan => {
                let is = nodes.op1(Op::FpIsNan, a);
                nodes.as_int(is)
            }
            MathModel::IsInfinite => {
                let is = nodes.op1(Op::FpIsInf, a);
                nodes.as_int(is)
            }
            MathModel::IsFinite => {
                let (nan, infinite) = (nodes.op1(Op::FpIsNan, a), nodes.op1(Op::FpIsInf, a));
                let not = nodes.many(Op::Or, &[nan, infinite]);
                let is = nodes.not(not);
                nodes.as_int(is)
            }
            MathModel::Bits => {
                let nan = nodes.op1(Op::FpIsNan, a);
                let one = nodes.constant(width, format.nan());
                nodes.ite(nan, one, bits)
            }
            MathModel::Round => self.round(kind, a),
            MathModel::Sum | MathModel::Min | MathModel::Max => self.of_two_floats(of, kind, arguments),
            _ => bits,
        }
    }

    fn of_two_floats(&mut self, of: MathModel, kind: Kind, arguments: &Arguments) -> Node {
        let format = format(kind);
        let width = format.width();
        let nodes = &mut self.s.nodes;
        let (x, y) = (nodes.of(arguments[0], width), nodes.of(arguments[1], width));
        let (a, b) = (nodes.op1(Op::FpFromBits(format), x), nodes.op1(Op::FpFromBits(format), y));
        if of == MathModel::Sum {
            let sum = nodes.op2(Op::FpAdd(Rounding::NearestEven), a, b);
            return nodes.op1(Op::FpToBits, sum);
        }
        let less = nodes.op2(Op::FpLt, a, b);
        let more = nodes.op2(Op::FpLt, b, a);
        let (small, large) = if of == MathModel::Min { (x, y) } else { (y, x) };
        // Equal ones have the same bits, but for the two zeros: the negative one is less.
        let equal = nodes.op2(if of == MathModel::Min { Op::BvOr } else { Op::BvAnd }, x, y);
        let inner = nodes.ite(more, large, equal);
        let inner = nodes.ite(less, small, inner);
        let (nan_a, nan_b) = (nodes.op1(Op::FpIsNan, a), nodes.op1(Op::FpIsNan, b));
        let inner = nodes.ite(nan_b, y, inner);
        nodes.ite(nan_a, x, inner)
    }

    /// To the nearest integer, ties upwards: as `Math.round` documents it.
    fn round(&mut self, kind: Kind, a: Node) -> Node {
        let format = format(kind);
        let width = format.width();
        let nodes = &mut self.s.nodes;
        let pattern = |value: f64| if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
        let floor = nodes.op1(Op::FpRound(Rounding::Down), a);
        let above = nodes.op2(Op::FpSub(Rounding::NearestEven), a, floor);
        let (half, one) = (nodes.constant(width, pattern(0.5)), nodes.constant(width, pattern(1.0)));
        let (half, one) = (nodes.op1(Op::FpFromBits(format), half), nodes.op1(Op::FpFromBits(format), one));
        let up = nodes.op2(Op::FpLe, half, above);
        let next = nodes.op2(Op::FpAdd(Rounding::NearestEven), floor, one);
        let rounded = nodes.ite(up, next, floor);
        let bits = nodes.op1(Op::FpToBits, rounded);
        let value = Value { bits: 0, node: bits };
        nodes.convert(if kind == Kind::Float { F2I } else { D2L }, value).node
    }
}
