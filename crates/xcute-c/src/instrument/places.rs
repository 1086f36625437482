//! Operations that stand at one place of the source, told apart.
//!
//! Debugging information gives everything that a macro expands to the place of the macro: two defects in one line would be one. So operations that can fail are counted at
//! each place, and their number is put into the bits of the column that no source needs.
//!
//! **Invariant.** Numbers are given before anything is copied or merged, so every copy of an operation has the same one. Columns are read through [`told`].
#![allow(unsafe_code, reason = "LLVM's C API")]

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::LLVMGetModuleContext;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt, LLVMDILocationGetLine, LLVMDILocationGetScope,
    LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc,
};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashMap;

use super::llvm::{Value, functions};

/// Bits of the column proper; LLVM keeps sixteen in all.
const BITS: u32 = 12;
const MOST: u32 = 1 << (16 - BITS);

/// The column, and which of the operations there, of a column in debugging information.
pub(crate) fn told(column: u32) -> (u32, u32) {
    // What is longer was not numbered, but may look like it: such a line is not for people.
    (column & ((1 << BITS) - 1), column >> BITS)
}

/// Numbers the operations of a module.
pub(super) fn number(module: LLVMModuleRef) {
    for function in functions(module) {
        let mut met: FxHashMap<(usize, usize, u32, u32), u32> = FxHashMap::default();
        for i in function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| can_fail(*i)) {
            // SAFETY: the instruction is of the module, and so is what it refers to.
            unsafe {
                let at = LLVMInstructionGetDebugLoc(i.0);
                if at.is_null() {
                    continue;
                }
                let (line, column) = (LLVMDILocationGetLine(at), LLVMDILocationGetColumn(at));
                let (scope, inlined) = (LLVMDILocationGetScope(at), LLVMDILocationGetInlinedAt(at));
                let count = met.entry((scope as usize, inlined as usize, line, column)).or_default();
                let nth = (*count).min(MOST - 1);
                *count += 1;
                if nth > 0 && column < 1 << BITS {
                    let context = LLVMGetModuleContext(module);
                    let numbered = LLVMDIBuilderCreateDebugLocation(context, line, column | nth << BITS, scope, inlined);
                    LLVMInstructionSetDebugLoc(i.0, numbered);
                }
            }
        }
    }
}

/// Whether an instruction is one that is numbered.
pub(super) fn can_fail(i: Value) -> bool {
    use LLVMOpcode::{LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMInvoke, LLVMLoad, LLVMSDiv, LLVMSRem, LLVMStore, LLVMUDiv, LLVMURem};
    match i.opcode() {
        LLVMOpcode::LLVMCall => !(i.callee().is_function() && i.callee().name().starts_with("llvm.dbg.")),
        LLVMInvoke | LLVMLoad | LLVMStore | LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem | LLVMAtomicRMW | LLVMAtomicCmpXchg => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_hold_two_numbers() {
        assert_eq!(told(17), (17, 0));
        assert_eq!(told(17 | 3 << BITS), (17, 3));
    }
}
