//! Floats inside of data (terms of Erlang and Prolog): one place of the hint's values gets another number.
//!
//! A place is a variable, or a part of its value. What stands there is replaced by the values that the constants of the query suggest: by another number where a
//! number is, by the constructors that hold just a number where data is. From the number that comes nearest there is a walk downhill, as for words.
//!
//! **Invariant.** A model changes one place of one variable, and was evaluated.

use std::sync::Arc;

use num_bigint::BigInt;
use xcute_term::eval::Evaluator;
use xcute_term::{CtorId, DataValue, FloatFormat, Interrupt, Model, Sort, TermId, Terms, Value, VarId, VarWalk};

use super::{candidates, distance};

/// How many places of a variable are tried.
const PLACES: usize = 64;

/// How many of the values that may be tried are kept for the walk.
const WALK: u64 = 1000;

/// A number in a value of a variable, and how far the query is from a model with it.
struct Near {
    distance: f64,
    var: VarId,
    value: Value,
    /// Where the number is.
    place: Vec<usize>,
}

/// The search in one query.
pub(super) struct Placed<'a> {
    pub(super) eval: &'a mut Evaluator,
    pub(super) terms: &'a Terms,
    /// The goal comes last.
    pub(super) constraints: &'a [TermId],
    pub(super) hint: &'a Model,
    /// How many more values may be tried.
    pub(super) points: u64,
    pub(super) points_at_start: u64,
    pub(super) interrupt: &'a Interrupt,
}

impl Placed<'_> {
    /// What to change, if there is something.
    pub(super) fn search(&mut self) -> Option<Model> {
        let vars = self.vars();
        self.eval.load(&Model::new());
        for &var in &vars {
            self.eval.set(var, self.hint.value(self.terms, var));
        }
        let numbers = candidates::numbers(self.terms, self.constraints);
        let mut nearest: Option<Near> = None;
        'all: for &var in &vars {
            let value = self.hint.value(self.terms, var);
            for place in places(&value) {
                for number in self.values(part(&value, &place), &numbers) {
                    if self.points <= WALK.min(self.points_at_start / 2) {
                        break 'all;
                    }
                    let leaf = if matches!(number, Value::Data(_)) { [&place[..], &[0]].concat() } else { place.clone() };
                    let changed = with(&value, &place, number);
                    let distance = self.distance(var, &changed)?;
                    if distance == 0.0 {
                        return Some(patch(var, changed));
                    }
                    if nearest.as_ref().is_none_or(|known| distance < known.distance) {
                        nearest = Some(Near { distance, var, value: changed, place: leaf });
                    }
                }
            }
            self.eval.set(var, value);
        }
        for &var in &vars {
            self.eval.set(var, self.hint.value(self.terms, var));
        }
        self.walk(nearest?)
    }

    /// Walks downhill along one number: large steps first, each as often as it helps.
    fn walk(&mut self, mut near: Near) -> Option<Model> {
        let mut better = true;
        while better {
            better = false;
            for (power, forward) in (0..63).rev().flat_map(|power| [(power, true), (power, false)]) {
                while let Some(next) = stepped(part(&near.value, &near.place), power, forward) {
                    let value = with(&near.value, &near.place, next);
                    let distance = self.distance(near.var, &value)?;
                    if distance == 0.0 {
                        return Some(patch(near.var, value));
                    }
                    if distance >= near.distance {
                        break;
                    }
                    better = true;
                    near = Near { distance, value, ..near };
                }
            }
        }
        None
    }

    /// The variables, those of the goal first.
    fn vars(&self) -> Vec<VarId> {
        let (mut vars, mut walk) = (Vec::new(), VarWalk::default());
        self.constraints.iter().rev().for_each(|&t| walk.visit(self.terms, t, |v| vars.push(v)));
        let mut seen = rustc_hash::FxHashSet::default();
        vars.retain(|&var| seen.insert(var));
        vars
    }

    /// What may stand in the place of a value.
    fn values(&self, of: &Value, numbers: &[(Sort, Value)]) -> Vec<Value> {
        let fitting = |sort: Sort| numbers.iter().filter(move |(of, _)| *of == sort).map(|(_, value)| value.clone());
        match of {
            Value::Data(data) => {
                let sort = data.ctor.sort;
                let ctors = (0..).map(|index| CtorId { sort, index }).zip(&self.terms.data(sort).ctors);
                let numeric = ctors.filter_map(|(ctor, (_, fields))| match &fields[..] {
                    [field] if matches!(field.sort, Sort::Int | Sort::BitVec(64)) => Some((ctor, field.sort)),
                    _ => None,
                });
                numeric
                    .flat_map(|(ctor, of)| fitting(of).map(move |value| Value::Data(Arc::new(DataValue { ctor, fields: vec![value] }))))
                    .collect()
            }
            number => fitting(number.sort()).collect(),
        }
    }

    /// How far the query is from a model with this value; `None` where no more may be tried.
    fn distance(&mut self, var: VarId, value: &Value) -> Option<f64> {
        self.points = if self.interrupt.raised() { 0 } else { self.points.checked_sub(1)? };
        self.eval.set(var, value.clone());
        Some(distance::total(self.eval, self.terms, self.constraints))
    }
}

fn patch(var: VarId, value: Value) -> Model {
    let mut patch = Model::new();
    patch.set(var, value);
    patch
}

/// A number a power of two away: of a double, by units in the last place.
fn stepped(number: &Value, power: u32, forward: bool) -> Option<Value> {
    match number {
        Value::Int(number) => {
            let by = BigInt::from(1i64 << power);
            Some(Value::Int(if forward { number + by } else { number - by }))
        }
        _ if number.sort() == Sort::BitVec(64) => {
            let (at, by) = (FloatFormat::DOUBLE.place(number.as_u64()?)?, 1i64 << power);
            let at = if forward { at.checked_add(by)? } else { at.checked_sub(by)? };
            FloatFormat::DOUBLE.at_place(at).map(|word| Value::bits(64, word))
        }
        _ => None,
    }
}

/// The places of a value: the ways from the root to its parts, the root first.
fn places(value: &Value) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    let mut at = 0;
    while at < found.len() && found.len() < PLACES {
        if let Value::Data(data) = part(value, &found[at]) {
            let below: Vec<Vec<usize>> = (0..data.fields.len()).map(|field| [&found[at][..], &[field]].concat()).collect();
            found.extend(below);
        }
        at += 1;
    }
    found
}

fn part<'v>(value: &'v Value, place: &[usize]) -> &'v Value {
    place.iter().fold(value, |at, &field| match at {
        Value::Data(data) => &data.fields[field],
        other => other,
    })
}

/// A value with another one at a place.
fn with(value: &Value, place: &[usize], other: Value) -> Value {
    match (value, place) {
        (Value::Data(data), [field, rest @ ..]) => {
            let mut changed = DataValue::clone(data);
            changed.fields[*field] = with(&data.fields[*field], rest, other);
            Value::Data(Arc::new(changed))
        }
        _ => other,
    }
}
