//! Operations that stand at one place of the source, and how they are distinguished.
//!
//! Debugging information gives everything that a macro expands to the place of the macro: two defects in one line would be one. So operations that can fail are counted at
//! each place, and their number is put into the bits of the column that no source needs.
//!
//! **Invariant.** Numbers are given before anything is copied or merged, so every copy of an operation has the same one. Columns are read through [`split`](super::columns::split).
#![allow(unsafe_code, reason = "LLVM's C API")]

use inkwell::llvm_sys::core::LLVMGetModuleContext;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt, LLVMDILocationGetLine, LLVMDILocationGetScope,
    LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc,
};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashMap;

use super::columns::BITS;
use super::llvm::functions;

/// Operations at one place that get numbers of their own.
const MOST: u32 = 1 << (16 - BITS);

/// Numbers the operations of a module.
pub(super) fn number(module: LLVMModuleRef) {
    for function in functions(module) {
        let mut met: FxHashMap<(usize, usize, u32, u32), u32> = FxHashMap::default();
        for i in function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.can_fail()) {
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
