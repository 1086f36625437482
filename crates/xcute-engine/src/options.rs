//! What bounds a campaign.

use std::fmt;
use std::str::FromStr;

use xcute_race::{AlgorithmName, Bounded, DefaultChoice, Explorer, PolicyName, Sampled};
use xcute_solver::Effort;

use crate::fuzzing::Fuzz;
use crate::pruning::options::PruneOptions;

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
    /// All with at most this many preemptions.
    Preemptions(u32),
    /// Some, at random.
    Random {
        /// By which policy.
        policy: PolicyName,
        /// Of all random choices.
        seed: u64,
    },
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
            Scheduling::Random { policy, .. } => policy.fmt(f),
        }
    }
}

impl FromStr for Scheduling {
    type Err = String;

    fn from_str(text: &str) -> Result<Scheduling, String> {
        let algorithm = text.parse().map(Scheduling::Exhaustive);
        let policy = |policy| Scheduling::Random { policy, seed: 0 };
        algorithm.or_else(|_| text.parse().map(policy)).map_err(|why: String| {
            let all: Vec<_> = AlgorithmName::ALL.iter().map(|name| name.as_str()).collect();
            let known = format!("no way to run schedules is called {text} (there are {}, walk, pct:D, pos)", all.join(", "));
            if text.starts_with("pct:") { why } else { known }
        })
    }
}

impl Scheduling {
    /// The choices of a run after its schedule, where they are its own: it is the one with this number, and the longest so far had this many steps.
    pub(crate) fn choice(self, number: u64, longest: u32) -> Option<DefaultChoice> {
        let Scheduling::Random { policy, seed } = self else { return None };
        // Runs with neighbouring numbers must not have neighbouring seeds.
        Some(policy.choice(seed.wrapping_add(number).wrapping_mul(0x9e37_79b9_7f4a_7c15), longest.max(1)))
    }

    /// What is said if schedules were left out.
    pub(crate) fn left_out(self) -> (&'static str, &'static str) {
        match self {
            Scheduling::Random { .. } => ("random", "schedules were run at random, not all that can make a difference"),
            _ => ("preemptions", "schedules with more preemptions were not run"),
        }
    }

    /// An exploration that has seen nothing.
    pub(crate) fn explorer(self) -> Explorer {
        Explorer::new(match self {
            Scheduling::Exhaustive(name) => name.build(),
            Scheduling::Preemptions(most) => Box::new(Bounded::new(most)),
            Scheduling::Random { .. } => Box::new(Sampled::default()),
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
    /// Whether data races are looked for.
    pub races: Races,
    /// Whether and how to prune.
    pub prune: PruneOptions,
    /// Whether inputs are changed at random, too.
    pub fuzz: Fuzz,
    /// The seed of these changes.
    pub fuzz_seed: u64,
}

impl Options {
    /// That a path was not explored beyond the depth.
    pub(crate) fn beyond_depth(&self) -> String {
        format!("decisions beyond {} were not explored", self.depth)
    }
}

/// Whether data races are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Races {
    /// They are not.
    Off,
    /// They are, besides all else.
    #[default]
    On,
    /// Only they are: whatever else fails is not reported.
    Only,
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
            races: Races::default(),
            prune: PruneOptions::default(),
            fuzz: Fuzz::default(),
            fuzz_seed: 0,
        }
    }
}
