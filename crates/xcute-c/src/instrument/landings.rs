//! What jumps that are not branches look like in a module.

use inkwell::llvm_sys::LLVMOpcode;

use super::llvm::{Place, Value};

/// Whether a function of the C library jumps to a `setjmp`.
pub(super) fn is_jump(name: &str) -> bool {
    matches!(name, "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk")
}

/// Whether a call is one of `setjmp`.
pub(super) fn is_landing(call: Value) -> bool {
    call.has_call_attribute("returns_twice") && call.callee().is_function() && call.callee().name().contains("setjmp")
}

/// Where a jump to a computed address is in the source. Clang has one for each function, which belongs to no statement: the first `goto` is taken.
pub(super) fn place(function: Value, jump: Value) -> Place {
    let own = jump.place();
    if own.line != 0 {
        return own;
    }
    let here = jump.block();
    let ends = function.blocks().into_iter().map(|b| b.terminator());
    let comes = |end: &Value| end.opcode() == LLVMOpcode::LLVMBr && end.successors().contains(&here);
    ends.filter(comes).map(Value::place).find(|place| place.line != 0).unwrap_or(own)
}
