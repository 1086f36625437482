//! Arms that resist the solver: tried with little effort first, set aside, and tried for good when nothing else is left.
//!
//! One hash in a loop makes thousands of arms that cost a solver all that it may spend, and nearly all of them in vain. So an arm may cost a part of the effort at first. A place
//! where that was not enough is left alone for a while, twice as long each time. What is set aside stays open, and is asked with the whole effort in the end.
//!
//! An arm that is set aside is also tried without its path: inputs that satisfy the last condition alone go elsewhere as often as not, but they are found at once, and may do
//! something new (Yun et al., "QSYM", USENIX Security 2018, call it optimistic solving).
//!
//! **Invariant.** What is infeasible, and what is unknown, is said after the whole question was asked with the whole effort, and of nothing else. A run without a path says nothing
//! about an arm that it does not take.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use xcute_solver::{Answer, Effort, Query, Why};
use xcute_term::{Model, profile};
use xcute_trace::{Schedule, SiteId, SubjectError, TestCase};
use xcute_tree::{Arm, ArmId, PathTree};

use super::Campaign;
use crate::observer::Observer;

/// The first attempt may cost this part of the effort.
const PART: u64 = 8;

/// How an arm of a site has done so far.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Attempts in vain, one after the other.
    failed: u32,
    /// Arms that are set aside unasked before the next attempt.
    skip: u64,
}

/// What resisted so far.
#[derive(Debug, Default)]
pub(super) struct Hard {
    places: FxHashMap<(SiteId, u32), Place>,
    aside: VecDeque<ArmId>,
}

impl Hard {
    /// How much an arm may cost now; `None` if it is to be set aside unasked.
    fn effort(&mut self, place: (SiteId, u32), whole: Effort) -> Option<Effort> {
        let known = self.places.entry(place).or_default();
        if known.skip > 0 {
            known.skip -= 1;
            return None;
        }
        Some(Effort((whole.0 / PART).max(1)))
    }

    /// An attempt at a place was in vain; how many in a row.
    fn failed(&mut self, place: (SiteId, u32)) -> u32 {
        let known = self.places.entry(place).or_default();
        known.failed += 1;
        known.skip = 1 << known.failed.min(16);
        known.failed
    }

    fn answered(&mut self, place: (SiteId, u32)) {
        self.places.remove(&place);
    }

    /// The arm that was set aside first and is still open.
    fn next(&mut self, tree: &PathTree) -> Option<ArmId> {
        while let Some(arm) = self.aside.pop_front() {
            if tree.arm(arm) == Arm::Open {
                return Some(arm);
            }
        }
        None
    }
}

impl Campaign<'_> {
    /// The arm to try, and whether it is for good: nothing else is left.
    pub(super) fn pick(&mut self) -> Option<(ArmId, bool)> {
        let arm = self.strategy.pick(&self.tree).map(|arm| (arm, self.hard.is_none()));
        arm.or_else(|| Some((self.hard.as_mut()?.next(&self.tree)?, true)))
    }

    /// How much an arm may cost that is not tried for good; `None` if it was set aside.
    pub(super) fn effort(&mut self, arm: ArmId, last: bool) -> Option<Effort> {
        let (place, whole) = ((self.tree.site(arm.node), arm.arm), self.runner.options.effort);
        let Some(hard) = self.hard.as_mut().filter(|_| !last) else { return Some(whole) };
        let effort = hard.effort(place, whole);
        if effort.is_none() {
            hard.aside.push_back(arm);
        }
        effort
    }

    /// Takes note that an arm has an answer.
    pub(super) fn answered(&mut self, arm: ArmId) {
        let place = (self.tree.site(arm.node), arm.arm);
        if let Some(hard) = &mut self.hard {
            hard.answered(place);
        }
    }

    /// Sets an arm aside that the solver had no answer for, unless a run without its path takes it.
    pub(super) fn set_aside(&mut self, observer: &dyn Observer, arm: ArmId, why: Why) -> Result<(), SubjectError> {
        let place = (self.tree.site(arm.node), arm.arm);
        let Some(hard) = &mut self.hard else { return Ok(()) };
        // Sooner or later the same attempts come again: 1, 2, 4 and so on are enough of them.
        if hard.failed(place).is_power_of_two() && self.fuzzing.is_some() {
            self.try_alone(observer, arm)?;
        }
        if let Some(hard) = self.hard.as_mut().filter(|_| why == Why::Effort && self.tree.arm(arm) == Arm::Open) {
            hard.aside.push_back(arm);
        }
        Ok(())
    }

    /// Runs an input that satisfies the condition of an arm, whatever is before it.
    fn try_alone(&mut self, observer: &dyn Observer, arm: ArmId) -> Result<(), SubjectError> {
        let Some(hint) = self.tree.input(arm) else { return Ok(()) };
        let runner = &mut self.runner;
        let effort = Effort((runner.options.effort.0 / PART).max(1));
        let query = Query::new(&[], self.tree.cond(arm), hint, effort).until(&runner.interrupt);
        let start = observer.elapsed();
        let solving = profile::phase("solver");
        let answer = self.solver.solve(&mut runner.terms, &query);
        drop(solving);
        runner.results.solver_time += observer.elapsed().saturating_sub(start);
        let Answer::Sat(patch) = answer else { return Ok(()) };
        let case = TestCase { input: hint.patched(&patch), schedule: Schedule::default() };
        self.promise.clear();
        self.step(observer, None, Model::new(), case)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_resists_is_left_alone_twice_as_long_each_time() {
        let (mut hard, place, whole) = (Hard::default(), (SiteId(3), 1), Effort(800));
        let mut attempts = Vec::new();
        for arm in 0..40 {
            if hard.effort(place, whole) == Some(Effort(100)) {
                attempts.push(arm);
                hard.failed(place);
            }
        }
        assert_eq!(attempts, [0, 3, 8, 17, 34]);
        assert_eq!(hard.effort((SiteId(3), 0), whole), Some(Effort(100)), "other places are others");
        hard.answered(place);
        assert_eq!(hard.effort(place, whole), Some(Effort(100)));
    }
}
