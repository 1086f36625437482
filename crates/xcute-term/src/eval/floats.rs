//! Floats of at most 64 bits: the host's arithmetic where it is exact, the soft one elsewhere.
//!
//! The host rounds to nearest even in `f32` and `f64`; every other rounding mode and format goes to [`soft`], which gives the
//! same results bit for bit (tested), only slower.

use super::soft;
use crate::bits::{mask, signed};
use crate::{Bits, FloatFormat, Op, Rounding, Sort, Value};

/// Applies `op`, whose first argument or result is a float, to words; `sorts` are those of the first two arguments.
pub(super) fn apply(op: Op, result: Sort, sorts: [Sort; 2], args: [u64; 3]) -> u64 {
    let format = match (sorts[0], result) {
        (Sort::Float(format), _) | (_, Sort::Float(format)) => format,
        _ => panic!("{op:?} has no float"),
    };
    if let Some(word) = bitwise(op, format, args[0], args[1]) {
        return word;
    }
    let host = match sorts[0] {
        _ if matches!(op, Op::FpToFp(..)) => convert(op, sorts[0], args[0]),
        Sort::F32 => single(op, args),
        Sort::F64 => double(op, args),
        Sort::BitVec(width) => from_integer(op, result, width, args[0]),
        _ => None,
    };
    host.unwrap_or_else(|| by_soft(op, result, sorts, args))
}

/// What needs no arithmetic, in any format.
fn bitwise(op: Op, format: FloatFormat, a: u64, b: u64) -> Option<u64> {
    let (sign, inf) = (format.sign(), format.infinity());
    let nan = |x: u64| format.is_nan(x);
    // Ordered as integers: the magnitude, negative for a set sign; the two zeros are equal.
    let key = |x: u64| if x & sign == 0 { x.cast_signed() } else { -(x & !sign).cast_signed() };
    Some(match op {
        Op::FpToBits => a,
        Op::FpToFp(_, to) if to == format => a,
        Op::FpNeg => a ^ sign,
        Op::FpAbs => a & !sign,
        Op::Eq => u64::from(a == b || (nan(a) && nan(b))),
        Op::FpIsNan => u64::from(nan(a)),
        Op::FpIsInf => u64::from(a & !sign == inf),
        Op::FpIsZero => u64::from(a & !sign == 0),
        Op::FpEq => u64::from(!nan(a) && !nan(b) && key(a) == key(b)),
        Op::FpLt => u64::from(!nan(a) && !nan(b) && key(a) < key(b)),
        Op::FpLe => u64::from(!nan(a) && !nan(b) && key(a) <= key(b)),
        Op::FpMin | Op::FpMax => match (nan(a), nan(b)) {
            (true, true) => format.nan(),
            (true, false) => b,
            (false, true) => a,
            _ => {
                // Of the two zeros, the negative one is the smaller.
                let a_first = key(a) < key(b) || (key(a) == key(b) && a & sign != 0);
                if a_first == (op == Op::FpMin) { a } else { b }
            }
        },
        _ => return None,
    })
}

macro_rules! host {
    ($name:ident, $float:ty, $word:ty, $format:ident) => {
        fn $name(op: Op, [a, b, c]: [u64; 3]) -> Option<u64> {
            const NEAREST: Rounding = Rounding::NearestEven;
            let value = |w: u64| <$float>::from_bits(w as $word);
            let (x, y) = (value(a), value(b));
            let z = match op {
                Op::FpAdd(NEAREST) => x + y,
                Op::FpSub(NEAREST) => x - y,
                Op::FpMul(NEAREST) => x * y,
                Op::FpDiv(NEAREST) => x / y,
                Op::FpFmod => x % y,
                Op::FpSqrt(NEAREST) => x.sqrt(),
                Op::FpFma(NEAREST) => x.mul_add(y, value(c)),
                Op::FpRound(Rounding::NearestEven) => x.round_ties_even(),
                Op::FpRound(Rounding::NearestAway) => x.round(),
                Op::FpRound(Rounding::Up) => x.ceil(),
                Op::FpRound(Rounding::Down) => x.floor(),
                Op::FpRound(Rounding::Zero) => x.trunc(),
                Op::FpToSbv(rounding, width) if width <= 64 => return Some(to_integer(x.into(), rounding, width, true)),
                Op::FpToUbv(rounding, width) if width <= 64 => return Some(to_integer(x.into(), rounding, width, false)),
                _ => return None,
            };
            Some(if z.is_nan() { FloatFormat::$format.nan() } else { z.to_bits().into() })
        }
    };
}
host!(single, f32, u32, SINGLE);
host!(double, f64, u64, DOUBLE);

/// Conversion between the two host formats.
fn convert(op: Op, from: Sort, a: u64) -> Option<u64> {
    match (op, from) {
        (Op::FpToFp(_, FloatFormat::DOUBLE), Sort::F32) => {
            let wide = f64::from(f32::from_bits(a as u32));
            Some(if wide.is_nan() { FloatFormat::DOUBLE.nan() } else { wide.to_bits() })
        }
        (Op::FpToFp(Rounding::NearestEven, FloatFormat::SINGLE), Sort::F64) => {
            let narrow = f64::from_bits(a) as f32;
            Some(if narrow.is_nan() { FloatFormat::SINGLE.nan() } else { narrow.to_bits().into() })
        }
        _ => None,
    }
}

