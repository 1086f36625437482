//! Hooks before what other threads may see: accesses to memory that may be shared, and atomic operations.
//!
//! The explored program and its replay get the same hooks in the same places, only their names differ: a place is found again by counting
//! the hooks that a thread has come to. Atomic operations are marked before they are lowered (the replay keeps them as they are), accesses after the
//! passes that turn locals into registers.
//!
//! **Invariant.** Where hooks stand depends on the functions' own code alone, and every atomic operation is one hook, whatever it was lowered to.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMOpcode};
use rustc_hash::{FxHashMap, FxHashSet};

use super::assembly::Assembly;
use super::assumed;
use super::emit::Emit;
use super::flow;
use super::hooks::{Names, bodies, declare, is_made_for};
use super::intrinsics::{self, Model};
use super::llvm::{Value, functions};
use super::orders;
use super::outside;
use super::patience;
use super::sections;
use crate::wire::operation;

pub(super) use super::hooks::{EXPLORED, REPLAYED};

/// What creates a thread; std::thread does it in the library.
const CREATE: [&str; 3] =
    ["pthread_create", "thrd_create", "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE"];

/// Whether a program can create threads.
pub(super) fn creates_threads(module: LLVMModuleRef) -> bool {
    functions(module).into_iter().any(|f| f.is_declaration() && CREATE.contains(&&*f.name()) && !f.users().is_empty())
}

/// Puts hooks around the atomic operations of a module.
pub(super) fn mark_atomics(module: LLVMModuleRef, names: &Names) {
    let emit = Emit::new(module);
    declare(&emit, names);
    for i in bodies(module).into_iter().flat_map(Value::blocks).flat_map(|b| b.instructions()) {
        let (pointer, accessed, what, expected) = match i.opcode() {
            LLVMOpcode::LLVMLoad if is_atomic(i) => (i.operand(0), i.ty(), operation::LOAD, None),
            LLVMOpcode::LLVMStore if is_atomic(i) => (i.operand(1), i.operand(0).ty(), operation::STORE, None),
            LLVMOpcode::LLVMAtomicRMW => (i.operand(0), i.ty(), operation::UPDATE, None),
            LLVMOpcode::LLVMAtomicCmpXchg => (i.operand(0), i.operand(1).ty(), operation::COMPARE_EXCHANGE, Some(i.operand(1))),
            LLVMOpcode::LLVMFence if orders::is_between_threads(i) => {
                emit.before(i);
                emit.hook(names.fence, &[emit.int(orders::flags(i))]);
                continue;
            }
            LLVMOpcode::LLVMCall => match Assembly::of(i).filter(Assembly::is_locked).map(|assembly| assembly.in_memory()).as_deref() {
                Some([operand]) => (operand.at, operand.of, operation::UPDATE, None),
                _ => continue,
            },
            _ => continue,
        };
        emit.before(i);
        let bytes = u32::try_from(emit.layout.size(accessed)).unwrap_or(u32::MAX);
        let expected = expected.map_or_else(|| emit.long(0), |value| emit.word(value));
        let what = u32::from(what) | orders::flags(i) << 16;
        emit.hook(names.begin, &[emit.word(pointer), emit.int(bytes), emit.int(what), expected]);
        emit.after(i);
        emit.hook(names.end, &[]);
    }
}

fn is_atomic(i: Value) -> bool {
    // SAFETY: it is a load or a store.
    unsafe { LLVMGetOrdering(i.0) != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic }
}

/// Marks atomic sections, and assumptions that may be waits; shortens what comes before waits.
pub(super) fn mark_waits(module: LLVMModuleRef, names: &Names) {
    patience::shorten(module);
    let emit = Emit::new(module);
    sections::mark(&emit, names);
    assumed::mark(&emit, names);
}

