//! Options, with the paper's choices where it makes them.
//!
//! **Invariant.** None of them changes which failures are found, but for the mutants, which exist in tests only.

use xcute_solver::Effort;

/// What is done with the condition of an arm on the way back through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guards {
    /// It is dropped where the state implies the clause without it: stronger, and formulas stay small.
    Drop,
    /// It is always kept: the weakest precondition, which doubles with every branch.
    Keep,
}

/// What greedy confirmation may visit only once, or a few times, without being subsumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visits {
    /// The n-th time that a path comes to a point, for each n, a few times: a loop may go round, in a few states.
    PerOccurrence,
    /// The point: the paper's bound.
    PerPoint,
}

/// How to prune.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Greedy confirmation.
    pub greedy: bool,
    /// Its bound.
    pub visits: Visits,
    /// What is done with conditions of arms.
    pub guards: Guards,
    /// Whether `x + k <= b` is strengthened to a bound on `x`, where sums may wrap around.
    pub no_wrap: bool,
    /// After this many decisions a run ends with [`crate::End::Bound`]; one that ends so elsewhere counts as cut off.
    pub bound: Option<usize>,
    /// Whether nodes above such an end can be full for a limited number of decisions.
    pub horizon: bool,
    /// How many different terms an interpolant may be built from before it is strengthened.
    pub cap: usize,
    /// How many interpolants a point keeps, of those that say the same of the cells that tell them apart.
    pub per_point: usize,
    /// How many nodes the tree may have; runs that would need more change nothing.
    pub nodes: usize,
    /// What a question to the solver may cost.
    pub effort: Effort,
    /// Whether every node's state is compared with its own interpolant, which costs questions (they are not counted).
    pub check: bool,
    /// What is broken on purpose.
    #[cfg(feature = "mutants")]
    pub mutant: Option<Mutant>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            greedy: true,
            visits: Visits::PerOccurrence,
            guards: Guards::Drop,
            no_wrap: true,
            bound: None,
            horizon: true,
            cap: 400,
            per_point: 50,
            nodes: 1 << 22,
            effort: Effort(10_000),
            check: cfg!(debug_assertions),
            #[cfg(feature = "mutants")]
            mutant: None,
        }
    }
}

/// Ways to break the pruning, each of them unsound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// A node with a finished arm subsumes others.
    HalfSubsumes,
    /// A node subsumes what is below it before it is finished.
    UnfinishedSubsumes,
    /// A run that was cut off counts as one that ended.
    CutIsEnd,
    /// How far an interpolant holds is not looked at.
    HorizonIgnored,
    /// A symbol that was read has the value it had, on the way back.
    SymbolAsValue,
    /// A clause that the state does not imply is dropped.
    ClauseDropped,
    /// A run that failed counts as one that ended.
    FailureIsEnd,
    /// An arm of which the solver knows nothing counts as infeasible.
    UnknownIsInfeasible,
    /// The values of an address that no run had count as infeasible.
    RestIgnored,
    /// A concretised value counts as the only one.
    PinIgnored,
    /// The equations of addresses in segments are forgotten.
    EqualitiesForgotten,
    /// The equations of addresses in conditions are forgotten.
    OwnForgotten,
}

impl Options {
    /// Whether the pruning is broken in this way.
    #[cfg(feature = "mutants")]
    pub(crate) fn broken(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// Nothing is broken outside of tests.
    #[cfg(not(feature = "mutants"))]
    #[allow(clippy::unused_self, reason = "the switch is for tests only")]
    pub(crate) fn broken(&self, _: Mutant) -> bool {
        false
    }
}
