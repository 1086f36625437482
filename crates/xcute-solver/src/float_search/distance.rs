//! The distance of a point from a model: how many floats lie between what is compared, on a logarithmic scale.

use num_traits::{Signed as _, ToPrimitive as _};
use xcute_term::eval::{Evaluator, is_word};
use xcute_term::{Op, Sort, TermId, Terms, Value};

/// What is wrong but has no measure.
const WRONG: f64 = 64.0;
/// How deep a condition is looked into; below that it is right or wrong.
const DEPTH: u32 = 16;

/// The distances of all constraints, added: zero exactly where all hold.
pub(super) fn total(eval: &mut Evaluator, terms: &Terms, constraints: &[TermId]) -> f64 {
    constraints.iter().map(|&t| condition(eval, terms, t, true, DEPTH)).sum()
}

fn condition(eval: &mut Evaluator, terms: &Terms, t: TermId, wanted: bool, depth: u32) -> f64 {
    if eval.eval_bool(terms, t) == wanted {
        return 0.0;
    }
    let args = terms.args(t);
    match terms.op(t) {
        _ if depth == 0 => WRONG,
        Op::Not => condition(eval, terms, args[0], !wanted, depth - 1),
        op @ (Op::And | Op::Or) => {
            let parts = args.iter().map(|&a| condition(eval, terms, a, wanted, depth - 1));
            if (op == Op::And) == wanted { parts.sum() } else { parts.fold(f64::INFINITY, f64::min) }
        }
        Op::FpEq | Op::Eq | Op::FpLt | Op::FpLe | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::Lt | Op::Le => {
            between(eval, terms, t, args)
        }
        _ => WRONG,
    }
}

/// How far apart the sides of a comparison that is wrong are. At least one step: they are on the wrong side of each other.
fn between(eval: &mut Evaluator, terms: &Terms, t: TermId, args: &[TermId]) -> f64 {
    let sort = terms.sort(args[0]);
    if sort == Sort::Int {
        let (Value::Int(a), Value::Int(b)) = (eval.eval(terms, args[0]), eval.eval(terms, args[1])) else { return WRONG };
        return 1.0 + ((a - b).abs().to_f64().unwrap_or(f64::MAX) + 1.0).log2().min(WRONG);
    }
    if !is_word(sort) || sort == Sort::Bool {
        return WRONG;
    }
    let (a, b) = (eval.eval_word(terms, args[0]), eval.eval_word(terms, args[1]));
    let apart = match sort {
        Sort::Float(format) => match (format.place(a), format.place(b)) {
            (Some(a), Some(b)) => a.abs_diff(b),
            _ => return WRONG + 1.0,
        },
        _ if matches!(terms.op(t), Op::BvSlt | Op::BvSle) => {
            let shift = 64 - sort.width().unwrap_or(64);
            ((a << shift).cast_signed() >> shift).abs_diff((b << shift).cast_signed() >> shift)
        }
        _ => a.abs_diff(b),
    };
    // The logarithm lets constraints of different scales be added.
    1.0 + (apart as f64 + 1.0).log2()
}
