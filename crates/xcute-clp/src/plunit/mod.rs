//! Test cases as a plunit file that SWI-Prolog runs without xcute.
//!
//! Each case is a goal and what is expected of it ([`Expected`]): that it fails, its first solution, all of them, an error, or that it takes
//! longer than this many inferences.
//!
//! **Invariant.** A file is complete in itself: it loads the program by a path relative to its own place, and needs nothing but SWI-Prolog.

mod build;
mod expected;

use std::path::{Component, Path, PathBuf};

use crate::syntax::{Arena, Atom, Atoms, Operators, Program, Style, Term, TermRef, Writer, atom_text, pack_root, quoted};

pub use expected::Expected;

/// What makes SWI-Prolog pass over the declarations of a program.
const DECLARATIONS: &str = "
% The declarations of the program, :- pred, :- mode, :- type and :- regtype, are passed over.
:- op(1150, fx, user:[pred, mode, type, regtype]), op(1130, xfx, user:(--->)), op(650, xfx, user:(::)), op(200, fy, user:[++, --]).
:- multifile user:term_expansion/2.
:- dynamic user:term_expansion/2.
user:term_expansion((:- pred(_)), []).
user:term_expansion((:- mode(_)), []).
user:term_expansion((:- type(_)), []).
user:term_expansion((:- regtype(_)), []).

";

/// What a failed assertion does outside of plunit.
const THROWS: &str = "prolog:assertion_failed(Reason, Goal) :- throw(error(assertion_error(Reason, Goal), _))";

/// One test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name in the file.
    pub name: String,
    /// The terms of the goal.
    pub terms: Arena,
    /// The goal.
    pub goal: TermRef,
    /// What it does.
    pub expected: Expected,
    /// What is said above it, in one line.
    pub comment: Option<String>,
}

/// What all tests of a file share.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The program.
    pub program: PathBuf,
    /// Its module, if it is one.
    pub module: Option<String>,
    /// Whether goals may change its clauses, so that each test must undo what it did.
    pub stateful: bool,
    /// Whether it has assertions. plunit would take one that fails for a failure of the test, whatever the test expects.
    pub asserts: bool,
    /// Whether it has declarations that SWI-Prolog does not know.
    pub declares: bool,
    /// The libraries whose operators tests may use.
    pub libraries: Vec<String>,
    /// What is tested, for the first line.
    pub title: String,
    /// The name of the file without `.plt`.
    pub file: String,
    /// The name of the unit, where it is not that of the file.
    pub unit: Option<String>,
    /// The units of tests that the program has itself: the tests must not be another of the same name.
    pub taken: Vec<String>,
}

impl Suite {
    /// The suite for a program.
    pub fn of(program: &Program, path: &Path, title: impl Into<String>) -> Suite {
        let calls = |names: &[&str]| {
            let names: Vec<Atom> = names.iter().filter_map(|name| program.atoms.get(name)).collect();
            let called = |terms: &Arena| terms.refs().filter_map(|term| terms.callable(term)).any(|(name, _)| names.contains(&name));
            program.predicates.iter().flat_map(|predicate| &predicate.clauses).any(|clause| called(&clause.terms))
        };
        let stem = path.file_stem().map_or_else(|| "program".to_owned(), |stem| stem.to_string_lossy().into_owned());
        Suite {
            file: stem,
            unit: None,
            program: path.to_owned(),
            module: program.module.as_ref().map(|(name, _)| program.atoms.name(*name).to_owned()),
            stateful: calls(&["assert", "asserta", "assertz", "retract", "retractall", "abolish"]),
            asserts: calls(&["assertion"]),
            declares: !program.types.is_empty() || program.declarations.iter().any(|declaration| declaration.directive),
            libraries: program.libraries.iter().map(|&name| program.atoms.name(name).to_owned()).filter(|name| name == "clpfd").collect(),
            title: title.into(),
            taken: program.units.iter().map(|&name| program.atoms.name(name).to_owned()).collect(),
        }
    }

    /// The name of the unit of tests: that of the file, or the one it was given, unless the program has tests under that name.
    #[must_use]
    pub fn unit(&self) -> String {
        let mut unit = self.unit.clone().unwrap_or_else(|| self.file.clone());
        while self.taken.contains(&unit) {
            unit.push_str("_xcute");
        }
        unit
    }

    /// The text of the file that is to stand in `directory`.
    pub fn text(&self, tests: &[Test], directory: &Path, atoms: &Atoms, operators: &Operators) -> String {
        let unit = {
            let mut names = Atoms::default();
            let name = names.intern(&self.unit());
            atom_text(&names, name).into_owned()
        };
        let program = quoted(&relative(directory, &self.program).display().to_string(), '\'');
        let mut out = format!("% {}. Run them with\n%   swipl -g run_tests -t halt {}.plt\n\n", self.title, self.file);
        out.push_str(":- use_module(library(plunit)).\n");
        for library in &self.libraries {
            out.push_str(&format!(":- use_module(library({library})).\n"));
        }
        if self.declares {
            out.push_str(DECLARATIONS);
        }
        if let Some(root) = pack_root(&self.program, &|path| std::fs::read_to_string(path)) {
            // Files of a pack name others of it as libraries.
            let root = quoted(&relative(directory, &root).display().to_string(), '\'');
            out.push_str(&format!(
                ":- prolog_load_context(directory, D), directory_file_path(D, {root}, P), asserta(user:file_search_path(library, P)).\n"
            ));
        }
        out.push_str(&format!(":- ensure_loaded({program}).\n\n"));
        let options = if self.asserts { format!(", [setup(asserta(({THROWS}))), cleanup(retract(({THROWS})))]") } else { String::new() };
        out.push_str(&format!(":- begin_tests({unit}{options}).\n"));
        let mut atoms = atoms.clone();
        for test in tests {
            let (terms, clause) = build::clause(test, self, &mut atoms);
            out.push('\n');
            if let Some(comment) = &test.comment {
                out.push_str(&format!("% {}\n", comment.replace('\n', " ")));
            }
            out.push_str(&Writer::new(&atoms, operators, Style::Operators).clause(&terms, clause, &[]));
        }
        out.push_str(&format!("\n:- end_tests({unit}).\n"));
        out
    }
}

/// The way from a directory to a file.
fn relative(directory: &Path, file: &Path) -> PathBuf {
    let absolute = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (absolute(directory), absolute(file));
    let common = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

/// Whether a term has no variables.
fn is_ground(terms: &Arena, root: TermRef) -> bool {
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        match *terms.get(term) {
            Term::Var(_) => return false,
            Term::Compound(compound) => work.extend(terms.args(compound)),
            _ => {}
        }
    }
    true
}

/// Puts goals one after the other.
fn conjunction(terms: &mut Arena, goals: &[TermRef]) -> TermRef {
    let (&last, first) = goals.split_last().expect("there is a goal");
    first.iter().rev().fold(last, |rest, &goal| terms.compound(Atom::COMMA, &[goal, rest]))
}
