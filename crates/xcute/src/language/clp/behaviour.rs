//! What a goal does, in one form whichever machine ran it, so that two can be compared.

use std::fmt;
use std::sync::Arc;

use xcute_clp::DETERMINISM;
use xcute_clp::plunit::Expected;
use xcute_clp::subject::{Answer, Written};
use xcute_clp::swipl::{self, Ending};
use xcute_clp::syntax::{Arena, Atom, Atoms, Determinism, Operators, Style, Term, TermRef, Writer};
use xcute_trace::FailureKind;

/// What a goal does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// The values of its variables, for each solution, and whether a choice point is left after the last.
    Solutions(Vec<String>, bool),
    /// An error, by its formal term.
    Error(String),
    /// Something else that was thrown.
    Thrown(String),
    /// It does not end within its limits.
    NoEnd,
    /// It is not known.
    Unknown(&'static str),
}

impl Behaviour {
    /// As the machine says.
    pub fn of_machine(answer: &Answer, atoms: &Atoms) -> Behaviour {
        match answer {
            Answer::Solutions(solutions, more) => {
                Behaviour::Solutions(solutions.iter().map(|written| values(&written.terms, &written.roots, atoms)).collect(), *more)
            }
            Answer::Error(ball) => match ball.terms.matches::<2>(ball.roots[0], Atom::ERROR) {
                Some([formal, _]) => Behaviour::Error(formal_text(&ball.terms, formal, atoms)),
                None => Behaviour::Thrown(text(&ball.terms, ball.roots[0], atoms)),
            },
            Answer::NoEnd => Behaviour::NoEnd,
            Answer::Rejected => Behaviour::Unknown("is not an input"),
        }
    }

    /// As SWI-Prolog says.
    pub fn of_swipl(answer: &swipl::Answer, atoms: &Atoms) -> Behaviour {
        match answer.ending {
            Ending::Complete | Ending::More => {
                let solutions = answer.solutions.iter().map(|solution| values(&answer.terms, &solution.values, atoms)).collect();
                Behaviour::Solutions(solutions, answer.ending == Ending::More)
            }
            Ending::Error(formal) => Behaviour::Error(text(&answer.terms, formal, atoms)),
            Ending::Thrown(ball) => Behaviour::Thrown(text(&answer.terms, ball, atoms)),
            Ending::Inferences | Ending::Time | Ending::Hung => Behaviour::NoEnd,
            Ending::Died => Behaviour::Unknown("ends the process"),
            Ending::Refused(_) => Behaviour::Unknown("cannot be read"),
        }
    }

    /// What was thrown that nobody caught.
    pub fn error(&self) -> Option<&str> {
        match self {
            Behaviour::Error(formal) => Some(formal),
            Behaviour::Thrown(ball) => Some(ball),
            _ => None,
        }
    }

    /// Whether something was thrown that nobody caught.
    pub fn is_error(&self) -> bool {
        self.error().is_some()
    }

    /// Whether both may be one and the same: one of them was not run to its end, and the other one succeeds or fails.
    pub fn may_agree(&self, other: &Behaviour) -> bool {
        match (self, other) {
            (Behaviour::NoEnd, Behaviour::Solutions(..) | Behaviour::Unknown(_)) => true,
            (Behaviour::Unknown(_) | Behaviour::NoEnd, _) => false,
            (_, Behaviour::NoEnd) => true,
            _ => false,
        }
    }

    /// Whether it is a failure of this kind, of a goal about which this is declared.
    pub fn is_failure(&self, kind: FailureKind, declared: Option<Determinism>) -> bool {
        match (kind, self) {
            (FailureKind::Hang, _) => *self == Behaviour::NoEnd,
            (DETERMINISM, Behaviour::Solutions(solutions, more)) => {
                let several = solutions.len() > 1 || (*more && !solutions.is_empty());
                match declared {
                    Some(Determinism::Det) => solutions.is_empty() || several,
                    Some(Determinism::Semidet) => several,
                    Some(Determinism::Multi) => solutions.is_empty(),
                    Some(Determinism::Failure) => !solutions.is_empty(),
                    Some(Determinism::Nondet) | None => false,
                }
            }
            (DETERMINISM, _) => false,
            _ => self.is_error(),
        }
    }

