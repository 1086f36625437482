//! Thread-local variables in programs with threads: every fiber has a copy of its own, and `xch_thread_local` says where it is.
//!
//! **Invariant.** Nobody uses the address that LLVM computes but the hook.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::llvm::{Value, functions};

const HOOK: &std::ffi::CStr = c"xch_thread_local";
const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

/// Makes the thread-local variables of a module those of the fiber. The hook is only declared so far.
pub(super) fn find_copies(module: LLVMModuleRef) {
    let finds = |i: &Value| i.is_call() && i.callee().is_intrinsic() && i.callee().name().starts_with("llvm.threadlocal.address");
    let all = functions(module).into_iter().flat_map(Value::blocks).flat_map(|b| b.instructions());
    for i in all.filter(finds).collect::<Vec<Value>>() {
        let Some(next) = i.next() else { continue };
        // SAFETY: the instruction belongs to the module and is a plain call, behind which its block goes on.
        unsafe {
            let context = LLVMGetModuleContext(module);
            let long = LLVMInt64TypeInContext(context);
            let ty = LLVMFunctionType(long, [long].as_mut_ptr(), 1, 0);
            let known = LLVMGetNamedFunction(module, HOOK.as_ptr());
            let hook = if known.is_null() { LLVMAddFunction(module, HOOK.as_ptr(), ty) } else { known };
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, next.0);
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i.0));
            let at = LLVMBuildPtrToInt(builder, i.0, long, NO_NAME);
            let own = LLVMBuildCall2(builder, ty, hook, [at].as_mut_ptr(), 1, NO_NAME);
            let pointer = LLVMBuildIntToPtr(builder, own, i.ty().0, NO_NAME);
            LLVMDisposeBuilder(builder);
            LLVMReplaceAllUsesWith(i.0, pointer);
            // That was a use, too.
            LLVMSetOperand(at, 0, i.0);
        }
    }
}
