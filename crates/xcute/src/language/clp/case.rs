//! Case files of logic programs: a goal, the program it is for, and what happened.
//!
//! **Invariant.** The language is `clp`: that tells these files from those of other languages.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xcute_trace::Failure;

/// What the field `language` holds.
pub const LANGUAGE: &str = "clp";
/// The version of the format.
pub const VERSION: u32 = 1;

/// A case, as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClpCase {
    /// The version of the format.
    pub xcute: u32,
    /// [`LANGUAGE`].
    pub language: String,
    /// The program, with its whole path.
    pub program: PathBuf,
    /// The goal, as Prolog reads it.
    pub goal: String,
    /// Its path as a goal with constraints, where that can be written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constrained: Option<String>,
    /// How many solutions are asked for.
    pub solutions: u64,
    /// How many steps a run may take.
    pub steps: u64,
    /// `passed` or `failed`.
    pub outcome: String,
    /// What went wrong.
    pub failure: Option<Failure>,
}
