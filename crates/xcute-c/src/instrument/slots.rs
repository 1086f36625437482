//! Stack slots for what lives in registers across decisions.
//!
//! LLVM's `reg2mem` takes out of registers what more than one block uses; before it, [`spill`] does the same to arguments, to results of calls, and to values
//! that are used after a call in their own block. Slots made here have names like those of `reg2mem`, which begin as the value's.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use std::ffi::CString;

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::LLVMBuilderRef;

use super::emit::Emit;
use super::llvm::{Block, Value};
use super::uninitialised;

/// What is in the names of stack slots that stand for registers.
pub(super) const SLOT: &str = ".reg2mem";

/// A copy of a value before an instruction: whatever becomes of the value, the copy stays.
pub(super) fn keep(emit: &Emit, before: Value, value: Value) -> Value {
    // SAFETY: the builder stands in a block where the value is known.
    unsafe {
        let builder = LLVMCreateBuilderInContext(emit.context);
        LLVMPositionBuilderBefore(builder, before.0);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(before.0));
        let copy = LLVMBuildFreeze(builder, value.0, c"".as_ptr());
        LLVMDisposeBuilder(builder);
        Value(copy)
    }
}

/// Makes a function one that has a frame of its own.
pub(super) fn keep_frame(function: Value) {
    function.add_attribute("noinline");
    function.add_string_attribute("disable-tail-calls", "true");
    function.add_string_attribute("frame-pointer", "all");
}

/// Puts arguments and results of calls on the stack, and values that are used after a later call of their block.
pub(super) fn spill(emit: &Emit, function: Value) {
    let (slots, first) = (Slots::new(emit, function), function.blocks()[0]);
    for (n, param) in (1..).zip(function.params()) {
        let users = param.users();
        // What is only put into its own local at once is there already.
        let kept = |user: &Value| user.opcode() == LLVMOpcode::LLVMStore && user.operand(1).name().contains(SLOT) && user.block() == first;
        if function.type_attribute(n, "byval").is_none() && !users.iter().all(kept) {
            let slot = slots.slot(param);
            slots.store_first(param, slot);
            slots.reload(param, slot, &users);
        }
    }
    for block in function.blocks() {
        spill_over_calls(&slots, block);
    }
}

fn spill_over_calls(slots: &Slots, block: Block) {
    let all = block.instructions();
    let is_call = |i: &Value| i.opcode() == LLVMOpcode::LLVMCall && !i.callee().is_intrinsic() && !uninitialised::is_source(i.callee());
    let calls: Vec<usize> = (0..all.len()).filter(|&n| is_call(&all[n])).collect();
    for (n, &value) in all.iter().enumerate() {
        // The result of a call is made of what its frame held, which is gone.
        let Some(&call) = calls.iter().find(|&&call| call >= n) else { break };
        if value.ty().is_void() || matches!(value.opcode(), LLVMOpcode::LLVMAlloca) || !value.ty().is_storable() {
            continue;
        }
        let users: Vec<Value> =
            all[call + 1..].iter().copied().filter(|u| u.opcode() != LLVMOpcode::LLVMPHI && u.operands().contains(&value)).collect();
        if users.is_empty() || users.iter().any(|u| u.is_must_tail()) {
            continue;
        }
        let slot = slots.slot(value);
        slots.reload(value, slot, &users);
        slots.store_after(value, slot);
    }
}

/// Makes stack slots in a function.
struct Slots {
    builder: LLVMBuilderRef,
    first: Value,
}

impl Slots {
    fn new(emit: &Emit, function: Value) -> Slots {
        let first = function.blocks()[0].instructions()[0];
        // SAFETY: the context is the module's.
        Slots { builder: unsafe { LLVMCreateBuilderInContext(emit.context) }, first }
    }

    fn slot(&self, value: Value) -> Value {
        let name = CString::new(format!("{}{SLOT}", value.name())).unwrap_or_default();
        // SAFETY: the builder stands before an instruction of the function.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, self.first.0);
            Value(LLVMBuildAlloca(self.builder, value.ty().0, name.as_ptr()))
        }
    }

    /// Stores an argument before anything else happens.
    fn store_first(&self, value: Value, slot: Value) {
        // SAFETY: as above; the slot stands before the first instruction.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, self.first.0);
            LLVMBuildStore(self.builder, value.0, slot.0);
        }
    }

    fn store_after(&self, value: Value, slot: Value) {
        let mut next = value.next();
        while let Some(phi) = next.filter(|i| matches!(i.opcode(), LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMLandingPad)) {
            next = phi.next();
        }
        let Some(next) = next else { return };
        // SAFETY: the builder stands after the value, in its block.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, next.0);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(value.0));
            LLVMBuildStore(self.builder, value.0, slot.0);
        }
    }

    /// Users get what is in the slot.
    fn reload(&self, value: Value, slot: Value, users: &[Value]) {
        for &user in users {
            if user.opcode() == LLVMOpcode::LLVMPHI {
                self.reload_in_phi(value, slot, user);
                continue;
            }
            // SAFETY: the user is an instruction of the function; the new operand has the old one's type.
            unsafe {
                LLVMPositionBuilderBefore(self.builder, user.0);
                LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(user.0));
                let load = LLVMBuildLoad2(self.builder, value.ty().0, slot.0, c"".as_ptr());
                for (n, operand) in (0..).zip(user.operands()) {
                    if operand == value {
                        LLVMSetOperand(user.0, n, load);
                    }
                }
            }
        }
    }

    fn reload_in_phi(&self, value: Value, slot: Value, phi: Value) {
        for (n, (incoming, from)) in (0..).zip(phi.incoming()) {
            if incoming == value {
                // SAFETY: a load at the end of a predecessor; operands of a phi are its incoming values.
                unsafe {
                    LLVMPositionBuilderBefore(self.builder, from.terminator().0);
                    let load = LLVMBuildLoad2(self.builder, value.ty().0, slot.0, c"".as_ptr());
                    LLVMSetOperand(phi.0, n, load);
                }
            }
        }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        // SAFETY: it is ours.
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}
