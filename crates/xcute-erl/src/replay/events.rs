//! The events of a run, read one after the other.
//!
//! **Invariant.** Nobody goes on with a run whose events are not those that the program must have told: each is compared with what the replay expects.

use crate::core::normalise::EventKind;

/// What events are.
pub type Kinds<'a> = &'a dyn Fn(u32) -> Option<EventKind>;

/// What is left of the events.
pub struct Events<'a> {
    bytes: &'a [u8],
    at: usize,
    read: u64,
    /// Whether the run told all its events. If not, it goes on without them.
    pub whole: bool,
}

impl<'a> Events<'a> {
    /// The events of a run; `whole` if it came to its end.
    #[must_use]
    pub fn new(bytes: &'a [u8], whole: bool) -> Events<'a> {
        Events { bytes, at: 0, read: 0, whole }
    }

    /// The same events, to look ahead.
    #[must_use]
    pub fn ahead(&self) -> Events<'a> {
        Events { ..*self }
    }

    /// How many were read.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The next event, which stays.
    #[must_use]
    pub fn peek(&self) -> Option<u32> {
        let bytes = self.bytes.get(self.at..self.at + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Takes the next event.
    pub fn take(&mut self) -> Option<u32> {
        let event = self.peek()?;
        self.at += 4;
        self.read += 1;
        Some(event)
    }

    /// Takes the value that follows an event.
    pub fn value(&mut self) -> Option<&'a [u8]> {
        let length = self.peek()? as usize;
        let bytes = self.bytes.get(self.at + 4..self.at + 4 + length)?;
        self.at += 4 + length;
        Some(bytes)
    }

    /// Skips what a call told that is not followed (functions of the program that it called back), up to its own end: the event of its value or of its
    /// exception. `None` if the events end before.
    pub fn skip_to_end(&mut self, enter: u32, kinds: Kinds<'_>) -> Option<(u32, &'a [u8])> {
        let mut open = 0usize;
        loop {
            let event = self.take()?;
            match kinds(event)? {
                EventKind::Enter => open += 1,
                kind @ (EventKind::Value | EventKind::Raised) => {
                    let value = self.value()?;
                    if open == 0 && (event == enter + 1 || event == enter + 2) {
                        return Some((event, value));
                    }
                    // The stack of an exception is a value that nothing opened.
                    let opened = kind == EventKind::Raised || kinds(event - 1) == Some(EventKind::Enter);
                    open = open.saturating_sub(usize::from(opened));
                }
                EventKind::Received
                | EventKind::Fetched
                | EventKind::Sent
                | EventKind::Notice
                | EventKind::Killed
                | EventKind::Itself
                | EventKind::Flushed => {
                    self.value()?;
                }
                // Nobody knows what a process does there that others can notice.
                EventKind::Step => return None,
                EventKind::Arm(_) | EventKind::Caught | EventKind::TimedOut => {}
            }
        }
    }
}
