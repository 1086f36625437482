//! Programs that are held to an order of their threads: how the order is handed over, and what such a run may use.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xcute_trace::FailureKind;

use super::run::{Limits, Run};
use super::sanitizers::Sanitizer;
use crate::cases::casefile::CaseSchedule;
use crate::instrument::compiled::CompileError;

/// What the runtime says when the order did not fit the program.
pub(super) const LOST: &str = "replay: the order could not be kept";
/// What it says when all of it was done.
pub(super) const KEPT: &str = "replay: the order was kept";
/// After how long a run counts as a hang.
const HANG: Duration = Duration::from_secs(3);
/// The time that a run may take otherwise.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// Every thread has a stack, which takes address space.
const MEMORY: u64 = 16 << 30;

/// A program that can be built and started.
pub(crate) trait Repeated {
    /// Builds it; with a sanitizer, if there is one to be used.
    fn build(&mut self, sanitizer: Option<&Sanitizer>) -> Result<PathBuf, CompileError>;
    /// Starts it with these variables in its environment.
    fn start(&self, exe: &Path, environment: &[(OsString, OsString)], limits: &Limits) -> std::io::Result<Run>;
}

/// Writes the order of a schedule; what the program's environment must hold.
///
/// # Errors
/// If it cannot be written.
pub fn write_order(schedule: &CaseSchedule, dir: &Path) -> Result<Vec<(OsString, OsString)>, CompileError> {
    write_text(&schedule.order(), dir)
}

/// The same of an order that is written already.
pub(super) fn write_text(order: &str, dir: &Path) -> Result<Vec<(OsString, OsString)>, CompileError> {
    let path = dir.join("order");
    std::fs::write(&path, order).map_err(|error| CompileError::Io { path: path.clone(), error })?;
    Ok(vec![("XCUTE_ORDER".into(), path.into()), ("MALLOC_ARENA_MAX".into(), "2".into())])
}

/// What a run may use in which a failure of this kind is expected.
pub(crate) fn limits(kind: Option<FailureKind>) -> Limits {
    use FailureKind::{Deadlock, Hang, Livelock, LostWakeup};
    let hangs = matches!(kind, Some(Hang | Deadlock | LostWakeup | Livelock));
    Limits { time: if hangs { HANG } else { PATIENCE }, memory: Some(MEMORY), leaks: false, stuck: hangs }
}
