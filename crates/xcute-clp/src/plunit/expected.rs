//! What is expected of a goal, and how it follows from an answer.

use crate::swipl::{Answer, Ending};
use crate::syntax::{Arena, TermRef};

/// What is expected of a goal. Values are those of the goal's variables, in the order in which they first occur.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// It fails.
    Fails,
    /// Its first solutions, in order.
    Solutions {
        /// Where the values are.
        terms: Arena,
        /// Values and residual constraints of each.
        solutions: Vec<(Vec<TermRef>, Vec<TermRef>)>,
        /// Whether a choice point is left after the last.
        more: bool,
    },
    /// An error, by its formal term, after some solutions.
    Error(Arena, TermRef, usize),
    /// Something else is thrown.
    Thrown(Arena, TermRef, usize),
    /// Finding a solution after this many takes more inferences than that.
    Longer(u64, usize),
}

impl Expected {
    /// What a later run must do if it is to do the same; `None` where the end of the run was not the goal's own.
    pub fn of(answer: &Answer, inferences: u64) -> Option<Expected> {
        let terms = || answer.terms.clone();
        let count = answer.solutions.len();
        Some(match answer.ending {
            Ending::Complete if count == 0 => Expected::Fails,
            Ending::Complete | Ending::More => Expected::Solutions {
                terms: terms(),
                solutions: answer.solutions.iter().map(|solution| (solution.values.clone(), solution.residual.clone())).collect(),
                more: answer.ending == Ending::More,
            },
            Ending::Error(formal) => Expected::Error(terms(), formal, count),
            Ending::Thrown(ball) => Expected::Thrown(terms(), ball, count),
            Ending::Inferences => Expected::Longer(inferences, count),
            Ending::Time | Ending::Refused(_) | Ending::Died | Ending::Hung => return None,
        })
    }
}
