//! Distances in the control-flow graph: how many sites lie between an arm and the nearest arm of a set.

use std::collections::VecDeque;

use xcute_trace::{SiteId, Sites};

/// The control-flow graph over arms of sites, turned round.
#[derive(Debug)]
pub(crate) struct Distances {
    /// The first arm of each site in the tables below.
    first: Vec<u32>,
    /// For each site, the arms from which it is reached next.
    before: Vec<Vec<u32>>,
    /// The site of each arm.
    site: Vec<u32>,
    distance: Vec<u32>,
}

/// The distance of what is not reachable.
pub(crate) const FAR: u32 = u32::MAX;

impl Distances {
    pub(crate) fn new(sites: &Sites) -> Distances {
        let mut first = Vec::with_capacity(sites.sites.len());
        let mut site = Vec::new();
        for (i, s) in (0..).zip(&sites.sites) {
            first.push(u32::try_from(site.len()).expect("few arms"));
            site.extend(std::iter::repeat_n(i, s.arms.max(1) as usize));
        }
        let mut before = vec![Vec::new(); sites.sites.len()];
        for (s, &at) in sites.sites.iter().zip(&first) {
            for (arm, next) in (at..).zip(&s.next) {
                for n in next {
                    before[n.0 as usize].push(arm);
                }
            }
        }
        let distance = vec![FAR; site.len()];
        Distances { first, before, site, distance }
    }

    /// How many arms there are.
    pub(crate) fn len(&self) -> usize {
        self.site.len()
    }

    /// The index of an arm. Arms beyond those of the site (a schedule choice has as many as can run) count as its last.
    pub(crate) fn index(&self, site: SiteId, arm: u32) -> usize {
        let end = self.first.get(site.0 as usize + 1).map_or(self.site.len(), |&next| next as usize);
        (self.first[site.0 as usize] as usize + arm as usize).min(end - 1)
    }

    /// Computes, for every arm, the number of sites to pass until one of the target arms is taken.
    pub(crate) fn aim(&mut self, targets: impl Iterator<Item = usize>) {
        self.distance.fill(FAR);
        let mut queue = VecDeque::new();
        for t in targets {
            self.distance[t] = 0;
            queue.push_back(t);
        }
        while let Some(arm) = queue.pop_front() {
            let near = self.distance[arm] + 1;
            for &prior in &self.before[self.site[arm] as usize] {
                let d = &mut self.distance[prior as usize];
                if *d == FAR {
                    *d = near;
                    queue.push_back(prior as usize);
                }
            }
        }
    }

    /// The distance of an arm; [`FAR`] where no target can be reached.
    pub(crate) fn get(&self, arm: usize) -> u32 {
        self.distance[arm]
    }
}
