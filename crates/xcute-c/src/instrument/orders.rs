//! What atomic instructions order, as flags of their visible operations.
//!
//! **Invariant.** The flags are those of `XcNext::flags`. An order that says less than another one has fewer flags for what it orders.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use inkwell::llvm_sys::core::{LLVMGetCmpXchgFailureOrdering, LLVMGetCmpXchgSuccessOrdering, LLVMGetOrdering, LLVMIsAtomicSingleThread};
use inkwell::llvm_sys::{LLVMAtomicOrdering as Ordering, LLVMOpcode};

use super::llvm::Value;
use crate::wire::operation::{ACQUIRES, ACQUIRES_FAILED, RELEASES, WEAKER};

/// What guards the initialisation of a static local: its order is the compiler's, and enough.
const GUARD: &str = "_ZGV";

/// The flags of an atomic instruction.
pub(super) fn flags(i: Value) -> u32 {
    let (order, failed) = orderings(i);
    let mut flags = 0;
    if acquires(order) {
        flags |= ACQUIRES;
    }
    if matches!(order, Ordering::LLVMAtomicOrderingRelease | Ordering::LLVMAtomicOrderingAcquireRelease | SEQUENTIAL) {
        flags |= RELEASES;
    }
    if acquires(failed) {
        flags |= ACQUIRES_FAILED;
    }
    let guards = i.opcode() == LLVMOpcode::LLVMLoad && i.operand(0).name().starts_with(GUARD);
    if (order != SEQUENTIAL || failed != SEQUENTIAL) && !guards {
        flags |= WEAKER;
    }
    u32::from(flags)
}

const SEQUENTIAL: Ordering = Ordering::LLVMAtomicOrderingSequentiallyConsistent;

fn acquires(order: Ordering) -> bool {
    matches!(order, Ordering::LLVMAtomicOrderingAcquire | Ordering::LLVMAtomicOrderingAcquireRelease | SEQUENTIAL)
}

/// Its order, and that of a compare-exchange which fails.
fn orderings(i: Value) -> (Ordering, Ordering) {
    // SAFETY: it is an atomic instruction, and of the kind that is asked.
    unsafe {
        if i.opcode() == LLVMOpcode::LLVMAtomicCmpXchg {
            return (LLVMGetCmpXchgSuccessOrdering(i.0), LLVMGetCmpXchgFailureOrdering(i.0));
        }
        let order = LLVMGetOrdering(i.0);
        (order, order)
    }
}

/// Whether a fence is not only one against the compiler.
pub(super) fn is_between_threads(fence: Value) -> bool {
    // SAFETY: it is a fence.
    unsafe { LLVMIsAtomicSingleThread(fence.0) == 0 }
}
