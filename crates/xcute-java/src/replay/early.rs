//! Waits that end early: without a notification (JLS 17.2.1). No run has that, so it must be clear that it makes no difference.
//!
//! A thread that wakes up for no reason does what it would have done had it come later, if nobody can see that it was there before: what it did since it took the
//! lock, up to the wait, was to look ([`spurious`] has the loop). What else it did in that time, others may have waited for.
//!
//! **Invariant.** Where this is not clear, the search is not complete and says so.

use xcute_classfile::access::{FINAL, SYNCHRONIZED};

use super::Replay;
use super::frames::Frame;
use super::marks::NEVER;
use crate::program::names;
use crate::program::spurious::{self, Before};

impl Replay<'_> {
    /// A frame begins.
    pub(super) fn is_born(&mut self) {
        self.s.frames.top_mut().marks.born = u32::try_from(self.s.heap.len()).expect("few objects");
    }

    /// The current thread writes to an object; 0 is memory that all have.
    pub(super) fn works_on(&mut self, object: u32) {
        if self.s.frames.top().is_some() {
            let frame = self.s.frames.top_mut();
            frame.marks.works = frame.at;
            frame.marks.first = frame.marks.first.min(object);
        }
    }

    /// A frame has ended: what it did to others' objects, its caller did.
    pub(super) fn worked(&mut self, ended: &Frame) {
        if ended.marks.first < ended.marks.born {
            self.works_on(ended.marks.first);
        }
    }

    /// The current thread takes a lock that it does not have.
    pub(super) fn locks(&mut self) {
        let program = self.program;
        for frame in self.s.frames.all_mut().iter_mut().rev() {
            let class = &program.method(frame.method).class;
            let copied = class.starts_with(names::COPIES);
            // A wait gives its lock back and takes it again.
            if copied && class.ends_with("$Awaited") {
                break;
            }
            frame.marks.locks = frame.at;
            if !copied {
                break;
            }
        }
    }

    /// A wait may end without a notification. Those of models look again, but for the ones that stand for a wait of the program.
    pub(super) fn waits_once(&mut self, parks: bool) {
        let named = |frame: &Frame| self.program.method(frame.method);
        let copied = |frame: &Frame| named(frame).class.starts_with(names::COPIES);
        let frames = self.s.frames.all();
        let Some(own) = frames.iter().rposition(|frame| !(copied(frame) && named(frame).class.ends_with("$Awaited"))) else { return };
        let frame = &frames[own];
        if copied(frame) {
            return;
        }
        let method = named(frame);
        let why = match spurious::looks_again(&method.body, frame.at) {
            None => "is not in a loop that does nothing else",
            Some(head) if (head..frame.at).contains(&frame.marks.works) => "is in a loop that does something else",
            Some(head) if !parks && !self.comes_late(&frames[..=own], head) => "comes after something else under its lock",
            Some(_) => return,
        };
        let pc = method.body.insns.get(frame.at as usize).map_or(0, |insn| insn.pc);
        let what = format!("{}:{}: a wait that {why} may end without a notification", method.file, method.body.line(pc));
        self.story.limit("unsupported", what, true);
    }

    /// Whether a thread took its lock right before a loop of the last of these frames, so that it could as well have come there later.
    fn comes_late(&self, frames: &[Frame], mut head: u32) -> bool {
        let waits = frames.last().expect("a thread that waits has a frame");
        if waits.marks.locks != NEVER && (head..waits.at).contains(&waits.marks.locks) {
            return true;
        }
        let is_final = |field: u32| self.program.fields[field as usize].access & FINAL != 0;
        for (number, frame) in frames.iter().enumerate().rev() {
            let method = self.program.method(frame.method);
            match spurious::before(&method.body, head, is_final) {
                Before::Lock(at) => return frame.marks.locks == at,
                Before::Start if method.access & SYNCHRONIZED != 0 => return frame.marks.locks == 0,
                Before::Start if !frame.callback && number > 0 => head = frames[number - 1].at,
                Before::Start | Before::Work => return false,
            }
        }
        false
    }
}
