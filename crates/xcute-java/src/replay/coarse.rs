//! Where a model of `java.util.concurrent` does less than what it stands for: a search that comes there is not complete, and says why.
//!
//! A model says so itself, by a call with a text. What a pool with fewer threads than tasks would do is known here: its tasks have a thread each, so one
//! that waits for another never waits in vain. And a wait may end without a reason, which is not followed where it makes a difference.
//!
//! **Invariant.** A model that can do all that the JDK's class may do says nothing.

use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::Call;
use crate::program::concurrent::RUNTIME;
use crate::program::names;

/// Classes whose methods wait in a way that lets a pool go on: a thread that waits there helps, or is replaced.
const HELPING: [&str; 2] = ["ForkJoinTask", "CompletableFuture"];

/// Methods that wait.
const WAITS: [&str; 7] = ["wait", "await", "awaitUninterruptibly", "park", "parkNanos", "parkUntil", "join"];

impl Replay<'_> {
    /// Before a call that the runtime sees to.
    pub(super) fn coarse(&mut self, call: &Call, references: &[Value]) -> Result<(), Stop> {
        let holds = match call.name.as_str() {
            "coarse" => true,
            "coarseForThreads" => self.strands.many,
            "coarseForProgram" => self.is_called_by_program(),
            "pooled" if call.class == RUNTIME => {
                self.strands.pool_task();
                return Ok(());
            }
            // It ends at any time, and without a notification as if its time were over.
            "wait" if self.arguments(call).get(1).is_some_and(|time| time.as_long() > 0) => {
                self.waits_in_pool();
                return Ok(());
            }
            name if WAITS.contains(&name) => {
                self.waits(name);
                return Ok(());
            }
            "start" | "interrupt" | "unpark" | "notify" | "notifyAll" | "wake" => {
                self.works_on(0);
                return Ok(());
            }
            _ => return Ok(()),
        };
        if holds
            && call.class == RUNTIME
            && let [text] = references
        {
            let units = self.text(text.as_object())?.present();
            self.story.limit("unsupported", String::from_utf16_lossy(&units), true);
        }
        Ok(())
    }

    /// The current thread is about to call this method; it may be one that waits.
    pub(super) fn waits(&mut self, name: &str) {
        if !WAITS.contains(&name) {
            return;
        }
        self.waits_in_pool();
        if name != "join" {
            self.waits_once(name.starts_with("park"));
        }
    }

    /// Whether the method that runs was called by the program itself.
    fn is_called_by_program(&self) -> bool {
        let caller = self.s.frames.all().iter().rev().nth(1);
        caller.is_some_and(|caller| !self.program.method(caller.method).class.starts_with(names::COPIES))
    }

    /// A task of a pool waits for others.
    fn waits_in_pool(&mut self) {
        if !self.strands.is_pool_task() {
            return;
        }
        let Some(frame) = self.s.frames.top() else { return };
        let class = &self.program.method(frame.method).class;
        let simple = class.strip_prefix(names::COPIES).and_then(|class| class.strip_prefix("java/util/concurrent/"));
        if simple.is_none_or(|class| !HELPING.contains(&class)) {
            let what = "java.util.concurrent.ForkJoinPool: a task waits for others, and there may be fewer threads than tasks";
            self.story.limit("unsupported", what, true);
        }
    }
}
