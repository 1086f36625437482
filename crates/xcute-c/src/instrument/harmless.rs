//! Whether there is anything in a program that could fail.
//!
//! Its checks are sites. Accesses to memory that no input touches have none, and may fail all the same; and so may code that is not the program's.
//!
//! **Invariant.** Runs before the program is rewritten, on the functions of the program itself; what cannot be judged could fail.

use inkwell::llvm_sys::LLVMOpcode;
use xcute_trace::SiteKind;

use super::llvm::Value;
use super::ours;
use super::program::Program;

/// Whether nothing in these functions, sites apart, could fail.
pub(super) fn harmless(bodies: &[Value]) -> bool {
    let own = bodies.iter().filter(|f| !ours::is_generated(&f.name()) && !ours::is_model(&f.name()));
    own.flat_map(|f| f.blocks()).flat_map(|b| b.instructions()).all(is_harmless)
}

/// Whether no site is a check.
pub(super) fn unchecked(program: &Program) -> bool {
    program.sites.sites.iter().all(|site| site.kind != SiteKind::Check)
}

fn is_harmless(i: Value) -> bool {
    match i.opcode() {
        LLVMOpcode::LLVMLoad => is_object(i.operand(0)),
        LLVMOpcode::LLVMStore => is_object(i.operand(1)),
        LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => false,
        _ if i.is_call() => is_harmless_call(i),
        _ => true,
    }
}

/// Whether this is the address of a variable.
fn is_object(pointer: Value) -> bool {
    if pointer.is_instruction() {
        pointer.opcode() == LLVMOpcode::LLVMAlloca
    } else {
        !pointer.is_argument() && !pointer.is_constant_expression()
    }
}

fn is_harmless_call(i: Value) -> bool {
    let callee = i.callee();
    let words = |name: &str| {
        name == "__xcute_input" || name == "__xcute_assume" || name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.")
    };
    callee.is_function() && !i.has_call_attribute("noreturn") && (!callee.is_declaration() || words(&callee.name()))
}
