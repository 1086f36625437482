//! The end of a campaign: whether everything was explored.
//!
//! **Invariant.** "Complete" is said only where nothing is open, unknown or diverged, all schedules were explored, and no limit may have hidden a path.

use std::time::Duration;

use xcute_trace::FailureKind;

use crate::crew::Crew;
use crate::results::{Doubt, Results, StopReason};

impl Results {
    /// Puts in what the crew knows, and decides whether everything was explored.
    pub(crate) fn conclude(&mut self, crew: &Crew, elapsed: Duration) {
        self.stop = crew.ended();
        self.branches = crew.figures.branches();
        self.failures = crew.failures().to_vec();
        self.arms.open += crew.left();
        self.doubt();
        self.total_time = elapsed;
        let explored = self.schedules(crew);
        let settled = self.arms.open == 0 && self.arms.unknown == 0 && self.arms.diverged == 0;
        self.complete = self.stop == Some(StopReason::Exhausted) && settled && explored && !self.limits.keys().any(|l| l.incomplete);
    }

    /// Whatever was not confirmed ended a run before its time: what comes after it is not known.
    fn doubt(&mut self) {
        let mut doubts = Vec::new();
        for found in self.failures.iter().filter(|found| !found.confirmed) {
            let place = found.failure.stack.first().map_or(String::new(), |f| format!(" at {}:{}", f.file, f.line));
            let what = |why: &str| format!("{}{place}: {why}", found.failure.kind.name());
            let kind = if found.failure.kind == FailureKind::Hang { "steps" } else { "not-reproduced" };
            doubts.push(match &found.doubt {
                Some(Doubt::NotReproduced(why) | Doubt::Undecided(why) | Doubt::NotTried(why) | Doubt::Ours(why)) => (kind, what(why)),
                Some(Doubt::Replaced) => (kind, what("the uninstrumented program fails in another way")),
                None => (kind, what("not replayed")),
            });
        }
        for (kind, what) in doubts {
            self.limit(kind, &what, true);
        }
    }

    /// Puts in what is known about schedules; whether they were explored to the end.
    fn schedules(&mut self, crew: &Crew) -> bool {
        let schedules = crew.schedules();
        self.restarts = schedules.version;
        self.choices = schedules.explorer.choices() as u64;
        for race in schedules.races.values() {
            self.failures[race.found].times += race.times;
        }
        if schedules.explorer.left_out() {
            let (kind, what) = schedules.scheduling.left_out();
            self.limit(kind, what, true);
        }
        schedules.explorer.complete()
    }
}
