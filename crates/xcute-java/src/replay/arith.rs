//! Arithmetic with Java's meaning, on numbers and on nodes side by side.
//!
//! Integers wrap, `MIN / -1` is `MIN`, shifts look at the low bits of their distance only, `%` has the sign of the dividend. Floats are IEEE,
//! rounded to nearest; as nodes they are bit patterns. Conversions to integers saturate, and a NaN becomes 0.

use xcute_classfile::opcode::*;
use xcute_term::{FloatFormat, Op, Rounding};

use super::nodes::{Expr, Node, Nodes, Order};
use super::value::Value;

const NEAREST: Rounding = Rounding::NearestEven;

/// The format of floats with 32 or 64 bits.
fn format(width: u32) -> FloatFormat {
    if width == 32 { FloatFormat::SINGLE } else { FloatFormat::DOUBLE }
}

impl Nodes {
    /// The node of a value; a constant if no input decides it.
    pub(crate) fn of(&mut self, value: Value, width: u32) -> Node {
        if value.node != 0 { value.node } else { self.constant(width, value.bits) }
    }

    fn float(&mut self, value: Value, width: u32) -> Node {
        let format = format(width);
        let node = self.of(value, width);
        match self.get(node) {
            // What was just turned into bits is taken as it was.
            Expr::App(Op::FpToBits, [inner, ..]) => inner,
            _ => self.op1(Op::FpFromBits(format), node),
        }
    }

    fn bits(&mut self, float: Node) -> Node {
        self.op1(Op::FpToBits, float)
    }

    /// The result of an instruction on two numbers. Division by zero was excluded before.
    pub(crate) fn binary(&mut self, opcode: u8, a: Value, b: Value) -> Value {
        let bits = concrete(opcode, a, b);
        if a.node == 0 && b.node == 0 {
            return Value::concrete(bits);
        }
        let long =
            matches!(opcode, LADD | LSUB | LMUL | LDIV | LREM | LSHL | LSHR | LUSHR | LAND | LOR | LXOR | DADD | DSUB | DMUL | DDIV | DREM);
        let width = if long { 64 } else { 32 };
        let node = match opcode {
            FADD | DADD | FSUB | DSUB | FMUL | DMUL | FDIV | DDIV | FREM | DREM => {
                let (x, y) = (self.float(a, width), self.float(b, width));
                let op = match opcode {
                    FADD | DADD => Op::FpAdd(NEAREST),
                    FSUB | DSUB => Op::FpSub(NEAREST),
                    FMUL | DMUL => Op::FpMul(NEAREST),
                    FDIV | DDIV => Op::FpDiv(NEAREST),
                    _ => Op::FpFmod,
                };
                let result = self.op2(op, x, y);
                self.bits(result)
            }
            ISHL | LSHL | ISHR | LSHR | IUSHR | LUSHR => {
                let x = self.of(a, width);
                let distance = self.of(b, 32);
                let mask = self.constant(32, u64::from(width - 1));
                let mut distance = self.op2(Op::BvAnd, distance, mask);
                if width == 64 {
                    distance = self.op1(Op::ZeroExt(64), distance);
                }
                let op = match opcode {
                    ISHL | LSHL => Op::BvShl,
                    ISHR | LSHR => Op::BvAshr,
                    _ => Op::BvLshr,
                };
                self.op2(op, x, distance)
            }
            _ => {
                let (x, y) = (self.of(a, width), self.of(b, width));
                let op = match opcode {
                    IADD | LADD => Op::BvAdd,
                    ISUB | LSUB => Op::BvSub,
                    IMUL | LMUL => Op::BvMul,
                    IDIV | LDIV => Op::BvSdiv,
                    IREM | LREM => Op::BvSrem,
                    IAND | LAND => Op::BvAnd,
                    IOR | LOR => Op::BvOr,
                    _ => Op::BvXor,
                };
                self.op2(op, x, y)
            }
        };
        Value { bits, node }
    }

    /// The negation of a number.
    pub(crate) fn negate(&mut self, opcode: u8, a: Value) -> Value {
        let bits = match opcode {
            INEG => u64::from((a.bits as u32).wrapping_neg()),
            LNEG => a.bits.wrapping_neg(),
            FNEG => u64::from(a.bits as u32 ^ 1 << 31),
            _ => a.bits ^ 1 << 63,
        };
        if a.node == 0 {
            return Value::concrete(bits);
        }
        let node = match opcode {
            INEG | LNEG => self.op1(Op::BvNeg, a.node),
            _ => {
                let float = self.float(a, if opcode == FNEG { 32 } else { 64 });
                let result = self.op1(Op::FpNeg, float);
                self.bits(result)
            }
        };
        Value { bits, node }
    }

