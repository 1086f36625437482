//! Every opcode of LLVM and every intrinsic that clang emits for C has a treatment.

use inkwell::llvm_sys::LLVMOpcode::{self, *};

use crate::instrument::intrinsics::{Model, TABLE, model};
use crate::instrument::opcodes::{Group, group};

/// All opcodes of llvm-sys.
const ALL: &[LLVMOpcode] = &[
    LLVMRet,
    LLVMBr,
    LLVMSwitch,
    LLVMIndirectBr,
    LLVMInvoke,
    LLVMUnreachable,
    LLVMCallBr,
    LLVMFNeg,
    LLVMAdd,
    LLVMFAdd,
    LLVMSub,
    LLVMFSub,
    LLVMMul,
    LLVMFMul,
    LLVMUDiv,
    LLVMSDiv,
    LLVMFDiv,
    LLVMURem,
    LLVMSRem,
    LLVMFRem,
    LLVMShl,
    LLVMLShr,
    LLVMAShr,
    LLVMAnd,
    LLVMOr,
    LLVMXor,
    LLVMAlloca,
    LLVMLoad,
    LLVMStore,
    LLVMGetElementPtr,
    LLVMTrunc,
    LLVMZExt,
    LLVMSExt,
    LLVMFPToUI,
    LLVMFPToSI,
    LLVMUIToFP,
    LLVMSIToFP,
    LLVMFPTrunc,
    LLVMFPExt,
    LLVMPtrToInt,
    LLVMIntToPtr,
    LLVMBitCast,
    LLVMAddrSpaceCast,
    LLVMICmp,
    LLVMFCmp,
    LLVMPHI,
    LLVMCall,
    LLVMSelect,
    LLVMUserOp1,
    LLVMUserOp2,
    LLVMVAArg,
    LLVMExtractElement,
    LLVMInsertElement,
    LLVMShuffleVector,
    LLVMExtractValue,
    LLVMInsertValue,
    LLVMFreeze,
    LLVMFence,
    LLVMAtomicCmpXchg,
    LLVMAtomicRMW,
    LLVMResume,
    LLVMLandingPad,
    LLVMCleanupRet,
    LLVMCatchRet,
    LLVMCatchPad,
    LLVMCleanupPad,
    LLVMCatchSwitch,
];

#[test]
fn the_list_has_all_opcodes() {
    let numbers: std::collections::BTreeSet<u32> = ALL.iter().map(|&o| o as u32).collect();
    assert_eq!(numbers.len(), ALL.len());
    // LLVM numbers its opcodes from 1 to 68; 6 was `unwind`.
    assert_eq!(numbers, (1..=68).filter(|&n| n != 6).collect());
}

#[test]
fn unsupported_opcodes_are_these() {
    let unsupported: Vec<LLVMOpcode> = ALL.iter().copied().filter(|&o| group(o) == Group::Unsupported).collect();
    assert_eq!(unsupported, [LLVMCallBr, LLVMVAArg, LLVMCleanupRet, LLVMCatchRet, LLVMCatchPad, LLVMCleanupPad, LLVMCatchSwitch]);
    let lowered: Vec<LLVMOpcode> = ALL.iter().copied().filter(|&o| group(o) == Group::Lowered).collect();
    assert_eq!(lowered, [LLVMFence, LLVMAtomicCmpXchg, LLVMAtomicRMW]);
}

