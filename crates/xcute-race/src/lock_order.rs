//! Possible deadlocks, from a run that had none: cycles in the lock-order graph (Goodlock, Havelund 2000).
//!
//! A task that takes lock `b` while it holds `a` gives an edge from `a` to `b`. A cycle of edges of different tasks is a possible deadlock, unless
//! a lock held at two of the edges keeps them apart (a gate lock), or forks and joins order them. It is a prediction: whether a schedule reaches
//! it is only known when one did, so it is never reported as a deadlock.
//!
//! **Invariant.** Each cycle is given once, from the edge whose lock has the lowest name.

use crate::causality::Causality;
use crate::clock::VectorClock;
use crate::held::{Held, acquired};
use crate::operation::{ObjectId, Operation};
use crate::sequential::Sequential;
use crate::task::Task;

/// Cycles of more locks are not looked for.
const LONGEST: usize = 6;

/// One task of a possible deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The task.
    pub task: Task,
    /// The lock it held.
    pub held: ObjectId,
    /// The lock it took, which the next task of the cycle held.
    pub took: ObjectId,
    /// The step at which it took it.
    pub step: usize,
}

struct Edge {
    taken: Taken,
    /// All locks it held.
    gates: Vec<ObjectId>,
    clock: VectorClock,
    number: u32,
}

/// The possible deadlocks that a run shows: for each, who held and took what, in the order of the cycle.
#[must_use]
pub fn possible_deadlocks(causality: &Causality<'_>) -> Vec<Vec<Taken>> {
    let edges = edges(causality);
    let mut found = Vec::new();
    for at in 0..edges.len() {
        extend(&edges, &mut vec![at], &mut found);
    }
    found
}

fn edges(causality: &Causality<'_>) -> Vec<Edge> {
    let (mut held, mut sequential) = (Held::default(), Sequential::default());
    let mut edges: Vec<Edge> = Vec::new();
    for (at, step) in causality.record().steps.iter().enumerate() {
        let clock = sequential.step(step);
        let task = step.task();
        if let (Some(took), true) = (acquired(causality, at), blocks(&step.next().operation)) {
            for &lock in held.of(task) {
                let gates = held.of(task).to_vec();
                let known =
                    |edge: &Edge| edge.taken.task == task && edge.taken.held == lock && edge.taken.took == took && edge.gates == gates;
                if lock != took && !edges.iter().any(known) {
                    let (taken, number) = (Taken { task, held: lock, took, step: at }, clock.get(task));
                    edges.push(Edge { taken, gates, clock: clock.clone(), number });
                }
            }
        }
        held.step(causality, at);
    }
    edges
}

/// An attempt does not block, so it closes no cycle.
fn blocks(operation: &Operation) -> bool {
    !matches!(operation, Operation::TryLock(_) | Operation::TryReadLock(_) | Operation::TryWriteLock(_))
}

/// All cycles that begin with these edges.
fn extend(edges: &[Edge], path: &mut Vec<usize>, found: &mut Vec<Vec<Taken>>) {
    let (first, last) = (&edges[path[0]], &edges[path[path.len() - 1]]);
    if path.len() > 1 && last.taken.took == first.taken.held {
        found.push(path.iter().map(|at| edges[*at].taken.clone()).collect());
        return;
    }
    if path.len() == LONGEST {
        return;
    }
    for (at, edge) in edges.iter().enumerate() {
        let follows = edge.taken.held == last.taken.took && edge.taken.held > first.taken.held;
        if follows && path.iter().all(|other| together(&edges[*other], edge)) {
            path.push(at);
            extend(edges, path, found);
            path.pop();
        }
    }
}

/// Whether two tasks can stand at these edges at the same time.
fn together(a: &Edge, b: &Edge) -> bool {
    let ordered = |a: &Edge, b: &Edge| b.clock.get(a.taken.task) >= a.number;
    a.taken.task != b.taken.task && !a.gates.iter().any(|gate| b.gates.contains(gate)) && !ordered(a, b) && !ordered(b, a)
}
