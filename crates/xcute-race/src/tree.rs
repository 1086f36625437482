//! The schedule tree: what is known about each schedule choice, for every algorithm.
//!
//! Branches are not in it; a branch arm above a choice is part of the key of that choice, so flipping a branch makes fresh choices below.
//!
//! **Invariant.** The siblings of a choice are in the order in which they were asked for, and that order only grows. The sleep set of a
//! sibling is fixed when it is appended: what slept at the choice, and the siblings before it, whether they are finished or
//! not. Therefore arms may be run in any order. A sibling that was given up before is left out: nobody will have covered what it was to cover.

use rustc_hash::FxHashMap;

use crate::record::{Next, NodeKey};
use crate::task::{Task, Tasks};

/// A position in the tree.
pub(crate) type NodeIndex = usize;

/// A task that was asked for at a choice.
#[derive(Clone, Debug)]
pub struct Sibling {
    /// The task.
    pub task: Task,
    /// Who sleeps while it runs.
    pub asleep: Vec<Task>,
    /// Something below it was given up.
    pub given_up: bool,
}

/// A schedule choice.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its key.
    pub key: NodeKey,
    /// The choice before it, with the task and the arm that led here.
    pub parent: Option<(usize, Task, u32)>,
    /// Who could run, and in how many arms, in the order of tasks.
    pub enabled: Vec<(Task, u32)>,
    /// Who slept on arrival.
    pub sleep: Vec<Task>,
    /// Who was asked for, in order.
    pub order: Vec<Sibling>,
    /// What runs have taken.
    pub taken: Vec<(Task, u32)>,
    /// Nothing is opened here or below: an equal choice was seen.
    pub cut: bool,
}

impl Node {
    /// The position of a task among the siblings.
    #[must_use]
    pub fn position(&self, task: Task) -> Option<usize> {
        self.order.iter().position(|sibling| sibling.task == task)
    }

    /// Whether a task can run here.
    #[must_use]
    pub fn can_run(&self, task: Task) -> bool {
        self.enabled.iter().any(|(other, _)| *other == task)
    }

    /// In how many arms a task can run here.
    #[must_use]
    pub fn arms(&self, task: Task) -> u32 {
        self.enabled.iter().find(|(other, _)| *other == task).map_or(0, |(_, arms)| *arms)
    }

    /// Whether this is the choice that lies there and has these tasks.
    pub(crate) fn is(&self, parent: Option<(NodeIndex, Task, u32)>, enabled: &[Next]) -> bool {
        let same = |next: &Next| self.arms(next.task) == next.arms.max(1);
        self.parent == parent && self.enabled.len() == enabled.len() && enabled.iter().all(same)
    }

    /// Appends a task to the siblings.
    pub(crate) fn append(&mut self, task: Task) {
        let before = self.order.iter().filter(|sibling| !sibling.given_up).map(|sibling| sibling.task);
        let mut asleep: Vec<Task> = self.sleep.iter().copied().chain(before).filter(|other| *other != task).collect();
        asleep.sort_unstable();
        asleep.dedup();
        self.order.push(Sibling { task, asleep, given_up: false });
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
        &self.nodes[at]
    }

    pub(crate) fn node_mut(&mut self, at: NodeIndex) -> &mut Node {
        &mut self.nodes[at]
    }

    pub(crate) fn insert(
        &mut self,
        key: NodeKey,
        parent: Option<(usize, Task, u32)>,
        enabled: Vec<(Task, u32)>,
        sleep: Vec<Task>,
    ) -> NodeIndex {
        let at = self.nodes.len();
        self.nodes.push(Node { key, parent, enabled, sleep, order: Vec::new(), taken: Vec::new(), cut: false });
        self.index.insert(key, at);
        at
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The schedule arms from the root to a choice.
    pub(crate) fn path(&self, at: NodeIndex) -> Vec<(Task, u32)> {
        let mut path = Vec::new();
        let mut up = self.nodes[at].parent;
        while let Some((node, task, arm)) = up {
            path.push((task, arm));
            up = self.nodes[node].parent;
        }
        path.reverse();
        path
    }

    /// Marks a sibling, and those above that led to it, as not fully explored.
    pub(crate) fn give_up(&mut self, at: NodeIndex, task: Task) {
        let mut up = Some((at, task));
        while let Some((node, task)) = up {
            let node = &mut self.nodes[node];
            let Some(position) = node.position(task) else { return };
            if std::mem::replace(&mut node.order[position].given_up, true) {
                // Those above were marked with it.
                return;
            }
            up = node.parent.map(|(parent, task, _)| (parent, task));
        }
    }
}

/// The enabled tasks of a step with their arms, in the order of tasks.
pub(crate) fn enabled(tasks: &Tasks, enabled: &[Next]) -> Vec<(Task, u32)> {
    let mut all: Vec<(Task, u32)> = enabled.iter().map(|next| (next.task, next.arms.max(1))).collect();
    all.sort_by(|a, b| tasks.compare(a.0, b.0));
    all
}
