//! The evaluable functors that are of integers only and look at their bits, and `powm/3`.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use xcute_trace::Budget;

use super::Number;
use crate::machine::Machine;
use crate::machine::cell::FunctorId;
use crate::machine::error::Stop;

/// What `powm/3` may take: the bits of the exponent times those of the modulus.
const STEPS: u64 = 1 << 24;

impl Machine<'_> {
    /// `None` for all other functors.
    pub(super) fn unary_bits(&mut self, name: &str, a: &Number) -> Option<Result<Number, Stop>> {
        let least = match name {
            "\\" => None,
            "popcount" => Some(BigInt::zero()),
            "msb" | "lsb" => Some(BigInt::one()),
            _ => return None,
        };
        Some(self.integer_from(a, least.as_ref()).map(|value| match name {
            "\\" => Number::integer(-value - 1),
            "popcount" => Number::integer(value.magnitude().count_ones().into()),
            "msb" => Number::integer(BigInt::from(value.bits()) - 1),
            _ => Number::integer(value.trailing_zeros().unwrap_or(0).into()),
        }))
    }

    /// `getbit(x, y)`.
    pub(super) fn bit_of(&mut self, x: &BigInt, y: &BigInt) -> Result<Number, Stop> {
        let zero = BigInt::zero();
        // Beyond all bits there are none, whatever the number is.
        if i64::try_from(y).is_err() && y.is_positive() {
            return Ok(Number::Small(0));
        }
        let x = self.integer_from(&Number::integer(x.clone()), Some(&zero))?;
        let y = self.integer_from(&Number::integer(y.clone()), Some(&zero))?;
        Ok(Number::Small(y.to_u64().is_some_and(|bit| x.bit(bit)).into()))
    }

    /// `powm(a, b, c)`, the only function of three numbers.
    pub(super) fn ternary(&mut self, functor: FunctorId, numbers: [&Number; 3]) -> Result<Number, Stop> {
        if self.symbols.atoms.name(self.symbols.name(functor)) != "powm" {
            return Err(self.not_evaluable(functor));
        }
        let [a, b, c] = numbers.map(|number| self.fixed(number.clone(), "an argument of powm/3"));
        let a = self.integer_from(&a, None)?;
        let b = self.integer_from(&b, Some(&BigInt::zero()))?;
        let c = self.integer_from(&c, Some(&BigInt::one()))?;
        if b.bits().saturating_mul(c.bits()) > STEPS {
            return Err(Stop::Budget(Budget::Memory));
        }
        let power = a.modpow(&b, &c);
        Ok(Number::integer(if power.is_negative() { power + c } else { power }))
    }

    /// An integer that is not less than the least.
    fn integer_from(&mut self, number: &Number, least: Option<&BigInt>) -> Result<BigInt, Stop> {
        let Some(value) = number.as_integer() else {
            let cell = self.number_cell(number.clone());
            return Err(self.type_error("integer", cell));
        };
        match least {
            Some(least) if value < *least => {
                let cell = self.number_cell(number.clone());
                Err(self.domain_error(if least.is_zero() { "not_less_than_zero" } else { "not_less_than_one" }, cell))
            }
            _ => Ok(value),
        }
    }
}
