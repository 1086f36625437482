//! What LLVM refuses, as an error.

use crate::instrument::compiled::CompileError;

/// An error of LLVM, at a step.
pub(super) fn llvm(what: &str, message: &impl ToString) -> CompileError {
    CompileError::Llvm { what: what.to_owned(), message: message.to_string() }
}
