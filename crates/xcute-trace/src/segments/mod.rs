//! Segments: what runs did to memory between their decisions, as terms, for who reasons about paths that were not run.
//!
//! A subject that is asked for them ([`crate::Subject::follow`]) has them in its traces. Names are those of the literature on interpolation and would clash
//! with those of traces, so they keep the name of this module before them.
//!
//! **Invariant.** Whoever evaluates the segments of a run one after the other, from what its cells held at the start and with its input, comes to the
//! arms that it took.

mod point;
mod replay;
mod run;

pub use point::{Point, PointId, Points};
pub use run::{Arm, Choice, Decision, End, Run, Segment};

/// The segments of a run, and how they fit its trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The whole run, whatever part of it was promised.
    pub run: Run,
    /// For each decision of the trace, the promised ones included: its number among `run.decisions`. Shorter if the run was followed only up to some point,
    /// or has a decision there that the trace does not have.
    pub ordinary: Vec<u32>,
    /// Why it was followed no further, for people; the run ends with [`End::Lost`] then.
    pub lost: Option<String>,
    /// How much it recorded, in accesses to memory, calls and decisions: what it cost.
    pub told: u32,
}
