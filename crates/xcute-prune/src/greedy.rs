//! Greedy confirmation (section 5.2): what keeps it proportional to a path.
//!
//! When the way back comes to an arm that nobody has finished, the arm is run at once, with the search waiting, in the hope that everything below is
//! soon subsumed. While one arm is confirmed, each program point may be visited once without being subsumed; a second such visit is
//! failure, and the node stays half. What was annotated until then stays.
//!
//! We count visits per occurrence of a point along its path, or a loop could not go round. The bound stays linear in the longest path. Runs are real
//! ones, so a failure that greedy confirmation meets is real; the search finds it in its own order again.
//!
//! **Invariant.** I6: nothing here changes what the search picks next.

use rustc_hash::FxHashSet;

use crate::options::Visits;
use crate::point::PointId;

/// What was visited while one arm is confirmed.
#[derive(Debug)]
pub(crate) struct Visited {
    visits: Visits,
    points: FxHashSet<(PointId, u32)>,
}

impl Visited {
    pub(crate) fn new(visits: Visits) -> Visited {
        Visited { visits, points: FxHashSet::default() }
    }

    /// Begins with another arm.
    pub(crate) fn clear(&mut self) {
        self.points.clear();
    }

    /// Notes the visit of a point, for the n-th time along its path; whether it is the first such visit.
    pub(crate) fn enter(&mut self, point: PointId, occurrence: u32) -> bool {
        let occurrence = if self.visits == Visits::PerPoint { 0 } else { occurrence };
        self.points.insert((point, occurrence))
    }
}
