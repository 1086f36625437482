//! What the control and data flow of a function say before it is rewritten.
//!
//! **Invariant.** Everything here is a function of the module's text: orders are those of blocks and instructions, never of addresses.

use inkwell::llvm_sys::LLVMOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::llvm::{Block, Value};

/// The reachable blocks, each before its successors as far as loops allow.
pub(super) fn reverse_post_order(function: Value) -> Vec<Block> {
    let Some(&entry) = function.blocks().first() else { return Vec::new() };
    let mut seen = FxHashSet::from_iter([entry]);
    let mut post = Vec::new();
    let mut stack = vec![(entry, entry.terminator().successors(), 0)];
    while let Some((block, successors, next)) = stack.last_mut() {
        if let Some(&successor) = successors.get(*next) {
            *next += 1;
            if seen.insert(successor) {
                stack.push((successor, successor.terminator().successors(), 0));
            }
        } else {
            post.push(*block);
            stack.pop();
        }
    }
    post.reverse();
    post
}

/// The blocks that some edge enters from behind.
pub(super) fn loop_heads(order: &[Block]) -> FxHashSet<Block> {
    let position: FxHashMap<Block, usize> = order.iter().enumerate().map(|(i, &b)| (b, i)).collect();
    let back = |from: usize, block: &Block| {
        block.terminator().successors().into_iter().filter(|s| position.get(s).is_some_and(|&to| to <= from)).collect::<Vec<_>>()
    };
    order.iter().enumerate().flat_map(|(i, b)| back(i, b)).collect()
}

/// The blocks that a run never leaves: no way leads from there out of the function, and nothing on these ways can end the program.
pub(super) fn endless(original: &[(Block, Vec<Value>)]) -> FxHashSet<Block> {
    let mut before: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    let mut left: Vec<Block> = Vec::new();
    for (block, instructions) in original {
        let successors = block.terminator().successors();
        if successors.is_empty() || instructions.iter().any(|i| may_end(*i)) {
            left.push(*block);
        }
        successors.into_iter().for_each(|next| before.entry(next).or_default().push(*block));
    }
    let mut inside: FxHashSet<Block> = original.iter().map(|(block, _)| *block).collect();
    while let Some(block) = left.pop() {
        if inside.remove(&block) {
            left.extend(before.get(&block).into_iter().flatten());
        }
    }
    inside
}

/// Whether an instruction may end the program: calls, divisions, and accesses through addresses that are computed.
fn may_end(i: Value) -> bool {
    use LLVMOpcode::{LLVMAlloca, LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMLoad, LLVMSDiv, LLVMSRem, LLVMStore, LLVMUDiv, LLVMURem};
    let computed = |address: Value| address.is_instruction() && address.opcode() != LLVMAlloca;
    match i.opcode() {
        LLVMSDiv | LLVMSRem | LLVMUDiv | LLVMURem | LLVMAtomicCmpXchg | LLVMAtomicRMW => true,
        LLVMLoad => computed(i.operand(0)),
        LLVMStore => computed(i.operand(1)),
        _ => i.is_call() && !(i.callee().is_function() && i.callee().is_intrinsic()),
    }
}

/// The block that every way to a block comes through last (Cooper, Harvey & Kennedy 2001); the first block has none.
pub(super) fn dominators(order: &[Block], before: &FxHashMap<Block, Vec<Block>>) -> FxHashMap<Block, Block> {
    let position: FxHashMap<Block, usize> = order.iter().enumerate().map(|(n, &block)| (block, n)).collect();
    let mut above: Vec<Option<usize>> = vec![None; order.len()];
    let common = |above: &[Option<usize>], mut a: usize, mut b: usize| {
        while a != b {
            let lower = if a > b { &mut a } else { &mut b };
            *lower = above[*lower].unwrap_or(0);
        }
        a
    };
    let mut changed = true;
    while changed {
        changed = false;
        for (n, block) in order.iter().enumerate().skip(1) {
            let known = before.get(block).into_iter().flatten().filter_map(|from| position.get(from)).copied();
            let known = known.filter(|from| *from == 0 || above[*from].is_some());
            let new = known.reduce(|a, b| common(&above, a, b));
            changed |= above[n] != new;
            above[n] = new;
        }
    }
    order.iter().enumerate().filter_map(|(n, &block)| Some((block, order[above[n]?]))).collect()
}

/// The blocks of loops: for each edge from behind, what lies between its ends in this order. More than the loop itself where it has
/// exits inside, which does no harm.
pub(super) fn in_loops(order: &[Block]) -> FxHashSet<Block> {
    let position: FxHashMap<Block, usize> = order.iter().enumerate().map(|(i, &b)| (b, i)).collect();
    let mut inside = FxHashSet::default();
    for (from, block) in order.iter().enumerate() {
        for to in block.terminator().successors() {
            if let Some(&to) = position.get(&to).filter(|&&to| to <= from) {
                inside.extend(&order[to..=from]);
            }
        }
    }
    inside
}

/// The pointer that an address was computed from.
pub(super) fn root(mut pointer: Value) -> Value {
    while pointer.is_instruction() && pointer.opcode() == LLVMOpcode::LLVMGetElementPtr
        || pointer.is_constant_expression() && pointer.constant_opcode() == LLVMOpcode::LLVMGetElementPtr
    {
        pointer = pointer.operand(0);
    }
    pointer
}
