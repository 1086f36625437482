//! Bounds: what a complete search covers.
//!
//! A front end makes inputs up to some size. Within it nothing is missing; larger inputs are never made. That is not a [`crate::Limit`], which
//! may hide a path among the inputs that are made, but a part of the verdict.

use serde::{Deserialize, Serialize};

/// A size up to which inputs are made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Bound {
    /// What is bounded: a parameter, `calls`, `strings`.
    pub what: String,
    /// The largest size.
    pub up_to: u64,
    /// The bound in words that fit after "for": `n up to 8`, `sequences of 3 calls`.
    pub text: String,
}

impl Bound {
    /// A bound with its words.
    pub fn new(what: impl Into<String>, up_to: u64, text: impl Into<String>) -> Bound {
        Bound { what: what.into(), up_to, text: text.into() }
    }
}

/// All bounds in words that follow a verdict: ` for n up to 8 and strings of up to 8 characters`; empty where there is none.
#[must_use]
pub fn covered(bounds: &[Bound]) -> String {
    let texts: Vec<&str> = bounds.iter().map(|bound| bound.text.as_str()).collect();
    match texts.as_slice() {
        [] => String::new(),
        [only] => format!(" for {only}"),
        [most @ .., last] => format!(" for {} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_listed_as_in_a_sentence() {
        let all: Vec<Bound> = ["n up to 8", "sequences of 3 calls", "p of 4 elements"].map(|text| Bound::new("x", 1, text)).into();
        assert_eq!(covered(&[]), "");
        assert_eq!(covered(&all[..1]), " for n up to 8");
        assert_eq!(covered(&all), " for n up to 8, sequences of 3 calls and p of 4 elements");
    }
}
