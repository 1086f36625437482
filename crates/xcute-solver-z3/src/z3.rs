//! Z3 as a solver: a [`Session`] that is kept from query to query, and the [`Desk`] at which it is asked.

use xcute_solver::{Answer, Count, Query, Solver, Why};
use xcute_term::Terms;

use crate::desk::{Desk, Outcome};
use crate::ffi::{Apart, Whole, apart};
use crate::parcel::{packed, unpacked};
use crate::session::{Asked, Session};

/// Terms translated before the context is dropped and everything begins again.
const DEFAULT_LIMIT: usize = 1 << 20;

/// Z3 as a solver for every sort. What it has no operator for (`FpFmod`) is `Unknown(Unsupported)`, as is every error of Z3.
///
/// A model is a patch of the hint: it holds the variables of the query whose value differs from the hint's. A unit of effort is
/// 1000 of Z3's resource units, so an answer does not depend on the machine. A query that is interrupted ends, whether Z3 notices it or not; in the second case
/// its thread goes on working until the process ends.
///
/// All queries must be over one arena, since terms are remembered by their number. An arena never shrinks, so one with fewer terms
/// than the last is seen to be another, and everything is dropped; one with more terms is not noticed.
pub struct Z3 {
    session: Option<Whole<Session>>,
    desk: Option<Desk>,
    limit: usize,
    /// The number of terms at the last query.
    arena: usize,
    count: Count,
    restarts: u64,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Z3 {
    /// A solver that starts afresh after a million terms.
    #[must_use]
    pub fn new() -> Z3 {
        Z3::with_limit(DEFAULT_LIMIT)
    }

    /// A solver that drops everything and starts afresh after this many terms.
    #[must_use]
    pub fn with_limit(terms: usize) -> Z3 {
        Z3 { session: None, desk: None, limit: terms, arena: 0, count: Count { layer: "z3", ..Count::default() }, restarts: 0 }
    }

    /// How often everything was dropped because the limit was reached, Z3 reported an error, or the arena was another.
    #[must_use]
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let full = self.session.as_ref().is_some_and(|s| s.0.size() > self.limit);
        if full || terms.len() < self.arena {
            self.session = None;
            self.restarts += 1;
        }
        self.arena = terms.len();
        let unsupported = Answer::Unknown(Why::Unsupported);
        let Some(mut session) = self.session.take().map(|whole| whole.0).or_else(Session::new) else { return unsupported };
        let Some(asked) = session.prepare(terms, query) else {
            self.session = Some(Whole(session));
            return if query.interrupt.raised() { Answer::Unknown(Why::Interrupted) } else { unsupported };
        };
        if session.is_risky(&asked) {
            // The child works on a copy of the session: this one stays as it is.
            let mut whole = Whole(session);
            let answer = apart_answer(terms, query, (&mut whole.0, &asked));
            self.session = Some(whole);
            return answer;
        }
        let Some(desk) = self.desk.take().or_else(Desk::new) else { return unsupported };
        match desk.ask(session, asked, query.interrupt) {
            Outcome::LeftBehind => {
                self.restarts += 1;
                if query.interrupt.raised() { Answer::Unknown(Why::Interrupted) } else { unsupported }
            }
            Outcome::Answered(mut session, found) => {
                self.desk = Some(desk);
                let answer = found.and_then(|found| session.read(terms, query, found));
                match answer {
                    Some(_) => self.session = Some(Whole(session)),
                    // Z3 reported an error in the middle of things: what its solvers hold is no longer known.
                    None => self.restarts += 1,
                }
                // Where it was interrupted, it may call that an error.
                answer.unwrap_or(if query.interrupt.raised() { Answer::Unknown(Why::Interrupted) } else { unsupported })
            }
        }
    }
}

/// The answer that a child process finds; one that crashes leaves the query undecided.
fn apart_answer(terms: &Terms, query: &Query<'_>, asked: (&mut Session, &Asked)) -> Answer {
    let asked = Whole(asked);
    let work = || {
        // All of it moves to the thread of the child.
        let asked = asked;
        let Whole((session, asked)) = asked;
        let found = session.check(asked).and_then(|found| session.read(terms, query, found));
        packed(terms, query, &found.unwrap_or(Answer::Unknown(Why::Unsupported)))
    };
    match apart(work, query.interrupt) {
        Apart::Done(bytes) => unpacked(terms, query, &bytes).unwrap_or(Answer::Unknown(Why::Unsupported)),
        Apart::Crashed => Answer::Unknown(Why::Unsupported),
        Apart::Interrupted => Answer::Unknown(Why::Interrupted),
    }
}

impl Solver for Z3 {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.count.seen += 1;
        let answer = self.answer(terms, query);
        self.count.note(&answer);
        answer
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
    }
}
