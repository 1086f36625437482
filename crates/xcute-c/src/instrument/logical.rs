//! Operands of `&&` and `||`, as clang writes them.

use inkwell::llvm_sys::LLVMOpcode;

use super::llvm::Value;

/// The value that an operand of `&&` or `||` gives to a Boolean that is kept (`return a && b;`): the last operand is a decision like the
/// others, and the end of its block is where it is made.
pub(super) fn last_operand(branch: Value) -> Option<Value> {
    let (block, &[to]) = (branch.block(), branch.successors().as_slice()) else { return None };
    let phi = to.instructions().into_iter().take_while(|i| i.opcode() == LLVMOpcode::LLVMPHI).find(|&i| is_logical(i))?;
    let (value, _) = phi.incoming().into_iter().find(|(_, from)| *from == block)?;
    (value.is_instruction() || value.is_argument()).then_some(value)
}

/// The phi that joins the operands of `&&` or `||`.
pub(super) fn is_logical(phi: Value) -> bool {
    let name = phi.block().name();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    phi.opcode() == LLVMOpcode::LLVMPHI && phi.ty().width() == Some(1) && matches!(name, "land.end" | "lor.end")
}
