//! Which instructions of a function may depend on an input.

use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::FxHashSet;

use super::landings::is_landing;
use super::llvm::{Block, Value};
use super::logical::is_logical;
use super::program::Program;
use super::uninitialised;

/// The instructions whose result may depend on an input. A loop counter that starts at a constant does not.
pub(super) fn maybe_symbolic(program: &Program, blocks: &[(Block, Vec<Value>)]) -> FxHashSet<Value> {
    let mut maybe = FxHashSet::default();
    loop {
        let before = maybe.len();
        for &i in blocks.iter().flat_map(|(_, instructions)| instructions) {
            if !maybe.contains(&i) && is_source(program, &maybe, i) {
                maybe.insert(i);
            }
        }
        if maybe.len() == before {
            return maybe;
        }
    }
}

fn is_source(program: &Program, maybe: &FxHashSet<Value>, i: Value) -> bool {
    let symbolic = |v: &Value| v.is_argument() || maybe.contains(v);
    match i.opcode() {
        LLVMOpcode::LLVMLoad => !i.operand(0).is_constant_global(),
        LLVMOpcode::LLVMAlloca => false,
        // What an exception is given is made by the runtime of C++: it is concrete.
        LLVMOpcode::LLVMLandingPad => false,
        LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => {
            let callee = i.callee();
            let instrumented = !callee.is_function() || program.instrumented.contains(&callee);
            let jumped = is_landing(i);
            (instrumented && !callee.is_inline_asm()) || jumped || uninitialised::is_source(callee) || i.arguments().iter().any(symbolic)
        }
        // Its last operand was a decision: the path knows the value.
        LLVMOpcode::LLVMPHI if is_logical(i) => false,
        LLVMOpcode::LLVMPHI => i.incoming().iter().any(|(v, _)| symbolic(v)),
        _ => i.operands().iter().any(symbolic),
    }
}
