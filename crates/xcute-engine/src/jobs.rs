//! Several workers on one campaign: a thread for each subject.
//!
//! **Invariant.** The paths and failures are those that one worker finds; only their order, and with it which case of a failure comes first, depends
//! on the timing. One subject: no thread, and every choice is as in a [`Campaign`] alone.

use std::sync::Arc;

use xcute_solver::Solver;
use xcute_strategy::Strategy;
use xcute_term::profile;
use xcute_trace::{Sites, Subject, SubjectError};

use crate::campaign::{Campaign, branches};
use crate::crew::Crew;
use crate::observer::Observer;
use crate::options::Options;
use crate::record::Record;
use crate::results::{Results, StopReason};
use crate::seed::Seed;

/// How each worker is equipped.
#[derive(Clone, Copy)]
pub struct Equipment<'a> {
    /// Makes a solver.
    pub solver: &'a (dyn Fn() -> Box<dyn Solver> + Sync),
    /// Makes the strategy of the worker with this number, from 0.
    pub strategy: &'a (dyn Fn(&Sites, u64) -> Box<dyn Strategy> + Sync),
    /// Bounds of the whole campaign.
    pub options: Options,
    /// Cases to begin with.
    pub seeds: &'a [Seed],
    /// What an earlier campaign recorded; then it begins with that.
    pub past: &'a [Record],
}

/// Searches with all subjects, which must run the same program. The results are there even if a subject could no longer be run.
pub fn run_all<S: Subject + Send>(
    subjects: &mut [S],
    equipment: &Equipment<'_>,
    observer: &dyn Observer,
) -> (Results, Option<SubjectError>) {
    let crew = Crew::new(subjects.len(), subjects.first().map_or(0, |subject| branches(subject)), equipment.options.scheduling);
    let crew = Arc::new(crew);
    let work = |number: u64, subject: &mut S| {
        let _guard = Guard(&crew);
        let _phase = profile::phase("searching");
        let strategy = (equipment.strategy)(subject.sites(), number);
        let mut worker = Campaign::join(Arc::clone(&crew), subject, (equipment.solver)(), strategy, equipment.options);
        worker.prune_with((equipment.solver)());
        if number == 0 {
            worker.begin_with(equipment.seeds.to_vec());
            worker.go_on_from(equipment.past.to_vec());
        }
        let ended = worker.work(observer, number == 0);
        (worker.into_results(), ended.err())
    };
    let (mut results, mut error) = (Results::default(), None);
    if let [subject] = subjects {
        (results, error) = work(0, subject);
    } else {
        let done = std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> = (0..).zip(subjects.iter_mut()).map(|(n, subject)| scope.spawn(move || work(n, subject))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect::<Vec<_>>()
        });
        for (part, failed) in done {
            results.add(part);
            error = error.or(failed);
        }
    }
    results.conclude(&crew, observer.elapsed());
    (results, error)
}

/// Ends the campaign for the others where a worker panics; else they would wait for it.
struct Guard<'a>(&'a Crew);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(StopReason::Subject);
        }
    }
}
