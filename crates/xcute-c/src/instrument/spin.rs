//! Loops that only wait: `while (!done);`, `while (!done) sched_yield();`.
//!
//! Such a loop reads, lets others run, and keeps nothing from one round to the next. A round that changed nothing (`xch_spin_begin` to
//! `xch_spin_end`) need not be repeated before somebody writes what it read, so a spinner is blocked like a thread that waits for a lock,
//! and rounds do not multiply the schedules.
//!
//! **Invariant.** A round of a loop that is listed depends on nothing but the memory it reads. Atomic operations may write; the runtime sees
//! whether they changed something.

use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::flow;
use super::hooks::is_load;
use super::intrinsics::{self, Model};
use super::llvm::{Block, Value};

/// The hooks around an atomic operation, without what distinguishes explored programs from replayed ones.
const BEGIN: &str = "_atomic_begin";
const END: &str = "_atomic_end";
/// What the names of hooks begin with, and of those that are more than hooks.
const HOOKS: [&str; 2] = ["xch_", "xcr_"];
const NOT_HOOKS: [&str; 3] = ["_section_begin", "_section_end", "_again"];

/// Functions that only let others run or time pass.
const WAITING: &[&str] = &["sched_yield", "pthread_yield", "thrd_yield", "usleep", "sleep", "pause", "_mm_pause"];

/// A loop that only waits.
#[derive(Debug)]
pub(super) struct Spin {
    /// Where a round begins.
    pub(super) head: Block,
    /// The blocks that go back to it.
    pub(super) latches: Vec<Block>,
}

/// Looks for loops that only wait; remembers which functions only read.
#[derive(Default)]
pub(super) struct Spins {
    readers: FxHashMap<Value, bool>,
    /// Atomic operations that may write do not count as reads.
    strict: bool,
}

impl Spins {
    /// One that does not let anything be written.
    pub(super) fn strict() -> Spins {
        Spins { strict: true, ..Spins::default() }
    }

    /// Whether all of these only read.
    pub(super) fn all_read(&mut self, pieces: &[Vec<Value>]) -> bool {
        pieces.iter().all(|piece| self.only_reads(piece))
    }

    /// Those of a function, whose blocks are in reverse post-order.
    pub(super) fn of(&mut self, order: &[Block]) -> Vec<Spin> {
        let position: FxHashMap<Block, usize> = order.iter().enumerate().map(|(n, &block)| (block, n)).collect();
        let mut before: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for &block in order {
            for next in block.terminator().successors() {
                before.entry(next).or_default().push(block);
            }
        }
        let heads = flow::loop_heads(order);
        let spin = |head: &Block| {
            let latches: Vec<Block> = before[head].iter().copied().filter(|from| position[from] >= position[head]).collect();
            Spin { head: *head, latches }
        };
        let all: Vec<Spin> = order.iter().filter(|block| heads.contains(block)).map(spin).collect();
        all.into_iter().filter(|spin| body(spin, &before, order[0]).is_some_and(|body| self.only_waits(spin, &body))).collect()
    }

    fn only_waits(&mut self, spin: &Spin, body: &FxHashSet<Block>) -> bool {
        let carries = spin.head.instructions().iter().any(|i| i.opcode() == LLVMOpcode::LLVMPHI);
        !carries && body.iter().all(|block| self.only_reads(&block.instructions()))
    }

    fn only_reads(&mut self, instructions: &[Value]) -> bool {
        let mut atomic = false;
        instructions.iter().all(|i| match i.opcode() {
            LLVMOpcode::LLVMStore => atomic && !self.strict,
            LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => !self.strict,
            LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke => {
                let callee = i.callee();
                let name = if callee.is_function() { callee.name() } else { String::new() };
                let hook = |which: &str| HOOKS.iter().any(|start| name.strip_prefix(start) == which.strip_prefix('_'));
                atomic = (atomic || hook(BEGIN)) && !hook(END);
                if self.strict && (callee.is_inline_asm() || (hook(BEGIN) && !is_load(*i))) {
                    return false;
                }
                callee.is_inline_asm() || self.harmless(callee, &name)
            }
            LLVMOpcode::LLVMAlloca | LLVMOpcode::LLVMVAArg | LLVMOpcode::LLVMCallBr => false,
            _ => true,
        })
    }

    fn harmless(&mut self, callee: Value, name: &str) -> bool {
        if !callee.is_function() {
            return false;
        }
        if callee.is_intrinsic() {
            let pauses = name == "llvm.x86.sse2.pause";
            return pauses || matches!(intrinsics::model(name), Some(Model::Nothing | Model::Same));
        }
        let is_hook = HOOKS.iter().any(|start| name.starts_with(start)) && !NOT_HOOKS.iter().any(|end| name.ends_with(end));
        if callee.is_declaration() || is_hook {
            return is_hook || (!self.strict && WAITING.contains(&name));
        }
        if let Some(&known) = self.readers.get(&callee) {
            return known;
        }
        // A function that calls itself is none.
        self.readers.insert(callee, false);
        let order = flow::reverse_post_order(callee);
        // Whoever comes to an exception that must not be does not come back.
        let comes_back = |block: &&Block| block.terminator().opcode() != LLVMOpcode::LLVMUnreachable;
        let reads =
            flow::loop_heads(&order).is_empty() && order.iter().filter(comes_back).all(|block| self.only_reads(&block.instructions()));
        self.readers.insert(callee, reads);
        reads
    }
}

/// The blocks of a loop; `None` if it can be entered elsewhere than at its head.
fn body(spin: &Spin, before: &FxHashMap<Block, Vec<Block>>, entry: Block) -> Option<FxHashSet<Block>> {
    let mut body = FxHashSet::from_iter([spin.head]);
    let mut todo = spin.latches.clone();
    while let Some(block) = todo.pop() {
        if body.insert(block) {
            if block == entry {
                return None;
            }
            todo.extend(before.get(&block).into_iter().flatten());
        }
    }
    Some(body)
}
