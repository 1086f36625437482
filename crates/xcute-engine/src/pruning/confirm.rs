//! Greedy confirmation [jaffar-murali-navas-2013 §5.2]: the runs that the pruner asks for while the search waits.
//!
//! They are real runs, so failures they meet are reported like others; the search finds them again in its own order. What they cover counts, and the strategy is
//! not told of it before a run of the search covers the same.
//!
//! **Invariant.** Their number is bounded by the length of the path that was run, whatever the program does.

use std::sync::atomic::Ordering::Relaxed;

use xcute_prune::{Counters, Next};
use xcute_trace::{Schedule, SubjectError, TestCase};

use crate::campaign::Campaign;
use crate::observer::{Aside, Observer};

/// At most this many runs, and for each decision of the path this many more, may be made before greedy confirmation is abandoned.
const RUNS: usize = 16;
const PER_DECISION: usize = 8;

impl Campaign<'_> {
    /// Makes the runs that the pruner asks for after the run with this number, which had this many decisions.
    pub(crate) fn confirm(&mut self, observer: &dyn Observer, number: u64, length: usize, mut next: Next) -> Result<(), SubjectError> {
        let before = (self.tree.counts(), self.tree.len(), self.results.runs, self.results.queries);
        let mut nth = 0;
        while let Next::Confirm(input) = next {
            let allowed = self.pruning.as_mut().is_some_and(|pruning| pruning.allow());
            if nth == RUNS + PER_DECISION * length || !allowed || self.interrupt.raised() || observer.stop() {
                self.abandon();
                break;
            }
            nth += 1;
            let case = TestCase { input, schedule: Schedule::default() };
            let mut trace = self.subject.run_aside(&case, &mut self.terms)?;
            let followed = trace.segments.take();
            trace.covered = self.crew.cover(&trace.covered);
            self.count_covered(&trace.covered);
            self.fail(observer, (number, None), None, &trace);
            observer.ran_aside(&self.terms, &Aside { number, nth, subject: &*self.subject, trace: &trace, repeated: self.repeating });
            let Some(mut followed) = followed else {
                self.abandon();
                break;
            };
            let left_out = self.cut(&mut followed);
            let Some(pruning) = &mut self.pruning else { break };
            pruning.unheard.extend(trace.covered);
            pruning.reasons.extend(followed.lost);
            pruning.told += u64::from(followed.told);
            let Counters { restarts, bounded, .. } = *pruning.pruner.counters();
            next = pruning.pruner.confirm(&mut self.terms, pruning.solver.as_mut(), followed.run);
            if pruning.pruner.counters().restarts != restarts {
                pruning.seats.clear();
            }
            // The search will not come there any more, so nobody else says it.
            if let Some(what) = left_out.filter(|_| pruning.pruner.counters().bounded != bounded) {
                self.results.limit("depth", &what, true);
            }
        }
        let after = (self.tree.counts(), self.tree.len(), self.results.runs, self.results.queries);
        debug_assert_eq!(before, after, "I6: greedy confirmation changed something of the search");
        Ok(())
    }

    fn abandon(&mut self) {
        if let Some(pruning) = &mut self.pruning {
            pruning.pruner.abandon();
        }
    }

    /// Counts arms that were covered for the first time.
    pub(crate) fn count_covered(&self, covered: &[(xcute_trace::SiteId, u32)]) {
        let sites = self.subject.sites();
        let counted = covered.iter().filter(|(site, _)| sites.get(*site).counts()).count() as u64;
        self.crew.figures.covered.fetch_add(counted, Relaxed);
    }
}
