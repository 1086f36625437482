//! Match vectors: which clauses of a choice an input matches, as decisions of the path tree.
//!
//! For front ends whose subjects they run themselves and whose branches are choices among clauses: rules of logic programs, the
//! clauses of a `case`. [`Recorder`] turns conditions into decisions and follows the engine's promise, [`Facts`] is what the decisions of
//! the run imply, [`match_vector`](Recorder::match_vector) decides one Boolean per clause (AllSAT, with the path tree as the list of
//! models and the campaign's solver as the judge of which exist), so that a choice costs as many runs as it has feasible vectors
//! and never the power set of its clauses.
//!
//! **Invariant.** What is decided depends on the decisions before it only, never on values that no decision has looked at.

mod bounds;
mod exclusive;
mod facts;
mod first;
mod recorder;
mod vector;

pub use bounds::Interval;
pub use facts::Facts;
pub use recorder::{Recorded, Recorder};
pub use vector::{Candidate, Sites as ChoiceSites};
