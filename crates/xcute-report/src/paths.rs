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

/// How a path ended below an arm, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathState {
    /// It was taken, and the path passed.
    Passed,
    /// It was taken, and the path failed.
    Failed,
    /// It was taken, and an assumption rejected the path.
    Rejected,
    /// It was taken, and the path was cut off.
    Cut,
    /// It was taken, and another path covers what would have come.
    Asleep,
    /// It was taken; what is below is beyond the bound of the outline.
    Beyond,
    /// Nobody has taken it.
    Open,
    /// It cannot be taken.
    Infeasible,
    /// The solver could not say.
    Unknown,
    /// A run that was to take it went elsewhere.
    Diverged,
    /// An interpolant pruned it.
    Pruned,
    /// Another state subsumed it.
    Subsumed,
    /// Nobody asked for it.
    Idle,
    /// Another worker has it.
    Elsewhere,
}

impl PathState {
    /// Their words, in this order.
    pub const WORDS: [&'static str; 14] = [
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

/// What became of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathArm {
    /// It leads to this decision.
    Decision(u32),
    /// It ends, or was not taken.
    Is(PathState),
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathNode {
    /// The position of its place in [`Paths::sites`].
    pub site: u32,
    /// The number of the run that came here first.
    pub run: u64,
    /// The position of the arm after its last one in `Paths::arms`.
    end: u32,
}

/// The tree, or as much of it as a page can show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// The places.
    pub sites: Vec<PathSite>,
    /// The decisions; the first is the root.
    pub nodes: Vec<PathNode>,
    /// The arms of all of them, one after the other: there may be 100,000 decisions.
    arms: Vec<PathArm>,
}

impl Paths {
    /// A tree without decisions, with room for this many.
    #[must_use]
    pub fn with_room(nodes: usize) -> Paths {
        Paths { sites: Vec::new(), nodes: Vec::with_capacity(nodes), arms: Vec::with_capacity(2 * nodes) }
    }

    /// Adds a decision.
    pub fn push(&mut self, site: u32, run: u64, arms: impl IntoIterator<Item = PathArm>) {
        self.arms.extend(arms);
        self.nodes.push(PathNode { site, run, end: u32::try_from(self.arms.len()).expect("fewer than 2^32 arms") });
    }

    /// Each decision with its arms.
    pub fn decisions(&self) -> impl Iterator<Item = (&PathNode, &[PathArm])> {
        let begins = std::iter::once(0).chain(self.nodes.iter().map(|node| node.end as usize));
        self.nodes.iter().zip(begins).map(|(node, begin)| (node, &self.arms[begin..node.end as usize]))
    }
}
