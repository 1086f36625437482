//! A search that ends when it is to end, also in the middle of a run or a query.
//!
//! **Invariant.** A search that was asked to end, and has not ended for [`GRACE`], is given up with its process: `give_up` saves what it found.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use xcute_term::Interrupt;

/// How often it is asked whether to end.
const TICK: Duration = Duration::from_millis(20);
/// A search may take this long to notice that it is to end. All that takes long asks for the flag, so a search that uses it up has a fault.
const GRACE: Duration = Duration::from_secs(20);

/// Runs a search; once it is to stop, the flag is raised. `give_up` is called where the search does not end then, and ends the process.
pub fn until<T>(stop: impl Fn() -> bool + Send, flag: &Interrupt, give_up: impl FnOnce() + Send, search: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        // Dropped when the search is over, or panics: then nobody need watch any longer.
        let (searching, over) = channel::<()>();
        scope.spawn(move || {
            let mut told: Option<Instant> = None;
            while over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if !stop() {
                    continue;
                }
                flag.raise();
                if told.get_or_insert_with(Instant::now).elapsed() > GRACE {
                    return give_up();
                }
            }
        });
        let found = search();
        drop(searching);
        found
    })
}
