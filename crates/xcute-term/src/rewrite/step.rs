//! A step of solving an equation with a constant, for bit-vectors and numbers alike.

use crate::ids::TermId;

/// What one step of solving `x = c` gives: nothing, an equivalent `y = k`, or the answer.
pub(super) enum Step {
    Stuck,
    Next(TermId, TermId),
    Done(TermId),
}
