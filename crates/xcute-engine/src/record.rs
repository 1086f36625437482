//! Records of a campaign: all that is needed to have its tree again without a solver.
//!
//! Inputs are recorded as patches of the input of an earlier run, arms by the run that came to their decision first; models are in the
//! numbering that all subjects share. Running the recorded inputs in their order gives the same tree.
//!
//! **Invariant.** Whatever a record refers to was recorded before it, also where several workers record.

use xcute_term::Model;
use xcute_tree::Arm;

/// Where an arm is, in every tree of the campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the run that came to the decision first.
    pub run: u64,
    /// How many decisions come before it.
    pub depth: u32,
    /// Which arm.
    pub arm: u32,
}

/// Something that a campaign did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A run.
    Run {
        /// Its number.
        number: u64,
        /// The arm that it was to take; `None` for a run without a promise.
        place: Option<Place>,
        /// What its input changes in the input of the run at `place`; without a place, the whole input.
        patch: Model,
    },
    /// The search restarted: what was recorded before is about another tree.
    Restart,
    /// An arm that no run will take.
    Settled {
        /// The arm.
        place: Place,
        /// Infeasible, subsumed or unknown.
        state: Arm,
    },
}
