//! Infinities and NaN, which programs write as `inf` and `nan`.
//!
//! SWI-Prolog passes them on where a function only looks at the sign or at the order, and refuses them, as it refuses results that are not finite, in all
//! other functions, whatever their results are.

use super::Number;
use super::compute::{compare, evaluable};
use crate::machine::Machine;
use crate::machine::error::Stop;
use crate::syntax::Atom;

impl Machine<'_> {
    /// A function of what is not finite.
    pub(super) fn unary_infinite(&mut self, text: &str, name: Atom, x: f64) -> Result<Number, Stop> {
        let result = match text {
            "-" => -x,
            "abs" => x.abs(),
            "sign" if x.is_infinite() => x.signum(),
            "+" | "eval" | "sign" | "integer" | "round" | "truncate" | "ceil" | "ceiling" | "floor" => x,
            "float_fractional_part" if x.is_infinite() => 0.0_f64.copysign(x),
            "rational" | "rationalize" if x.is_infinite() => return Err(self.evaluation_error("rational_overflow")),
            "numerator" | "denominator" => {
                let cell = self.number_cell(Number::Float(x));
                return Err(self.type_error("rational", cell));
            }
            _ if evaluable(text, 1) => return self.float(x),
            _ => return Err(self.no_function(name, 1)),
        };
        Ok(Number::Float(result))
    }

    /// An operation of which an operand is not finite; `None` where that makes no difference.
    pub(super) fn binary_infinite(&mut self, text: &str, a: &Number, b: &Number) -> Option<Result<Number, Stop>> {
        let odd = |number: &Number| matches!(number, Number::Float(x) if !x.is_finite());
        let nan = |number: &Number| matches!(number, Number::Float(x) if x.is_nan());
        if !odd(a) && !odd(b) {
            return None;
        }
        match text {
            // What is not a number is neither smaller nor larger.
            "min" | "max" if nan(a) => Some(Ok(b.clone())),
            "min" | "max" if nan(b) => Some(Ok(a.clone())),
            "min" | "max" if compare(a, b) == Some(std::cmp::Ordering::Equal) => Some(self.refused(a)),
            // Zero is not what is to blame, and the quotient of two integers is one where it can be.
            "/" if odd(a) && !odd(b) => Some(self.refused(a)),
            "/" if !a.is_float() && !nan(b) => Some(Ok(Number::Small(0))),
            "copysign" if odd(a) => {
                let negative = b.as_integer().map_or_else(|| matches!(b, Number::Float(y) if y.is_sign_negative()), |y| y < 0.into());
                let Number::Float(x) = *a else { return None };
                Some(Ok(Number::Float(if negative { -x.abs() } else { x.abs() })))
            }
            "+" | "-" | "*" | "/" | "min" | "max" | "copysign" => None,
            "**" | "^" if is(b, 0) || is(a, 1) || is(a, 0) && matches!(b, Number::Float(y) if *y > 0.0) => None,
            "**" | "^" | "atan2" | "atan" | "nexttoward" => Some(self.refused(if odd(a) { a } else { b })),
            // A function of integers refuses the first float.
            _ if a.is_float() && !odd(a) => None,
            _ => Some(self.refused(if odd(a) { a } else { b })),
        }
    }

    fn refused(&mut self, number: &Number) -> Result<Number, Stop> {
        let Number::Float(x) = *number else { return Ok(number.clone()) };
        self.float(x)
    }
}

/// Whether a number is this integer, or 0 as a float.
fn is(number: &Number, value: i64) -> bool {
    match number {
        Number::Float(x) => value == 0 && *x == 0.0,
        other => other.as_integer() == Some(value.into()),
    }
}
