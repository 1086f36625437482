//! A search that ends when it is to end, also in the middle of a query.
//!
//! **Invariant.** A search that was told to end, and of which a query has not ended for [`GRACE`], is given up with its process: what it found is in the results
//! directory by then.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use xcute_solver_z3::Interrupt;

use crate::exit::Exit;
use crate::talk;

/// How often it is asked whether to end.
const TICK: Duration = Duration::from_millis(20);
/// A query may take so long to notice that it is to end.
const GRACE: Duration = Duration::from_secs(20);

/// Runs a search; once it is to stop, what its solvers are working on is broken off. `keep` is called before the search is given up.
pub fn until<T>(stop: impl Fn() -> bool + Send, queries: &Interrupt, keep: impl Fn() + Send, search: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        // Dropped when the search is over, or panics: then nobody need watch any more.
        let (searching, over) = channel::<()>();
        scope.spawn(move || {
            let mut told: Option<Instant> = None;
            while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if !stop() {
                    continue;
                }
                queries.now();
                if told.get_or_insert_with(Instant::now).elapsed() > GRACE && queries.asking() {
                    keep();
                    talk::say(
                        "the solver does not answer any more: the search is given up (its runs are kept, xcute resume goes on with them)",
                    );
                    std::process::exit(Exit::CouldNot.number().into());
                }
            }
        });
        let found = search();
        drop(searching);
        found
    })
}
