//! The table of LLVM's instructions: how each is treated.
//!
//! **Invariant.** Every opcode has a row; what is not modelled says so, and a symbolic value that meets it is counted at run time.

use inkwell::llvm_sys::LLVMOpcode;

use super::ops;

/// What the walker does with an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// An integer operator: one node.
    Integer(u32),
    /// A float operator: one node.
    Float(u32),
    /// icmp and fcmp.
    Compare,
    /// Casts and freeze.
    Cast,
    /// load.
    Load,
    /// store.
    Store,
    /// getelementptr.
    Address,
    /// alloca.
    Local,
    /// select: a decision of the source, or an ITE.
    Select,
    /// br.
    Branch,
    /// switch.
    Switch,
    /// indirectbr: computed goto.
    IndirectBranch,
    /// ret.
    Return,
    /// call and invoke.
    Call,
    /// landingpad: an exception arrives.
    Landing,
    /// Aggregates and vectors: handles move.
    Move,
    /// phi.
    Phi,
    /// unreachable.
    Unreachable,
    /// Nothing to do with data.
    Nothing,
    /// Replaced by a pass before the walk.
    Lowered,
    /// Concrete, and counted.
    Unsupported,
}

/// The treatment of an opcode.
pub(super) fn group(opcode: LLVMOpcode) -> Group {
    use LLVMOpcode::*;
    match opcode {
        LLVMAdd => Group::Integer(ops::ADD),
        LLVMSub => Group::Integer(ops::SUB),
        LLVMMul => Group::Integer(ops::MUL),
        LLVMUDiv => Group::Integer(ops::UDIV),
        LLVMSDiv => Group::Integer(ops::SDIV),
        LLVMURem => Group::Integer(ops::UREM),
        LLVMSRem => Group::Integer(ops::SREM),
        LLVMShl => Group::Integer(ops::SHL),
        LLVMLShr => Group::Integer(ops::LSHR),
        LLVMAShr => Group::Integer(ops::ASHR),
        LLVMAnd => Group::Integer(ops::AND),
        LLVMOr => Group::Integer(ops::OR),
        LLVMXor => Group::Integer(ops::XOR),
        LLVMFNeg => Group::Float(ops::FNEG),
        LLVMFAdd => Group::Float(ops::FADD),
        LLVMFSub => Group::Float(ops::FSUB),
        LLVMFMul => Group::Float(ops::FMUL),
        LLVMFDiv => Group::Float(ops::FDIV),
        LLVMFRem => Group::Float(ops::FREM),
        LLVMICmp | LLVMFCmp => Group::Compare,
        LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt
        | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast | LLVMFreeze => Group::Cast,
        LLVMLoad => Group::Load,
        LLVMStore => Group::Store,
        LLVMGetElementPtr => Group::Address,
        LLVMAlloca => Group::Local,
        LLVMSelect => Group::Select,
        LLVMBr => Group::Branch,
        LLVMSwitch => Group::Switch,
        LLVMIndirectBr => Group::IndirectBranch,
        LLVMRet => Group::Return,
        LLVMCall | LLVMInvoke => Group::Call,
        LLVMLandingPad => Group::Landing,
        LLVMExtractValue | LLVMInsertValue | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => Group::Move,
        LLVMPHI => Group::Phi,
        LLVMUnreachable => Group::Unreachable,
        // `lower-atomic` makes plain code of these: a subject has one thread.
        LLVMFence | LLVMAtomicCmpXchg | LLVMAtomicRMW => Group::Lowered,
        // It hands on what a landing pad was given, which is concrete.
        LLVMResume => Group::Nothing,
        // Clang expands va_arg itself on x86-64; callbr is asm goto; the rest are exceptions of Windows.
        LLVMVAArg | LLVMCallBr | LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad | LLVMCleanupPad | LLVMCatchSwitch => Group::Unsupported,
        // Names that LLVM reserves for its own passes; they are in no module.
        LLVMUserOp1 | LLVMUserOp2 => Group::Nothing,
    }
}
