//! Answers as bytes, on their way out of a child process.
//!
//! Values are written without their sorts: both sides know the variables. Constraints are named by their places in the query.
//!
//! **Invariant.** What was packed is unpacked as the same answer; anything else is refused.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use xcute_solver::{Answer, Query, Why};
use xcute_term::{Bits, CtorId, DataValue, Model, Sort, TermId, Terms, Value, VarId};

const SAT: u8 = 0;
const UNSAT: u8 = 1;
const REASONS: [Why; 5] = [Why::Effort, Why::Unsupported, Why::WrongModel, Why::Contradicted, Why::Interrupted];

/// Packs an answer.
pub(crate) fn packed(terms: &Terms, query: &Query<'_>, answer: &Answer) -> Vec<u8> {
    let mut out = Vec::new();
    match answer {
        Answer::Sat(model) => {
            out.push(SAT);
            let words = model.words().iter().map(|(var, _)| *var);
            for var in words.chain(model.others().iter().map(|(var, _)| *var)) {
                number(&mut out, var.index());
                value(&mut out, &model.value(terms, var));
            }
        }
        Answer::Unsat(core) => {
            out.push(UNSAT);
            let places: FxHashMap<TermId, usize> = query.path.iter().copied().chain([query.goal]).zip(0..).collect();
            core.iter().filter_map(|term| places.get(term)).for_each(|&place| number(&mut out, place));
        }
        Answer::Unknown(why) => {
            let reason = REASONS.iter().position(|reason| reason == why).expect("all reasons are listed");
            out.push(UNSAT + 1 + u8::try_from(reason).expect("few reasons"));
        }
    }
    out
}

/// Unpacks it; `None` where that is not an answer.
pub(crate) fn unpacked(terms: &Terms, query: &Query<'_>, bytes: &[u8]) -> Option<Answer> {
    let (&kind, mut rest) = bytes.split_first()?;
    match kind {
        SAT => {
            let mut model = Model::new();
            while !rest.is_empty() {
                let var = VarId(u32::try_from(read_number(&mut rest)?).ok()?);
                model.set(var, read_value(terms, terms.info(var).sort, &mut rest)?);
            }
            Some(Answer::Sat(model))
        }
        UNSAT => {
            let mut core = Vec::new();
            while !rest.is_empty() {
                let place = read_number(&mut rest)?;
                core.push(query.path.get(place).copied().unwrap_or(query.goal));
            }
            Some(Answer::Unsat(core))
        }
        reason => REASONS.get(usize::from(reason - UNSAT - 1)).map(|&why| Answer::Unknown(why)),
    }
}

fn number(out: &mut Vec<u8>, number: usize) {
    out.extend_from_slice(&u32::try_from(number).expect("places, variables and lengths are small").to_le_bytes());
}

fn text(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len());
    out.extend_from_slice(bytes);
}

fn value(out: &mut Vec<u8>, of: &Value) {
    match of {
        Value::Bool(truth) => out.push(u8::from(*truth)),
        Value::Bits(bits) | Value::Float(_, bits) => text(out, &bits.to_big().to_bytes_le()),
        Value::Int(int) => text(out, &int.to_signed_bytes_le()),
        Value::Real(real) => {
            text(out, &real.numer().to_signed_bytes_le());
            text(out, &real.denom().to_signed_bytes_le());
        }
        Value::Str(string) => text(out, string.as_bytes()),
        Value::Data(data) => {
            number(out, data.ctor.index as usize);
            data.fields.iter().for_each(|field| value(out, field));
        }
    }
}

fn read_number(rest: &mut &[u8]) -> Option<usize> {
    let (number, after) = rest.split_at_checked(4)?;
    *rest = after;
    usize::try_from(u32::from_le_bytes(number.try_into().ok()?)).ok()
}

fn read_text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = read_number(rest)?;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(text)
}

fn read_integer(rest: &mut &[u8]) -> Option<BigInt> {
    read_text(rest).map(BigInt::from_signed_bytes_le)
}

fn read_value(terms: &Terms, sort: Sort, rest: &mut &[u8]) -> Option<Value> {
    Some(match sort {
        Sort::Bool => {
            let (&truth, after) = rest.split_first()?;
            *rest = after;
            Value::Bool(truth == 1)
        }
        Sort::BitVec(width) => Value::Bits(Bits::from_big(width, &BigUint::from_bytes_le(read_text(rest)?))),
        Sort::Float(format) => Value::Float(format, Bits::from_big(format.width(), &BigUint::from_bytes_le(read_text(rest)?))),
        Sort::Int => Value::Int(read_integer(rest)?),
        Sort::Real => {
            let (numerator, denominator) = (read_integer(rest)?, read_integer(rest)?);
            Value::Real(BigRational::new(numerator, denominator))
        }
        Sort::Str => Value::Str(std::str::from_utf8(read_text(rest)?).ok()?.into()),
        Sort::Data(sort) => {
            let ctor = CtorId { sort, index: u32::try_from(read_number(rest)?).ok()? };
            let sorts: Vec<Sort> = terms.ctor_fields(ctor).iter().map(|field| field.sort).collect();
            let fields = sorts.into_iter().map(|sort| read_value(terms, sort, rest)).collect::<Option<Vec<Value>>>()?;
            Value::Data(Arc::new(DataValue { ctor, fields }))
        }
    })
}
