//! From Z3's models to values: by evaluating what we made, never by taking terms apart.

use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use xcute_term::{Bits, CtorId, DataSortId, DataValue, Sort, Terms, Value, VarId};
use z3_sys as z3;

use crate::ffi::{Ast, Context, ModelId};
use crate::translate::{TO_CODE, Translation};

/// The value of a variable in a model; `None` if it has no finite notation (an irrational real, a surrogate in a string), or
/// if the variable was never translated.
pub(crate) fn variable(translation: &Translation, terms: &Terms, model: ModelId, var: VarId) -> Option<Value> {
    let constant = translation.variable(var)?;
    match terms.info(var).sort {
        // Held as bits.
        Sort::Float(format) => Some(Value::Float(format, bits(translation, model, format.width(), constant)?)),
        sort => value(translation, terms, model, sort, constant),
    }
}

fn value(translation: &Translation, terms: &Terms, model: ModelId, sort: Sort, term: Ast) -> Option<Value> {
    let c = &translation.context;
    match sort {
        Sort::Bool => Some(Value::Bool(c.as_bool(c.evaluate(model, term)?)?)),
        Sort::BitVec(width) => Some(Value::Bits(bits(translation, model, width, term)?)),
        Sort::Float(format) => {
            let is_nan = c.evaluate(model, c.one(z3::Z3_mk_fpa_is_nan, term)?)?;
            let pattern = if c.as_bool(is_nan)? {
                format.nan_bits()
            } else {
                bits(translation, model, format.width(), c.one(z3::Z3_mk_fpa_to_ieee_bv, term)?)?
            };
            Some(Value::Float(format, pattern))
        }
        Sort::Int => Some(Value::Int(c.digits(c.evaluate(model, term)?)?.parse().ok()?)),
        Sort::Real => {
            let digits = c.digits(c.evaluate(model, term)?)?;
            let (numerator, denominator) = digits.split_once('/').unwrap_or((&digits, "1"));
            Some(Value::Real(BigRational::new(numerator.parse::<BigInt>().ok()?, denominator.parse().ok()?)))
        }
        Sort::Str => Some(Value::Str(string(c, model, term)?.into())),
        Sort::Data(id) => data(translation, terms, model, id, c.evaluate(model, term)?),
    }
}

fn bits(translation: &Translation, model: ModelId, width: u32, term: Ast) -> Option<Bits> {
    let c = &translation.context;
    let value = c.evaluate(model, term)?;
    if width <= 64 {
        return Some(Bits::new(width, c.as_u64(value)?));
    }
    Some(Bits::from_big(width, &c.digits(value)?.parse().ok()?))
}

fn data(translation: &Translation, terms: &Terms, model: ModelId, id: DataSortId, term: Ast) -> Option<Value> {
    let c = &translation.context;
    let declared = translation.data.get(id)?;
    for (index, ctor) in declared.ctors.iter().enumerate() {
        if c.as_bool(c.evaluate(model, c.apply(ctor.test, &[term])?)?)? {
            let ctor_id = CtorId { sort: id, index: u32::try_from(index).ok()? };
            let mut fields = Vec::with_capacity(ctor.fields.len());
            for (&select, field) in ctor.fields.iter().zip(terms.ctor_fields(ctor_id)) {
                fields.push(value(translation, terms, model, field.sort, c.apply(select, &[term])?)?);
            }
            return Some(Value::Data(Arc::new(DataValue { ctor: ctor_id, fields })));
        }
    }
    None
}

/// The characters of a string. Only plain ASCII is taken from Z3's text: versions differ in how they escape the rest (4.8.12 writes
/// the hexadecimal digits from ten on wrongly), so anything else is asked for character by character.
fn string(c: &Context, model: ModelId, term: Ast) -> Option<String> {
    let value = c.evaluate(model, term)?;
    let text = c.text(value)?;
    if text.iter().all(|&b| b.is_ascii() && b != b'\\' && b != 0) {
        return String::from_utf8(text).ok();
    }
    let code = c.function_of(TO_CODE)?;
    let int = c.sort(z3::Z3_mk_int_sort)?;
    let length = c.as_u64(c.evaluate(model, c.one(z3::Z3_mk_seq_length, value)?)?)?;
    let character = |i| {
        let at = c.two(z3::Z3_mk_seq_at, value, c.small_numeral(i, int)?)?;
        let code = c.as_u64(c.evaluate(model, c.apply(code, &[at])?)?)?;
        char::from_u32(u32::try_from(code).ok()?)
    };
    (0..length).map(character).collect()
}