    /// The result of a conversion.
    pub(crate) fn convert(&mut self, opcode: u8, a: Value) -> Value {
        let bits = converted(opcode, a);
        if a.node == 0 {
            return Value::concrete(bits);
        }
        let x = a.node;
        let node = match opcode {
            I2L => self.op1(Op::SignExt(64), x),
            L2I => self.op1(Op::Extract(31, 0), x),
            I2B | I2S => {
                let low = self.op1(Op::Extract(if opcode == I2B { 7 } else { 15 }, 0), x);
                self.op1(Op::SignExt(32), low)
            }
            I2C => {
                let low = self.op1(Op::Extract(15, 0), x);
                self.op1(Op::ZeroExt(32), low)
            }
            I2F | L2F | I2D | L2D => {
                let format = format(if matches!(opcode, I2F | L2F) { 32 } else { 64 });
                let float = self.op1(Op::FpFromSbv(NEAREST, format), x);
                self.bits(float)
            }
            F2D | D2F => {
                let format = format(if opcode == F2D { 64 } else { 32 });
                let float = self.float(a, if opcode == F2D { 32 } else { 64 });
                let float = self.op1(Op::FpToFp(NEAREST, format), float);
                self.bits(float)
            }
            _ => {
                let from = if matches!(opcode, F2I | F2L) { 32 } else { 64 };
                let to = if matches!(opcode, F2I | D2I) { 32 } else { 64 };
                self.saturate(a, from, to)
            }
        };
        Value { bits, node }
    }

    /// From a float to an integer.
    fn saturate(&mut self, a: Value, from: u32, to: u32) -> Node {
        let format = format(from);
        let x = self.float(a, from);
        // The bound is a power of two and so exact in both formats.
        let bound = if to == 32 { 2f64.powi(31) } else { 2f64.powi(63) };
        let pattern = |value: f64| if from == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
        let (above, below) = (self.constant(from, pattern(bound)), self.constant(from, pattern(-bound)));
        let (above, below) = (self.op1(Op::FpFromBits(format), above), self.op1(Op::FpFromBits(format), below));
        let (large, small) = (self.op2(Op::FpLe, above, x), self.op2(Op::FpLe, x, below));
        let nan = self.op1(Op::FpIsNan, x);
        let least = 1 << (to - 1);
        let (zero, most, least) = (self.constant(to, 0), self.constant(to, least - 1), self.constant(to, least));
        let rounded = self.op1(Op::FpToSbv(Rounding::Zero, to), x);
        let inner = self.ite(small, least, rounded);
        let inner = self.ite(large, most, inner);
        self.ite(nan, zero, inner)
    }

    /// The result of `lcmp`, `fcmpl` and their like.
    pub(crate) fn three_way(&mut self, opcode: u8, a: Value, b: Value) -> Value {
        let sign = |less: bool, equal: bool| if less { -1 } else { i32::from(!equal) };
        let unordered = |less: bool, equal: bool, nan: bool| match opcode {
            FCMPL | DCMPL if nan => -1,
            _ if nan => 1,
            _ => sign(less, equal),
        };
        let result = match opcode {
            LCMP => sign(a.as_long() < b.as_long(), a.bits == b.bits),
            FCMPL | FCMPG => {
                let (x, y) = (a.as_float(), b.as_float());
                unordered(x < y, x == y, x.is_nan() || y.is_nan())
            }
            _ => {
                let (x, y) = (a.as_double(), b.as_double());
                unordered(x < y, x == y, x.is_nan() || y.is_nan())
            }
        };
        let mut value = Value::int(result);
        if a.node != 0 || b.node != 0 {
            let width = if matches!(opcode, FCMPL | FCMPG) { 32 } else { 64 };
            let format = format(width);
            let order = match opcode {
                LCMP => Order::Signed,
                FCMPL | DCMPL => Order::FloatLess(format),
                _ => Order::FloatGreater(format),
            };
            let (x, y) = (self.of(a, width), self.of(b, width));
            value.node = self.compare(order, x, y);
        }
        value
    }

    /// The condition under which an `int` is `opcode` (`IFEQ` to `IFLE`) zero.
    pub(crate) fn against_zero(&mut self, opcode: u8, node: Node) -> Node {
        if let Expr::Compare(order, a, b) = self.get(node) {
            return self.compared(opcode, order, a, b);
        }
        // A Boolean that was turned into a number.
        if let Expr::App(Op::Ite, [condition, yes, no]) = self.get(node)
            && let (Expr::Const(32, 1), Expr::Const(32, 0)) = (self.get(yes), self.get(no))
            && matches!(opcode, IFEQ | IFNE)
        {
            return if opcode == IFNE { condition } else { self.not(condition) };
        }
        let zero = self.constant(32, 0);
        self.relation(opcode - IFEQ, node, zero, 32)
    }

    /// The condition of a relation between two `int`s or `long`s: 0 equal, 1 not, 2 less, 3 not, 4 greater, 5 not.
    pub(crate) fn relation(&mut self, relation: u8, a: Node, b: Node, _width: u32) -> Node {
        let positive = match relation {
            0 | 1 => self.op2(Op::Eq, a, b),
            2 | 3 => self.op2(Op::BvSlt, a, b),
            _ => self.op2(Op::BvSlt, b, a),
        };
        if relation % 2 == 1 { self.not(positive) } else { positive }
    }

