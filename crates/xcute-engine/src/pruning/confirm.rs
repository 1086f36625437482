//! Greedy confirmation [jaffar-murali-navas-2013 §5.2]: the runs that the pruner asks for while the search waits.
//!
//! They are real runs, so failures they meet are reported like others; the search finds them again in its own order. What they cover counts, and the strategy
//! does not hear of it before a run of the search covers the same.
//!
//! **Invariant.** Their number is bounded by the length of the path that was run, whatever the program does.

use xcute_prune::{Counters, Next};
use xcute_trace::{Schedule, SubjectError, TestCase};

use super::interpolation::Interpolation;
use crate::failing::{Run, fail};
use crate::observer::Aside;
use crate::runner::Runner;

/// At most this many runs, and for each decision of the path this many more, may be made before greedy confirmation is abandoned.
const RUNS: usize = 16;
const PER_DECISION: usize = 8;

impl Interpolation {
    /// Makes the runs that the pruner asks for after a run of the search, which had this many decisions.
    pub(super) fn confirm(&mut self, runner: &mut Runner<'_>, run: &Run<'_>, length: usize, mut next: Next) -> Result<(), SubjectError> {
        let before = (runner.results.runs, runner.results.queries);
        let run = &Run { way: None, promise: &[], ..*run };
        let mut nth = 0;
        while let Next::Confirm(input) = next {
            let allowed = self.allow();
            if nth == RUNS + PER_DECISION * length || !allowed || runner.interrupt.raised() || run.observer.stop() {
                self.pruner.abandon();
                break;
            }
            nth += 1;
            let case = TestCase { input, schedule: Schedule::default() };
            let mut trace = runner.run_aside(&case)?;
            let followed = trace.segments.take();
            fail(runner, run, None, &trace);
            let aside = Aside { number: run.number, nth, subject: &*runner.subject, trace: &trace, repeated: run.repeated };
            run.observer.ran_aside(&runner.terms, &aside);
            let Some(mut followed) = followed else {
                self.pruner.abandon();
                break;
            };
            let left_out = self.cut(&mut followed);
            runner.hear_later(trace.covered);
            self.reasons.extend(followed.lost);
            self.told += u64::from(followed.told);
            let Counters { restarts, bounded, .. } = *self.pruner.counters();
            next = self.pruner.confirm(&mut runner.terms, self.solver.as_mut(), followed.run);
            if self.pruner.counters().restarts != restarts {
                self.seats.clear();
            }
            // The search will no longer come there, so nothing else says it.
            if let Some(what) = left_out.filter(|_| self.pruner.counters().bounded != bounded) {
                runner.results.limit("depth", &what, true);
            }
        }
        debug_assert_eq!(before, (runner.results.runs, runner.results.queries), "I6: greedy confirmation changed something of the search");
        Ok(())
    }
}
