//! What the replay of a run adds to its steps: how far decisions were, and where processes stood.

use crate::flat::{ExprId, FunId, PlaceId};

/// Where a process stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Standing {
    /// At a place of a function.
    At(FunId, PlaceId),
    /// Somewhere in the library, into which a function of the program called.
    Calls(Calling),
}

/// A call from the program's own modules into the library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calling {
    /// The function that calls.
    pub(crate) from: FunId,
    /// The call.
    pub(crate) expr: ExprId,
    /// The function that is called.
    pub(crate) callee: FunId,
}

/// What a replay says about the steps of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// For each step: how many decisions came before it.
    pub(crate) before: Vec<u32>,
    /// For each step: where its process stood.
    pub(crate) places: Vec<Option<Standing>>,
    /// By number in the run: where a process stands at the end.
    pub(crate) standing: Vec<Option<Standing>>,
    /// By number in the run: the function that a process runs.
    pub(crate) runs: Vec<Option<FunId>>,
}
