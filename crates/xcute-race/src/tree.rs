//! The schedule tree: what is known about each schedule choice, for every algorithm.
//!
//! Branches are not in it; a branch arm above a choice is part of the key of that choice, so flipping a branch makes fresh choices below.
//! A step that could go one way only is not a choice: nothing can be asked for there.
//!
//! **Invariant.** The siblings of a choice are in the order in which they were asked for, and that order only grows. The sleep set of a
//! sibling is fixed when it is appended: what slept at the choice, and the siblings before it, whether they are finished or
//! not. Therefore arms may be run in any order. A sibling that was given up before is left out: nobody will have covered what it was to cover.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::record::{Next, NodeKey, Step};
use crate::task::{Task, Tasks};

/// A position in the tree.
pub(crate) type NodeIndex = u32;

/// A choice and which of its siblings leads on.
pub(crate) type Edge = (NodeIndex, u32);

/// An arm that was asked for at a choice. The arms of a task stand side by side.
#[derive(Clone, Copy, Debug)]
pub struct Sibling {
    /// The task.
    pub task: Task,
    /// The arm of its operation.
    pub arm: u32,
    /// Its number among all ways to go on from the choice.
    pub option: u32,
    /// How many siblings there were when it was given up: later ones do not rely on it.
    trusted: u16,
    /// A run took it.
    taken: bool,
}

const ALWAYS: u16 = u16::MAX;

/// A schedule choice. Who can run there is known from every run that comes by, and not kept.
#[derive(Clone, Debug)]
pub struct Node {
    /// The choice before it and the arm there that led here; a choice without one is its own.
    parent: Edge,
    /// A digest of who could run.
    check: u32,
    /// Nothing is opened here or below: an equal choice was seen.
    pub(crate) cut: bool,
    /// Who slept on arrival.
    pub sleep: Box<[Task]>,
    /// What was asked for, in order.
    pub order: SmallVec<[Sibling; 1]>,
}

impl Node {
    /// Whether a task was asked for.
    #[must_use]
    pub fn asked(&self, task: Task) -> bool {
        self.position(task).is_some()
    }

    fn position(&self, task: Task) -> Option<usize> {
        self.order.iter().position(|sibling| sibling.task == task)
    }

    /// The sibling with this arm of a task.
    pub(crate) fn sibling(&self, task: Task, arm: u32) -> Option<u32> {
        self.order.iter().position(|sibling| (sibling.task, sibling.arm) == (task, arm)).map(|at| at as u32)
    }

    /// The sibling with this number among all ways to go on.
    pub(crate) fn by_option(&self, option: u32) -> Option<u32> {
        self.order.iter().position(|sibling| sibling.option == option).map(|at| at as u32)
    }

    /// Who sleeps while a task that was asked for runs.
    pub(crate) fn asleep(&self, task: Task) -> SmallVec<[Task; 4]> {
        let Some(own) = self.position(task) else { return SmallVec::new() };
        let before = self.order[..own].iter().filter(|sibling| own < usize::from(sibling.trusted)).map(|sibling| sibling.task);
        let mut all: SmallVec<[Task; 4]> = self.sleep.iter().copied().chain(before).filter(|other| *other != task).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Appends an arm to the siblings.
    pub(crate) fn append(&mut self, task: Task, arm: u32, option: u32) {
        self.order.push(Sibling { task, arm, option, trusted: ALWAYS, taken: false });
    }

    /// Notes that a run took an arm; whether it is the first.
    pub(crate) fn take(&mut self, sibling: u32) -> bool {
        !std::mem::replace(&mut self.order[sibling as usize].taken, true)
    }
}

/// All schedule choices that runs came to.
#[derive(Debug, Default)]
pub(crate) struct ScheduleTree {
    nodes: Vec<Node>,
    index: FxHashMap<NodeKey, NodeIndex>,
}

impl ScheduleTree {
    pub(crate) fn find(&self, key: NodeKey) -> Option<NodeIndex> {
        self.index.get(&key).copied()
    }

    pub(crate) fn node(&self, at: NodeIndex) -> &Node {
        &self.nodes[at as usize]
    }

    pub(crate) fn node_mut(&mut self, at: NodeIndex) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    pub(crate) fn insert(&mut self, step: &Step, parent: Option<Edge>, tasks: &Tasks, sleep: &[Task]) -> NodeIndex {
        let at = u32::try_from(self.nodes.len()).expect("fewer than 2^32 choices");
        let check = check(tasks, &step.enabled);
        self.nodes.push(Node { parent: parent.unwrap_or((at, 0)), check, cut: false, sleep: sleep.into(), order: SmallVec::new() });
        self.index.insert(step.node, at);
        at
    }

    /// Whether a choice is the one that lies there and has these tasks.
    pub(crate) fn is(&self, at: NodeIndex, parent: Option<Edge>, tasks: &Tasks, enabled: &[Next]) -> bool {
        self.parent(at) == parent && self.node(at).check == check(tasks, enabled)
    }

    fn parent(&self, at: NodeIndex) -> Option<Edge> {
        let parent = self.node(at).parent;
        (parent.0 != at).then_some(parent)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The schedule arms from the root to an arm of a choice.
    pub(crate) fn path(&self, (node, sibling): Edge) -> Vec<(Task, u32)> {
        let mut path = Vec::new();
        let mut up = Some((node, sibling));
        while let Some((node, sibling)) = up {
            let sibling = &self.node(node).order[sibling as usize];
            path.push((sibling.task, sibling.arm));
            up = self.parent(node);
        }
        path.reverse();
        path
    }

    /// Marks a task at a choice, and those above that led to it, as not fully explored.
    pub(crate) fn give_up(&mut self, at: NodeIndex, task: Task) {
        let mut up = Some((at, task));
        while let Some((at, task)) = up {
            let node = self.node_mut(at);
            let length = u16::try_from(node.order.len()).unwrap_or(ALWAYS).min(ALWAYS - 1);
            let mut new = false;
            for sibling in node.order.iter_mut().filter(|sibling| sibling.task == task && sibling.trusted == ALWAYS) {
                sibling.trusted = length;
                new = true;
            }
            if !new {
                // It was not asked for, or those above were marked with it.
                return;
            }
            up = self.parent(at).map(|(above, sibling)| (above, self.node(above).order[sibling as usize].task));
        }
    }
}

/// A digest of who could run, in how many arms, in whatever order they are listed.
fn check(tasks: &Tasks, enabled: &[Next]) -> u32 {
    let one = |next: &Next| (tasks.digest(next.task) ^ u64::from(next.arms.max(1))).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let sum = enabled.iter().fold(enabled.len() as u64, |sum, next| sum.wrapping_add(one(next)));
    (sum >> 32) as u32
}

/// The tasks that could run, in the order of tasks.
pub(crate) fn in_order(tasks: &Tasks, enabled: &[Next]) -> SmallVec<[Task; 8]> {
    let mut all: SmallVec<[Task; 8]> = enabled.iter().map(|next| next.task).collect();
    all.sort_by(|a, b| tasks.compare(*a, *b));
    all
}
