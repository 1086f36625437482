//! Exceptions: from where they are thrown to who catches them.
//!
//! A handler reports the exception it caught, and a method that is left by one says so. A constructor that is left before its superclass's
//! constructor has returned cannot say anything; its frame ends silently.
//!
//! A stack that overflows, or a heap, leaves frames that could not report. Such a run is followed no further once something catches the error.

use super::frames::Waiting;
use super::{Replay, Stop};
use crate::wire::event;

impl Replay<'_> {
    /// An exception is on its way: the events say who catches it.
    pub(super) fn throw(&mut self) -> Result<(), Stop> {
        loop {
            let found = self.events.peek().ok_or(Stop::End)?;
            self.strands.throwing = matches!(found.kind, event::POINT | event::STEP | event::TURN);
            if self.strands.throwing {
                // Others run before it goes on.
                return if self.threads()? { Ok(()) } else { Err(self.lost("a frame runs while an exception is on its way")) };
            }
            let Some(frame) = self.s.frames.top().copied() else { return Err(self.lost("nothing more")) };
            match found.kind {
                event::CAUGHT if self.catches(found.pc) => {
                    self.events.take(found);
                    let exception = self.object_of(found)?;
                    self.was_caught(exception);
                    self.s.frames.clear_stack();
                    self.s.frames.push(super::value::Value::concrete(u64::from(exception)));
                    let handler = self.program.method(frame.method).body.at(found.pc).expect("checked above");
                    let top = self.s.frames.top_mut();
                    (top.at, top.led, top.waiting) = (handler, true, Waiting::Nothing);
                    self.comes_to(frame.method, handler);
                    return self.usable(exception);
                }
                event::UNWIND if found.value == frame.method.0 => {
                    self.events.take(found);
                    // A class whose initialiser failed can no longer be used.
                    if frame.initialiser {
                        self.entangled(true);
                    }
                    if self.pop_frame().callback {
                        return Ok(());
                    }
                }
                event::CAUGHT | event::UNWIND => {
                    // The frame could not report that it was left: a constructor that has no object yet, or one at the end of the stack. A
                    // handler there may have been left before it could report.
                    let body = &self.program.method(frame.method).body;
                    if body.catches.iter().any(|c| (c.start..c.end).contains(&frame.at)) {
                        self.story.limit("unsupported", "a method was left by an error before it could report it", true);
                    }
                    if self.pop_frame().callback && self.s.frames.top().is_none() {
                        return if self.run.directed.is_some() { Ok(()) } else { Err(Stop::End) };
                    }
                }
                // The code that is not followed has dealt with it.
                _ if matches!(frame.waiting, Waiting::Foreign(..)) => return Ok(()),
                _ => return Err(self.lost("the frame that catches an exception")),
            }
        }
    }

    /// Whether the frame on top has a handler at this position for what it does now.
    fn catches(&self, pc: u16) -> bool {
        let Some(frame) = self.s.frames.top() else { return false };
        let body = &self.program.method(frame.method).body;
        let handler = body.at(pc);
        body.catches.iter().any(|c| Some(c.handler) == handler && (c.start..c.end).contains(&frame.at))
    }

    /// After an error of the JVM itself, frames and values are not what they were.
    fn usable(&mut self, exception: u32) -> Result<(), Stop> {
        let class = self.s.heap.get(exception).class;
        let name = self.s.classes.name(class);
        if matches!(name, "java/lang/StackOverflowError" | "java/lang/OutOfMemoryError") {
            let what = format!("what comes after a caught {} is not followed", name.rsplit('/').next().unwrap_or(name));
            self.story.limit("unsupported", what, true);
            return Err(Stop::Unfollowed);
        }
        Ok(())
    }

    /// Ends the frame on top.
    pub(super) fn pop_frame(&mut self) -> super::frames::Frame {
        let frame = self.s.frames.leave();
        self.initialising -= u32::from(frame.initialiser);
        self.worked(&frame);
        frame
    }
}