/// What clang 19's code generator asks for in C (`CGBuiltin.cpp`, `CGExprScalar.cpp`, `CGCall.cpp`, `CGDecl.cpp`, `CGStmt.cpp`).
const EMITTED: &[&str] = &[
    "llvm.abs.i32",
    "llvm.addressofreturnaddress.p0",
    "llvm.annotation.i32.p0",
    "llvm.arithmetic.fence.f64",
    "llvm.assume",
    "llvm.bitreverse.i8",
    "llvm.bswap.i64",
    "llvm.canonicalize.f64",
    "llvm.ceil.f64",
    "llvm.clear_cache",
    "llvm.copysign.f32",
    "llvm.cos.f64",
    "llvm.ctlz.i32",
    "llvm.ctpop.i64",
    "llvm.cttz.i16",
    "llvm.dbg.declare",
    "llvm.dbg.label",
    "llvm.dbg.value",
    "llvm.debugtrap",
    "llvm.eh.dwarf.cfa",
    "llvm.eh.sjlj.longjmp",
    "llvm.eh.sjlj.setjmp",
    "llvm.eh.unwind.init",
    "llvm.exp.f64",
    "llvm.exp10.f64",
    "llvm.exp2.f64",
    "llvm.expect.i64",
    "llvm.expect.with.probability.i64",
    "llvm.experimental.constrained.fadd.f64",
    "llvm.fabs.f64",
    "llvm.floor.f32",
    "llvm.fma.f64",
    "llvm.fmuladd.f64",
    "llvm.frameaddress.p0",
    "llvm.frexp.f64.i32",
    "llvm.fshl.i32",
    "llvm.fshr.i64",
    "llvm.get.dynamic.area.offset.i64",
    "llvm.get.fpenv.i256",
    "llvm.get.rounding",
    "llvm.init.trampoline",
    "llvm.is.constant.i32",
    "llvm.is.fpclass.f64",
    "llvm.launder.invariant.group.p0",
    "llvm.ldexp.f64.i32",
    "llvm.lifetime.end.p0",
    "llvm.lifetime.start.p0",
    "llvm.llrint.i64.f64",
    "llvm.llround.i64.f64",
    "llvm.log.f64",
    "llvm.log10.f64",
    "llvm.log2.f64",
    "llvm.lrint.i64.f64",
    "llvm.lround.i64.f64",
    "llvm.maxnum.f64",
    "llvm.maximum.f64",
    "llvm.memcpy.inline.p0.p0.i64",
    "llvm.memcpy.p0.p0.i64",
    "llvm.memmove.p0.p0.i64",
    "llvm.memset.inline.p0.i64",
    "llvm.memset.p0.i64",
    "llvm.minimum.f64",
    "llvm.minnum.f32",
    "llvm.nearbyint.f64",
    "llvm.objectsize.i64.p0",
    "llvm.pow.f64",
    "llvm.powi.f64.i32",
    "llvm.prefetch.p0",
    "llvm.preserve.struct.access.index.p0.p0",
    "llvm.ptr.annotation.p0.p0",
    "llvm.ptrmask.p0.i64",
    "llvm.read_register.i64",
    "llvm.readcyclecounter",
    "llvm.readsteadycounter",
    "llvm.returnaddress",
    "llvm.rint.f64",
    "llvm.round.f64",
    "llvm.roundeven.f64",
    "llvm.sadd.sat.i32",
    "llvm.sadd.with.overflow.i32",
    "llvm.set.fpenv.i256",
    "llvm.set.rounding",
    "llvm.sideeffect",
    "llvm.sin.f64",
    "llvm.smax.i32",
    "llvm.smin.i32",
    "llvm.smul.fix.i32",
    "llvm.smul.with.overflow.i64",
    "llvm.sponentry.p0",
    "llvm.sqrt.f64",
    "llvm.ssub.sat.i32",
    "llvm.ssub.with.overflow.i32",
    "llvm.stackrestore.p0",
    "llvm.stacksave.p0",
    "llvm.tan.f64",
    "llvm.thread.pointer",
    "llvm.threadlocal.address.p0",
    "llvm.trap",
    "llvm.trunc.f64",
    "llvm.uadd.sat.i32",
    "llvm.uadd.with.overflow.i32",
    "llvm.ubsantrap",
    "llvm.umax.i32",
    "llvm.umin.i32",
    "llvm.umul.with.overflow.i32",
    "llvm.usub.sat.i32",
    "llvm.usub.with.overflow.i64",
    "llvm.va_copy.p0",
    "llvm.va_end.p0",
    "llvm.va_start.p0",
    "llvm.var.annotation.p0.p0",
    "llvm.vector.reduce.add.v4i32",
    "llvm.write_register.i64",
    "llvm.x86.rdtsc",
    "llvm.masked.load.v4i32.p0",
    "llvm.matrix.multiply",
];

#[test]
fn every_emitted_intrinsic_has_a_row() {
    for name in EMITTED {
        assert!(model(name).is_some(), "{name} has no treatment");
    }
    assert_eq!(model("llvm.memcpy.inline.p0.p0.i64"), Some(Model::Copy));
    assert_eq!(model("llvm.expect.i1"), Some(Model::Same));
    assert_eq!(model("llvm.exp2.f64"), Some(Model::Foreign), "not the row of exp");
    assert_eq!(model("llvm.something.new"), None);
}

#[test]
fn rows_are_unique() {
    let names: std::collections::BTreeSet<&str> = TABLE.iter().map(|r| r.0).collect();
    assert_eq!(names.len(), TABLE.len());
}
