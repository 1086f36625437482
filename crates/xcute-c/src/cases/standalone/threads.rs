//! Failures of several threads: what their tests say of the order.
//!
//! **Invariant.** The test itself leaves the order to the system: it names the command that repeats the order.

use std::fmt::Write as _;
use std::path::Path;

use xcute_trace::Failure;

/// Whether several threads took part.
pub(super) fn has_several(failure: &Failure) -> bool {
    !failure.interleaving.is_empty()
}

/// What the threads did, and how that is repeated; lines of a comment. Nothing if there was only one.
pub(super) fn comment(failure: Option<&Failure>, file: &Path) -> String {
    let Some(failure) = failure.filter(|f| has_several(f)) else { return String::new() };
    let case = file.with_extension("json");
    let mut out = format!(
        "\nThe order in which its threads run is left to chance here. This repeats it:\n  xcute replay {}\nThey did:\n",
        case.display()
    );
    for step in &failure.interleaving {
        let place = if step.at.line > 0 { format!(" ({}:{})", step.at.file, step.at.line) } else { String::new() };
        let mark = if step.marked { " <-" } else { "" };
        let _ = writeln!(out, "  thread {} {}{place}{mark}", step.task, step.what);
    }
    out
}
