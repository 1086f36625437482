//! Operators on strings, as in the SMT-LIB theory of Unicode strings.
//!
//! Positions count characters. A string is a Rust string, so the surrogate code points, which SMT-LIB allows, do not exist:
//! `StrFromCode` of one is the empty string.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::{Op, Value};

/// The largest code point of SMT-LIB's alphabet.
const LAST_CODE: u32 = 0x2_FFFF;

/// Applies a string operator.
pub(super) fn apply(op: Op, args: &[Value]) -> Value {
    match (op, args) {
        (Op::StrConcat, [Value::Str(a), Value::Str(b)]) => string(format!("{a}{b}")),
        (Op::StrLen, [Value::Str(s)]) => Value::Int(s.chars().count().into()),
        (Op::StrAt, [Value::Str(s), Value::Int(i)]) => string(substr(s, i, &BigInt::from(1))),
        (Op::StrSubstr, [Value::Str(s), Value::Int(i), Value::Int(n)]) => string(substr(s, i, n)),
        (Op::StrContains, [Value::Str(s), Value::Str(t)]) => Value::Bool(s.contains(&**t)),
        (Op::StrPrefixOf, [Value::Str(t), Value::Str(s)]) => Value::Bool(s.starts_with(&**t)),
        (Op::StrSuffixOf, [Value::Str(t), Value::Str(s)]) => Value::Bool(s.ends_with(&**t)),
        // UTF-8 sorts as its code points do.
        (Op::StrLt, [Value::Str(a), Value::Str(b)]) => Value::Bool(a < b),
        (Op::StrLe, [Value::Str(a), Value::Str(b)]) => Value::Bool(a <= b),
        (Op::StrIndexOf, [Value::Str(s), Value::Str(t), Value::Int(i)]) => Value::Int(index_of(s, t, i)),
        (Op::StrReplace, [Value::Str(s), Value::Str(t), Value::Str(u)]) => string(s.replacen(&**t, u, 1)),
        (Op::StrReplaceAll, [Value::Str(s), Value::Str(t), Value::Str(_)]) if t.is_empty() => Value::Str(s.clone()),
        (Op::StrReplaceAll, [Value::Str(s), Value::Str(t), Value::Str(u)]) => string(s.replace(&**t, u)),
        (Op::StrToInt, [Value::Str(s)]) => {
            let digits = !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
            Value::Int(if digits { s.parse().expect("digits only") } else { BigInt::from(-1) })
        }
        (Op::StrFromInt, [Value::Int(n)]) => string(if n.is_negative() { String::new() } else { n.to_string() }),
        (Op::StrToCode, [Value::Str(s)]) => {
            let mut chars = s.chars();
            Value::Int(match (chars.next(), chars.next()) {
                (Some(c), None) => u32::from(c).into(),
                _ => BigInt::from(-1),
            })
        }
        (Op::StrFromCode, [Value::Int(n)]) => {
            let c = n.to_u32().filter(|&n| n <= LAST_CODE).and_then(char::from_u32);
            string(c.map(String::from).unwrap_or_default())
        }
        _ => panic!("{op:?} does not take {args:?}"),
    }
}

fn string(s: String) -> Value {
    Value::Str(s.into())
}

fn substr(s: &str, start: &BigInt, count: &BigInt) -> String {
    if start.is_negative() || !count.is_positive() {
        return String::new();
    }
    let (Some(start), count) = (start.to_usize(), count.to_usize().unwrap_or(usize::MAX)) else { return String::new() };
    s.chars().skip(start).take(count).collect()
}

fn index_of(s: &str, t: &str, from: &BigInt) -> BigInt {
    let byte = from.to_usize().and_then(|from| s.char_indices().map(|(b, _)| b).chain([s.len()]).nth(from));
    match byte.and_then(|byte| s[byte..].find(t).map(|at| s[..byte + at].chars().count())) {
        Some(position) => position.into(),
        None => BigInt::from(-1),
    }
}
