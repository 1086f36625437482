//! The desk: the thread at which Z3 answers.
//!
//! Effort bounds a query the same on every machine, but not all that Z3 does counts as effort, and where it works with huge numbers it does not notice that it is told to
//! end. So it works on a thread of its own: what does not end in time is left there with everything it has, and the search goes on without it.
//!
//! **Invariant.** A session is with the one who asks or at the desk, never with both; one that was left behind is never touched again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use xcute_term::Interrupt;

use crate::ffi::Whole;
use crate::session::{Asked, Found, Session};

/// How often it is asked whether to end.
const TICK: Duration = Duration::from_millis(5);
/// Z3 may take this long to notice that it is to end.
const GRACE: Duration = Duration::from_millis(200);
/// Z3 works recursively on terms that may be deep.
const STACK: usize = 256 << 20;

type Job = Whole<(Session, Asked)>;
/// The session, and what it found; `None` on an error of Z3. No session where it is no longer whole.
type Done = Whole<Option<(Session, Option<Found>)>>;

/// A thread that waits for queries.
pub(crate) struct Desk {
    jobs: Sender<Job>,
    done: Receiver<Done>,
}

/// What came of a query.
#[expect(clippy::large_enum_variant, reason = "it is made once per query and taken apart at once")]
pub(crate) enum Outcome {
    /// The session, and what it found; `None` on an error of Z3.
    Answered(Session, Option<Found>),
    /// It was broken off; the session and the desk are lost.
    LeftBehind,
}

impl Desk {
    /// A desk with a new thread; `None` where the system has none.
    pub(crate) fn new() -> Option<Desk> {
        let (jobs, received) = channel::<Job>();
        let (send, done) = channel::<Done>();
        let work = move || {
            while let Ok(job) = received.recv() {
                let Whole((mut session, asked)) = job;
                let answer = match catch_unwind(AssertUnwindSafe(|| session.check(&asked))) {
                    Ok(found) => Some((session, found)),
                    // Whoever asks may be about to interrupt the context: it stays.
                    Err(_) => {
                        std::mem::forget(session);
                        None
                    }
                };
                if let Err(unwanted) = send.send(Whole(answer)) {
                    std::mem::forget(unwanted);
                    return;
                }
            }
        };
        std::thread::Builder::new().name("z3".into()).stack_size(STACK).spawn(work).ok()?;
        Some(Desk { jobs, done })
    }

    /// Lets the desk answer a query, until that is interrupted.
    pub(crate) fn ask(&self, session: Session, asked: Asked, interrupt: &Interrupt) -> Outcome {
        let handle = session.handle();
        if self.jobs.send(Whole((session, asked))).is_err() {
            return Outcome::LeftBehind;
        }
        let mut told: Option<Instant> = None;
        loop {
            match self.done.recv_timeout(TICK) {
                Ok(Whole(Some((session, found)))) => return Outcome::Answered(session, found),
                Ok(Whole(None)) | Err(RecvTimeoutError::Disconnected) => return Outcome::LeftBehind,
                Err(RecvTimeoutError::Timeout) if interrupt.raised() => {
                    if told.get_or_insert_with(Instant::now).elapsed() > GRACE {
                        return Outcome::LeftBehind;
                    }
                    // Again and again: an interrupt before a check begins is ignored.
                    handle.interrupt();
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
