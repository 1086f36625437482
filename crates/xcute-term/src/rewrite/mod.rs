//! Rewriting: every term is brought to a normal form as it is built.
//!
//! One file per sort holds the rules; this one applies them: canonical order of commutative arguments, look-up, constant
//! folding, rules, and only then a new node. Rules are local (they look a few nodes deep), so building costs a fraction of
//! a microsecond and what was built before costs one look-up.
//!
//! **Invariant.** Every node of the arena is its own normal form: `mk(op(t), args(t)) == t`. Hence the look-up may come first.
//! **Invariant.** Negation is an involution by id: `not(not(t)) == t`. Rules for `<=` are the rules for `<` read through
//! negation, and `Or` is always written as a negated `And`, so that no term has two forms that differ only in where the negation stands.

mod arith;
mod bits;
mod bools;
mod compare;
mod data;
mod equal;
mod floats;
mod step;
mod strings;
mod width;

#[cfg(test)]
mod tests;

pub(crate) use bools::mirrored;

use crate::eval;
use crate::ids::TermId;
use crate::op::Op;
use crate::signature::result_sort;
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::Value;

impl Terms {
    /// Builds a term: rewrites it to a simpler equal one, then finds or makes its node.
    ///
    /// # Panics
    /// Where the arguments' sorts do not fit the operator: that is a bug of the caller.
    pub fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        mk(self, op, args)
    }

    /// The negation of a Boolean term.
    pub fn not(&mut self, t: TermId) -> TermId {
        mk(self, Op::Not, &[t])
    }
}

/// Builds a term in its normal form.
fn mk(terms: &mut Terms, op: Op, args: &[TermId]) -> TermId {
    let swapped;
    let args = match *args {
        // Most negations are of comparisons, which are their own look-up.
        [a] if op == Op::Not => {
            assert_eq!(terms.sort(a), Sort::Bool, "Not is for Booleans");
            return bools::not(terms, a).unwrap_or_else(|| terms.intern(op, Sort::Bool, args));
        }
        [a, b] if commutes(op) && later(terms, a, b) => {
            swapped = [b, a];
            &swapped
        }
        _ => args,
    };
    if let Some(t) = terms.find(op, args) {
        return t;
    }
    let sort = result_sort(terms, op, args);
    if let Some(t) = fold(terms, op, sort, args) {
        return t;
    }
    match simplify(terms, op, sort, args) {
        Some(t) => {
            debug_assert_eq!(terms.sort(t), sort, "a rule for {op:?} changed the sort");
            t
        }
        None => terms.intern(op, sort, args),
    }
}

/// Whether `a` stands after `b` in the canonical order: by age, constants last.
fn later(terms: &Terms, a: TermId, b: TermId) -> bool {
    match (terms.is_const(a), terms.is_const(b)) {
        (false, true) => false,
        (true, false) => true,
        _ => a > b,
    }
}

fn commutes(op: Op) -> bool {
    let bits = matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor);
    bits || matches!(op, Op::And | Op::Or | Op::Eq | Op::Add | Op::Mul | Op::FpAdd(_) | Op::FpMul(_) | Op::FpEq | Op::FpMin | Op::FpMax)
}

/// Computes an operator whose arguments are constants, or constants and one choice between two constants.
fn fold(terms: &mut Terms, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
    if matches!(op, Op::Var(_) | Op::Not | Op::And | Op::Or | Op::Ite) {
        return None;
    }
    let mut choice = None;
    for (i, &a) in args.iter().enumerate() {
        match terms.op(a) {
            Op::Const(_) => {}
            Op::Ite
                if choice.is_none()
                    && args.len() <= 3
                    && !matches!(op, Op::Construct(_))
                    && terms.args(a)[1..].iter().all(|&arm| terms.is_const(arm)) =>
            {
                choice = Some(i)
            }
            _ => return None,
        }
    }
    let Some(at) = choice else { return Some(fold_constants(terms, op, sort, args)) };
    let &[condition, yes, no] = terms.args(args[at]) else { unreachable!("Ite has three arguments") };
    let mut arm = |t: TermId| {
        let mut buffer = [t; 3];
        let with = &mut buffer[..args.len()];
        with.copy_from_slice(args);
        with[at] = t;
        mk(terms, op, with)
    };
    let (yes, no) = (arm(yes), arm(no));
    Some(mk(terms, Op::Ite, &[condition, yes, no]))
}

