//! Race detection and flipping with sleep sets: the further optimised algorithm [sen-marinov-agha-2006 §5.4, Fig. 19].
//!
//! A postponed task is delayed until something that conflicts with its next operation has run, so the same race is not flipped again
//! and again.
//!
//! Deviations from the figure: a race is never suppressed because one of its tasks is delayed (that would kill the only trigger for
//! the next task); a flip never chooses a delayed task; a run in which only delayed tasks could go on is aborted.

use crate::algorithm::{Algorithm, Flip};
use crate::races::postpone;
use crate::task::Task;

/// Race detection and flipping with sleep sets.
#[derive(Clone, Copy, Debug)]
pub struct Sleep;

impl Algorithm for Sleep {
    fn name(&self) -> &'static str {
        "sleep"
    }

    fn sleeps(&self) -> bool {
        true
    }

    fn flip(&self, flip: &Flip<'_>) -> Option<Task> {
        postpone(flip)
    }
}
