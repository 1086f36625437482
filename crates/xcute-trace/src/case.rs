//! Test cases: all that is needed to repeat a run.

use xcute_term::Model;

use crate::task::Task;

/// Names a task (a thread, a process, a capsule) by its path of fork numbers, so that it does not depend on the schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(pub Vec<u16>);

/// Who runs when; empty for a sequential run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The task to run, and the arm of its operation, at each step where there is more than one possibility. Past the end, the default of
    /// [`crate::Subject::schedule_by`].
    pub choices: Vec<(Task, u32)>,
    /// The tasks that sleep when the last of the choices is made (or, without a choice, from the start). From that operation on, the executor
    /// drops those whose next operation conflicts with what is executed, lets none of the others run, and ends the run when no other can.
    pub asleep: Vec<Task>,
    /// The choices are of every step, also of those with one possibility only.
    pub strict: bool,
    /// The only task whose failure counts: others that fail are as if they were slow from there on. `None`: the first that fails.
    pub failing: Option<Task>,
}

/// An input and a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCase {
    /// The values of the inputs; those not mentioned have the front end's default.
    pub input: Model,
    /// Who runs when.
    pub schedule: Schedule,
}
