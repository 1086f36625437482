//! Seeds: cases from outside (a fuzzer's corpus) that are run before the search begins.
//!
//! **Invariant.** A seed names its inputs, so that it means the same in every arena and before the subject has met them.

use xcute_term::{Op, Sort, Terms};
use xcute_trace::TestCase;

/// A case to begin with: inputs of at most 64 bits by their names. Inputs that it does not name have the front end's default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seed {
    values: Vec<(String, u32, u64)>,
}

impl Seed {
    /// The seed that says nothing.
    #[must_use]
    pub fn new() -> Seed {
        Seed::default()
    }

    /// Gives the input with this name, of this many bits, a value.
    pub fn set(&mut self, name: String, bits: u32, word: u64) {
        self.values.push((name, bits, word));
    }

    /// The case, in this arena.
    pub fn case(&self, terms: &mut Terms) -> TestCase {
        let mut case = TestCase::default();
        for (name, bits, word) in &self.values {
            // A subject that has made something else of the name does not mean this input.
            if terms.find_var(name).is_some_and(|id| terms.info(id).sort != Sort::BitVec(*bits)) {
                continue;
            }
            let term = terms.var(name, Sort::BitVec(*bits));
            if let Op::Var(id) = terms.op(term) {
                case.input.set_word(id, *word);
            }
        }
        case
    }
}
