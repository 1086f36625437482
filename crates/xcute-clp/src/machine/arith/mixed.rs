//! Comparisons of an integer that depends on the input with a float that does not.
//!
//! SWI-Prolog compares the float that is nearest to the integer. Which integers those are that are not smaller, or not larger, than a float is known below 2^53, where
//! integers are floats, and for the infinities.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::FromPrimitive;
use xcute_term::{Op, TermId, Value};

use super::{Number, compared};
use crate::machine::Machine;

/// Integers below this size are floats without rounding.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Machine<'_> {
    /// The condition that two numbers compare so; `Err` with the answer where it is the same for all inputs. `None` for other numbers.
    pub(super) fn against_a_constant(&mut self, name: &str, a: &Number, b: &Number) -> Option<Result<TermId, bool>> {
        let (x, float, name) = match (a, b) {
            (&Number::Sym(x), &Number::Float(float)) => (x, float, name),
            (&Number::Float(float), &Number::Sym(x)) => (x, float, mirrored(name)),
            _ => return None,
        };
        if float.is_nan() {
            return Some(Err(compared(name, None)));
        }
        let (low, high) = nearest(float)?;
        let [not_less, not_more] = [(low, true), (high, false)].map(|(bound, least)| {
            let bound = self.rec.terms.value(Value::Int(bound?));
            let operands = if least { [bound, x] } else { [x, bound] };
            Some(self.rec.terms.mk(Op::Le, &operands))
        });
        // No bound: the float is an infinity that no integer is beyond.
        Some(match name {
            ">=" => not_less.ok_or(true),
            "<" => not_less.map(|not_less| self.rec.terms.not(not_less)).ok_or(false),
            "=<" => not_more.ok_or(true),
            ">" => not_more.map(|not_more| self.rec.terms.not(not_more)).ok_or(false),
            _ => {
                let both: Vec<TermId> = not_less.into_iter().chain(not_more).collect();
                let same = if both.len() == 1 { both[0] } else { self.rec.terms.mk(Op::And, &both) };
                Ok(if name == "=:=" { same } else { self.rec.terms.not(same) })
            }
        })
    }
}

/// The least integer that is not less than a float, and the largest that is not more; `None` of one of them where there is none, of both where they are not known.
fn nearest(float: f64) -> Option<(Option<BigInt>, Option<BigInt>)> {
    if float.is_infinite() {
        // From here on the nearest float is infinite.
        let beyond = (BigInt::from(1) << 1024) - (BigInt::from(1) << 970);
        return Some(if float > 0.0 { (Some(beyond), None) } else { (None, Some(-beyond)) });
    }
    let exact = float.abs().partial_cmp(&EXACT) == Some(Ordering::Less);
    exact.then(|| (BigInt::from_f64(float.ceil()), BigInt::from_f64(float.floor())))
}

/// A comparison with its operands in the other order.
fn mirrored(name: &str) -> &str {
    match name {
        "<" => ">",
        ">" => "<",
        "=<" => ">=",
        ">=" => "=<",
        other => other,
    }
}
