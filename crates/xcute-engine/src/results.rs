//! What a campaign found.

use std::collections::BTreeMap;
use std::time::Duration;

use xcute_solver::Count;
use xcute_trace::{Failure, FailureKind, Limit, TestCase};
use xcute_tree::{ArmCounts, Outline};

use crate::pruning::figures::Pruned;

/// Why a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// No arm is open.
    Exhausted,
    /// The number of runs.
    Runs,
    /// The observer said so: time, or the user.
    Asked,
    /// The first failure was found.
    FirstFailure,
    /// Every branch is covered.
    FullCoverage,
    /// The subject could no longer be run.
    Subject,
}

/// What came of running the two accesses of a data race the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flipped {
    /// Nothing went wrong.
    Passed,
    /// Such a run failed.
    Failed {
        /// How.
        kind: FailureKind,
        /// In one line.
        message: String,
    },
}

/// Why a failure is not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// The uninstrumented program did not fail in this way.
    NotReproduced(String),
    /// It failed in this way as long as it was looked at, and may end in another one later.
    Undecided(String),
    /// There was no time to see.
    NotTried(String),
    /// Only what we do to the program may have caused it: the run was cut off, or did not repeat itself.
    Ours(String),
    /// The uninstrumented program failed in another way, which is among the failures.
    Replaced,
}

impl Doubt {
    /// Why, where somebody may be interested: in one line.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        match self {
            Doubt::NotReproduced(why) | Doubt::Undecided(why) | Doubt::NotTried(why) => Some(why),
            Doubt::Ours(_) | Doubt::Replaced => None,
        }
    }
}

/// A failure, once, with the first case that shows it.
#[derive(Clone, Debug)]
pub struct Found {
    /// What went wrong.
    pub failure: Failure,
    /// The input and schedule; complete, so that a replay needs nothing else.
    pub case: TestCase,
    /// The number of the run that found it, from 1.
    pub run: u64,
    /// How many runs ended in it.
    pub times: u64,
    /// Whether the uninstrumented program failed in the same way.
    pub confirmed: bool,
    /// Why not, if it did not.
    pub doubt: Option<Doubt>,
    /// For a data race: what came of the runs that turned it round, if there was one.
    pub flipped: Option<Flipped>,
    /// Cases that were tried for a confirmation.
    pub(crate) tries: u32,
    /// Whether the observer knows of it as one that was not confirmed.
    pub(crate) listed: bool,
}

/// The figures of a campaign, kept up to date while it runs.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Runs of the subject.
    pub runs: u64,
    /// Runs that a worker made only to take over arms of another; not among `runs`.
    pub handovers: u64,
    /// Runs of inputs that were changed at random, without a record; not among `runs`.
    pub glances: u64,
    /// Those of them that did something new and were made once more as runs of the search, which are among `runs`.
    pub joined: u64,
    /// Distinct paths that ran to an end.
    pub paths: u64,
    /// Runs that an assumption rejected.
    pub rejected: u64,
    /// Runs that ended where only sleeping tasks could have gone on: what would have come is covered by another path.
    pub sleep_blocked: u64,
    /// How often the search restarted, because memory turned out to be shared.
    pub restarts: u64,
    /// Schedule choices that runs came to; 0 where no two tasks could ever run.
    pub choices: u64,
    /// Decisions of all runs.
    pub decisions: u64,
    /// Inputs that a run asked for, at most; 0 where nothing is an input.
    pub inputs: u64,
    /// Failures, in the order they were found.
    pub failures: Vec<Found>,
    /// Arms by state.
    pub arms: ArmCounts,
    /// The tree for people, as far as [`Results::OUTLINE`] goes.
    pub outline: Outline,
    /// Branch arms covered, and all there are.
    pub branches: (u64, u64),
    /// What was not exact, and how often.
    pub limits: BTreeMap<Limit, u64>,
    /// Queries: satisfiable, unsatisfiable, unknown.
    pub queries: (u64, u64, u64),
    /// What pruning did, if it was asked for.
    pub pruned: Option<Pruned>,
    /// The solver's layers.
    pub layers: Vec<Count>,
    /// Time in the subject (hand-over and building of terms included) and in the solver; summed over all workers.
    pub subject_time: Duration,
    /// See above.
    pub solver_time: Duration,
    /// Time in which failures were repeated; summed over all workers, of which one at a time does so.
    pub confirm_time: Duration,
    /// Everything.
    pub total_time: Duration,
    /// Why it ended; `None` while it runs.
    pub stop: Option<StopReason>,
    /// Nothing is open, unknown or diverged, and no limit says that paths may be missing: every feasible path was run, or cannot fail.
    pub complete: bool,
}

impl Results {
    /// How many decisions of the tree are kept for people.
    pub const OUTLINE: usize = 100_000;

    /// The confirmed failures: the ones to report.
    pub fn confirmed(&self) -> impl Iterator<Item = &Found> {
        self.failures.iter().filter(|f| f.confirmed)
    }

    /// Adds something that only the caller knows to the limits of a campaign that is over.
    pub fn note(&mut self, limit: Limit) {
        self.complete &= !limit.incomplete;
        *self.limits.entry(limit).or_insert(0) += 1;
    }

    /// Adds what another worker found.
    pub(crate) fn add(&mut self, other: Results) {
        self.spent(&other);
        self.runs += other.runs;
        self.handovers += other.handovers;
        self.paths += other.paths;
        self.rejected += other.rejected;
        self.sleep_blocked += other.sleep_blocked;
        self.decisions += other.decisions;
        self.inputs = self.inputs.max(other.inputs);
        let (a, b) = (&mut self.arms, &other.arms);
        a.taken += b.taken;
        a.infeasible += b.infeasible;
        a.open += b.open;
        a.unknown += b.unknown;
        a.diverged += b.diverged;
        a.pruned += b.pruned;
        a.subsumed += b.subsumed;
        self.outline.merge(&other.outline, Results::OUTLINE);
        for (limit, count) in other.limits {
            *self.limits.entry(limit).or_insert(0) += count;
        }
        match (&mut self.pruned, other.pruned) {
            (Some(sum), Some(more)) => sum.add(more),
            (sum @ None, more) => *sum = more,
            (Some(_), None) => {}
        }
    }

    /// Adds what was spent besides: queries, runs without a record and time.
    pub fn spent(&mut self, other: &Results) {
        self.glances += other.glances;
        self.joined += other.joined;
        self.queries.0 += other.queries.0;
        self.queries.1 += other.queries.1;
        self.queries.2 += other.queries.2;
        if self.layers.is_empty() {
            self.layers.clone_from(&other.layers);
        } else {
            for (a, b) in self.layers.iter_mut().zip(&other.layers) {
                debug_assert_eq!(a.layer, b.layer, "every worker has the same solver");
                a.seen += b.seen;
                a.sat += b.sat;
                a.unsat += b.unsat;
                a.unknown += b.unknown;
                a.constraints.0 += b.constraints.0;
                a.constraints.1 += b.constraints.1;
            }
        }
        self.subject_time += other.subject_time;
        self.solver_time += other.solver_time;
        self.confirm_time += other.confirm_time;
    }

    pub(crate) fn limit(&mut self, kind: &str, what: &str, incomplete: bool) {
        let limit = Limit { kind: kind.to_owned(), what: what.to_owned(), incomplete };
        *self.limits.entry(limit).or_insert(0) += 1;
    }
}