fn to_integer(x: f64, rounding: Rounding, width: u32, is_signed: bool) -> u64 {
    let rounded = match rounding {
        Rounding::NearestEven => x.round_ties_even(),
        Rounding::NearestAway => x.round(),
        Rounding::Up => x.ceil(),
        Rounding::Down => x.floor(),
        Rounding::Zero => x.trunc(),
    };
    // Powers of two up to 2^64 are exact in f64, so these comparisons are. A NaN fails both.
    let power = |n: u32| f64::from_bits(u64::from(1023 + n) << 52);
    if is_signed && rounded >= -power(width - 1) && rounded < power(width - 1) {
        (rounded as i64).cast_unsigned() & mask(width)
    } else if !is_signed && rounded >= 0.0 && rounded < power(width) {
        rounded as u64
    } else {
        1 << (width - 1)
    }
}

fn from_integer(op: Op, result: Sort, width: u32, a: u64) -> Option<u64> {
    let s = signed(width, a);
    Some(match (op, result) {
        (Op::FpFromSbv(Rounding::NearestEven, ..), Sort::F32) => (s as f32).to_bits().into(),
        (Op::FpFromSbv(Rounding::NearestEven, ..), Sort::F64) => (s as f64).to_bits(),
        (Op::FpFromUbv(Rounding::NearestEven, ..), Sort::F32) => (a as f32).to_bits().into(),
        (Op::FpFromUbv(Rounding::NearestEven, ..), Sort::F64) => (a as f64).to_bits(),
        _ => return None,
    })
}

fn by_soft(op: Op, result: Sort, sorts: [Sort; 2], args: [u64; 3]) -> u64 {
    let count = match op {
        Op::FpFma(_) => 3,
        Op::FpAdd(_) | Op::FpSub(_) | Op::FpMul(_) | Op::FpDiv(_) | Op::FpRem | Op::FpFmod => 2,
        _ => 1,
    };
    let width = sorts[0].width().expect("a float or a bit-vector");
    let values: Vec<Value> = args[..count]
        .iter()
        .map(|&word| match sorts[0] {
            Sort::Float(format) => Value::Float(format, Bits::new(width, word)),
            _ => Value::bits(width, word),
        })
        .collect();
    soft::apply(op, result, &values).as_u64().expect("the result is a word")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Words among which the special values are frequent.
    fn word(format: FloatFormat) -> impl Strategy<Value = u64> {
        let exponent = format.infinity();
        let all = mask(format.width());
        prop_oneof![
            4 => any::<u64>().prop_map(move |w| w & all),
            1 => (any::<u64>(), 0..3u64).prop_map(move |(w, k)| w & (all ^ exponent) & (all >> (20 * k))),
            1 => any::<u64>().prop_map(move |w| (w & all) | exponent),
            2 => (any::<u64>(), 0..70u64).prop_map(move |(w, e)| {
                let bias = format.bias().unsigned_abs();
                (w & all & !exponent) | ((bias - 5 + e) << (format.significand() - 1))
            }),
            1 => Just(0), 1 => Just(exponent), 1 => Just(1), 1 => Just(exponent - 1),
        ]
    }

    fn agree(sort: Sort, args: [u64; 3]) -> Result<(), TestCaseError> {
        use Rounding::*;
        let bits = Sort::BitVec(64);
        let mut cases: Vec<(Op, Sort, Sort)> = vec![];
        for op in [Op::FpAdd(NearestEven), Op::FpSub(NearestEven), Op::FpMul(NearestEven), Op::FpDiv(NearestEven), Op::FpFmod] {
            cases.push((op, sort, sort));
        }
        for op in [Op::FpSqrt(NearestEven), Op::FpFma(NearestEven)] {
            cases.push((op, sort, sort));
        }
        for rounding in [NearestEven, NearestAway, Up, Down, Zero] {
            cases.push((Op::FpRound(rounding), sort, sort));
            for width in [8, 32, 64] {
                cases.push((Op::FpToSbv(rounding, width), Sort::BitVec(width), sort));
                cases.push((Op::FpToUbv(rounding, width), Sort::BitVec(width), sort));
            }
        }
        for to in [FloatFormat::SINGLE, FloatFormat::DOUBLE] {
            cases.push((Op::FpToFp(NearestEven, to), Sort::Float(to), sort));
            cases.push((Op::FpFromSbv(NearestEven, to), Sort::Float(to), bits));
            cases.push((Op::FpFromUbv(NearestEven, to), Sort::Float(to), bits));
        }
        for (op, result, from) in cases {
            let sorts = [from, from];
            prop_assert_eq!(apply(op, result, sorts, args), by_soft(op, result, sorts, args), "{:?} {:x?}", op, args);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn host_and_soft_agree_on_doubles(a in word(FloatFormat::DOUBLE), b in word(FloatFormat::DOUBLE), c in word(FloatFormat::DOUBLE)) {
            agree(Sort::F64, [a, b, c])?;
            agree(Sort::F64, [a, a ^ (b & 3), a ^ (1 << 63)])?;
        }

        #[test]
        fn host_and_soft_agree_on_singles(a in word(FloatFormat::SINGLE), b in word(FloatFormat::SINGLE), c in word(FloatFormat::SINGLE)) {
            agree(Sort::F32, [a, b, c])?;
            agree(Sort::F32, [a, a ^ (b & 3), a ^ (1 << 31)])?;
        }
    }
}
