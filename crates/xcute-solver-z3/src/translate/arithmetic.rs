//! Integers and reals.

use xcute_term::{Op, Sort};
use z3_sys as z3;

use crate::ffi::{Ast, Context};

/// An operator whose first argument is an integer or a real; `None` if it is none of these.
pub(super) fn operator(c: &Context, op: Op, sort: Sort, args: &[Ast]) -> Option<Ast> {
    match (op, args) {
        (Op::Add, args) => c.many(z3::Z3_mk_add, args),
        (Op::Sub, args) => c.many(z3::Z3_mk_sub, args),
        (Op::Mul, args) => c.many(z3::Z3_mk_mul, args),
        (Op::Neg, &[a]) => c.one(z3::Z3_mk_unary_minus, a),
        (Op::Lt, &[a, b]) => c.two(z3::Z3_mk_lt, a, b),
        (Op::Le, &[a, b]) => c.two(z3::Z3_mk_le, a, b),
        (Op::ToReal, &[a]) => c.one(z3::Z3_mk_int2real, a),
        (Op::ToInt, &[a]) => c.one(z3::Z3_mk_real2int, a),
        (Op::IntToBv(width), &[a]) => c.indexed(z3::Z3_mk_int2bv, width, a),
        // By zero: the quotient is zero, the remainder the dividend.
        (Op::Div | Op::IntDiv, &[a, b]) => {
            let zero = zero(c, sort)?;
            by_zero(c, b, zero, zero, c.two(z3::Z3_mk_div, a, b)?)
        }
        (Op::IntMod, &[a, b]) => by_zero(c, b, zero(c, sort)?, a, c.two(z3::Z3_mk_mod, a, b)?),
        _ => None,
    }
}

fn by_zero(c: &Context, divisor: Ast, zero: Ast, then: Ast, otherwise: Ast) -> Option<Ast> {
    if c.digits(divisor).is_some_and(|digits| digits != "0") {
        return Some(otherwise);
    }
    c.three(z3::Z3_mk_ite, c.two(z3::Z3_mk_eq, divisor, zero)?, then, otherwise)
}

fn zero(c: &Context, sort: Sort) -> Option<Ast> {
    c.small_numeral(0, c.sort(if sort == Sort::Int { z3::Z3_mk_int_sort } else { z3::Z3_mk_real_sort })?)
}
