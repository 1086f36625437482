//! Ways to break what is said of runs, to see that the oracles notice. Each is a mistake that is easily made.
//!
//! **Invariant.** Outside of tests nothing is broken: without the feature `mutants` there is no way to ask for it.

/// A way to break what is said of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowMutant {
    /// What is stored to globals is forgotten.
    StoreForgotten,
    /// A block that is copied leaves its target as it was.
    CopyForgotten,
    /// An address counts as a constant.
    AddressForgotten,
    /// A concretised value counts as the only one.
    PinForgotten,
    /// A point is its site, whatever calls led there.
    StackForgotten,
    /// Decisions that no input decides are not recorded.
    ConcreteForgotten,
    /// Memory that is not initialised counts as initialised.
    BlankForgotten,
    /// Objects of the heap count as there for ever.
    ObjectForgotten,
    /// An input that is a pointer is never equal to another.
    AliasForgotten,
    /// A condition is said over cells as they are, though they were written since it was computed.
    StaleCondition,
}

/// What is broken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Broken {
    #[cfg(feature = "mutants")]
    pub(super) by: Option<FollowMutant>,
}

impl Broken {
    /// Whether it is broken in this way.
    #[cfg(feature = "mutants")]
    pub(super) fn is(self, mutant: FollowMutant) -> bool {
        self.by == Some(mutant)
    }

    /// Nothing is broken outside of tests.
    #[cfg(not(feature = "mutants"))]
    #[allow(clippy::unused_self, reason = "the switch is for tests only")]
    pub(super) fn is(self, _: FollowMutant) -> bool {
        false
    }
}
