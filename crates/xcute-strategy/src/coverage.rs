//! Coverage, the default: several searches over the same arms take turns, those more often that covered something new lately.
//!
//! No single order is good for all programs: the nearest branch may be out of reach, a loop may have no end, the newest input may be a bad one. So the members share the picks:
//! [`Frontier`] goes to what is near and not covered, [`Generational`] to the neighbours of inputs that covered something, [`Rare`] to places that were seldom tried,
//! [`UniformRandom`] anywhere. A member whose run covers something new earns credit, which wears off; shares follow credit, and none falls below a fixed one.
//!
//! The shares are those of a bandit (Auer, Cesa-Bianchi & Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002) whose rewards change with time, given out by
//! stride scheduling (Waldspurger & Weihl, 1995) instead of at random. Schedule choices are not places of the program: their arms and those of branches are taken in turn.
//!
//! Where nothing new was covered for long, any order is as good as another, and the cheapest is best: a pick is followed by a batch of others, each the deepest open arm of the path that
//! was run last (as in depth-first search, whose next query and next run share most with the last ones). Batches grow with the time in vain, and end when something new is covered.
//! KLEE's batching search does the same for states (Cadar, Dunbar & Engler, 2008).
//!
//! **Invariant.** Every open arm is in the queues of all members, so each of them alone would try all of them some day; an arm that one has handed out is not open for the others.

use xcute_trace::{SiteKind, Sites};
use xcute_tree::{ArmId, Growth, PathTree};

use crate::current::Current;
use crate::frontier::Frontier;
use crate::generational::Generational;
use crate::rare::Rare;
use crate::strategy::{Seen, Strategy};
use crate::turns::Turns;
use crate::urs::UniformRandom;

/// The unit of turns.
const STRIDE: u64 = 1 << 16;
/// A run costs as much as this many of its decisions, whatever it does.
const SHORT: u64 = 16;
/// The credit for a run that covers something new.
const REWARD: u64 = 4 << 8;
/// The most credit a member can have.
const MOST: u64 = 12 << 8;
/// After this many picks about two thirds of a credit are gone.
const MEMORY: u64 = 32;
/// After this many runs in vain batches grow by one pick.
const VAIN: u32 = 256;
/// The most picks of a batch.
const BATCH: u32 = 8;

struct Member {
    search: Box<dyn Strategy>,
    /// When its next turn is.
    turn: u64,
    /// In units of 1/256.
    credit: u64,
}

/// Coverage first.
pub struct Coverage {
    members: Vec<Member>,
    /// Whose pick the next run is.
    last: Option<usize>,
    /// The path that was run last.
    current: Current,
    /// How many runs covered nothing new, one after the other.
    vain: u32,
    /// How many picks are left of this batch.
    batch: u32,
    schedules: Turns,
    /// Whether there are schedule choices at all.
    scheduled: bool,
}

impl Coverage {
    /// A search over these sites.
    #[must_use]
    pub fn new(sites: &Sites, seed: u64) -> Coverage {
        let searches: [Box<dyn Strategy>; 4] =
            [Box::new(Frontier::new(sites)), Box::new(Generational::new()), Box::new(Rare::default()), Box::new(UniformRandom::new(seed))];
        let member = |search| Member { search, turn: 0, credit: 0 };
        let scheduled = sites.sites.iter().any(|site| site.kind == SiteKind::Schedule);
        let members = searches.into_iter().map(member).collect();
        Coverage { members, last: None, current: Current::default(), vain: 0, batch: 0, schedules: Turns::default(), scheduled }
    }

    /// The next pick of a batch. There are none where schedules are chosen: their turns are kept.
    fn batched(&mut self, tree: &PathTree) -> Option<ArmId> {
        self.batch = self.batch.checked_sub(1)?;
        let next = self.current.open(tree).next();
        if next.is_none() {
            self.batch = 0;
        }
        next
    }
}