/// Puts a hook before each access that another thread may see. The result are all instructions that belong to hooks, those of atomic operations
/// too: they are not part of the program.
pub(super) fn mark_accesses(emit: &Emit, names: &Names) -> FxHashSet<Value> {
    declare(emit, names);
    let mut hooks = FxHashSet::default();
    let mut private = FxHashMap::default();
    for block in bodies(emit.module).into_iter().flat_map(Value::blocks) {
        let mut atomic = false;
        for i in block.instructions() {
            if i.is_call() && i.callee().is_function() && names.is_apart(&i.callee().name()) {
                atomic = i.callee().name() == names.begin;
                hooks.extend(i.arguments().into_iter().filter(|a| is_made_for(*a, i)).chain([i]));
                continue;
            }
            if atomic {
                continue;
            }
            let mut access = |pointer: Value, bytes: &dyn Fn() -> Value, write: u32| {
                let root = flow::root(pointer);
                if *private.entry(root).or_insert_with(|| is_private(root)) {
                    return;
                }
                emit.before(i);
                let (at, bytes) = (emit.word(pointer), bytes());
                let call = emit.hook(names.access, &[at, bytes, emit.int(write)]);
                hooks.extend([at, bytes].into_iter().filter(|a| is_made_for(*a, call)).chain([call]));
            };
            let size = |of: Value| emit.int(u32::try_from(emit.layout.size(of.ty())).unwrap_or(u32::MAX));
            match i.opcode() {
                LLVMOpcode::LLVMLoad => access(i.operand(0), &|| size(i), 0),
                LLVMOpcode::LLVMStore => access(i.operand(1), &|| size(i.operand(0)), 1),
                LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => {
                    if let Some(assembly) = Assembly::of(i) {
                        for operand in assembly.in_memory().into_iter().filter(|_| !assembly.is_locked()) {
                            access(operand.at, &|| emit.int(Assembly::bytes(emit.layout, operand)), u32::from(operand.write));
                        }
                        continue;
                    }
                    let Some(block) = block_operation(i) else {
                        hooks.extend(outside::mark(emit, names, i));
                        continue;
                    };
                    let bytes = || emit.flag(i.operand(2));
                    if block == Model::Copy {
                        access(i.operand(1), &bytes, 0);
                    }
                    access(i.operand(0), &bytes, 1);
                }
                _ => {}
            }
        }
    }
    hooks
}

/// A copy or a fill of memory, as an intrinsic or as a function of the library.
fn block_operation(i: Value) -> Option<Model> {
    let callee = i.callee();
    if !callee.is_function() || !callee.is_declaration() {
        return None;
    }
    match &*callee.name() {
        "memcpy" | "memmove" | "mempcpy" => Some(Model::Copy),
        "memset" => Some(Model::Fill),
        name => intrinsics::model(name).filter(|model| matches!(model, Model::Copy | Model::Fill)),
    }
}

/// Whether no other thread can come to what is at this pointer: a local whose address stays in its function, a constant, or `errno`. What the C
/// library says about threads changes before the first of them begins.
fn is_private(root: Value) -> bool {
    if root.is_constant_global() || (!root.is_instruction() && root.name() == "__libc_single_threaded") {
        return true;
    }
    if root.is_instruction() && root.opcode() == LLVMOpcode::LLVMCall {
        return root.callee().is_function() && root.callee().name() == "__errno_location";
    }
    if !root.is_instruction() || root.opcode() != LLVMOpcode::LLVMAlloca {
        return false;
    }
    let mut pointers = vec![root];
    while let Some(pointer) = pointers.pop() {
        for user in pointer.users() {
            match user.opcode() {
                LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp => {}
                LLVMOpcode::LLVMStore if user.operand(0) != pointer => {}
                LLVMOpcode::LLVMGetElementPtr => pointers.push(user),
                LLVMOpcode::LLVMCall if user.callee().is_function() && user.callee().is_intrinsic() => {
                    let name = user.callee().name();
                    let harmless = name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg.");
                    if !harmless && block_operation(user).is_none() {
                        return false;
                    }
                }
                _ => return false,
            }
        }
    }
    true
}
