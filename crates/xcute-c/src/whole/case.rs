//! Case files of whole programs: a launch, the program it is for, and what happened.
//!
//! **Invariant.** The language is `program`: that distinguishes these files from those of functions (`crate::cases::casefile`).

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use xcute_trace::Failure;

use super::launch::Launch;
use crate::cases::casefile::CaseSchedule;

/// What the field `language` holds.
pub const LANGUAGE: &str = "program";

/// A case of a program, as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramCase {
    /// The version of the format.
    pub xcute: u32,
    /// [`LANGUAGE`].
    pub language: String,
    /// The program, with its whole path.
    pub program: PathBuf,
    /// The directory it was explored in: it runs in a copy of it. `None`: an empty one.
    pub directory: Option<PathBuf>,
    /// How many of the arguments were given, the name included.
    pub given: usize,
    /// The launch.
    pub launch: Launch,
    /// `passed` or `failed`.
    pub outcome: String,
    /// What went wrong.
    pub failure: Option<Failure>,
    /// Which thread ran when, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<CaseSchedule>,
}
