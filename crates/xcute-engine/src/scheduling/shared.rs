//! What the workers of a campaign share about schedules: the explorer, the data races that were reported, and which version of the search this is.
//!
//! Branches and schedule choices are in the one path tree; the explorer knows the choices by keys. The key of a choice is a hash of the
//! decisions before it, so it is the same in the trees of all workers, and can be computed from a promise alone.
//!
//! **Invariant.** Runs are taken in, and recorded, in one order: whoever holds the lock does both. A run of an older version adds nothing.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_race::{Explorer, NodeKey};
use xcute_trace::{Known, Schedule, SiteKind, Sites, Subject, Task};

use crate::options::Scheduling;
use crate::results::Flipped;

/// Two places in the program ([`Subject::race_place`]), the smaller first.
pub(crate) type Pair = (u64, u64);

/// The places of two steps of a run.
pub(crate) fn pair(places: &[u64], first: usize, second: usize) -> Pair {
    let [one, other] = [first, second].map(|step| places[step]);
    (one.min(other), one.max(other))
}

/// Names data races that are reported as one ([`Subject::race_group`]).
pub(crate) type Group = u64;

/// Data races that are reported as one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported {
    /// Its position among the failures.
    pub(crate) found: usize,
    /// Nothing more is to be done to confirm it.
    pub(crate) settled: bool,
    /// Runs that showed it since.
    pub(crate) times: u64,
    /// Whose access was the second one, and where, when it was reported.
    pub(crate) second: Option<(Task, u32)>,
}

/// The shared part.
#[derive(Debug)]
pub(crate) struct Schedules {
    pub(crate) scheduling: Scheduling,
    pub(crate) explorer: Explorer,
    /// How often the search restarted.
    pub(crate) version: u64,
    /// The steps of the longest run.
    pub(crate) longest: u32,
    /// The data races that were reported.
    pub(crate) races: BTreeMap<Group, Reported>,
    /// The pairs of places that race, as far as they were looked at.
    pub(crate) pairs: FxHashMap<Pair, Group>,
    /// Failures that came after others and need not be looked at again, by their digests.
    pub(crate) later: FxHashSet<u64>,
    /// Opened arms that turn a data race round, by choice and option.
    flips: FxHashMap<(NodeKey, u32), Group>,
}

impl Schedules {
    pub(crate) fn new(scheduling: Scheduling) -> Schedules {
        let (races, pairs, later, flips) = (BTreeMap::new(), FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
        Schedules { scheduling, explorer: scheduling.explorer(), version: 0, longest: 0, races, pairs, later, flips }
    }

    /// Forgets everything but what was reported.
    pub(crate) fn restart(&mut self) -> u64 {
        self.explorer = self.scheduling.explorer();
        self.flips.clear();
        self.version += 1;
        self.version
    }

    /// Takes over the names of tasks that the explorer has not met. Whether there are as many as the record needs.
    pub(crate) fn name_tasks(&mut self, subject: &dyn Subject, width: usize) -> bool {
        let known = self.explorer.tasks().len();
        if known < width {
            for id in subject.tasks().iter().skip(known) {
                self.explorer.tasks_mut().intern(id);
            }
        }
        self.explorer.tasks().len() >= width
    }

    /// Notes that an opened arm turns a data race round.
    pub(crate) fn flips(&mut self, arm: (NodeKey, u32), pair: Pair) {
        if let Some(group) = self.pairs.get(&pair) {
            self.flips.insert(arm, *group);
        }
    }

    /// The data race that an arm turns round.
    pub(crate) fn flipped(&self, arm: (NodeKey, u32)) -> Option<Reported> {
        self.flips.get(&arm).and_then(|group| self.races.get(group)).copied()
    }

    /// The schedule of a run that is to keep a promise; `None` where the explorer does not know the way.
    pub(crate) fn schedule(&self, sites: &Sites, promise: &[Known]) -> Option<Schedule> {
        match last_choice(sites, promise) {
            Some((key, option)) => self.explorer.plan_by_option(key, option),
            None => Some(Schedule::default()),
        }
    }
}

/// What a run says about a data race that it turned round: a failure outdoes the runs that went well.
pub(crate) fn told(before: &mut Option<Flipped>, now: Flipped) {
    if !matches!(before, Some(Flipped::Failed { .. })) {
        *before = Some(now);
    }
}

/// The schedule choices of a promise, by their keys, and what is to be chosen there.
pub(crate) fn choices<'a>(sites: &'a Sites, promise: &'a [Known]) -> impl Iterator<Item = (NodeKey, u32)> + 'a {
    let decisions = promise.iter().scan(Chain::default(), |chain, known| {
        let before = chain.key();
        *chain = chain.then(*known);
        Some((before, known))
    });
    decisions.filter(|(_, known)| sites.get(known.site).kind == SiteKind::Schedule).map(|(key, known)| (key, known.taken))
}

/// The last of them.
pub(crate) fn last_choice(sites: &Sites, promise: &[Known]) -> Option<(NodeKey, u32)> {
    let at = promise.iter().rposition(|known| sites.get(known.site).kind == SiteKind::Schedule)?;
    let key = promise[..at].iter().fold(Chain::default(), |chain, known| chain.then(*known)).key();
    Some((key, promise[at].taken))
}

/// A hash of decisions in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chain(u64);

impl Chain {
    /// The same with one more decision.
    pub(crate) fn then(self, known: Known) -> Chain {
        // The finaliser of splitmix64, each time: every bit of the result depends on every decision.
        let mut bits = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ (u64::from(known.site.0) << 32 | u64::from(known.taken));
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Chain(bits ^ (bits >> 31))
    }

    /// The key of a choice that these decisions lead to.
    pub(crate) fn key(self) -> NodeKey {
        NodeKey(self.0)
    }

    /// As a digest.
    pub(crate) fn digest(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_trace::SiteId;

    #[test]
    fn the_order_of_decisions_counts() {
        let known = |site, taken| Known { site: SiteId(site), taken };
        let of = |all: &[Known]| all.iter().fold(Chain::default(), |chain, known| chain.then(*known)).digest();
        assert_eq!(of(&[known(1, 0), known(2, 1)]), of(&[known(1, 0), known(2, 1)]));
        assert_ne!(of(&[known(1, 0), known(2, 1)]), of(&[known(2, 1), known(1, 0)]));
        assert_ne!(of(&[known(0, 0)]), of(&[]));
        assert_ne!(of(&[known(0, 0)]), of(&[known(0, 0), known(0, 0)]));
    }
}
