//! Accesses that LLVM may call undefined happen as they are written, whatever passes run before and after the walk.
//!
//! For LLVM an access outside of its object, or through NULL, never happens: what it reads may be anything, and code that leads to it may go. An
//! access that reads what nobody uses, or a call whose result nobody uses, goes in any case. The program does none of this when it is compiled without optimisation, and its failures are
//! to be found as they are there. So accesses are volatile where it is not certain that they stay within a variable, and locals whose address goes
//! anywhere else stay in memory: SROA would follow the pointer and make poison of an access that misses the local.
//!
//! **Invariant.** Every access of the source is there when the walk comes, unless it is to a part of a local that has become a register. No promise
//! about loaded values is left that uninstrumented code would not rely on.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use std::ffi::CStr;

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::FxHashSet;

use super::intrinsics::{self, Model};
use super::llvm::{Layout, Value, functions, kind};

/// What keeps locals out of registers while it is there: a function that gets their addresses.
const HOLD: &CStr = c"xcute.held";
/// Metadata of loads: what the value, or what it points to, is promised to be.
const PROMISES: [&str; 7] = ["range", "noundef", "nonnull", "dereferenceable", "dereferenceable_or_null", "align", "invariant.load"];
/// The argument of `llvm.memcpy` and its like that says whether it is volatile.
const VOLATILE: u32 = 3;

/// Attributes that promise what hooks break (that a function reads or writes no memory, or that pointers are not looked at), or what the program may
/// break, and what uninstrumented code would not notice (that a pointer is not NULL).
const BROKEN_PROMISES: &[&str] = &[
    "memory",
    "noalias",
    "nocapture",
    "readonly",
    "readnone",
    "writeonly",
    "willreturn",
    "nosync",
    "nofree",
    "nonnull",
    "noundef",
    "dereferenceable",
    "dereferenceable_or_null",
    "returned",
];

/// Makes accesses volatile that may miss their object, and holds locals in memory whose address goes anywhere else. Promises about functions go.
pub(super) fn begin(module: LLVMModuleRef) {
    let layout = Layout::of(module);
    functions(module).into_iter().filter(|f| !f.is_intrinsic()).for_each(strip);
    let promises = PROMISES.map(|name| kind(module, name));
    for function in functions(module).into_iter().filter(|f| !f.is_declaration()) {
        let all: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).collect();
        for &i in &all {
            keep(layout, i, &promises);
        }
        let locals = all.into_iter().filter(|&i| i.opcode() == LLVMOpcode::LLVMAlloca && !is_plain(layout, i));
        hold(module, HOLD, function, locals);
    }
}

/// Lets go of the locals that [`begin`] held.
pub(super) fn end(module: LLVMModuleRef) {
    release(module, HOLD, |_| {});
}

/// Takes the promises from a function and from the calls in it, so that no call is dropped or computed in another way.
fn strip(function: Value) {
    for attribute in BROKEN_PROMISES {
        function.remove_attribute(attribute);
    }
    if function.is_declaration() {
        // LLVM would promise by itself what it knows of functions of the C library.
        function.add_string_attribute("no-builtins", "");
    }
    for i in function.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| i.is_call()) {
        for attribute in BROKEN_PROMISES {
            i.remove_attribute(attribute);
        }
        if i.callee().is_function() && !i.callee().is_declaration() {
            // A function of the program is not a library function, whatever its name: LLVM must not compute its result in its place.
            i.add_call_attribute("nobuiltin");
        }
        if i.has_call_attribute("noreturn") {
            // Two calls of abort stay two, each with its own line.
            i.add_call_attribute("nomerge");
        }
    }
}

/// Makes an access one that no pass drops, unless it certainly stays within its variable.
fn keep(layout: Layout, i: Value, promises: &[u32]) {
    // SAFETY: only loads and stores are made volatile, and metadata is only taken away; the last argument of the intrinsics is a Boolean.
    unsafe {
        match i.opcode() {
            LLVMOpcode::LLVMLoad => {
                for &promise in promises {
                    LLVMSetMetadata(i.0, promise, std::ptr::null_mut());
                }
                if !stays_within(layout, i.operand(0), layout.size(i.ty())) {
                    LLVMSetVolatile(i.0, 1);
                }
            }
            LLVMOpcode::LLVMStore if !stays_within(layout, i.operand(1), layout.size(i.operand(0).ty())) => LLVMSetVolatile(i.0, 1),
            LLVMOpcode::LLVMCall if block(i).is_some_and(|blocks| !blocks.iter().all(|&(at, bytes)| stays_within(layout, at, bytes))) => {
                let yes = LLVMConstInt(i.operand(VOLATILE).ty().0, 1, 0);
                LLVMSetOperand(i.0, VOLATILE, yes);
            }
            _ => {}
        }
    }
}

