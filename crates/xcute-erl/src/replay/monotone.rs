//! Floats that are computed of one integer and of constants: `Sum / 4`, `1.5 * N - 2`.
//!
//! Each step keeps or turns the order, rounding included; so where such a float is compared with a constant, the integers for which that holds are an interval.
//! Its ends are found by halving, with the arithmetic of the machine. The solver then sees integers only, and no conversion between the two, which it is bad at.
//!
//! **Invariant.** The conditions are exact for all integers of 64 bits, and the path says that the integer is one of them.

use xcute_term::{Op, Rounding, TermId, Terms, Value};

use super::Machine;

/// How a float is compared with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Less,
    Equal,
    Greater,
}

/// A step from one float to another.
#[derive(Clone, Copy, Debug)]
enum Step {
    Add(f64),
    /// The constant without the float.
    From(f64),
    Times(f64),
    Over(f64),
}

/// What is done to an integer, the first step first.
struct Chain {
    integer: TermId,
    steps: Vec<Step>,
}

impl Chain {
    /// The chain that a float is.
    fn of(terms: &Terms, float: TermId) -> Option<Chain> {
        let nearest = Rounding::NearestEven;
        let (mut steps, mut at) = (Vec::new(), float);
        loop {
            let args = terms.args(at);
            match (terms.op(at), args) {
                (Op::FpFromSbv(rounding, _), &[bits]) if rounding == nearest => {
                    let (Op::IntToBv(64), &[integer]) = (terms.op(bits), terms.args(bits)) else { return None };
                    steps.reverse();
                    return Some(Chain { integer, steps });
                }
                // The one zero that Erlang has.
                (Op::Ite, &[zero, _, of]) if terms.op(zero) == Op::FpIsZero && terms.args(zero) == [of] => at = of,
                (Op::FpNeg, &[of]) => {
                    steps.push(Step::From(0.0));
                    at = of;
                }
                (op, &[a, b]) => {
                    let (first, second) = (constant(terms, a), constant(terms, b));
                    let step = match (op, first, second) {
                        (Op::FpAdd(rounding), Some(value), None) | (Op::FpAdd(rounding), None, Some(value)) if rounding == nearest => {
                            Step::Add(value)
                        }
                        (Op::FpSub(rounding), None, Some(value)) if rounding == nearest => Step::Add(-value),
                        (Op::FpSub(rounding), Some(value), None) if rounding == nearest => Step::From(value),
                        (Op::FpMul(rounding), Some(value), None) | (Op::FpMul(rounding), None, Some(value)) if rounding == nearest => {
                            Step::Times(value)
                        }
                        (Op::FpDiv(rounding), None, Some(value)) if rounding == nearest && value != 0.0 => Step::Over(value),
                        _ => return None,
                    };
                    steps.push(step);
                    at = if first.is_some() { b } else { a };
                }
                _ => return None,
            }
        }
    }

    /// The float of an integer; `None` if something on the way is not finite.
    fn value(&self, integer: i64) -> Option<f64> {
        #[allow(clippy::cast_precision_loss, reason = "the emulator rounds as well, to the nearest float")]
        let mut value = integer as f64;
        for step in &self.steps {
            value = match *step {
                Step::Add(other) => value + other,
                Step::From(other) => other - value,
                Step::Times(other) => value * other,
                Step::Over(other) => value / other,
            };
            if !value.is_finite() {
                return None;
            }
        }
        Some(value)
    }

    /// Whether all integers of 64 bits give finite floats; and if so, whether the order stays as it is.
    fn rises(&self) -> Option<bool> {
        Some(self.value(i64::MIN)? <= self.value(i64::MAX)?)
    }

