//! What bounds a campaign.

use std::fmt;
use std::str::FromStr;

use xcute_race::{AlgorithmName, Bounded, Explorer};
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

/// Which schedules of tasks are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// All that can make a difference, by this algorithm.
    Exhaustive(AlgorithmName),
    /// All with at most so many preemptions.
    Preemptions(u32),
}

impl Default for Scheduling {
    fn default() -> Scheduling {
        Scheduling::Exhaustive(AlgorithmName::Dpor)
    }
}

impl fmt::Display for Scheduling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scheduling::Exhaustive(name) => f.write_str(name.as_str()),
            Scheduling::Preemptions(most) => write!(f, "at most {most} preemptions"),
        }
    }
}

impl FromStr for Scheduling {
    type Err = String;

    fn from_str(text: &str) -> Result<Scheduling, String> {
        text.parse().map(Scheduling::Exhaustive)
    }
}

impl Scheduling {
    /// An exploration that has seen nothing.
    pub(crate) fn explorer(self) -> Explorer {
        Explorer::new(match self {
            Scheduling::Exhaustive(name) => name.build(),
            Scheduling::Preemptions(most) => Box::new(Bounded::new(most)),
        })
    }
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
    /// Which schedules are run, where there are several tasks.
    pub scheduling: Scheduling,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            runs: u64::MAX,
            depth: u32::MAX,
            effort: Effort(20_000),
            stop_at: StopAt::Complete,
            confirmations: 3,
            scheduling: Scheduling::default(),
        }
    }
}
