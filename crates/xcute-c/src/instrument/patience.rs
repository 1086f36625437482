//! Loops of the C++ library that look at a word a few times before they wait for it: they look once.
//!
//! `std::atomic::wait` and its kin spin before they ask the kernel. How often is a matter of speed; each look is a step, and would multiply the schedules.
//!
//! **Invariant.** Only the number of looks changes, and it is not 0.

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::emit::Emit;
use super::llvm::functions;

/// `std::__detail::__atomic_spin<…>`, and how often it looks.
const SPIN: &str = "_ZNSt8__detail13__atomic_spinI";
const LOOKS: u64 = 16;

/// Lets the loops end after their first round.
pub(super) fn shorten(module: LLVMModuleRef) {
    let emit = Emit::new(module);
    for function in functions(module).into_iter().filter(|f| f.name().starts_with(SPIN)) {
        let compares = function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.opcode() == LLVMOpcode::LLVMICmp);
        for compare in compares.filter(|i| i.operand(1).constant() == Some(LOOKS) && i.operand(1).ty().width() == Some(32)) {
            emit.set_operand(compare, 1, emit.int(1));
        }
    }
}
