//! Simpler values of variables that are not words: integers of any size, strings, terms.
//!
//! A value is gone through from the outside: each part becomes the default of its sort, or one of its own parts of the same sort, as far as the path allows it;
//! integers come as close to zero as bisection finds.
//!
//! **Invariant.** As for words: whatever is kept was evaluated on all conditions of the path.

use std::collections::VecDeque;
use std::sync::Arc;

use num_bigint::BigInt;
use xcute_term::{DataValue, Sort, Value, VarId};

use super::Search;

/// Where a part of a value is: the fields on the way to it.
type Path = Vec<usize>;

/// The part of a value.
fn part<'v>(value: &'v Value, path: &[usize]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, &field| match value {
        Value::Data(data) => data.fields.get(field),
        _ => None,
    })
}

/// A value with another part.
fn with(value: &Value, path: &[usize], new: Value) -> Value {
    let Some((&field, rest)) = path.split_first() else { return new };
    match value {
        Value::Data(data) => {
            let mut fields = data.fields.clone();
            fields[field] = with(&fields[field], rest, new);
            Value::Data(Arc::new(DataValue { ctor: data.ctor, fields }))
        }
        other => other.clone(),
    }
}

impl Search<'_> {
    /// Simplifies all variables that are not words.
    pub(super) fn simplify_values(&mut self) {
        let vars: Vec<VarId> = self.input.others().iter().map(|entry| entry.0).collect();
        for var in vars {
            self.simplify_value(var);
        }
    }

    fn simplify_value(&mut self, var: VarId) {
        let mut pending: VecDeque<(Path, Sort)> = VecDeque::from([(Vec::new(), self.terms.info(var).sort)]);
        while let Some((path, sort)) = pending.pop_front() {
            if self.over() {
                return;
            }
            let whole = self.input.value(self.terms, var);
            let Some(now) = part(&whole, &path).cloned() else { continue };
            let default = self.terms.default_value(sort);
            if now == default || self.try_part(var, &path, default) {
                continue;
            }
            match now {
                Value::Int(number) => self.shrink_integer(var, &path, &number),
                Value::Str(text) => {
                    // The shortest beginning that does.
                    let ends = text.char_indices().map(|(at, _)| at).skip(1);
                    let _ = ends.into_iter().any(|end| self.try_part(var, &path, Value::Str(text[..end].into())));
                }
                Value::Bits(ref bits) if bits.width() == 64 => {
                    // Words inside of terms are floats as often as not.
                    let _ = [1.0f64, -1.0, 2.0, 0.5].into_iter().any(|float| self.try_part(var, &path, Value::bits(64, float.to_bits())));
                }
                Value::Data(data) => {
                    let sorts: Vec<Sort> = self.terms.ctor_fields(data.ctor).iter().map(|field| field.sort).collect();
                    let same = |field: &usize| sorts[*field] == sort;
                    let hoisted = (0..sorts.len()).rev().filter(same).any(|field| self.try_part(var, &path, data.fields[field].clone()));
                    if hoisted {
                        pending.push_front((path, sort));
                        continue;
                    }
                    pending.extend(sorts.into_iter().enumerate().map(|(field, sort)| ([&path[..], &[field]].concat(), sort)));
                }
                _ => {}
            }
        }
    }

    /// The number nearest to zero, which does not do, as far as bisection finds it.
    fn shrink_integer(&mut self, var: VarId, path: &[usize], now: &BigInt) {
        let zero = BigInt::from(0);
        let size = if *now < zero { -now } else { now.clone() };
        let negative = *now < zero;
        for small in 1..=9 {
            let small = BigInt::from(small);
            if small > size {
                return;
            }
            let opposite = negative.then(|| -&small);
            if std::iter::once(small).chain(opposite).any(|way| way == *now || self.try_part(var, path, Value::Int(way))) {
                return;
            }
        }
        let (mut fails, mut works) = (BigInt::from(9), size);
        while &works - &fails > BigInt::from(1) && !self.over() {
            let middle: BigInt = (&works + &fails) / 2;
            let way = if negative { -&middle } else { middle.clone() };
            if self.try_part(var, path, Value::Int(way)) {
                works = middle;
            } else {
                fails = middle;
            }
        }
    }

    /// Gives a part of a variable's value another value if the path allows it.
    fn try_part(&mut self, var: VarId, path: &[usize], new: Value) -> bool {
        if self.over() {
            return false;
        }
        let before = self.input.value(self.terms, var);
        let value = with(&before, path, new);
        self.eval.set(var, value.clone());
        let conditions = self.about.get(&var).into_iter().flatten().chain(&self.wide);
        let holds = conditions.into_iter().all(|&condition| self.eval.eval_bool(self.terms, condition));
        if holds {
            self.input.set(var, value);
        } else {
            self.eval.set(var, before);
        }
        holds
    }
}
