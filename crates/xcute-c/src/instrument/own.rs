//! Thread-local variables in programs with threads: every fiber has a copy of its own, and `xch_thread_local` says where it is.
//!
//! Most code asks LLVM for the address (`llvm.threadlocal.address`); what initialises thread-local objects of C++ names the variable itself.
//!
//! **Invariant.** Nobody uses the address that LLVM computes, or the name, but the hook.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::flow;
use super::llvm::{Value, functions};

const HOOK: &std::ffi::CStr = c"xch_thread_local";
const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

/// Makes the thread-local variables of a module those of the fiber. The hook is only declared so far.
pub(super) fn find_copies(module: LLVMModuleRef) {
    let all: Vec<Value> = functions(module).into_iter().flat_map(Value::blocks).flat_map(|b| b.instructions()).collect();
    let asks = |i: Value| i.is_call() && i.callee().is_intrinsic() && i.callee().name().starts_with("llvm.threadlocal.address");
    for &i in all.iter().filter(|i| !asks(**i)) {
        for (n, named) in (0..).zip(i.operands()).filter(|(_, operand)| names_one(*operand)) {
            let phi = i.opcode() == LLVMOpcode::LLVMPHI;
            let before = if phi { i.incoming()[n as usize].1.terminator() } else { i };
            let own = own(module, named, before, i).1;
            // SAFETY: the operand gets a value of its own type, computed before it is used.
            unsafe { LLVMSetOperand(i.0, n, own.0) };
        }
    }
    for &i in all.iter().filter(|i| asks(**i)) {
        let Some(next) = i.next() else { continue };
        let (at, own) = own(module, i, next, i);
        // SAFETY: the value has the type of the call, and stands after it; its own use of the call is put back.
        unsafe {
            LLVMReplaceAllUsesWith(i.0, own.0);
            LLVMSetOperand(at.0, 0, i.0);
        }
    }
}

/// Whether a value is the address of a thread-local variable, or of a part of one.
fn names_one(value: Value) -> bool {
    let root = flow::root(value);
    !value.is_instruction() && value.ty().is_pointer() && root.is_thread_local()
}

/// Where the fiber has what is at `pointer`: the address as a number, and the result of the hook as a pointer.
fn own(module: LLVMModuleRef, pointer: Value, before: Value, place: Value) -> (Value, Value) {
    // SAFETY: all are of the module; `before` is in a block, and `pointer` is computed before it.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let long = LLVMInt64TypeInContext(context);
        let ty = LLVMFunctionType(long, [long].as_mut_ptr(), 1, 0);
        let known = LLVMGetNamedFunction(module, HOOK.as_ptr());
        let hook = if known.is_null() { LLVMAddFunction(module, HOOK.as_ptr(), ty) } else { known };
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderBefore(builder, before.0);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(place.0));
        let at = LLVMBuildPtrToInt(builder, pointer.0, long, NO_NAME);
        let own = LLVMBuildCall2(builder, ty, hook, [at].as_mut_ptr(), 1, NO_NAME);
        let own = LLVMBuildIntToPtr(builder, own, pointer.ty().0, NO_NAME);
        LLVMDisposeBuilder(builder);
        (Value(at), Value(own))
    }
}
