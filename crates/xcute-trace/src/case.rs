//! Test cases: all that is needed to repeat a run.

use xcute_term::Model;

/// Names a task (a thread, a process, a capsule) by its path of fork numbers, so that it does not depend on the schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(pub Vec<u16>);

/// The tasks to run, one for each schedule choice; empty for a sequential run. Past the end, the subject's default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule(pub Vec<TaskId>);

/// An input and a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCase {
    /// The values of the inputs; those not mentioned have the front end's default.
    pub input: Model,
    /// Who runs when.
    pub schedule: Schedule,
}