    /// The condition under which the result of a three-way comparison is `opcode` zero.
    fn compared(&mut self, opcode: u8, order: Order, a: Node, b: Node) -> Node {
        let relation = opcode - IFEQ;
        let (format, greater) = match order {
            Order::Signed => return self.relation(relation, a, b, 64),
            Order::FloatLess(format) => (format, false),
            Order::FloatGreater(format) => (format, true),
        };
        let (a, b) = (self.op1(Op::FpFromBits(format), a), self.op1(Op::FpFromBits(format), b));
        let positive = match (relation, greater) {
            (0 | 1, _) => self.op2(Op::FpEq, a, b),
            (2 | 3, true) => self.op2(Op::FpLt, a, b),
            (4 | 5, false) => self.op2(Op::FpLt, b, a),
            // Unordered is less, or greater: what it is not is exact.
            (2 | 3, false) => {
                let at_least = self.op2(Op::FpLe, b, a);
                self.not(at_least)
            }
            _ => {
                let at_most = self.op2(Op::FpLe, a, b);
                self.not(at_most)
            }
        };
        if relation % 2 == 1 { self.not(positive) } else { positive }
    }
}

/// Whether a relation (as in [`Nodes::relation`]) holds.
pub(crate) fn holds(relation: u8, a: i64, b: i64) -> bool {
    match relation {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a >= b,
        4 => a > b,
        _ => a <= b,
    }
}

fn concrete(opcode: u8, a: Value, b: Value) -> u64 {
    let int = |value: i32| u64::from(value.cast_unsigned());
    let long = i64::cast_unsigned;
    let float = |value: f32| u64::from(value.to_bits());
    let (x, y) = (a.as_int(), b.as_int());
    let (p, q) = (a.as_long(), b.as_long());
    match opcode {
        IADD => int(x.wrapping_add(y)),
        ISUB => int(x.wrapping_sub(y)),
        IMUL => int(x.wrapping_mul(y)),
        IDIV => int(x.wrapping_div(y)),
        IREM => int(x.wrapping_rem(y)),
        IAND => int(x & y),
        IOR => int(x | y),
        IXOR => int(x ^ y),
        ISHL => int(x.wrapping_shl(b.bits as u32)),
        ISHR => int(x.wrapping_shr(b.bits as u32)),
        IUSHR => u64::from((a.bits as u32).wrapping_shr(b.bits as u32)),
        LADD => long(p.wrapping_add(q)),
        LSUB => long(p.wrapping_sub(q)),
        LMUL => long(p.wrapping_mul(q)),
        LDIV => long(p.wrapping_div(q)),
        LREM => long(p.wrapping_rem(q)),
        LAND => a.bits & b.bits,
        LOR => a.bits | b.bits,
        LXOR => a.bits ^ b.bits,
        LSHL => long(p.wrapping_shl(b.bits as u32)),
        LSHR => long(p.wrapping_shr(b.bits as u32)),
        LUSHR => a.bits.wrapping_shr(b.bits as u32),
        FADD => float(a.as_float() + b.as_float()),
        FSUB => float(a.as_float() - b.as_float()),
        FMUL => float(a.as_float() * b.as_float()),
        FDIV => float(a.as_float() / b.as_float()),
        FREM => float(a.as_float() % b.as_float()),
        DADD => (a.as_double() + b.as_double()).to_bits(),
        DSUB => (a.as_double() - b.as_double()).to_bits(),
        DMUL => (a.as_double() * b.as_double()).to_bits(),
        DDIV => (a.as_double() / b.as_double()).to_bits(),
        DREM => (a.as_double() % b.as_double()).to_bits(),
        _ => unreachable!("only arithmetic comes here"),
    }
}

fn converted(opcode: u8, a: Value) -> u64 {
    let int = |value: i32| u64::from(value.cast_unsigned());
    match opcode {
        I2L => i64::from(a.as_int()).cast_unsigned(),
        I2F => u64::from((a.as_int() as f32).to_bits()),
        I2D => f64::from(a.as_int()).to_bits(),
        L2I => u64::from(a.bits as u32),
        L2F => u64::from((a.as_long() as f32).to_bits()),
        L2D => (a.as_long() as f64).to_bits(),
        // Rust's casts saturate and make a NaN 0, as Java's do.
        F2I => int(a.as_float() as i32),
        F2L => (a.as_float() as i64).cast_unsigned(),
        F2D => f64::from(a.as_float()).to_bits(),
        D2I => int(a.as_double() as i32),
        D2L => (a.as_double() as i64).cast_unsigned(),
        D2F => u64::from((a.as_double() as f32).to_bits()),
        I2B => int(i32::from(a.as_int() as i8)),
        I2C => u64::from(a.bits as u16),
        I2S => int(i32::from(a.as_int() as i16)),
        _ => unreachable!("only conversions come here"),
    }
}
