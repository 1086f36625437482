//! What SWI-Prolog said about a goal.

use crate::syntax::{Arena, Atom, Atoms, Flags, Operators, Reader, SourceId, Style, Term, TermRef, Writer};

use super::SwiplError;

/// The solutions of a goal, in order, and how the search for them ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The terms of all solutions.
    pub terms: Arena,
    /// The names of the goal's variables, in the order of the text.
    pub variables: Vec<String>,
    /// What was found before the end.
    pub solutions: Vec<Solution>,
    /// How it ended.
    pub ending: Ending,
}

/// One solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// A value for each variable of the goal.
    pub values: Vec<TermRef>,
    /// The constraints that are left on variables.
    pub residual: Vec<TermRef>,
}

/// How the search for solutions ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// There are no more: the goal failed after the last, or left no choice point.
    Complete,
    /// As many were found as had been asked for, and a choice point is left.
    More,
    /// An error, by its formal term.
    Error(TermRef),
    /// Something else was thrown.
    Thrown(TermRef),
    /// The goal could not be read.
    Refused(TermRef),
    /// The limit of inferences was reached.
    Inferences,
    /// The limit of time was reached.
    Time,
    /// The goal ended the process.
    Died,
    /// The process had to be ended.
    Hung,
}

impl Answer {
    pub(super) fn without_solutions(ending: Ending) -> Answer {
        Answer { terms: Arena::default(), variables: Vec::new(), solutions: Vec::new(), ending }
    }

    /// The values of the first solution by the names of the variables.
    pub fn first(&self) -> Option<impl Iterator<Item = (&str, TermRef)>> {
        let solution = self.solutions.first()?;
        Some(self.variables.iter().map(String::as_str).zip(solution.values.iter().copied()))
    }

    /// A term of the answer, canonically.
    pub fn show(&self, atoms: &Atoms, term: TermRef) -> String {
        let operators = Operators::new(&mut atoms.clone());
        Writer::new(atoms, &operators, Style::Canonical).term(&self.terms, term, &[])
    }
}

/// Reads `answer(names, solutions, ending)`.
pub(super) fn read(line: &str, atoms: &mut Atoms) -> Result<Answer, SwiplError> {
    let bad = || SwiplError::Answer(line.chars().take(200).collect());
    let (terms, root) = term(line, atoms).ok_or_else(bad)?;
    let [names, solutions, ending] = named(&terms, atoms, root, "answer").ok_or_else(bad)?;
    let name = |term: TermRef| match *terms.get(term) {
        Term::Atom(name) => Some(atoms.name(name).to_owned()),
        _ => None,
    };
    let variables = terms.proper_list(names).and_then(|names| names.into_iter().map(name).collect()).ok_or_else(bad)?;
    let solution = |term: TermRef| {
        let [values, residual] = named(&terms, atoms, term, "solution")?;
        Some(Solution { values: terms.proper_list(values)?, residual: terms.proper_list(residual)? })
    };
    let solutions = terms.proper_list(solutions).and_then(|list| list.into_iter().map(solution).collect()).ok_or_else(bad)?;
    let (kind, args) = terms.callable(ending).ok_or_else(bad)?;
    let ending = match (atoms.name(kind), args) {
        ("complete", []) => Ending::Complete,
        ("more", []) => Ending::More,
        ("inferences", []) => Ending::Inferences,
        ("time", []) => Ending::Time,
        ("error", &[formal]) => Ending::Error(formal),
        ("thrown", &[ball]) => Ending::Thrown(ball),
        ("refused", &[formal]) => Ending::Refused(formal),
        _ => return Err(bad()),
    };
    Ok(Answer { terms, variables, solutions, ending })
}

/// Reads `loaded(messages)`.
pub(super) fn messages(line: &str) -> Result<Vec<String>, SwiplError> {
    let bad = || SwiplError::Answer(line.chars().take(200).collect());
    let mut atoms = Atoms::default();
    let (terms, root) = term(line, &mut atoms).ok_or_else(bad)?;
    let [list] = named(&terms, &atoms, root, "loaded").ok_or_else(bad)?;
    let message = |term: TermRef| {
        let [kind, text] = terms.matches(term, Atom::MINUS)?;
        match (terms.get(kind), terms.get(text)) {
            (Term::Atom(kind), Term::Atom(text)) => Some(format!("{}: {}", atoms.name(*kind), atoms.name(*text))),
            _ => None,
        }
    };
    terms.proper_list(list).and_then(|list| list.into_iter().map(message).collect()).ok_or_else(bad)
}

fn named<const N: usize>(terms: &Arena, atoms: &Atoms, term: TermRef, name: &str) -> Option<[TermRef; N]> {
    terms.matches(term, atoms.get(name)?)
}

fn term(line: &str, atoms: &mut Atoms) -> Option<(Arena, TermRef)> {
    let operators = Operators::new(atoms);
    let text = format!("{line} .");
    let sentence = Reader::new(SourceId(0), &text).next(atoms, &operators, Flags::default())?.ok()?;
    Some((sentence.terms, sentence.root))
}
