//! Cores: which known contradictions are part of a query.
//!
//! A core is found by its largest member: a query that contains the core contains that one, and few cores share it.
//!
//! **Invariant.** Size is bounded by two generations of `capacity` cores; the older is forgotten as a whole.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use xcute_term::{TermId, Terms, VarWalk};

use super::{WEIGHT, fingerprint};
use crate::marks::Slots;

/// How many cores with the same largest member are kept.
const SHARED: usize = 32;

struct Core {
    members: Box<[TermId]>,
    domains: u64,
}

/// The known contradictions.
pub(super) struct Cores {
    capacity: usize,
    young: Generation,
    old: Generation,
    walk: VarWalk,
}

#[derive(Default)]
struct Generation {
    cores: Vec<Core>,
    /// How many constraints they have together.
    weight: usize,
    by_largest: FxHashMap<TermId, SmallVec<[u32; 2]>>,
}

impl Cores {
    pub(super) fn new(capacity: usize) -> Cores {
        Cores { capacity, young: Generation::default(), old: Generation::default(), walk: VarWalk::default() }
    }

    pub(super) fn add(&mut self, terms: &Terms, core: &[TermId]) {
        let Some(&largest) = core.iter().max() else { return };
        if self.young.cores.len() >= self.capacity || self.young.weight >= WEIGHT * self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        let domains = fingerprint(terms, &mut self.walk, core);
        let position = u32::try_from(self.young.cores.len()).expect("a bounded number of cores");
        let list = self.young.by_largest.entry(largest).or_default();
        if list.len() < SHARED {
            list.push(position);
            self.young.weight += core.len();
            self.young.cores.push(Core { members: core.into(), domains });
        }
    }

    /// A core all of whose members are among the query's constraints.
    pub(super) fn within(&mut self, terms: &Terms, query: &[TermId], members: &Slots) -> Option<&[TermId]> {
        for generation in [&self.young, &self.old] {
            if generation.cores.is_empty() {
                continue;
            }
            for c in query {
                let Some(list) = generation.by_largest.get(c) else { continue };
                for &i in list {
                    let core = &generation.cores[i as usize];
                    let inside = core.members.iter().all(|m| members.has(m.index()));
                    if inside && core.domains == fingerprint(terms, &mut self.walk, &core.members) {
                        return Some(&core.members);
                    }
                }
            }
        }
        None
    }
}
