//! Forwarders: functions of ours that call one of a library, for programs that take its address.
//!
//! A program that keeps `memcpy` or `malloc` in a structure calls it through a pointer, where nobody knows what it is. The address that it takes is that
//! of a forwarder instead, which is instrumented: the call in there is a direct one, and treated as such. Functions that have models need none, since
//! the model takes their place everywhere.
//!
//! **Invariant.** A forwarder has the type and the attributes of its function. The same function has one forwarder, so addresses compare as before. A function
//! that may be missing (`weak`), that returns twice, or that has variable arguments has none.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use std::ffi::CString;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMAttributeRef, LLVMModuleRef, LLVMValueRef};

use super::llvm::{Value, functions};
use super::ours::{CALL, is_model, own_name};
use super::slots;

/// Beginnings of names that the program does not write.
const NOT_WRITTEN: &[&str] =
    &["llvm.", "xcute", "xch_", "_Z", "__cxa_", "__gxx_", "__gcc_", "__clang_", "_Unwind_", "__xcute_", "__ubsan_"];

/// Those of them that it does: `&std::thread::join`, which `std::async` takes.
const WRITTEN: &str = "_ZNSt6thread";

/// Lets the program take the addresses of forwarders.
pub(super) fn adopt(module: LLVMModuleRef) {
    for function in functions(module).into_iter().filter(|f| f.is_declaration() && may_have_one(*f)) {
        let calls: Vec<Value> = function.users().into_iter().filter(|u| calls_directly(*u, function)).collect();
        if function.users().len() > calls.len() {
            forward(module, function, &calls);
        }
    }
}

fn may_have_one(function: Value) -> bool {
    let name = function.name();
    // SAFETY: the function belongs to the module.
    let weak = unsafe { LLVMGetLinkage(function.0) == LLVMLinkage::LLVMExternalWeakLinkage };
    let plain = !function.value_type().is_variadic() && !function.has_attribute("returns_twice");
    let written = name.starts_with(WRITTEN) || !NOT_WRITTEN.iter().any(|start| name.starts_with(start));
    !weak && plain && written && !is_model(&name)
}

/// Whether an instruction calls the function, and does nothing else with it.
fn calls_directly(user: Value, function: Value) -> bool {
    user.is_instruction() && user.is_call() && user.callee() == function && !user.arguments().contains(&function)
}

fn forward(module: LLVMModuleRef, function: Value, calls: &[Value]) {
    let name = CString::new(own_name(&format!("{CALL}{}", function.name()))).expect("names of functions have no NUL");
    // SAFETY: all are of the module; the operand of a call that is put back is its callee, which is the last one.
    unsafe {
        let ty = function.value_type();
        let forwarder = Value(LLVMAddFunction(module, name.as_ptr(), ty.0));
        LLVMSetLinkage(forwarder.0, LLVMLinkage::LLVMInternalLinkage);
        // Stacks are walked by frame pointers.
        slots::keep_frame(forwarder);
        LLVMReplaceAllUsesWith(function.0, forwarder.0);
        for call in calls {
            let last = u32::try_from(LLVMGetNumOperands(call.0)).expect("few operands") - 1;
            LLVMSetOperand(call.0, last, function.0);
        }
        let context = LLVMGetModuleContext(module);
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, forwarder.0, c"".as_ptr()));
        let mut arguments: Vec<LLVMValueRef> = forwarder.params().iter().map(|p| p.0).collect();
        let count = u32::try_from(arguments.len()).expect("few parameters");
        let call = LLVMBuildCall2(builder, ty.0, function.0, arguments.as_mut_ptr(), count, c"".as_ptr());
        for at in 0..=count {
            for attribute in attributes(function, at) {
                LLVMAddCallSiteAttribute(call, at, attribute);
                LLVMAddAttributeAtIndex(forwarder.0, at, attribute);
            }
        }
        if Value(call).ty().is_void() {
            LLVMBuildRetVoid(builder);
        } else {
            LLVMBuildRet(builder, call);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// The attributes of a function's result (0) or of a parameter.
fn attributes(function: Value, at: u32) -> Vec<LLVMAttributeRef> {
    // SAFETY: LLVM fills as many as it says there are.
    unsafe {
        let mut all = vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(function.0, at) as usize];
        LLVMGetAttributesAtIndex(function.0, at, all.as_mut_ptr());
        all
    }
}
