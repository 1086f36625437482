//! The record of a run with several tasks: what the executor tells about its schedule.
//!
//! An executor (the C runtime, a virtual machine, the model interpreter of the tests) runs a subject under a [`crate::Schedule`] and hands over
//! what happened, one step for each visible operation.
//!
//! **Invariant.** A step lists *every* task that could have run there, each with its next operation: a task that is missing counts as
//! blocked. Between two steps only local code ran: that of the task of the step, and that of tasks it forked, up to the next visible
//! operation of each. A step that is glued to the one before lists only its own task: the two are parts of one atomic section.

use smallvec::SmallVec;

use crate::operation::{Operation, Order};
use crate::task::Task;

/// Whom the executor lets run when the schedule is used up. In either case only tasks that do not sleep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DefaultChoice {
    /// The task with the lowest fork path.
    #[default]
    Lowest,
    /// The task that ran last if it can, else the lowest.
    Current,
    /// Any task, each time: a random walk with this seed.
    Walk(u64),
    /// Random priorities of tasks, which change at a few random steps: probabilistic concurrency testing.
    Pct {
        /// Of all random choices.
        seed: u64,
        /// The ordering constraints that a bug needs: one more than there are changes.
        depth: u32,
        /// How many steps a run is expected to have.
        steps: u32,
    },
    /// Random priorities of operations: partial order sampling with this seed.
    Pos(u64),
}

/// Names a schedule choice. Given by the caller: the same schedule arms and branch arms before it, the same key; otherwise another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeKey(pub u64);

/// The next visible operation of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The task.
    pub task: Task,
    /// What it will do.
    pub operation: Operation,
    /// The value of the memory, or the permits of the semaphore, before it. 0 for all else.
    pub before: u64,
    /// In how many ways it can be done: the waiters that a notify can choose from; 1 for all else.
    pub arms: u32,
    /// What it orders, if it is atomic.
    pub order: Order,
    /// The rest of an atomic section follows at once, and nobody knows yet what that accesses.
    pub section: bool,
}

impl Next {
    /// An operation outside of atomic sections, of memory that is 0, in one way, fully ordered.
    #[must_use]
    pub fn of(task: Task, operation: Operation) -> Next {
        Next { task, operation, before: 0, arms: 1, order: Order::FULL, section: false }
    }
}

/// What several tasks would do next: mostly two of them, and every step of every run has such a list.
pub type Nexts = SmallVec<[Next; 2]>;

/// Whether a task ran code of which nothing is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Between the step and the next one of its task.
    pub after: bool,
    /// Before the step, which is the first of its task.
    pub before: bool,
}

/// One visible operation that was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The schedule choice before it. Given by the engine.
    pub node: NodeKey,
    /// The tasks that could run, with what they would have done.
    pub enabled: Nexts,
    /// Which of them ran: a position in `enabled`.
    pub chosen: usize,
    /// Which of its arms was taken.
    pub arm: u32,
    /// It belongs to the same atomic section as the step before it, which is of the same task: nobody could come between them.
    pub glued: bool,
    /// Code of which nothing is recorded, and which may synchronise tasks.
    pub outside: Outside,
    /// The tasks forked between this step and the next, with the task that forked each.
    pub forked: Vec<(Task, Task)>,
    /// A digest of the branch arms taken between this step and the next: equal arms, equal digest. Also of branches that could go
    /// one way only: which of two branches on the same condition decides depends on the schedule. Given by the engine.
    pub branches: u64,
    /// Where in the program the operation stands; pairs of places tell data races apart.
    pub place: u32,
}

impl Step {
    /// What was executed.
    #[must_use]
    pub fn next(&self) -> &Next {
        &self.enabled[self.chosen]
    }

    /// Who executed it.
    #[must_use]
    pub fn task(&self) -> Task {
        self.next().task
    }

    /// In how many ways the run could have gone on here: the arms of all tasks that could run.
    #[must_use]
    pub fn options(&self) -> u32 {
        self.enabled.iter().map(|next| next.arms.max(1)).sum()
    }

    /// Which of these ways it went: its number in the order of `enabled` and of the arms.
    #[must_use]
    pub fn option(&self) -> u32 {
        self.enabled[..self.chosen].iter().map(|next| next.arms.max(1)).sum::<u32>() + self.arm
    }

    /// The next operation of a task that could run here.
    #[must_use]
    pub fn next_of(&self, task: Task) -> Option<&Next> {
        self.enabled.iter().find(|next| next.task == task)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// No task could run any longer: all ended, or a deadlock.
    Finished,
    /// Only tasks of the sleep set could run. It led to nothing new.
    Asleep,
    /// It was cut off: by a budget, or by a failure after which the other tasks did not go on. What they would have done is unknown, so
    /// such runs leave an exploration incomplete; an executor does better to end only the task that failed.
    Cut,
}

/// The record of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The tasks that were blocked at the end with the operation they could not do. After a cut, also the next operations of the others.
    pub pending: Vec<Next>,
    /// How it ended.
    pub end: End,
}

impl Record {
    /// The number of tasks that the clocks must have room for.
    #[must_use]
    pub fn width(&self) -> usize {
        let steps = self.steps.iter().flat_map(|step| &step.enabled);
        let forked = self.steps.iter().flat_map(|step| &step.forked).map(|(_, child)| child.index() + 1);
        steps.chain(&self.pending).map(|next| next.task.index() + 1).chain(forked).max().unwrap_or(0)
    }
}

/// What a run with several tasks did, besides its decisions.
///
/// A step with more than one option is a decision of kind [`crate::DecisionKind::Schedule`], whose arms are the options in the order of
/// [`Step::option`]; steps without a choice are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concurrent {
    /// The steps. The tasks that could run are in the order of their fork paths.
    pub record: Record,
    /// For each step, how many decisions the run had made before (the promised ones included); its own decision, if it has one, comes next.
    pub before: Vec<u32>,
    /// The run found memory to be shared that earlier runs took for private: its steps, and those of all earlier runs, are not all that are
    /// visible. Whatever was recorded so far is void, and the search restarts.
    pub outdated: bool,
    /// The task whose failure is the outcome; `None` if there is none, or if it is nobody's own: a deadlock.
    pub failed: Option<Task>,
    /// The tasks that failed after it, each in a way of its own.
    pub later: Vec<LaterFailure>,
}

/// A task that failed when another one had failed before.
///
/// A task that fails stops, with all that it has: no other can do anything because of the failure. So what comes after a failure
/// could have come before it, and a later failure could have been the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaterFailure {
    /// The task.
    pub task: Task,
    /// How many steps were executed before: it failed in the local code after the last of them.
    pub steps: usize,
    /// A digest of how and where it failed.
    pub what: u64,
}
