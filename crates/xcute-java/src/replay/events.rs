//! The events of a run, read in order.

use crate::wire::event;

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// `wire::event`.
    pub(crate) kind: u8,
    /// The position in the code that wrote it.
    pub(crate) pc: u16,
    /// The lower half of its first word.
    pub(crate) value: u32,
    /// Its second word; 0 if it has none.
    pub(crate) more: u64,
    /// How many words it has.
    words: usize,
}

/// A reader of events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Events<'a> {
    words: &'a [u64],
    at: usize,
}

impl<'a> Events<'a> {
    pub(crate) fn new(words: &'a [u64]) -> Events<'a> {
        Events { words, at: 0 }
    }

    /// The next event, which stays the next one; `None` at the end.
    pub(crate) fn peek(&self) -> Option<Event> {
        let word = *self.words.get(self.at)?;
        let kind = (word >> 56) as u8;
        let value = word as u32;
        let two = match kind {
            event::LONG => true,
            event::REF | event::CAUGHT | event::MADE | event::INPUT => value != 0,
            _ => false,
        };
        let more = if two { *self.words.get(self.at + 1)? } else { 0 };
        Some(Event { kind, pc: (word >> 32) as u16, value, more, words: 1 + usize::from(two) })
    }

    /// Goes past an event that was looked at.
    pub(crate) fn take(&mut self, event: Event) {
        self.at += event.words;
    }

    /// How many words were read.
    pub(crate) fn position(&self) -> usize {
        self.at
    }
}
