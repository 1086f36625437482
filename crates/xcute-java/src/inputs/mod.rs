//! Inputs: the variables they consist of, what references can be, and what a JVM builds from values.

pub(crate) mod bytes;
pub(crate) mod candidate;
pub(crate) mod known;
pub(crate) mod literal;
pub(crate) mod planted;
pub(crate) mod recipe;
pub(crate) mod shown;
pub(crate) mod types;
pub(crate) mod variable;
