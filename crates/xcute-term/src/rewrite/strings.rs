//! Rules for strings.

use super::{both, mk};
use crate::ids::TermId;
use crate::op::Op;
use crate::terms::Terms;
use crate::value::Value;

/// Rules for operators whose first argument is a string.
pub(super) fn simplify(terms: &mut Terms, op: Op, args: &[TermId]) -> Option<TermId> {
    match (op, args) {
        (Op::StrConcat, &[a, b]) => concat(terms, a, b),
        (Op::StrLen, &[a]) => {
            let (x, y) = both(terms, Op::StrConcat, a)?;
            let (x, y) = (mk(terms, Op::StrLen, &[x]), mk(terms, Op::StrLen, &[y]));
            Some(mk(terms, Op::Add, &[x, y]))
        }
        (Op::StrContains, &[s, t]) if s == t || is_empty(terms, t) => Some(terms.bool(true)),
        (Op::StrPrefixOf | Op::StrSuffixOf, &[t, s]) if s == t || is_empty(terms, t) => Some(terms.bool(true)),
        (Op::StrReplace | Op::StrReplaceAll, &[s, t, u]) if t == u => Some(s),
        (Op::StrReplace, &[s, t, u]) if s == t => Some(u),
        (Op::StrReplaceAll, &[s, t, _]) if is_empty(terms, t) => Some(s),
        _ => None,
    }
}

/// Concatenations nest to the left, because programs append; neighbouring constants are one.
fn concat(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if is_empty(terms, a) || is_empty(terms, b) {
        return Some(if is_empty(terms, a) { b } else { a });
    }
    if let Some((x, y)) = both(terms, Op::StrConcat, b) {
        let front = mk(terms, Op::StrConcat, &[a, x]);
        return Some(mk(terms, Op::StrConcat, &[front, y]));
    }
    let (x, y) = both(terms, Op::StrConcat, a)?;
    if !terms.is_const(y) || !terms.is_const(b) {
        return None;
    }
    let end = mk(terms, Op::StrConcat, &[y, b]);
    Some(mk(terms, Op::StrConcat, &[x, end]))
}

fn text(terms: &Terms, t: TermId) -> Option<&str> {
    match terms.as_value(t) {
        Some(Value::Str(s)) => Some(s),
        _ => None,
    }
}

fn is_empty(terms: &Terms, t: TermId) -> bool {
    text(terms, t) == Some("")
}

/// Rules for `a < b` in the lexicographic order.
pub(super) fn less(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b || is_empty(terms, b) {
        return Some(terms.bool(false));
    }
    if is_empty(terms, a) {
        let same = mk(terms, Op::Eq, &[b, a]);
        return Some(terms.not(same));
    }
    None
}

/// Rules for equations.
pub(super) fn eq(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (x, y) = both(terms, Op::StrConcat, a)?;
    if is_empty(terms, b) {
        let (p, q) = (mk(terms, Op::Eq, &[x, b]), mk(terms, Op::Eq, &[y, b]));
        return Some(mk(terms, Op::And, &[p, q]));
    }
    let whole = text(terms, b)?;
    let (open, rest) = match (text(terms, x), text(terms, y)) {
        (Some(prefix), _) => (y, whole.strip_prefix(prefix)),
        (_, Some(suffix)) => (x, whole.strip_suffix(suffix)),
        _ => return None,
    };
    let Some(rest) = rest.map(|rest| Value::Str(rest.into())) else { return Some(terms.bool(false)) };
    let rest = terms.value(rest);
    Some(mk(terms, Op::Eq, &[open, rest]))
}
