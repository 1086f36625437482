//! A search that ends when it is to end, also in the middle of a query.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use xcute_solver_z3::Interrupt;

/// How often it is asked whether to end.
const TICK: Duration = Duration::from_millis(20);

/// Runs a search; once it is to stop, what its solvers are working on is broken off.
pub fn until<T>(stop: impl Fn() -> bool + Send, queries: &Interrupt, search: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        // Dropped when the search is over, or panics: then nobody need watch any more.
        let (searching, over) = channel::<()>();
        scope.spawn(move || {
            while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if stop() {
                    queries.now();
                }
            }
        });
        let found = search();
        drop(searching);
        found
    })
}
