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
    /// Where further words are that say what an object holds, and how many.
    contents: (usize, usize),
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
        let holds = (word >> 56) as u8 & event::CONTENTS != 0;
        let kind = (word >> 56) as u8 & !event::CONTENTS;
        let value = word as u32;
        let two = match kind {
            event::LONG => true,
            event::REF | event::CAUGHT | event::MADE | event::INPUT => value != 0,
            _ => false,
        };
        let more = if two { *self.words.get(self.at + 1)? } else { 0 };
        let (mut contents, mut words) = ((0, 0), 1 + usize::from(two));
        if holds {
            let count = usize::try_from(*self.words.get(self.at + 2)?).ok()?;
            contents = (self.at + 3, count);
            words += 1 + count;
        }
        Some(Event { kind, pc: (word >> 32) as u16, value, more, contents, words })
    }

    /// What the object of an event holds, if the event says so.
    pub(crate) fn contents(&self, event: Event) -> Option<&'a [u64]> {
        let (at, count) = event.contents;
        self.words.get(at..at + count).filter(|_| at != 0)
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
