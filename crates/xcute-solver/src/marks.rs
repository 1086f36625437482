//! Reusable side tables over dense ids, cleared in constant time: the layers' scratch memory.
//!
//! A query must not pay for hashing or allocating, and a path has thousands of constraints over thousands of variables, so
//! every layer keeps one table as long as the largest id it met and invalidates it by counting up a generation.
//!
//! **Invariant.** An entry counts only if its stamp is the current generation.

/// A map from dense ids to words, emptied by [`Slots::clear`] without touching memory.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    entries: Vec<(u32, u32)>,
    now: u32,
}

impl Slots {
    /// Forgets everything and makes room for ids below `len`.
    pub(crate) fn clear(&mut self, len: usize) {
        if self.entries.len() < len {
            self.entries.resize(len.next_power_of_two(), (0, 0));
        }
        if self.now == u32::MAX {
            self.entries.fill((0, 0));
            self.now = 0;
        }
        self.now += 1;
    }

    /// The word of an id.
    #[inline]
    pub(crate) fn get(&self, id: usize) -> Option<u32> {
        match self.entries.get(id) {
            Some(&(stamp, word)) if stamp == self.now => Some(word),
            _ => None,
        }
    }

    /// Whether an id has a word.
    #[inline]
    pub(crate) fn has(&self, id: usize) -> bool {
        self.get(id).is_some()
    }

    /// Gives an id a word, and says whether it had none before.
    #[inline]
    pub(crate) fn set(&mut self, id: usize, word: u32) -> bool {
        let entry = &mut self.entries[id];
        let new = entry.0 != self.now;
        *entry = (self.now, word);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_forgets_and_growing_keeps() {
        let mut slots = Slots::default();
        slots.clear(3);
        assert!(slots.set(2, 7));
        assert!(!slots.set(2, 8));
        assert_eq!(slots.get(2), Some(8));
        slots.clear(100);
        assert!(!slots.has(2) && !slots.has(99) && !slots.has(1_000_000));
        assert!(slots.set(99, 1));
    }

    #[test]
    fn the_generation_wraps() {
        let mut slots = Slots { entries: vec![(u32::MAX, 5)], now: u32::MAX };
        assert!(slots.has(0));
        slots.clear(1);
        assert!(!slots.has(0));
    }
}
