//! Hooks before what other threads may see: their names and declarations, and what one says.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use std::ffi::CString;

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use super::emit::Emit;
use super::llvm::{Value, functions};
use crate::wire::operation;

/// The names of the hooks.
#[derive(Debug)]
pub(super) struct Names {
    /// `(address, bytes, write)`: an access comes next.
    pub(super) access: &'static str,
    /// `(address, bytes, operation, expected)`: an atomic operation comes next.
    pub(super) begin: &'static str,
    /// It is over.
    pub(super) end: &'static str,
    /// `(flags)`: a fence.
    pub(super) fence: &'static str,
    /// Atomic sections.
    pub(super) section_begin: &'static str,
    /// The same.
    pub(super) section_end: &'static str,
    /// A condition that is assumed begins to be computed. It may come back here.
    pub(super) point: &'static str,
    /// `(holds)`: it is known.
    pub(super) again: &'static str,
    /// `(synchronises)`: what code that is not instrumented does: from here to the end it is done at once.
    pub(super) outside_begin: &'static str,
    /// The same.
    pub(super) outside_end: &'static str,
    /// `(object, changes)`: it uses the state of a library.
    pub(super) state: &'static str,
    /// `(pointer, writes)`: it is given memory.
    pub(super) given: &'static str,
    /// `(descriptor, direction)`: it waits until a descriptor can be read, or written.
    pub(super) descriptor: &'static str,
    /// `(pointer)`: it counts references to an exception, that of a pointer to one or (0) the one that was caught last.
    pub(super) exception: &'static str,
}

/// The hooks of the explored program (`runtimes/c/hooks.c`).
pub(super) const EXPLORED: Names = Names {
    access: "xch_access",
    begin: "xch_atomic_begin",
    end: "xch_atomic_end",
    fence: "xch_fence",
    section_begin: "xch_section_begin",
    section_end: "xch_section_end",
    // Not inlined: its caller must be called again by what comes back.
    point: "xc_point",
    again: "xch_again",
    outside_begin: "xch_outside_begin",
    outside_end: "xch_outside_end",
    state: "xch_state",
    given: "xch_given",
    descriptor: "xch_descriptor",
    exception: "xch_exception",
};
/// The hooks of the replay (`runtimes/c/replay/turn.c`).
pub(super) const REPLAYED: Names = Names {
    access: "xcr_access",
    begin: "xcr_atomic_begin",
    end: "xcr_atomic_end",
    fence: "xcr_fence",
    section_begin: "xcr_section_begin",
    section_end: "xcr_section_end",
    point: "xcr_point",
    again: "xcr_again",
    outside_begin: "xcr_outside_begin",
    outside_end: "xcr_outside_end",
    state: "xcr_state",
    given: "xcr_given",
    descriptor: "xcr_descriptor",
    exception: "xcr_exception",
};

impl Names {
    /// Whether a function is a hook that is not part of the program.
    pub(super) fn is_apart(&self, name: &str) -> bool {
        [self.begin, self.end, self.fence, self.section_begin, self.section_end, self.point].contains(&name)
    }
}

/// Declares the hooks.
pub(super) fn declare(emit: &Emit, names: &Names) {
    let (int, long) = (emit.int(0).ty().0, emit.long(0).ty().0);
    let hooks: [(&str, &mut [_]); 14] = [
        (names.access, &mut [long, int, int]),
        (names.begin, &mut [long, int, int, long]),
        (names.end, &mut []),
        (names.fence, &mut [int]),
        (names.section_begin, &mut []),
        (names.section_end, &mut []),
        (names.point, &mut []),
        (names.again, &mut [int]),
        (names.outside_begin, &mut [int]),
        (names.outside_end, &mut []),
        (names.state, &mut [int, int]),
        (names.given, &mut [long, int]),
        (names.descriptor, &mut [int, int]),
        (names.exception, &mut [long]),
    ];
    for (name, parameters) in hooks {
        let text = CString::new(name).expect("names of hooks have no NUL");
        // SAFETY: the types are of the module's context.
        unsafe {
            if LLVMGetNamedFunction(emit.module, text.as_ptr()).is_null() {
                let count = u32::try_from(parameters.len()).expect("few parameters");
                let of = LLVMFunctionType(LLVMVoidTypeInContext(emit.context), parameters.as_mut_ptr(), count, 0);
                LLVMAddFunction(emit.module, text.as_ptr(), of);
            }
        }
    }
}

/// Functions whose accesses count: not the hooks, nor what stands for the runtime in a standalone test.
pub(super) fn bodies(module: LLVMModuleRef) -> Vec<Value> {
    let ours = |name: &str| ["xch_", "xcr_", "__xcute_"].iter().any(|prefix| name.starts_with(prefix));
    functions(module).into_iter().filter(|f| !f.is_declaration() && !ours(&f.name())).collect()
}

/// Which argument of the hook before an atomic operation says what it is.
pub(super) const OPERATION: u32 = 2;

/// What a compare-exchange of the explored program expects, from the hook before it; `None` if it is another hook.
pub(super) fn expected(hook: Value) -> Option<Value> {
    if !hook.is_call() || hook.callee().name() != EXPLORED.begin {
        return None;
    }
    let is_exchange = hook.operand(OPERATION).constant().map(|what| what & 0xffff) == Some(u64::from(operation::COMPARE_EXCHANGE));
    let word = hook.operand(3);
    is_exchange.then(|| if is_made_for(word, hook) { word.operand(0) } else { word })
}

/// Whether a hook before an atomic operation says that it only reads.
pub(super) fn is_load(hook: Value) -> bool {
    hook.operand(OPERATION).constant().is_some_and(|what| what & 0xffff == u64::from(operation::LOAD))
}

/// Whether an argument of a hook was computed for it alone.
pub(super) fn is_made_for(argument: Value, call: Value) -> bool {
    let cast = |v: Value| matches!(v.opcode(), LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMTrunc | LLVMOpcode::LLVMZExt);
    argument.is_instruction() && cast(argument) && argument.users() == [call]
}
