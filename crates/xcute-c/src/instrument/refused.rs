//! LLVM's passes, and what LLVM refuses as an error.

use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::TargetMachine;

use crate::instrument::compiled::CompileError;

/// An error of LLVM, at a step.
pub(super) fn llvm(what: &str, message: &impl ToString) -> CompileError {
    CompileError::Llvm { what: what.to_owned(), message: message.to_string() }
}

/// Runs passes over a module.
pub(super) fn run(module: &Module<'_>, machine: &TargetMachine, passes: &str) -> Result<(), CompileError> {
    module.run_passes(passes, machine, PassBuilderOptions::create()).map_err(|e| llvm("the program", &e))
}
