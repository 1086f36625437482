//! What bounds a campaign.

use xcute_solver::Effort;

/// When to stop before everything is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StopAt {
    /// At the first confirmed failure.
    FirstFailure,
    /// When every branch arm is covered.
    FullCoverage,
    /// Only when nothing is open.
    #[default]
    Complete,
}

/// Bounds and choices of a campaign. Time is not here: the observer says when it is up.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Runs at most.
    pub runs: u64,
    /// Decisions of a path beyond this are not explored.
    pub depth: u32,
    /// Work that one query may cost.
    pub effort: Effort,
    /// When to stop early.
    pub stop_at: StopAt,
    /// How many cases of one failure are tried before it counts as not reproducible.
    pub confirmations: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { runs: u64::MAX, depth: u32::MAX, effort: Effort(20_000), stop_at: StopAt::Complete, confirmations: 3 }
    }
}
