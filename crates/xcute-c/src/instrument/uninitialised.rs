//! Locals that LLVM keeps in registers: what they are before something is assigned to them.
//!
//! Before locals become registers each one gets a first value, the result of a call of `xcute.undefined.…`. Where some path reads the local without
//! assigning to it, the call reaches the reader, and the walk gives it the handle of an uninitialised value. Otherwise nobody uses it and it goes away.
//! Without this LLVM would take `undef` for whatever suits it.
//!
//! **Invariant.** None of the calls is left in the end: they become zeros, as good as any other value.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use std::ffi::CString;

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashMap;

use super::llvm::{Type, Value, functions};

/// How the functions are called that stand for uninitialised values.
const NAME: &str = "xcute.undefined.";
/// Structs of more parts are not kept in registers.
const PARTS: usize = 16;

/// Whether this is the callee of an uninitialised value.
pub(super) fn is_source(callee: Value) -> bool {
    callee.is_function() && callee.name().starts_with(NAME)
}

/// The runtime's node of an uninitialised value of this width (`xc_nodes_reset`).
pub(super) fn handle(width: u32) -> Option<u32> {
    [1, 8, 16, 32, 64].iter().position(|&w| w == width).and_then(|i| u32::try_from(i + 1).ok())
}

/// Gives every local that may become a register its first value.
pub(super) fn begin(module: LLVMModuleRef) {
    let mut sources = FxHashMap::default();
    for function in functions(module).into_iter().filter(|f| !f.is_declaration()) {
        let Some(entry) = function.blocks().first().copied() else { continue };
        let all = entry.instructions();
        let Some(first) = all.iter().find(|i| i.opcode() != LLVMOpcode::LLVMAlloca).copied() else { continue };
        let is_local = |i: &&Value| i.opcode() == LLVMOpcode::LLVMAlloca && i.operand(0).constant() == Some(1);
        let locals = all.iter().take_while(|&&i| i != first).filter(is_local);
        // What holds a parameter is assigned at once.
        for &local in locals.filter(|i| !i.name().ends_with(".addr") && parts(i.allocated()).is_some_and(|n| (1..=PARTS).contains(&n))) {
            let ty = local.allocated();
            let next = sources.len();
            // SAFETY: the types and instructions belong to the module.
            unsafe {
                let source = *sources.entry(ty).or_insert_with(|| {
                    let name = CString::new(format!("{NAME}{next}")).expect("names have no NUL");
                    LLVMAddFunction(module, name.as_ptr(), LLVMFunctionType(ty.0, std::ptr::null_mut(), 0, 0))
                });
                let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
                LLVMPositionBuilderBefore(builder, first.0);
                let value = LLVMBuildCall2(builder, LLVMGlobalGetValueType(source), source, std::ptr::null_mut(), 0, c"".as_ptr());
                LLVMBuildStore(builder, value, local.0);
                LLVMDisposeBuilder(builder);
            }
        }
    }
}

/// How many scalars a type has; `None` for those that are not integers of usual width, floats or pointers.
fn parts(ty: Type) -> Option<usize> {
    match ty.parts() {
        _ if ty.is_vector() => None,
        Some(all) if all.len() > PARTS => None,
        Some(all) => all.into_iter().map(parts).sum(),
        None => ty.width().and_then(handle).map(|_| 1),
    }
}

fn calls(module: LLVMModuleRef) -> Vec<Value> {
    functions(module).into_iter().filter(|&f| is_source(f)).flat_map(Value::users).collect()
}

/// Removes the first values of locals that stayed in memory, whose bytes are blank without them, and those that nobody reads.
pub(super) fn settle(module: LLVMModuleRef) {
    for call in calls(module) {
        prune(call);
    }
}

fn prune(value: Value) {
    for user in value.users() {
        match user.opcode() {
            LLVMOpcode::LLVMStore if user.operand(0) == value => erase(user),
            LLVMOpcode::LLVMExtractValue => prune(user),
            _ => {}
        }
    }
    if value.users().is_empty() {
        erase(value);
    }
}

/// Zeros take the place of the calls that are left.
pub(super) fn end(module: LLVMModuleRef) {
    for call in calls(module) {
        // SAFETY: the call belongs to the module; it is no longer named.
        unsafe { LLVMReplaceAllUsesWith(call.0, LLVMConstNull(call.ty().0)) };
        erase(call);
    }
    for source in functions(module).into_iter().filter(|&f| is_source(f)) {
        // SAFETY: it is no longer called.
        unsafe { LLVMDeleteFunction(source.0) };
    }
}

fn erase(instruction: Value) {
    // SAFETY: nobody uses it.
    unsafe { LLVMInstructionEraseFromParent(instruction.0) };
}
