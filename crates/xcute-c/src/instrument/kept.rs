//! Locals that stay in memory in programs whose memory is followed.
//!
//! LLVM would make registers of them, one for each value that a local has, and then slots of the registers ([`super::followed`]). What is found out about
//! a program would speak of those, and say nothing of a constant that was assigned before a decision. A local that is assigned before it is read, on every
//! way, stays what it is, with its own name and one place; it is not an object of its own, since nobody has its address. Whether an address or a divisor
//! may be symbolic, and is a decision, is seen in registers better, so locals that one depends on become registers as in the ordinary program.
//!
//! **Invariant.** A local that stays is never read before it is assigned: nothing need be known of whether it is initialised. The sites of the program are
//! those it has otherwise.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use std::ffi::CString;

use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::faithful;
use super::flow;
use super::llvm::{Block, Value, functions};
use super::slots::SLOT;

/// What keeps locals out of registers while it is there: a function that gets their addresses.
const NAME: &std::ffi::CStr = c"xcute.kept";
/// Functions with more locals times blocks are left alone: looking at each would take too long.
const LARGE: usize = 4_000_000;

/// What happens to a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    Assigned,
    /// It is a new one, with no value.
    Begun,
}

/// Keeps locals in memory while passes run that would make registers of them.
pub(super) fn hide(module: LLVMModuleRef) {
    for function in functions(module).into_iter().filter(|f| !f.is_declaration()) {
        faithful::hold(module, NAME, function, assigned_first(function));
    }
}

/// Ends it: those that stayed are slots now, like those for registers.
pub(super) fn show(module: LLVMModuleRef) {
    faithful::release(module, NAME, |local| {
        for user in local.users().into_iter().filter(|&user| is_lifetime(user)) {
            // SAFETY: nobody uses what is erased.
            unsafe { LLVMInstructionEraseFromParent(user.0) };
        }
        let name = CString::new(format!("{}{SLOT}", local.name())).unwrap_or_default();
        // SAFETY: the local belongs to the module.
        unsafe { LLVMSetValueName2(local.0, name.as_ptr(), name.as_bytes().len()) };
    });
}

fn is_lifetime(user: Value) -> bool {
    user.opcode() == LLVMOpcode::LLVMCall && user.callee().is_function() && user.callee().name().starts_with("llvm.lifetime.")
}

/// The locals of a function that are only loaded and stored, and assigned before they are read.
fn assigned_first(function: Value) -> Vec<Value> {
    let blocks = function.blocks();
    let Some(entry) = blocks.first() else { return Vec::new() };
    let locals = entry.instructions().into_iter().take_while(|i| i.opcode() == LLVMOpcode::LLVMAlloca);
    let locals: Vec<Value> = locals.filter(|&i| is_scalar(i)).collect();
    if locals.len() * blocks.len() > LARGE {
        return Vec::new();
    }
    let mut accesses: FxHashMap<(Value, Block), Vec<Access>> = FxHashMap::default();
    let of: FxHashSet<Value> = locals.iter().copied().collect();
    for &block in &blocks {
        for i in block.instructions() {
            let found = match i.opcode() {
                LLVMOpcode::LLVMLoad => (i.operand(0), Access::Read),
                LLVMOpcode::LLVMStore => (i.operand(1), Access::Assigned),
                LLVMOpcode::LLVMCall if is_lifetime(i) && i.callee().name().contains("start") => (i.operand(1), Access::Begun),
                _ => continue,
            };
            if of.contains(&found.0) {
                accesses.entry((found.0, block)).or_default().push(found.1);
            }
        }
    }
    let deciding = deciding(&blocks, &of);
    locals.into_iter().filter(|local| !deciding.contains(local) && !is_read_blank(*local, &blocks, &accesses)).collect()
}

