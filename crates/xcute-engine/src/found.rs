//! The failures of a campaign, found again by what makes two of them the same.
//!
//! **Invariant.** The position of a failure never changes, nor does its [`Failure::key`]. Looking one up does not depend on how many there are.

use std::hash::BuildHasher;
use std::ops::{Deref, DerefMut};

use rustc_hash::{FxBuildHasher, FxHashMap};
use xcute_trace::Failure;

use crate::results::Found;

/// All failures, in the order they were found.
#[derive(Debug, Default)]
pub(crate) struct FoundList {
    list: Vec<Found>,
    /// By the hash of the key: positions in the list.
    positions: FxHashMap<u64, Vec<usize>>,
}

impl FoundList {
    /// Where a failure is, if it was found before.
    pub(crate) fn position(&self, failure: &Failure) -> Option<usize> {
        let alike = self.positions.get(&hash(failure))?;
        alike.iter().copied().find(|&at| self.list[at].failure.key() == failure.key())
    }

    /// Adds a failure; its position.
    pub(crate) fn push(&mut self, found: Found) -> usize {
        let at = self.list.len();
        self.positions.entry(hash(&found.failure)).or_default().push(at);
        self.list.push(found);
        at
    }
}

impl Deref for FoundList {
    type Target = [Found];

    fn deref(&self) -> &[Found] {
        &self.list
    }
}

impl DerefMut for FoundList {
    fn deref_mut(&mut self) -> &mut [Found] {
        &mut self.list
    }
}

fn hash(failure: &Failure) -> u64 {
    FxBuildHasher.hash_one(failure.key())
}