impl Strategy for Coverage {
    fn name(&self) -> &'static str {
        "coverage"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        // What others covered is nobody's merit.
        let own = !seen.growth.new.is_empty() || seen.growth.new_path;
        if let Some(last) = self.last.filter(|_| own) {
            self.last = None;
            if !seen.covered.is_empty() {
                let credit = &mut self.members[last].credit;
                *credit = (*credit + REWARD).min(MOST);
            }
        }
        (self.vain, self.batch) = if seen.covered.is_empty() { (self.vain.saturating_add(1), self.batch) } else { (0, 0) };
        if !self.scheduled {
            self.current.observe(seen);
            return self.members.iter_mut().for_each(|member| member.search.observe(seen));
        }
        let Growth { run, new_path, kept, contradiction, cut, strayed, asleep, last, .. } = *seen.growth;
        let opened = seen.growth.opened.iter().copied().filter(|&arm| !self.schedules.keep(seen.tree, arm)).collect();
        let growth = Growth { run, opened, new: Vec::new(), new_path, kept, contradiction, cut, strayed, asleep, last };
        self.members.iter_mut().for_each(|member| member.search.observe(&Seen { growth: &growth, ..*seen }));
    }

    fn restart(&mut self) {
        self.schedules = Turns::default();
        (self.last, self.current) = (None, Current::default());
        (self.vain, self.batch) = (0, 0);
        for member in &mut self.members {
            member.search.restart();
            (member.turn, member.credit) = (0, 0);
        }
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        if let Some(arm) = self.schedules.pick(tree) {
            self.last = None;
            return Some(arm);
        }
        if let Some(arm) = self.batched(tree) {
            return Some(arm);
        }
        let first = (0..self.members.len()).min_by_key(|&at| self.members[at].turn)?;
        let member = &mut self.members[first];
        // All members know all arms: where one has none, none is left.
        let Some(arm) = member.search.pick(tree) else { return self.schedules.any(tree) };
        member.credit -= member.credit / MEMORY;
        let cost = SHORT + u64::from(tree.depth(arm.node));
        member.turn += cost * STRIDE / (256 + member.credit);
        self.last = Some(first);
        self.batch = if self.scheduled { 0 } else { (self.vain / VAIN).min(BATCH) };
        Some(arm)
    }
}

#[cfg(test)]
mod tests {
    use xcute_term::Terms;
    use xcute_trace::SiteId;
    use xcute_tree::Growth;

    use super::*;
    use crate::grown::{grow, sites};

    /// Of the picks that follow the first one, how many are the deepest open arm of the path before, one after the other, after this many runs in vain.
    fn deepest_in_a_row(vain: u32) -> u32 {
        let (mut terms, mut tree) = (Terms::new(), PathTree::new());
        let mut search = Coverage::new(&sites(), 1);
        let growth = grow(&mut tree, &mut terms, None, &[0, 0, 0, 0]);
        search.observe(&Seen { tree: &tree, growth: &growth, covered: &[(SiteId(0), 0)] });
        for _ in 0..vain {
            search.observe(&Seen { tree: &tree, growth: &Growth::default(), covered: &[] });
        }
        let mut arm = search.pick(&tree).unwrap();
        for batch in 0..100 {
            let growth = grow(&mut tree, &mut terms, Some(arm), &[0, 0, 0, 0]);
            search.observe(&Seen { tree: &tree, growth: &growth, covered: &[] });
            let deepest = growth.opened.iter().copied().max_by_key(|arm| tree.depth(arm.node)).unwrap();
            if search.batch == 0 {
                return batch;
            }
            arm = search.pick(&tree).unwrap();
            assert_eq!(arm, deepest, "a batch stays on the last path");
        }
        panic!("a batch without an end");
    }

    #[test]
    fn batches_grow_with_what_was_in_vain() {
        assert_eq!(deepest_in_a_row(0), 0);
        assert_eq!(deepest_in_a_row(2 * VAIN), 2);
        assert_eq!(deepest_in_a_row(100 * VAIN), BATCH);
    }

    #[test]
    fn what_is_new_ends_a_batch() {
        let (mut terms, mut tree) = (Terms::new(), PathTree::new());
        let mut search = Coverage::new(&sites(), 1);
        let growth = grow(&mut tree, &mut terms, None, &[0, 0, 0, 0]);
        for _ in 0..3 * VAIN {
            search.observe(&Seen { tree: &tree, growth: &growth, covered: &[] });
        }
        search.pick(&tree).unwrap();
        assert_eq!(search.batch, 3);
        search.observe(&Seen { tree: &tree, growth: &Growth::default(), covered: &[(SiteId(1), 0)] });
        assert_eq!((search.batch, search.vain), (0, 0));
    }
}
