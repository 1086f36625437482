//! Assumptions that may be waits: `__VERIFIER_assume(turn == me)` where another thread writes `turn`.
//!
//! The part of a function that computes an assumed condition from memory, and does nothing else, can be done again: a call of `point` is put before it and
//! one of `again` after it, which goes back if the condition does not hold and another thread can still change what was read. The assumption itself
//! stays as it is.
//!
//! The part is as short as it can be. Only at the beginning of an atomic section it is all that the section has done so far: what a section
//! has read before it was interrupted is old.
//!
//! **Invariant.** On every way from `point` to `again` there are only reads, and none leads past `point` again.
#![allow(unsafe_code, reason = "LLVM's C API; sound under the contract of `llvm`")]

use inkwell::llvm_sys::core::{LLVMBuildICmp, LLVMConstNull};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};
use rustc_hash::{FxHashMap, FxHashSet};

use super::emit::Emit;
use super::flow;
use super::hooks::{Names, bodies};
use super::llvm::{Block, Value};
use super::sections;
use super::spin::Spins;
use crate::names::ASSUMPTIONS;
use crate::tools::demangle::demangled;

/// Functions whose first argument is assumed to hold, besides those that programs define.
const OTHERS: [&str; 2] = ["__xcute_assume", "klee_assume"];
/// Blocks are looked through so far up.
const HIGHEST: usize = 16;

/// Puts calls around the conditions of assumptions.
pub(super) fn mark(emit: &Emit, names: &Names) {
    let mut readers = Spins::strict();
    for function in bodies(emit.module) {
        let assumes = |name: &str| OTHERS.contains(&name) || ASSUMPTIONS.contains(&name);
        let is_assumption =
            |i: &Value| i.is_call() && i.callee().is_function() && assumes(&demangled(&i.callee().name())) && !i.arguments().is_empty();
        let calls: Vec<Value> = function.blocks().into_iter().flat_map(|b| b.instructions()).filter(is_assumption).collect();
        if calls.is_empty() {
            continue;
        }
        let flow = Flow::of(function);
        for call in calls {
            if let Some(point) = flow.point(&mut readers, names, call) {
                emit.before(point);
                emit.hook(names.point, &[]).add_call_attribute("returns_twice");
                emit.before(call);
                let holds = is_true(emit, call.operand(0));
                emit.hook(names.again, &[holds]);
            }
        }
    }
}

/// A value as 0 or 1.
fn is_true(emit: &Emit, value: Value) -> Value {
    // SAFETY: the value is an integer of the module.
    let truth = unsafe { LLVMBuildICmp(emit.builder(), LLVMIntPredicate::LLVMIntNE, value.0, LLVMConstNull(value.ty().0), c"".as_ptr()) };
    emit.flag(Value(truth))
}

/// The blocks of a function and how they follow each other.
struct Flow {
    before: FxHashMap<Block, Vec<Block>>,
    /// The block that every way to a block comes through last; none for the first.
    dominators: FxHashMap<Block, Block>,
}

impl Flow {
    fn of(function: Value) -> Flow {
        let order = flow::reverse_post_order(function);
        let mut before: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for &block in &order {
            for next in block.terminator().successors() {
                before.entry(next).or_default().push(block);
            }
        }
        let dominators = flow::dominators(&order, &before);
        Flow { before, dominators }
    }

