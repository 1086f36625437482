//! Greedy confirmation [jaffar-murali-navas-2013 §5.2]: what keeps it proportional to a path.
//!
//! When the way back comes to an arm that nobody has finished, the arm is run at once, with the search waiting, in the hope that everything below is
//! soon subsumed. While one arm is confirmed, each program point may be visited once without being subsumed; a second such visit is
//! failure, and the node stays half. What was annotated until then stays.
//!
//! We count visits per occurrence of a point along its path, or a loop could not go round, and allow [`STATES`] of them: a machine with a few states comes to the same point of the same
//! turn in each of them. The bound stays linear in the longest path. Runs are real ones, so a failure that greedy confirmation meets is real; the search finds it in its own order again.
//!
//! Where confirmation has met failures before, at the same arm of the same point, and not more often ended well, it is not tried: the search will run the arm.
//!
//! **Invariant.** I6: nothing here changes what the search picks next.

use rustc_hash::FxHashMap;

use crate::options::Visits;
use xcute_trace::segments::Arm;
use xcute_trace::segments::PointId;

/// How often the same occurrence of a point may be visited.
const STATES: u32 = 8;

/// What was visited while one arm is confirmed.
#[derive(Debug)]
pub(crate) struct Visited {
    visits: Visits,
    points: FxHashMap<(PointId, u32), u32>,
}

impl Visited {
    pub(crate) fn new(visits: Visits) -> Visited {
        Visited { visits, points: FxHashMap::default() }
    }

    /// Begins with another arm.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
    }

    /// Notes the visit of a point, for the n-th time along its path; whether there were not too many such visits.
    pub(crate) fn enter(&mut self, point: PointId, occurrence: u32) -> bool {
        let (occurrence, most) = if self.visits == Visits::PerPoint { (0, 1) } else { (occurrence, STATES) };
        let visits = self.points.entry((point, occurrence)).or_default();
        *visits += 1;
        *visits <= most
    }
}

/// How many failures at an arm of a point are not taken for a rule.
const FAILURES: u32 = 2;

/// How confirmations ended, by point and arm.
#[derive(Debug, Default)]
pub(crate) struct Record {
    /// Well, and with a failure.
    ended: FxHashMap<(PointId, Arm), (u32, u32)>,
}

impl Record {
    /// Notes how a confirmation ended.
    pub(crate) fn note(&mut self, point: PointId, arm: Arm, failed: bool) {
        let (well, badly) = self.ended.entry((point, arm)).or_default();
        *(if failed { badly } else { well }) += 1;
    }

    /// Whether another one is likely to meet a failure.
    pub(crate) fn is_hopeless(&self, point: PointId, arm: Arm) -> bool {
        self.ended.get(&(point, arm)).is_some_and(|&(well, badly)| badly >= FAILURES && badly > well)
    }
}
