//! Seeds: cases from outside (a fuzzer's corpus, cases of an earlier campaign) that are run before the search begins.
//!
//! **Invariant.** A seed names its inputs, so that it means the same in every arena and before the subject has met them.

use xcute_term::{Op, Sort, Terms, Value};
use xcute_trace::TestCase;

/// A case to begin with: inputs by their names. Inputs that it does not name have the front end's default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seed {
    values: Vec<(String, Sort, Value)>,
}

impl Seed {
    /// The seed that says nothing.
    #[must_use]
    pub fn new() -> Seed {
        Seed::default()
    }

    /// A case in these terms, as a seed.
    #[must_use]
    pub fn of(terms: &Terms, case: &TestCase) -> Seed {
        let words = case.input.words().iter().map(|(var, _)| *var);
        let others = case.input.others().iter().map(|(var, _)| *var);
        let value = |var| (terms.info(var).name.to_string(), terms.info(var).sort, case.input.value(terms, var));
        Seed { values: words.chain(others).map(value).collect() }
    }

    /// Gives the input with this name, of this many bits, a value.
    pub fn set(&mut self, name: String, bits: u32, word: u64) {
        self.give(name, Sort::BitVec(bits), Value::from_word(Sort::BitVec(bits), word));
    }

    /// Gives the input with this name a value of this sort: a string, a number of any size, a term of a sort that the subject declares before it runs.
    pub fn give(&mut self, name: String, sort: Sort, value: Value) {
        self.values.push((name, sort, value));
    }

    /// The case, in this arena.
    pub fn case(&self, terms: &mut Terms) -> TestCase {
        let mut case = TestCase::default();
        for (name, sort, value) in &self.values {
            // A subject that has made something else of the name does not mean this input.
            if terms.find_var(name).is_some_and(|id| terms.info(id).sort != *sort) {
                continue;
            }
            let term = terms.var(name, *sort);
            if let Op::Var(id) = terms.op(term) {
                case.input.set(id, value.clone());
            }
        }
        case
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_sort_are_inputs_unless_the_name_means_something_else() {
        let mut terms = Terms::new();
        terms.var("y", Sort::Int);
        let mut seed = Seed::new();
        seed.set("x".into(), 8, 7);
        seed.set("y".into(), 8, 7);
        let big = Value::Int(num_bigint::BigInt::from(1) << 100);
        seed.give("n".into(), Sort::Int, big.clone());
        seed.give("s".into(), Sort::Str, Value::Str("text".into()));
        let case = seed.case(&mut terms);
        let input = &case.input;
        let value = |name: &str| terms.find_var(name).map(|var| (input.has(var), input.value(&terms, var)));
        assert_eq!(value("x"), Some((true, Value::from_word(Sort::BitVec(8), 7))));
        assert_eq!(value("y").map(|found| found.0), Some(false));
        assert_eq!(value("n"), Some((true, big)));
        assert_eq!(value("s"), Some((true, Value::Str("text".into()))));
        let mut others = Terms::new();
        let again = Seed::of(&terms, &case).case(&mut others);
        assert_eq!(others.find_var("n").map(|var| again.input.value(&others, var)), Some(Value::Int(num_bigint::BigInt::from(1) << 100)));
        assert_eq!(again.input.words().len() + again.input.others().len(), 3);
    }
}
