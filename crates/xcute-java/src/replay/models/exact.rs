//! `Math.addExact` and its like: arithmetic that throws where the result does not fit. And division that rounds down.

use xcute_classfile::opcode::*;
use xcute_term::Op;

use super::super::Replay;
use super::super::nodes::{Node, Nodes};
use super::super::value::Value;
use super::Arguments;

/// What is computed, and with how many bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExactModel {
    what: What,
    long: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Add,
    Subtract,
    Multiply,
    Negate,
    Increment,
    Decrement,
    ToInt,
    FloorDiv,
    FloorMod,
}

impl ExactModel {
    pub(super) fn find(name: &str, descriptor: &str) -> Option<ExactModel> {
        let long = match descriptor {
            "(II)I" | "(I)I" => false,
            "(JJ)J" | "(J)J" | "(J)I" => true,
            _ => return None,
        };
        let what = match name {
            "addExact" => What::Add,
            "subtractExact" => What::Subtract,
            "multiplyExact" => What::Multiply,
            "negateExact" => What::Negate,
            "incrementExact" => What::Increment,
            "decrementExact" => What::Decrement,
            "toIntExact" => What::ToInt,
            "floorDiv" => What::FloorDiv,
            "floorMod" => What::FloorMod,
            _ => return None,
        };
        Some(ExactModel { what, long })
    }

    fn width(self) -> u32 {
        if self.long { 64 } else { 32 }
    }
}

/// A number with twice the bits.
fn twice(nodes: &mut Nodes, node: Node, width: u32) -> Node {
    nodes.op1(Op::SignExt(2 * width), node)
}

impl Replay<'_> {
    /// Whether it throws: the result, with twice the bits, is what is left of it.
    pub(super) fn exact_before(&mut self, model: ExactModel, arguments: &Arguments, site: u32) {
        let width = model.width();
        let signed = |v: Value| if model.long { i128::from(v.as_long()) } else { i128::from(v.as_int()) };
        let a = signed(arguments[0]);
        let b = match (model.what, arguments.get(1)) {
            (What::Increment | What::Decrement, _) => 1,
            (_, Some(&b)) => signed(b),
            _ => 0,
        };
        let exact = match model.what {
            What::Add | What::Increment => a + b,
            What::Subtract | What::Decrement => a - b,
            What::Multiply => a * b,
            What::Negate => -a,
            _ => a,
        };
        let fits = match model.what {
            What::ToInt => i32::try_from(a).is_ok(),
            What::FloorDiv | What::FloorMod => b != 0,
            _ if model.long => i64::try_from(exact).is_ok(),
            _ => i32::try_from(exact).is_ok(),
        };
        self.story.cover(site, u32::from(fits));
        if arguments.iter().all(|v| v.node == 0) {
            return;
        }
        let nodes = &mut self.s.nodes;
        let x = nodes.of(arguments[0], width);
        let condition = match model.what {
            What::FloorDiv | What::FloorMod => {
                let divisor = nodes.of(arguments[1], width);
                let zero = nodes.equals(divisor, width, 0);
                nodes.not(zero)
            }
            What::ToInt => {
                let low = nodes.op1(Op::Extract(31, 0), x);
                let back = nodes.op1(Op::SignExt(64), low);
                nodes.op2(Op::Eq, back, x)
            }
            what => {
                let y = match arguments.get(1) {
                    Some(&y) => nodes.of(y, width),
                    None => nodes.constant(width, 1),
                };
                let (x, y) = (twice(nodes, x, width), twice(nodes, y, width));
                let whole = match what {
                    What::Add | What::Increment => nodes.op2(Op::BvAdd, x, y),
                    What::Subtract | What::Decrement => nodes.op2(Op::BvSub, x, y),
                    What::Multiply => nodes.op2(Op::BvMul, x, y),
                    _ => nodes.op1(Op::BvNeg, x),
                };
                let low = nodes.op1(Op::Extract(width - 1, 0), whole);
                let back = twice(nodes, low, width);
                nodes.op2(Op::Eq, back, whole)
            }
        };
        self.branch(site, condition, fits);
    }

    pub(super) fn exact_after(&mut self, model: ExactModel, arguments: &Arguments, result: Value) -> Value {
        if arguments.iter().all(|v| v.node == 0) {
            return result;
        }
        let one = Value::concrete(1);
        let second = arguments.get(1).copied().unwrap_or(one);
        let op = |int: u8, long: u8| if model.long { long } else { int };
        let nodes = &mut self.s.nodes;
        let node = match model.what {
            What::Add | What::Increment => nodes.binary(op(IADD, LADD), arguments[0], second).node,
            What::Subtract | What::Decrement => nodes.binary(op(ISUB, LSUB), arguments[0], second).node,
            What::Multiply => nodes.binary(op(IMUL, LMUL), arguments[0], second).node,
            What::Negate => nodes.negate(op(INEG, LNEG), arguments[0]).node,
            What::ToInt => nodes.convert(L2I, arguments[0]).node,
            What::FloorDiv | What::FloorMod => self.floor(model, arguments),
        };
        Value { bits: result.bits, node }
    }

    /// The quotient rounded down, or what remains then.
    fn floor(&mut self, model: ExactModel, arguments: &Arguments) -> Node {
        let width = model.width();
        let nodes = &mut self.s.nodes;
        let (x, y) = (nodes.of(arguments[0], width), nodes.of(arguments[1], width));
        let (zero, one) = (nodes.constant(width, 0), nodes.constant(width, 1));
        let (quotient, rest) = (nodes.op2(Op::BvSdiv, x, y), nodes.op2(Op::BvSrem, x, y));
        let exact = nodes.op2(Op::Eq, rest, zero);
        let inexact = nodes.not(exact);
        let mixed = nodes.op2(Op::BvXor, rest, y);
        let signs = nodes.op2(Op::BvSlt, mixed, zero);
        let down = nodes.many(Op::And, &[inexact, signs]);
        if model.what == What::FloorDiv {
            let less = nodes.op2(Op::BvSub, quotient, one);
            nodes.ite(down, less, quotient)
        } else {
            let more = nodes.op2(Op::BvAdd, rest, y);
            nodes.ite(down, more, rest)
        }
    }
}