/// The memory that an intrinsic copies or fills: where it begins, and how much.
fn block(i: Value) -> Option<Vec<(Value, u64)>> {
    let callee = i.callee();
    if !callee.is_intrinsic() {
        return None;
    }
    let bytes = || i.operand(2).constant().unwrap_or(u64::MAX);
    match intrinsics::model(&callee.name())? {
        Model::Copy => Some(vec![(i.operand(0), bytes()), (i.operand(1), bytes())]),
        Model::Fill => Some(vec![(i.operand(0), bytes())]),
        _ => None,
    }
}

/// Whether an access is to a variable, by its name, and to a part of it that is known here.
fn stays_within(layout: Layout, pointer: Value, bytes: u64) -> bool {
    let Some((root, offset)) = place(layout, pointer) else { return false };
    extent(layout, root).is_some_and(|size| offset.checked_add(bytes).is_some_and(|end| end <= size))
}

/// The variable that a pointer points into, and how far.
fn place(layout: Layout, mut pointer: Value) -> Option<(Value, u64)> {
    let mut offset = 0u64;
    loop {
        let computed = pointer.is_instruction() && pointer.opcode() == LLVMOpcode::LLVMGetElementPtr
            || pointer.is_constant_expression() && pointer.constant_opcode() == LLVMOpcode::LLVMGetElementPtr;
        if !computed {
            return Some((pointer, offset));
        }
        offset = offset.wrapping_add(layout.distance(pointer)?);
        pointer = pointer.operand(0);
    }
}

/// How large a local or a global variable is; `None` for all other values.
fn extent(layout: Layout, root: Value) -> Option<u64> {
    if root.is_instruction() && root.opcode() == LLVMOpcode::LLVMAlloca {
        return Some(layout.size(root.allocated()) * root.operand(0).constant()?);
    }
    (root.is_global_variable() && !root.is_declaration()).then(|| layout.size(root.value_type()))
}

/// Whether a local is only accessed by its name, always within it.
fn is_plain(layout: Layout, local: Value) -> bool {
    let mut pointers = vec![local];
    while let Some(pointer) = pointers.pop() {
        for user in pointer.users() {
            let fine = match user.opcode() {
                LLVMOpcode::LLVMLoad => stays_within(layout, pointer, layout.size(user.ty())),
                LLVMOpcode::LLVMStore => user.operand(0) != pointer && stays_within(layout, pointer, layout.size(user.operand(0).ty())),
                LLVMOpcode::LLVMGetElementPtr => {
                    pointers.push(user);
                    layout.distance(user).is_some()
                }
                LLVMOpcode::LLVMCall => is_harmless_call(layout, user),
                _ => false,
            };
            if !fine {
                return false;
            }
        }
    }
    true
}

/// Whether a call does no more to a local that it is given than to copy it, fill it, or say how long it is there.
fn is_harmless_call(layout: Layout, call: Value) -> bool {
    let name = call.callee().name();
    let says = |start: &str| name.starts_with(start);
    says("llvm.lifetime.")
        || says("llvm.dbg.")
        || is_hold(call)
        || block(call).is_some_and(|blocks| blocks.iter().all(|&(at, bytes)| stays_within(layout, at, bytes)))
}

/// Whether a call only keeps a local in memory.
fn is_hold(call: Value) -> bool {
    call.callee().is_function() && call.callee().is_declaration() && call.callee().name().starts_with("xcute.")
}

/// Keeps locals of a function in memory while passes run that would make registers of them: a function with this name gets their addresses.
pub(super) fn hold(module: LLVMModuleRef, name: &CStr, function: Value, locals: impl IntoIterator<Item = Value>) {
    let entry = function.blocks().first().copied();
    let Some(first) = entry.and_then(|b| b.instructions().into_iter().find(|i| i.opcode() != LLVMOpcode::LLVMAlloca)) else { return };
    // SAFETY: types and functions are the module's; a call of a declared function stands after the locals.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let mut parameter = LLVMPointerTypeInContext(context, 0);
        let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), &raw mut parameter, 1, 0);
        let known = LLVMGetNamedFunction(module, name.as_ptr());
        let keep = if known.is_null() { LLVMAddFunction(module, name.as_ptr(), ty) } else { known };
        let builder = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderBefore(builder, first.0);
        // One that does not stand before everything else (a variable-length array) is in memory anyway.
        let fixed: FxHashSet<Value> = first.block().instructions().into_iter().take_while(|&i| i != first).collect();
        for local in locals.into_iter().filter(|local| fixed.contains(local)) {
            let mut arguments = [local.0];
            LLVMBuildCall2(builder, ty, keep, arguments.as_mut_ptr(), 1, c"".as_ptr());
        }
        LLVMDisposeBuilder(builder);
    }
}

/// Ends it; `each` is called for each local that was held.
pub(super) fn release(module: LLVMModuleRef, name: &CStr, each: impl Fn(Value)) {
    // SAFETY: calls and locals belong to the module; nobody uses what is erased.
    unsafe {
        let keep = LLVMGetNamedFunction(module, name.as_ptr());
        if keep.is_null() {
            return;
        }
        for call in Value(keep).users() {
            let local = call.operand(0);
            LLVMInstructionEraseFromParent(call.0);
            each(local);
        }
        LLVMDeleteFunction(keep);
    }
}
