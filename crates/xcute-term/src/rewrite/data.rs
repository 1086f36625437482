//! Rules for algebraic data.

use super::mk;
use crate::ids::{CtorId, TermId};
use crate::op::Op;
use crate::terms::Terms;
use crate::value::Value;

pub(super) fn simplify(terms: &mut Terms, op: Op, args: &[TermId]) -> Option<TermId> {
    match (op, args) {
        (Op::Select(ctor, i), &[a]) => match terms.op(a) {
            Op::Construct(made) if made == ctor => Some(terms.args(a)[i as usize]),
            Op::Construct(_) => {
                let default = terms.default_value(terms.ctor_fields(ctor)[i as usize].sort);
                Some(terms.value(default))
            }
            _ => None,
        },
        (Op::IsCtor(ctor), &[a]) => match terms.op(a) {
            Op::Construct(made) => Some(terms.bool(made == ctor)),
            _ if terms.data(ctor.sort).ctors.len() == 1 => Some(terms.bool(true)),
            _ => None,
        },
        _ => None,
    }
}

/// Equal data have equal constructors and equal fields.
pub(super) fn eq(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (made, other) = (constructor(terms, a)?, constructor(terms, b)?);
    if made != other {
        return Some(terms.bool(false));
    }
    let same: Vec<TermId> = (0..terms.ctor_fields(made).len())
        .map(|i| {
            let (x, y) = (field(terms, a, i), field(terms, b, i));
            mk(terms, Op::Eq, &[x, y])
        })
        .collect();
    Some(mk(terms, Op::And, &same))
}

fn constructor(terms: &Terms, t: TermId) -> Option<CtorId> {
    match (terms.op(t), terms.as_value(t)) {
        (Op::Construct(ctor), _) => Some(ctor),
        (_, Some(Value::Data(data))) => Some(data.ctor),
        _ => None,
    }
}

fn field(terms: &mut Terms, t: TermId, i: usize) -> TermId {
    match terms.as_value(t) {
        Some(Value::Data(data)) => {
            let value = data.fields[i].clone();
            terms.value(value)
        }
        _ => terms.args(t)[i],
    }
}
