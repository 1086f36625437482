//! What became of tasks that did not return: exceptions that nobody caught, assertions, assumptions, the end of the program.
//!
//! An exception ends its thread, and the others go on: what they do then can be because of it. A task that fails an assertion, or wants the program to end,
//! stops with all that it has.
//!
//! **Invariant.** The first failure is the run's, or that of the task which is asked for; later ones are named, for runs of their own.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;
use xcute_trace::{Concurrent, LaterFailure, Outcome, Task};

use super::director::Directed;
use crate::outcome::{self, Thrown};
use crate::program::Program;
use crate::wire::outcome as end_of;

/// A task that did not return.
struct Ending {
    /// Its number in the run.
    task: usize,
    /// How it ended: `wire::outcome`.
    how: u32,
    text: String,
}

/// Completes what is said of a run.
pub(super) fn tell(
    program: &Program,
    directed: &Directed,
    bytes: &[u8],
    failing: Option<Task>,
    (concurrent, outcome): (&mut Concurrent, &mut Outcome),
) {
    let steps = concurrent.record.steps.len();
    for ending in endings(bytes) {
        let Some(&task) = directed.tasks.get(ending.task) else { continue };
        let counts = failing.is_none_or(|failing| failing == task);
        match ending.how {
            end_of::REJECTED if counts && *outcome == Outcome::Passed => *outcome = Outcome::Rejected,
            end_of::THREW | end_of::ASSERTED => {
                let failed = outcome::failed(Thrown::parse(&ending.text, program), ending.how == end_of::ASSERTED);
                if counts && concurrent.failed.is_none() {
                    (*outcome, concurrent.failed) = (failed, Some(task));
                } else if let (Outcome::Failed(failure), None) = (&failed, failing) {
                    let after = directed.ended.get(ending.task).copied().flatten().unwrap_or(steps);
                    let place = failure.stack.first().map(|frame| (&frame.file, frame.line, &frame.function));
                    let what = FxBuildHasher.hash_one((failure.kind.name(), &failure.message, place));
                    concurrent.later.push(LaterFailure { task, steps: after, what });
                }
            }
            _ => {}
        }
    }
}

fn endings(mut bytes: &[u8]) -> Vec<Ending> {
    let mut all = Vec::new();
    let word = |bytes: &[u8], at: usize| bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_ne_bytes);
    while let (Some(task), Some(how), Some(length)) = (word(bytes, 0), word(bytes, 4), word(bytes, 8)) {
        let length = length as usize;
        let Some(text) = bytes.get(12..12 + length) else { break };
        all.push(Ending { task: task as usize, how, text: String::from_utf8_lossy(text).into_owned() });
        bytes = bytes.get(12 + length.next_multiple_of(4)..).unwrap_or_default();
    }
    all
}