/// The locals that sites depend on: what addresses, sizes, operands of divisions and arguments of foreign code are computed from.
fn deciding(blocks: &[Block], locals: &FxHashSet<Value>) -> FxHashSet<Value> {
    let (mut found, mut met) = (FxHashSet::default(), FxHashSet::default());
    let all: Vec<Value> = blocks.iter().flat_map(|block| block.instructions()).collect();
    let mut put: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for (into, what) in all.iter().filter_map(|&i| put_into(i)) {
        put.entry(into).or_default().push(what);
    }
    let mut work: Vec<Value> = all.into_iter().flat_map(looked_at).collect();
    while let Some(value) = work.pop() {
        if !value.is_instruction() || !met.insert(value) {
            continue;
        }
        if value.opcode() == LLVMOpcode::LLVMPHI {
            work.extend(value.incoming().into_iter().map(|(incoming, _)| incoming));
        } else {
            work.extend(value.operands());
        }
        if locals.contains(&value) {
            found.insert(value);
        }
        work.extend(put.get(&value).into_iter().flatten());
    }
    found
}

/// What an instruction puts into which object: a value, or the contents of another object.
fn put_into(i: Value) -> Option<(Value, Value)> {
    match i.opcode() {
        LLVMOpcode::LLVMStore => Some((flow::root(i.operand(1)), i.operand(0))),
        LLVMOpcode::LLVMCall if i.callee().is_function() && i.callee().name().starts_with("llvm.mem") => {
            Some((flow::root(i.operand(0)), flow::root(i.operand(1))))
        }
        _ => None,
    }
}

/// The operands of an instruction on which its sites depend. The address of a local itself is none.
fn looked_at(i: Value) -> Vec<Value> {
    let operands = match i.opcode() {
        LLVMOpcode::LLVMLoad => vec![i.operand(0)],
        LLVMOpcode::LLVMStore => vec![i.operand(1)],
        LLVMOpcode::LLVMUDiv | LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMURem | LLVMOpcode::LLVMSRem => i.operands(),
        LLVMOpcode::LLVMSwitch | LLVMOpcode::LLVMIndirectBr => vec![i.operand(0)],
        _ if i.is_call() => match i.callee() {
            callee if !callee.is_function() => vec![callee],
            callee if callee.is_declaration() && !callee.name().starts_with("__xcute_") => i.arguments(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    operands.into_iter().filter(|operand| operand.is_instruction() && operand.opcode() != LLVMOpcode::LLVMAlloca).collect()
}

/// Whether a number of usual width is there, and only loaded and stored as a whole. A pointer in memory would keep what it points to there, too.
fn is_scalar(i: Value) -> bool {
    let ty = i.allocated();
    // SAFETY: only loads and stores are asked whether they are volatile or atomic.
    let plain = |access: Value| unsafe {
        LLVMGetVolatile(access.0) == 0 && LLVMGetOrdering(access.0) == inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
    };
    let whole = |user: &Value| match user.opcode() {
        LLVMOpcode::LLVMLoad => user.ty() == ty && plain(*user),
        LLVMOpcode::LLVMStore => user.operand(1) == i && user.operand(0) != i && user.operand(0).ty() == ty && plain(*user),
        _ => is_lifetime(*user),
    };
    i.operand(0).constant() == Some(1)
        && ty.parts().is_none()
        && !ty.is_pointer()
        && matches!(ty.width(), Some(8 | 16 | 32 | 64))
        && i.users().iter().all(whole)
}

/// Whether some way leads from where a local has no value to where it is read.
fn is_read_blank(local: Value, blocks: &[Block], accesses: &FxHashMap<(Value, Block), Vec<Access>>) -> bool {
    let in_block = |block: Block| accesses.get(&(local, block)).map_or(&[][..], Vec::as_slice);
    let mut blank: Vec<Block> = vec![blocks[0]];
    for &block in blocks {
        let all = in_block(block);
        for begun in (0..all.len()).filter(|&n| all[n] == Access::Begun) {
            match all.get(begun + 1) {
                Some(Access::Read) => return true,
                None => blank.extend(block.terminator().successors()),
                Some(_) => {}
            }
        }
    }
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    while let Some(block) = blank.pop() {
        if !seen.insert(block) {
            continue;
        }
        match in_block(block).first() {
            Some(Access::Read) => return true,
            Some(_) => {}
            None => blank.extend(block.terminator().successors()),
        }
    }
    false
}
