//! The path tree as a report has it: decisions by place, and what became of their arms in one word.
//!
//! **Invariant.** Children have larger numbers than their parents.

/// A place where paths part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathSite {
    /// File and line; the line is 0 where it is unknown.
    pub place: (String, u32),
    /// The function it stands in.
    pub function: String,
    /// The names of its arms.
    pub arms: Vec<String>,
}

/// What became of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathArm {
    /// It leads to this decision.
    Decision(u32),
    /// It ends, or was not taken: one of [`PathArm::STATES`].
    Is(&'static str),
}

impl PathArm {
    /// The words for arms that lead to no decision: how a path ended, or why there is none.
    pub const STATES: [&'static str; 14] = [
        "passed",
        "failed",
        "rejected",
        "cut",
        "asleep",
        "beyond",
        "open",
        "infeasible",
        "unknown",
        "diverged",
        "pruned",
        "subsumed",
        "idle",
        "elsewhere",
    ];
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathNode {
    /// The position of its place in [`Paths::sites`].
    pub site: u32,
    /// The number of the run that came here first.
    pub run: u64,
    /// Its arms.
    pub arms: Vec<PathArm>,
}

/// The tree, or as much of it as a page can show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// The places.
    pub sites: Vec<PathSite>,
    /// The decisions; the first is the root.
    pub nodes: Vec<PathNode>,
}