    /// Whether both are one and the same. Choice points depend on how clauses are indexed.
    pub fn agrees(&self, other: &Behaviour) -> bool {
        match (self, other) {
            (Behaviour::Unknown(_), _) => true,
            (Behaviour::Solutions(own, _), Behaviour::Solutions(others, _)) => own == others,
            _ => self == other,
        }
    }

    /// Whether both throw the same error, but for the module that SWI-Prolog puts before closures where they are passed on.
    pub fn throws_in(&self, other: &Behaviour, module: &str) -> bool {
        let plain = |formal: &str| formal.replace(&format!("{module}:"), "");
        matches!((self, other), (Behaviour::Error(own), Behaviour::Error(others)) if plain(own) == plain(others))
    }
}

impl fmt::Display for Behaviour {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Behaviour::Solutions(list, _) => match list.as_slice() {
                [] => out.write_str("fails"),
                [one] if one.is_empty() => out.write_str("succeeds"),
                [one] => write!(out, "gives {one}"),
                several => write!(out, "gives {}", several.join(" and ")),
            },
            Behaviour::Error(formal) => write!(out, "throws {formal}"),
            Behaviour::Thrown(ball) => write!(out, "throws {ball}"),
            Behaviour::NoEnd => out.write_str("does not end within its limits"),
            Behaviour::Unknown(what) => out.write_str(what),
        }
    }
}

/// An error as a text. Which predicate is to blame for a choice point depends on how calls are compiled, and SWI-Prolog is not asked for it.
fn formal_text(terms: &Arena, formal: TermRef, atoms: &Atoms) -> String {
    match terms.callable(formal) {
        Some((name, &[_, declared, found, _])) if atoms.name(name) == "determinism_error" => {
            format!("determinism_error(_1, {}, {}, _2)", text(terms, declared, atoms), text(terms, found, atoms))
        }
        _ => text(terms, formal, atoms),
    }
}

/// A term with its variables named in the order in which they occur: two that are the same up to renaming have the same text.
fn text(terms: &Arena, term: TermRef, atoms: &Atoms) -> String {
    let operators = Operators::new(&mut atoms.clone());
    let mut names: Vec<Option<Arc<str>>> = Vec::new();
    let (mut pending, mut met) = (vec![term], 0);
    while let Some(term) = pending.pop() {
        match *terms.get(term) {
            Term::Var(number) => {
                let at = number as usize;
                names.resize(names.len().max(at + 1), None);
                if names[at].is_none() {
                    met += 1;
                    names[at] = Some(Arc::from(format!("_{met}")));
                }
            }
            Term::Compound(compound) => pending.extend(terms.args(compound).iter().rev()),
            _ => {}
        }
    }
    Writer::new(atoms, &operators, Style::Operators).term(terms, term, &names)
}

/// All values in one text, so that variables which they share are seen.
fn values(terms: &Arena, values: &[TermRef], atoms: &Atoms) -> String {
    if values.is_empty() {
        return String::new();
    }
    let mut terms = terms.clone();
    let (last, first) = values.split_last().expect("there is a value");
    let all = first.iter().rev().fold(*last, |rest, &value| terms.compound(Atom::COMMA, &[value, rest]));
    text(&terms, all, atoms)
}

/// What a test must expect if the goal does what it did on the machine; `None` where that is not an end of its own.
pub fn expected(answer: &Answer) -> Option<Expected> {
    match answer {
        Answer::Solutions(solutions, _) if solutions.is_empty() => Some(Expected::Fails),
        Answer::Solutions(solutions, more) => {
            let mut terms = Arena::default();
            let mut offset = 0;
            let mut import = |written: &Written| {
                let count = u32::try_from(written.terms.len()).expect("terms are numbered by 32 bits");
                let values = written.roots.iter().map(|&root| terms.import(&written.terms, root, offset)).collect();
                offset += count;
                (values, Vec::new())
            };
            let solutions = solutions.iter().map(&mut import).collect();
            Some(Expected::Solutions { terms, solutions, more: *more })
        }
        Answer::Error(ball) => Some(match ball.terms.matches::<2>(ball.roots[0], Atom::ERROR) {
            Some([formal, _]) => Expected::Error(ball.terms.clone(), formal, 0),
            None => Expected::Thrown(ball.terms.clone(), ball.roots[0], 0),
        }),
        Answer::NoEnd | Answer::Rejected => None,
    }
}
