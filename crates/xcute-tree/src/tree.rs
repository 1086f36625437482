//! Nodes, arms, and the two projections of a path: its condition and its promise.

use rustc_hash::FxHashMap;
use xcute_term::{Model, TermId};
use xcute_trace::{DecisionKind, Known, SiteId};

/// Names a decision of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Names an arm of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArmId {
    /// The decision.
    pub node: NodeId,
    /// Which of its arms.
    pub arm: u32,
}

/// How a path ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The run passed.
    Passed,
    /// The run failed.
    Failed,
    /// An assumption rejected it.
    Rejected,
    /// It was cut off: by a budget of the run, or by the depth of the search.
    Cut,
    /// Only sleeping tasks could have gone on: another path covers what would have come.
    Asleep,
}

/// What lies below an arm that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Child {
    /// The next decision.
    Node(NodeId),
    /// The end of the path.
    End(End),
}

/// What became of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arm {
    /// Not asked for: the other side of an assumption or of a concretised value, a schedule without a race.
    Idle,
    /// Nobody has taken it, nobody has shown that it cannot be taken.
    Open,
    /// A run took it.
    Taken(Child),
    /// No input takes it.
    Infeasible,
    /// An equal one is explored elsewhere, so it was not tried.
    Pruned,
    /// It cannot lead to a failure, because others like it did not, so it was not tried.
    Subsumed,
    /// The solver gave up.
    Unknown,
    /// A run was promised to take it and went another way.
    Diverged,
    /// It is another tree's to explore; counted there. The child is known where it leads to an arm of this tree.
    Foreign(Option<Child>),
}

/// How many arms are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArmCounts {
    /// Taken by a run.
    pub taken: u64,
    /// Shown to be impossible.
    pub infeasible: u64,
    /// Still to be tried.
    pub open: u64,
    /// Given up by the solver.
    pub unknown: u64,
    /// Promised and missed.
    pub diverged: u64,
    /// Left out because an equal one is explored elsewhere.
    pub pruned: u64,
    /// Left out because nothing can fail there.
    pub subsumed: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) site: SiteId,
    /// Where it hangs; the root's node is its own parent.
    pub(crate) parent: ArmId,
    pub(crate) depth: u32,
    pub(crate) first: u32,
    pub(crate) arms: u32,
    pub(crate) kind: DecisionKind,
    /// The run that came here first.
    pub(crate) run: u32,
    /// Open arms here and below.
    pub(crate) open: u32,
    /// Nothing is decided here: the conditions are constants. Its arms are not counted.
    pub(crate) trivial: bool,
}

#[derive(Debug)]
pub(crate) struct Origin {
    /// The run's number in the campaign.
    pub(crate) number: u64,
    pub(crate) input: Option<Box<Model>>,
    /// Open arms that this run opened; the input is dropped with the last of them.
    pub(crate) open: u32,
}

/// All paths that were run.
#[derive(Debug, Default)]
pub struct PathTree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) conds: Vec<TermId>,
    pub(crate) arms: Vec<Arm>,
    pub(crate) runs: Vec<Origin>,
    /// Who opened an open arm, where it was not the run that came to its decision first.
    pub(crate) openers: FxHashMap<ArmId, u32>,
    pub(crate) root: Option<Child>,
    pub(crate) counts: ArmCounts,
    pub(crate) paths: u64,
}

impl PathTree {
    /// The tree of no run.
    #[must_use]
    pub fn new() -> PathTree {
        PathTree::default()
    }

    /// What a run meets first; `None` before the first run.
    #[must_use]
    pub fn root(&self) -> Option<Child> {
        self.root
    }

    /// How many decisions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no decision.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many distinct paths ran to an end; those that an assumption rejected or a budget cut are not among them.
    #[must_use]
    pub fn paths(&self) -> u64 {
        self.paths
    }

    /// The arms by state.
    #[must_use]
    pub fn counts(&self) -> ArmCounts {
        self.counts
    }

    /// The site of a decision.
    #[must_use]
    pub fn site(&self, node: NodeId) -> SiteId {
        self.node(node).site
    }

    /// What kind of decision it is.
    #[must_use]
    pub fn kind(&self, node: NodeId) -> DecisionKind {
        self.node(node).kind
    }

    /// How many decisions come before this one.
    #[must_use]
    pub fn depth(&self, node: NodeId) -> u32 {
        self.node(node).depth
    }

    /// How many arms a decision has.
    #[must_use]
    pub fn arm_count(&self, node: NodeId) -> u32 {
        self.node(node).arms
    }

    /// Open arms at this decision and below it.
    #[must_use]
    pub fn open_below(&self, node: NodeId) -> u32 {
        self.node(node).open
    }

    /// The state of an arm.
    #[must_use]
    pub fn arm(&self, id: ArmId) -> Arm {
        self.arms[self.slot(id)]
    }

    /// The condition of an arm.
    #[must_use]
    pub fn cond(&self, id: ArmId) -> TermId {
        self.conds[self.slot(id)]
    }

    /// The number in the campaign of the run that came to this decision first.
    #[must_use]
    pub fn number_of(&self, node: NodeId) -> u64 {
        self.runs[self.node(node).run as usize].number
    }

    /// The run that opened an open arm.
    pub(crate) fn opener(&self, arm: ArmId) -> u32 {
        self.openers.get(&arm).copied().unwrap_or_else(|| self.node(arm.node).run)
    }

    /// The input of the run that opened an arm, which comes to its decision; kept while the arm is open.
    #[must_use]
    pub fn input(&self, arm: ArmId) -> Option<&Model> {
        self.runs[self.opener(arm) as usize].input.as_deref()
    }

    /// The arm below which a decision stands; `None` for the first one.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<ArmId> {
        let parent = self.node(node).parent;
        (parent.node != node).then_some(parent)
    }

    /// Appends the conditions that lead to a decision, from the root on: the path condition without the decision itself.
    pub fn condition(&self, node: NodeId, out: &mut Vec<TermId>) {
        let start = out.len();
        let mut at = node;
        while let Some(arm) = self.parent(at) {
            if self.kind(arm.node) != DecisionKind::Schedule {
                out.push(self.cond(arm));
            }
            at = arm.node;
        }
        out[start..].reverse();
    }

    /// Appends the decisions that a run must take to go through an arm, the arm included.
    pub fn promise(&self, id: ArmId, out: &mut Vec<Known>) {
        let start = out.len();
        let mut at = Some(id);
        while let Some(arm) = at {
            out.push(Known { site: self.site(arm.node), taken: arm.arm });
            at = self.parent(arm.node);
        }
        out[start..].reverse();
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn slot(&self, id: ArmId) -> usize {
        let node = self.node(id.node);
        debug_assert!(id.arm < node.arms, "an arm of this decision");
        (node.first + id.arm) as usize
    }

    pub(crate) fn count(&mut self, arm: Arm, by: i64) {
        let c = &mut self.counts;
        let field = match arm {
            Arm::Idle | Arm::Foreign(_) => return,
            Arm::Open => &mut c.open,
            Arm::Taken(_) => &mut c.taken,
            Arm::Infeasible => &mut c.infeasible,
            Arm::Pruned => &mut c.pruned,
            Arm::Subsumed => &mut c.subsumed,
            Arm::Unknown => &mut c.unknown,
            Arm::Diverged => &mut c.diverged,
        };
        *field = field.wrapping_add_signed(by);
    }
}
