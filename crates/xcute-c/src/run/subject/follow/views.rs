//! What loads are, seen from two moments: the begin of the segment, and now.
//!
//! **Invariant.** A load is seen from now only if none of the cells it read was written since; it is those cells then.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use xcute_term::{TermId, Terms};

use super::memory::{Loaded, Memory, concat};
use super::mutant::FollowMutant;
use crate::run::import::Loads;

/// A load of this run.
#[derive(Debug)]
pub(super) struct Load {
    pub(super) loaded: Loaded,
    pub(super) time: usize,
    pub(super) segment: usize,
    /// The handles, with their values, that its address depends on.
    pub(super) address: Vec<(u32, u64)>,
}

/// All loads of this run, by their handles.
pub(super) type Log = FxHashMap<u32, Load>;

/// Seen from the begin of the present segment.
pub(super) struct AtBegin<'a, 'm> {
    pub(super) memory: &'a Memory<'m>,
    pub(super) log: &'a Log,
    pub(super) segment: usize,
}

impl Loads for AtBegin<'_, '_> {
    fn term(&self, terms: &mut Terms, handle: u32) -> Option<TermId> {
        let load = self.log.get(&handle)?;
        if load.segment == self.segment { Some(load.loaded.term) } else { unchanged(terms, self.memory, load) }
    }
}

/// Seen from now; notes which loads were asked for.
pub(super) struct Now<'a, 'm> {
    pub(super) memory: &'a Memory<'m>,
    pub(super) log: &'a Log,
    pub(super) asked: RefCell<Vec<u32>>,
}

impl Loads for Now<'_, '_> {
    fn term(&self, terms: &mut Terms, handle: u32) -> Option<TermId> {
        self.asked.borrow_mut().push(handle);
        unchanged(terms, self.memory, self.log.get(&handle)?)
    }
}

fn unchanged(terms: &mut Terms, memory: &Memory<'_>, load: &Load) -> Option<TermId> {
    let same = load.loaded.slots.iter().all(|&slot| memory.is_unchanged(slot, load.time));
    let parts = load.loaded.slots.iter().map(|&slot| memory.places.get(slot).term).collect();
    if same || memory.broken.is(FollowMutant::StaleCondition) { concat(terms, parts) } else { None }
}