fn fold_constants(terms: &mut Terms, op: Op, sort: Sort, args: &[TermId]) -> TermId {
    let mut words = [0; 3];
    let mut small = eval::is_word(sort) && !args.is_empty();
    for (&a, word) in args.iter().zip(&mut words) {
        match terms.as_u64(a) {
            Some(w) => *word = w,
            None => small = false,
        }
    }
    let value = if small {
        let second = args.get(1).map_or(Sort::Bool, |&a| terms.sort(a));
        Value::from_word(sort, eval::apply_words(op, sort, [terms.sort(args[0]), second], words))
    } else {
        let values: Vec<Value> = args.iter().filter_map(|&a| terms.as_value(a).cloned()).collect();
        eval::apply(terms, op, sort, &values)
    };
    terms.value(value)
}

/// The rules: the simpler equal term, or `None` where the term is in normal form.
fn simplify(terms: &mut Terms, op: Op, sort: Sort, args: &[TermId]) -> Option<TermId> {
    match (op, args) {
        (Op::Not, &[a]) => bools::not(terms, a),
        (Op::And, _) => Some(bools::and(terms, args)),
        (Op::Or, _) => Some(bools::or(terms, args)),
        (Op::Ite, &[c, a, b]) => bools::ite(terms, c, a, b),
        (Op::Eq, &[a, b]) => equal::eq(terms, a, b),
        (Op::BvNot | Op::BvNeg, &[a]) => bits::unary(terms, op, a),
        (Op::BvUlt | Op::BvSlt, &[a, b]) => compare::less(terms, op, a, b),
        (Op::BvUle | Op::BvSle | Op::Le | Op::StrLe, &[a, b]) => compare::less_or_equal(terms, op, a, b),
        (Op::Concat, &[a, b]) => width::concat(terms, a, b),
        (Op::Extract(hi, lo), &[a]) => width::extract(terms, hi, lo, a),
        (Op::ZeroExt(to), &[a]) => width::zero_extend(terms, to, a),
        (Op::SignExt(to), &[a]) => width::sign_extend(terms, to, a),
        (Op::Lt, &[a, b]) => arith::less(terms, a, b),
        (Op::StrLt, &[a, b]) => strings::less(terms, a, b),
        (Op::Construct(_) | Op::Select(..) | Op::IsCtor(_), _) => data::simplify(terms, op, args),
        _ => match (sort, args) {
            (Sort::BitVec(w), &[a, b]) if terms.sort(a) == sort => bits::binary(terms, op, w, a, b),
            _ if terms.sort(args[0]) == Sort::Str => strings::simplify(terms, op, args),
            _ => floats::simplify(terms, op, args).or_else(|| arith::simplify(terms, op, args)),
        },
    }
}

fn is_zero(terms: &Terms, t: TermId) -> bool {
    is_word(terms, t, 0)
}

fn is_one(terms: &Terms, t: TermId) -> bool {
    is_word(terms, t, 1)
}

/// Whether a term is the constant bit-vector, of any width, of a small number.
fn is_word(terms: &Terms, t: TermId, word: u64) -> bool {
    match terms.as_value(t) {
        Some(Value::Bits(bits)) => match bits.as_u64() {
            Some(w) => w == word,
            None => bits.to_big() == word.into(),
        },
        _ => false,
    }
}

fn is_ones(terms: &Terms, t: TermId) -> bool {
    match terms.as_value(t) {
        Some(Value::Bits(bits)) => match bits.as_u64() {
            Some(w) => w == crate::bits::mask(bits.width()),
            None => bits.to_big().count_ones() == u64::from(bits.width()),
        },
        _ => false,
    }
}

fn zero(terms: &mut Terms, width: u32) -> TermId {
    terms.value(Value::bits(width, 0))
}

fn ones(terms: &mut Terms, width: u32) -> TermId {
    let none = zero(terms, width);
    mk(terms, Op::BvNot, &[none])
}

/// The arguments of a term with operator `op` and two arguments.
fn both(terms: &Terms, op: Op, t: TermId) -> Option<(TermId, TermId)> {
    match *terms.args(t) {
        [a, b] if terms.op(t) == op => Some((a, b)),
        _ => None,
    }
}

/// The argument of a term with operator `op` and one argument.
fn only(terms: &Terms, op: Op, t: TermId) -> Option<TermId> {
    match *terms.args(t) {
        [a] if terms.op(t) == op => Some(a),
        _ => None,
    }
}