    /// The first integer for which a test holds that fails before it and holds from there on.
    fn first(&self, test: impl Fn(f64) -> bool) -> i128 {
        let (mut low, mut high) = (i128::from(i64::MIN), i128::from(i64::MAX) + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            let value = i64::try_from(middle).ok().and_then(|middle| self.value(middle));
            if value.is_some_and(&test) { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// The integers from the first of these on, and before the second, whose floats pass a test.
    fn interval(&self, test: Test, with: f64) -> Option<[Option<i128>; 2]> {
        let ends = match (test, self.rises()?) {
            (Test::Less, true) => [None, Some(self.first(|value| value >= with))],
            (Test::Less, false) => [Some(self.first(|value| value < with)), None],
            (Test::Greater, true) => [Some(self.first(|value| value > with)), None],
            (Test::Greater, false) => [None, Some(self.first(|value| value <= with))],
            (Test::Equal, true) => [Some(self.first(|value| value >= with)), Some(self.first(|value| value > with))],
            (Test::Equal, false) => [Some(self.first(|value| value <= with)), Some(self.first(|value| value < with))],
        };
        Some(ends)
    }
}

fn constant(terms: &Terms, float: TermId) -> Option<f64> {
    match terms.as_value(float)? {
        Value::Float(_, bits) => Some(f64::from_bits(bits.as_u64()?)).filter(|value| value.is_finite()),
        _ => None,
    }
}

impl Machine<'_> {
    /// Whether a float is finite whatever the integer is that it is computed of.
    pub(super) fn is_finite_chain(&self, float: TermId) -> bool {
        Chain::of(self.rec.terms, float).is_some_and(|chain| chain.rises().is_some())
    }

    /// The condition that a float passes a test with another one, if one of them is computed of an integer and the other one is a constant.
    pub(super) fn tested_chain(&mut self, test: Test, a: TermId, b: TermId) -> Option<TermId> {
        let (float, with, test) = match (constant(self.rec.terms, a), constant(self.rec.terms, b)) {
            (None, Some(with)) => (a, with, test),
            (Some(with), None) => {
                let turned = match test {
                    Test::Less => Test::Greater,
                    Test::Equal => Test::Equal,
                    Test::Greater => Test::Less,
                };
                (b, with, turned)
            }
            _ => return None,
        };
        let chain = Chain::of(self.rec.terms, float)?;
        let [from, before] = chain.interval(test, with)?;
        let mut all = Vec::new();
        if let Some(from) = from {
            let from = self.number_term(from);
            all.push(self.mk(Op::Le, &[from, chain.integer]));
        }
        if let Some(before) = before {
            let before = self.number_term(before);
            all.push(self.mk(Op::Lt, &[chain.integer, before]));
        }
        Some(self.and(&all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(steps: &[Step]) -> Chain {
        let integer = Terms::new().bool(true);
        Chain { integer, steps: steps.to_vec() }
    }

    #[test]
    fn intervals_are_what_trying_shows() {
        let chains = [
            chain(&[]),
            chain(&[Step::Over(4.0)]),
            chain(&[Step::Over(-3.0), Step::Add(0.5)]),
            chain(&[Step::Times(1e-3), Step::From(2.0)]),
            chain(&[Step::Times(0.0)]),
            chain(&[Step::Add(1e17), Step::Over(2.0)]),
        ];
        for (number, chain) in chains.iter().enumerate() {
            for with in [0.0, 1.0, -1.0, 7.5, 0.25, 2.001, 5e16, -0.5, 1e300] {
                for test in [Test::Less, Test::Equal, Test::Greater] {
                    let [from, before] = chain.interval(test, with).expect("finite");
                    for integer in (-40..40).chain([i64::MIN, i64::MAX, 2001, 1 << 54]) {
                        let value = chain.value(integer).expect("finite");
                        let holds = match test {
                            Test::Less => value < with,
                            Test::Equal => value == with,
                            Test::Greater => value > with,
                        };
                        let at = i128::from(integer);
                        let inside = from.is_none_or(|from| from <= at) && before.is_none_or(|before| at < before);
                        assert_eq!(inside, holds, "chain {number}, {integer}, {test:?} {with}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_overflows_has_no_interval() {
        assert!(chain(&[Step::Times(1e300)]).interval(Test::Less, 1.0).is_none());
    }
}
