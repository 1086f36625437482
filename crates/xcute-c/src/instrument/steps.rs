//! The control flow of functions, as far as successors of sites are concerned.

use xcute_trace::SiteId;

use super::llvm::Value;

/// What a block does, as far as successors of sites are concerned.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A call of an instrumented function.
    Call(Value),
    /// A select: goes on whatever its arm.
    Select(SiteId),
    /// A branch or switch: the blocks of each arm.
    Decision(SiteId, Vec<Vec<usize>>),
    /// The block's other ends.
    Goto(Vec<usize>),
    /// The function's end.
    Return,
}

/// The control flow of a function, by blocks.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) function: Value,
    pub(super) blocks: Vec<Vec<Step>>,
}
