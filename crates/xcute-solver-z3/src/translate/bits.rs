//! Bit-vectors.

use xcute_term::Op;
use z3_sys as z3;

use crate::ffi::{Ast, Context};

/// An operator whose first argument is a bit-vector of this width; `None` if it is none of these.
pub(super) fn operator(c: &Context, op: Op, width: u32, args: &[Ast]) -> Option<Ast> {
    match *args {
        [a] => unary(c, op, width, a),
        [a, b] => binary(c, op, a, b),
        _ => None,
    }
}

fn unary(c: &Context, op: Op, width: u32, a: Ast) -> Option<Ast> {
    match op {
        Op::BvNot => c.one(z3::Z3_mk_bvnot, a),
        Op::BvNeg => c.one(z3::Z3_mk_bvneg, a),
        Op::Extract(high, low) => c.extract(high, low, a),
        Op::ZeroExt(to) => c.indexed(z3::Z3_mk_zero_ext, to - width, a),
        Op::SignExt(to) => c.indexed(z3::Z3_mk_sign_ext, to - width, a),
        Op::BvToNat => c.word_to_int(a, false),
        Op::BvToInt => c.word_to_int(a, true),
        _ => None,
    }
}

fn binary(c: &Context, op: Op, a: Ast, b: Ast) -> Option<Ast> {
    let make: crate::ffi::Binary = match op {
        Op::BvAdd => z3::Z3_mk_bvadd,
        Op::BvSub => z3::Z3_mk_bvsub,
        Op::BvMul => z3::Z3_mk_bvmul,
        Op::BvUdiv => z3::Z3_mk_bvudiv,
        Op::BvSdiv => z3::Z3_mk_bvsdiv,
        Op::BvUrem => z3::Z3_mk_bvurem,
        Op::BvSrem => z3::Z3_mk_bvsrem,
        Op::BvShl => z3::Z3_mk_bvshl,
        Op::BvLshr => z3::Z3_mk_bvlshr,
        Op::BvAshr => z3::Z3_mk_bvashr,
        Op::BvAnd => z3::Z3_mk_bvand,
        Op::BvOr => z3::Z3_mk_bvor,
        Op::BvXor => z3::Z3_mk_bvxor,
        Op::BvUlt => z3::Z3_mk_bvult,
        Op::BvUle => z3::Z3_mk_bvule,
        Op::BvSlt => z3::Z3_mk_bvslt,
        Op::BvSle => z3::Z3_mk_bvsle,
        Op::Concat => z3::Z3_mk_concat,
        _ => return None,
    };
    c.two(make, a, b)
}
