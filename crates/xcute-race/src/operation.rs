//! The locations that visible operations access, and when two of them conflict.
//!
//! Which locations an operation accesses can depend on the state it meets (a `trylock` that fails only reads), so accesses are computed
//! in [`crate::object`], from an operation and a state.
//!
//! **Invariant.** Two operations that do not conflict commute: either order gives the same state and the same results, and neither
//! enables or disables the other.

use smallvec::SmallVec;
pub use xcute_trace::{Cells, ObjectId, Operation, Order, Several, Until};

use crate::task::Task;

/// What is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// The state of an object, or a cell of memory.
    Object(ObjectId),
    /// The waiters of a condition.
    Waiters(ObjectId),
    /// Whether a waiting task was woken.
    Wake(Task),
    /// Whatever the rest of an atomic section accesses that is still to come.
    Anything,
}

/// How it is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Commutes with other reads.
    Read,
    /// Conflicts with every access.
    Update,
}

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// To what.
    pub location: Location,
    /// How.
    pub mode: Mode,
}

/// The accesses of one operation.
pub type Accesses = SmallVec<[Access; 2]>;

/// Whether two operations with these accesses conflict.
#[must_use]
pub fn conflict(a: &[Access], b: &[Access]) -> bool {
    let meet = |x: &Access, y: &Access| x.location == y.location || x.location == Location::Anything || y.location == Location::Anything;
    a.iter().any(|x| b.iter().any(|y| (x.mode == Mode::Update || y.mode == Mode::Update) && meet(x, y)))
}
