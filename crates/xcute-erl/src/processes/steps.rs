//! What the replay of a run adds to its steps: how far decisions were, and where processes stood.

use crate::flat::{FunId, PlaceId};

/// What a replay says about the steps of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// For each step: how many decisions came before it.
    pub(crate) before: Vec<u32>,
    /// For each step: where its process stood.
    pub(crate) places: Vec<Option<(FunId, PlaceId)>>,
    /// By number in the run: where a process stands at the end.
    pub(crate) standing: Vec<Option<(FunId, PlaceId)>>,
    /// By number in the run: the function that a process runs.
    pub(crate) runs: Vec<Option<FunId>>,
}
