//! Counters: what pruning did and what it cost.
//!
//! **Invariant.** They only grow; no clock is read, time is the caller's business.

/// Why a node stayed half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Half {
    /// A run below it failed.
    Failure,
    /// A run below it was cut off.
    Cut,
    /// A run below it did something that the front end cannot say in segments.
    Lost,
    /// The solver does not know whether an arm can be taken.
    Unknown,
    /// A value was concretised.
    Pinned,
    /// An arm was not run yet, and greedy confirmation is off.
    Open,
    /// Greedy confirmation came to a program point a second time, and it was not subsumed.
    Visited,
    /// A run did not go where its input should have led it.
    Diverged,
    /// Greedy confirmation was abandoned by the caller.
    Abandoned,
    /// The tree is as large as it may become.
    Room,
}

impl Half {
    /// Every reason, in the order of their declaration.
    pub const ALL: [Half; 10] = [
        Half::Failure,
        Half::Cut,
        Half::Lost,
        Half::Unknown,
        Half::Pinned,
        Half::Open,
        Half::Visited,
        Half::Diverged,
        Half::Abandoned,
        Half::Room,
    ];

    /// One word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Half::Failure => "failure",
            Half::Cut => "cut",
            Half::Lost => "lost",
            Half::Unknown => "unknown",
            Half::Pinned => "pinned",
            Half::Open => "open",
            Half::Visited => "visited",
            Half::Diverged => "diverged",
            Half::Abandoned => "abandoned",
            Half::Room => "room",
        }
    }
}

/// What a question to the solver was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Can an arm be taken?
    Feasible,
    /// Does a state imply an interpolant found elsewhere?
    Subsumption,
    /// Does a node's own state imply a clause?
    Implied,
    /// Can literals over symbols alone be dropped?
    Literals,
    /// How far can values be generalised?
    Cap,
}

/// This many constraints of questions cost as much as a short run.
const CONSTRAINTS: u64 = 64;
/// What a question costs in addition that comes to the backends of the solver.
const HARD: u64 = 14;
/// This many clauses that evaluation decides cost as much as a short run.
const EVALUATED: u64 = 8;
/// Paths below one subsumed node beyond this many make no difference to whether pruning pays. Long loops have more than 2^64.
const MOST: u64 = 1 << 24;

/// The figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Runs of the search.
    pub runs: u64,
    /// Runs of greedy confirmation.
    pub confirmations: u64,
    /// Runs of the search that came to a node that was full already or was subsumed there.
    pub covered: u64,
    /// Nodes that are full.
    pub full: u64,
    /// Of these, nodes that are full because another one subsumes them.
    pub subsumed: u64,
    /// Paths below these that need not be run, by the count of who subsumes them.
    pub spared: u64,
    /// The same for decisions about what pays: no node counts for more than [`Counters::spare`] allows, so that it goes on growing.
    pub worth: u64,
    /// Interpolants kept to subsume others.
    pub stored: u64,
    /// Interpolants that were forgotten, because there was no room for a newer one.
    pub forgotten: u64,
    /// Arms that the search was asked to skip.
    pub skipped: u64,
    /// Arms that greedy confirmation finished.
    pub greedy: u64,
    /// Greedy confirmations that ended before they had finished what they set out to.
    pub greedy_failed: u64,
    /// Walks back that halted at a node that stayed half, by [`Half::ALL`].
    pub half: [u64; 10],
    /// Runs whose path was followed to the bound on decisions: what comes after it was not looked at.
    pub bounded: u64,
    /// Runs that failed though a node on their path was full. There are none, unless the program is not deterministic or its segments are wrong.
    pub refuted: u64,
    /// How often everything was forgotten because the front end cuts memory into finer cells than before.
    pub restarts: u64,
    /// Questions to the solver, by purpose in the order of their declaration.
    pub queries: [u64; 5],
    /// The constraints in them.
    pub constraints: u64,
    /// Those of them that came to the backends of the solver.
    pub hard: u64,
    /// Interpolants of other nodes that a state was compared with.
    pub checks: u64,
    /// Clauses decided by evaluation alone.
    pub evaluated: u64,
    /// Interpolants that had to be strengthened to bound their size.
    pub capped: u64,
    /// Interpolants given up for their size, or because no state satisfies them.
    pub dropped: u64,
}

impl Counters {
    /// Adds what another pruner did.
    pub fn add(&mut self, other: &Counters) {
        let Counters {
            runs, confirmations, covered, full, subsumed, spared, worth, stored, skipped, greedy, greedy_failed, refuted, ..
        } = other;
        let Counters { half, restarts, queries, constraints, hard, checks, evaluated, capped, dropped, forgotten, bounded, .. } = other;
        self.runs += runs;
        self.confirmations += confirmations;
        self.covered += covered;
        self.full += full;
        self.subsumed += subsumed;
        self.spared = self.spared.saturating_add(*spared);
        self.worth = self.worth.saturating_add(*worth);
        self.stored += stored;
        self.skipped += skipped;
        self.greedy += greedy;
        self.greedy_failed += greedy_failed;
        self.refuted += refuted;
        self.half.iter_mut().zip(half).for_each(|(sum, more)| *sum += more);
        self.restarts += restarts;
        self.queries.iter_mut().zip(queries).for_each(|(sum, more)| *sum += more);
        self.constraints += constraints;
        self.hard += hard;
        self.checks += checks;
        self.evaluated += evaluated;
        self.capped += capped;
        self.dropped += dropped;
        self.forgotten += forgotten;
        self.bounded += bounded;
    }

    /// A node was subsumed, and with it this many paths besides the one that came there.
    pub(crate) fn spare(&mut self, paths: u64) {
        self.spared = self.spared.saturating_add(paths);
        self.worth = self.worth.saturating_add(paths.min(MOST));
    }

    /// Walks back that halted for this reason.
    #[must_use]
    pub fn halted(&self, reason: Half) -> u64 {
        self.half[reason as usize]
    }

    /// What all of it cost, in units of about a short run of the search: questions to the solver, and clauses that evaluation decided.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.all_queries() + self.constraints / CONSTRAINTS + self.hard * HARD + self.evaluated / EVALUATED
    }

    /// All questions to the solver.
    #[must_use]
    pub fn all_queries(&self) -> u64 {
        self.queries.iter().sum()
    }
}
