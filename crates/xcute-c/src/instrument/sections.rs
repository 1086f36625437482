//! Atomic sections: the functions of SV-COMP that begin and end them, and those that are sections themselves, by their names.
//!
//! **Invariant.** A function that is a section ends it wherever it returns, or an exception leaves it.

use inkwell::llvm_sys::LLVMOpcode;

use super::emit::Emit;
use super::hooks::{Names, bodies, declare};
use super::llvm::Value;
use crate::tools::demangle::demangled;

/// What the names of sections begin with.
const PREFIX: &str = "__VERIFIER_atomic_";
const BEGIN: &str = "__VERIFIER_atomic_begin";
const END: &str = "__VERIFIER_atomic_end";

/// Puts hooks where sections begin and end.
pub(super) fn mark(emit: &Emit, names: &Names) {
    declare(emit, names);
    for function in bodies(emit.module) {
        let name = function.name();
        let name = demangled(&name);
        let Some(entry) = function.blocks().first().copied().filter(|_| name.starts_with(PREFIX)) else { continue };
        if name != END {
            emit.at_start(entry);
            emit.hook(names.section_begin, &[]);
        }
        if name == END {
            emit.at_start(entry);
            emit.hook(names.section_end, &[]);
        } else if name != BEGIN {
            let leaves = |i: &Value| matches!(i.opcode(), LLVMOpcode::LLVMRet | LLVMOpcode::LLVMResume);
            for end in function.blocks().into_iter().map(|block| block.terminator()).filter(leaves) {
                emit.before(end);
                emit.hook(names.section_end, &[]);
            }
        }
    }
}

/// Whether a call begins a section.
pub(super) fn begins(call: Value, names: &Names) -> bool {
    if !call.is_call() || !call.callee().is_function() {
        return false;
    }
    let name = call.callee().name();
    name == names.section_begin || demangled(&name) == BEGIN
}