    /// Where the condition of an assumption begins to be computed; `None` if that cannot be done again, or reads nothing.
    fn point(&self, readers: &mut Spins, names: &Names, call: Value) -> Option<Value> {
        let last = call.block();
        let mut needed = Needed::default();
        needed.add(call.operand(0));
        let mut top = last;
        let mut found = None;
        for _ in 0..HIGHEST {
            let between = self.between(top, last)?;
            for block in between.iter().chain((top != last).then_some(&top)).map(|block| block.terminator()) {
                needed.control(block);
            }
            let inside = |block: Block| block == top || block == last || between.contains(&block);
            if found.is_none() && needed.reads.iter().all(|read| inside(read.block())) {
                if needed.reads.is_empty() {
                    return None;
                }
                let own = top.instructions();
                let first = own.iter().position(|i| needed.reads.contains(i)).unwrap_or(own.len() - 1);
                let start = hooked(names, &own, first);
                found = Some(own[start]).filter(|_| readers.all_read(&Region { top, start, between: &between, last, call }.instructions()));
                found?;
            }
            if found.is_some() {
                let own = top.instructions();
                let end = if top == last { own.iter().position(|i| *i == call)? } else { own.len() };
                if let Some(begin) = own[..end].iter().rposition(|i| sections::begins(*i, names)) {
                    let all = Region { top, start: begin + 1, between: &between, last, call }.instructions();
                    return if readers.all_read(&all) { own.get(begin + 1).copied() } else { found };
                }
                if !readers.all_read(&Region { top, start: 0, between: &between, last, call }.instructions()) {
                    return found;
                }
            }
            top = match self.dominators.get(&top) {
                Some(above) => *above,
                None => return found,
            };
        }
        found
    }

    /// The blocks on the ways from `top` to `last`, without these two; `None` if some way comes to `last` twice.
    fn between(&self, top: Block, last: Block) -> Option<FxHashSet<Block>> {
        let mut all = FxHashSet::default();
        if top == last {
            return Some(all);
        }
        let mut todo = self.before.get(&last).cloned().unwrap_or_default();
        while let Some(block) = todo.pop() {
            if block == last {
                return None;
            }
            if block != top && all.insert(block) {
                todo.extend(self.before.get(&block).into_iter().flatten());
            }
        }
        Some(all)
    }
}

/// A part of a function: from a position in one block to a call in another.
struct Region<'a> {
    top: Block,
    start: usize,
    between: &'a FxHashSet<Block>,
    last: Block,
    call: Value,
}

impl Region<'_> {
    /// Its instructions, in pieces that follow each other.
    fn instructions(&self) -> Vec<Vec<Value>> {
        let up_to = |block: Block| block.instructions().into_iter().take_while(|i| *i != self.call).collect::<Vec<_>>();
        if self.top == self.last {
            return vec![up_to(self.top).split_off(self.start)];
        }
        let middle = self.between.iter().map(|block| block.instructions());
        [self.top.instructions().split_off(self.start), up_to(self.last)].into_iter().chain(middle).collect()
    }
}

/// The instruction from which on a read with its hooks begins.
fn hooked(names: &Names, own: &[Value], read: usize) -> usize {
    let is_begin = |i: &Value| i.is_call() && i.callee().is_function() && i.callee().name() == names.begin;
    let near = own[read.saturating_sub(3)..read].iter().rposition(is_begin);
    near.map_or(read, |at| read.saturating_sub(3) + at)
}

/// What a condition is computed from.
#[derive(Default)]
struct Needed {
    seen: FxHashSet<Value>,
    /// Loads, and calls of functions.
    reads: FxHashSet<Value>,
}

impl Needed {
    fn add(&mut self, value: Value) {
        let mut todo = vec![value];
        while let Some(value) = todo.pop() {
            if !value.is_instruction() || !self.seen.insert(value) {
                continue;
            }
            match value.opcode() {
                LLVMOpcode::LLVMLoad => {
                    self.reads.insert(value);
                }
                _ if value.is_call() && !(value.callee().is_function() && value.callee().is_intrinsic()) => {
                    self.reads.insert(value);
                }
                LLVMOpcode::LLVMPHI => todo.extend(value.incoming().into_iter().map(|(value, _)| value)),
                _ => todo.extend(value.operands()),
            }
        }
    }

    /// Which way a block goes decides as well.
    fn control(&mut self, end: Value) {
        if end.opcode() != LLVMOpcode::LLVMBr || end.is_conditional() {
            end.operands().into_iter().take(1).for_each(|condition| self.add(condition));
        }
    }
}
