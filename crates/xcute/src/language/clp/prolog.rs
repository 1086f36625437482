//! SWI-Prolog, if it is installed: what it says about goals.

use std::path::PathBuf;
use std::time::Duration;

use xcute_clp::constrained::GoalCase;
use xcute_clp::machine::Bounds;
use xcute_clp::plunit::{Expected, Suite};
use xcute_clp::swipl::{self, Ending, Limits, Session};
use xcute_clp::syntax::{Atoms, quoted};
use xcute_term::Interrupt;

use super::behaviour::Behaviour;
use crate::talk;

/// A step of the machine is at most about this many inferences.
const INFERENCES: u64 = 10;
/// Fewer are not counted exactly: what SWI-Prolog does around a goal counts, too.
const FEWEST_INFERENCES: u64 = 1_000;
/// SWI-Prolog counts no further.
const MOST_INFERENCES: u64 = 1 << 60;
/// More solutions are not asked for, whatever the user said.
const SOLUTIONS: u64 = 10_000;
/// A goal may take so long; only one that cannot be counted in inferences comes to it.
const TIME: Duration = Duration::from_secs(5);
/// At most this many of its messages are repeated.
const MESSAGES: usize = 3;

/// SWI-Prolog with the program loaded, started when it is needed first.
pub struct Prolog {
    program: PathBuf,
    /// Whether the program has declarations that SWI-Prolog does not know.
    declarations: bool,
    limits: Limits,
    session: State,
}

enum State {
    NotYet,
    Missing,
    Running(Box<Session>),
}

impl Prolog {
    /// Goals get about as far as they get with these bounds.
    pub fn new(suite: &Suite, bounds: Bounds) -> Prolog {
        let limits = Limits {
            solutions: bounds.solutions.min(SOLUTIONS),
            inferences: bounds.steps.saturating_mul(INFERENCES).clamp(FEWEST_INFERENCES, MOST_INFERENCES),
            time: TIME,
        };
        Prolog { program: suite.program.clone(), declarations: suite.declares, limits, session: State::NotYet }
    }

    /// What a goal does, and what a test must expect of it; `None` where there is no SWI-Prolog.
    pub fn observe(&mut self, suite: &Suite, goal: &str, atoms: &mut Atoms) -> Option<(Behaviour, Option<Expected>)> {
        let goal = match &suite.module {
            Some(module) => format!("{}:({goal})", quoted(module, '\'')),
            None => goal.to_owned(),
        };
        let limits = self.limits;
        let session = self.session()?;
        let answer = session.solve(&goal, limits, atoms);
        match answer {
            // The search is over: what SWI-Prolog was doing was broken off with it.
            Err(_) if session.is_interrupted() => None,
            Ok(answer) => Some((Behaviour::of_swipl(&answer, atoms), Expected::of(&answer, limits.inferences))),
            Err(error) => {
                talk::say(&format!("giving up on SWI-Prolog: {error}"));
                self.session = State::Missing;
                None
            }
        }
    }

    /// Goals end when this flag is raised.
    pub fn interrupt_by(&mut self, interrupt: &Interrupt) {
        if let Some(session) = self.session() {
            session.interrupt_by(interrupt);
        }
    }

    /// Whether the constraints of a goal accept its instance; `None` where that is not known.
    pub fn accepts(&mut self, case: &GoalCase, atoms: &mut Atoms) -> Option<bool> {
        let query = case.acceptance(atoms)?;
        let limits = Limits { solutions: 1, ..self.limits };
        let answer = self.session()?.solve(&query, limits, atoms).ok()?;
        matches!(answer.ending, Ending::Complete | Ending::More).then_some(!answer.solutions.is_empty())
    }

    /// Whether it is there.
    pub fn is_there(&mut self) -> bool {
        self.session().is_some()
    }

    fn session(&mut self) -> Option<&mut Session> {
        if matches!(self.session, State::NotYet) {
            self.session = self.start();
        }
        match &mut self.session {
            State::Running(session) => Some(session),
            _ => None,
        }
    }

    fn start(&self) -> State {
        if swipl::find().is_none() {
            return State::Missing;
        }
        match Session::declaring(&self.program, self.declarations) {
            Ok(session) => {
                for message in session.messages().iter().take(MESSAGES) {
                    talk::say(&format!("SWI-Prolog says: {message}"));
                }
                State::Running(Box::new(session))
            }
            Err(error) => {
                talk::say(&format!("cannot use SWI-Prolog: {error}"));
                State::Missing
            }
        }
    }
}
