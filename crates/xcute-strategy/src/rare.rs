//! Rare sites: an arm of the place that was tried least often, wherever it is.
//!
//! Distances know branches only. Checks, assumptions and decisions in the models of library functions count here as much as branches do: what fails, and what comes after a check that
//! failed, is tried as often as all else.
//!
//! **Invariant.** The queue holds each bucket that has arms once, by how often it was tried.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use xcute_trace::SiteId;
use xcute_tree::{Arm, ArmId, PathTree};

use crate::strategy::{Seen, Strategy};

type Place = (SiteId, u32);

#[derive(Debug, Default)]
struct Bucket {
    arms: VecDeque<ArmId>,
    tried: u32,
}

/// The least tried place first.
#[derive(Debug, Default)]
pub(crate) struct Rare {
    buckets: BTreeMap<Place, Bucket>,
    queue: BTreeSet<(u32, Place)>,
}

impl Strategy for Rare {
    fn name(&self) -> &'static str {
        "rare"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        for &arm in &seen.growth.opened {
            let place = (seen.tree.site(arm.node), arm.arm);
            let bucket = self.buckets.entry(place).or_default();
            if bucket.arms.is_empty() {
                self.queue.insert((bucket.tried, place));
            }
            bucket.arms.push_back(arm);
        }
    }

    fn restart(&mut self) {
        *self = Rare::default();
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        loop {
            let (tried, place) = self.queue.pop_first()?;
            let bucket = self.buckets.get_mut(&place)?;
            // The oldest twice, the newest once: a short way to a place is the better one.
            let arm = if tried % 3 == 2 { bucket.arms.pop_back() } else { bucket.arms.pop_front() };
            let open = arm.filter(|&a| tree.arm(a) == Arm::Open);
            bucket.tried = tried.saturating_add(u32::from(open.is_some()));
            if !bucket.arms.is_empty() {
                self.queue.insert((bucket.tried, place));
            }
            if open.is_some() {
                return open;
            }
        }
    }
}
