//! The failures of a campaign, found again by what makes two of them the same.
//!
//! **Invariant.** The position of a failure never changes. Looking one up does not depend on how many there are.

use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;
use xcute_trace::{Failure, FailureKey};

use crate::results::Found;

/// All failures, in the order they were found.
#[derive(Debug, Default)]
pub(crate) struct FoundList {
    list: Vec<Found>,
    by_key: FxHashMap<FailureKey, usize>,
    /// The same without what only an instrumented program says of places.
    by_plain_key: FxHashMap<FailureKey, usize>,
}

impl FoundList {
    /// Where a failure is, if it was found before.
    pub(crate) fn position(&self, failure: &Failure) -> Option<usize> {
        self.by_key.get(&failure.key()).copied()
    }

    /// Where a failure of the uninstrumented program is, if it was found before.
    pub(crate) fn plain(&self, failure: &Failure) -> Option<usize> {
        self.by_plain_key.get(&failure.key().plain()).copied()
    }

    /// Adds a failure; its position.
    pub(crate) fn push(&mut self, found: Found) -> usize {
        let (at, key) = (self.list.len(), found.failure.key());
        self.list.push(found);
        self.name(key, at);
        at
    }

    /// The failure at this position goes by another key as well: several may be reported as one.
    pub(crate) fn name(&mut self, key: FailureKey, at: usize) {
        self.by_plain_key.entry(key.plain()).or_insert(at);
        self.by_key.entry(key).or_insert(at);
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
