//! What is asked of call sequences, and why there may be none.

use thiserror::Error;

/// What the user asked for.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Calls {
    /// The functions.
    pub functions: Vec<String>,
    /// How many calls a sequence has.
    pub length: u32,
    /// A function that must hold for every object after each call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<String>,
    /// A function that must hold for every object before each call: other calls are not made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<String>,
    /// Whether a call may get NULL in the place of an object.
    #[serde(default)]
    pub nulls: bool,
}

/// Why there are no sequences.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SequenceError {
    /// Too many functions or calls.
    #[error("--calls takes at most {MOST} functions and --length at most {MOST}")]
    TooMany,
    /// All functions need an object that nobody makes.
    #[error("--calls: no sequence can begin, since each function needs an object that another one makes")]
    NoBeginning,
    /// Objects of a type that is only declared.
    #[error("--calls {name}: its parameter {parameter} points to an incomplete type, and no listed function gives such a pointer")]
    Incomplete {
        /// The function.
        name: String,
        /// Its parameter.
        parameter: String,
    },
    /// A checker that cannot be called.
    #[error("{option} {name}: it must take one object that the listed functions work on, and return whether it is sound")]
    Checker {
        /// What it was named by.
        option: &'static str,
        /// The checker.
        name: String,
    },
}

/// The most functions, and the most calls.
pub(super) const MOST: usize = 64;
