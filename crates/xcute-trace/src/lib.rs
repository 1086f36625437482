//! What a run is, for every language: sites, decisions, traces, outcomes, cases, and the [`Subject`] that runs.
//!
//! **Invariant.** Nothing here knows a language, a solver or a strategy.

mod bound;
mod case;
pub mod conformance;
mod failure;
mod kind;
mod operation;
mod schedule;
pub mod segments;
mod site;
mod subject;
mod task;
mod trace;

pub use bound::{Bound, covered};
pub use case::{Schedule, TaskId, TestCase};
pub use failure::{Failure, FailureKey, Frame, Happening, Held, Note};
pub use kind::{FailureKind, OwnKind};
pub use operation::{Cells, ObjectId, Operation, Order, Several, Until};
pub use schedule::{Concurrent, DefaultChoice, End, LaterFailure, Next, Nexts, NodeKey, Outside, Record, Step};
pub use site::{Site, SiteId, SiteKind, Sites};
pub use subject::{Glance, Known, Shape, Subject, SubjectError};
pub use task::Task;
pub use trace::{Budget, Decision, DecisionKind, Limit, Outcome, Trace};
