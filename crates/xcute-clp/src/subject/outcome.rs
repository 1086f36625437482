//! How a run counts: what ends of goals are failures.
//!
//! A goal that fails is not a failure: it is what the program says. Errors that nobody catches are, and failed assertions, goals that do not end within their
//! budget, and numbers of solutions that a declaration excludes.

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;
use xcute_trace::{Budget, Failure, FailureKind, Frame, Outcome};

use super::answer::{Answer, Written};
use crate::machine::step::End;
use crate::machine::{Machine, Program};
use crate::syntax::{Arena, Atom, Atoms, Determinism, Indicator, Style, Term, TermRef, Writer};

/// A goal that is declared to have exactly one solution, or at most one, has another number of them, or leaves choice points.
pub const DETERMINISM: FailureKind = FailureKind::own("determinism");

/// What is said of a run that takes more memory than it may.
pub const OUT_OF_MEMORY: &str = "uncaught resource_error(stack)";

/// What is declared about the goal.
pub(crate) struct Declared<'a> {
    pub(crate) goal: Indicator,
    pub(crate) determinism: Option<Determinism>,
    pub(crate) program: &'a Program,
}

/// The outcome of a run.
pub(crate) fn outcome(machine: &mut Machine<'_>, answer: &Answer, end: &End, declared: Declared<'_>) -> Outcome {
    let (kind, message) = match (end, answer) {
        (End::Rejected, _) => return Outcome::Rejected,
        (End::Budget(Budget::Steps), _) => (FailureKind::Hang, format!("the goal did not end within {} steps", machine.bounds.steps)),
        // Where SWI-Prolog has no room, either, that is what it throws.
        (End::Budget(Budget::Memory), _) => (FailureKind::UncaughtException, OUT_OF_MEMORY.to_owned()),
        (End::Budget(budget), _) => return Outcome::OutOfBudget(*budget),
        (End::Error(_), Answer::Error(ball)) => error(machine, ball, declared.program),
        (_, Answer::Solutions(solutions, _)) => match undeclared(solutions.len(), machine.first_left_choices, declared.determinism) {
            Some(message) => {
                return Outcome::Failed(failed(DETERMINISM, message.to_owned(), place(declared.program, declared.goal)));
            }
            None => return Outcome::Passed,
        },
        _ => return Outcome::Passed,
    };
    let mut stack = machine.stack();
    if let Answer::Error(ball) = answer
        && let Some(of) = not_deterministic(ball, &machine.symbols.atoms)
    {
        // Such an error is thrown by the call itself: the place is the predicate that must be deterministic.
        let here = place(declared.program, of);
        stack.retain(|frame| here.iter().all(|own| own.function != frame.function));
        stack.splice(0..0, here);
    }
    if stack.first().is_none_or(|frame| frame.file.starts_with("library(")) {
        // The last call of a clause leaves nothing of it: the goal is the place that is left.
        stack.splice(0..0, place(declared.program, declared.goal));
    }
    let mut values = Vec::new();
    if let (Some(frame), Answer::Error(ball)) = (stack.first_mut(), answer) {
        values = machine.bound_at(frame);
        // A clause may throw one thing or another: what it is belongs to the place.
        frame.nth = class(ball, &machine.symbols.atoms);
    }
    Outcome::Failed(Failure { values, ..failed(kind, message, stack) })
}

/// The predicate that a determinism error is about.
fn not_deterministic(ball: &Written, atoms: &Atoms) -> Option<Indicator> {
    let (name, args) = ball.terms.callable(ball.formal())?;
    let &culprit = args.first().filter(|_| atoms.name(name) == "determinism_error")?;
    let culprit = ball.terms.matches::<2>(culprit, Atom::COLON).map_or(culprit, |[_, plain]| plain);
    match ball.terms.callable(culprit)?.1 {
        &[name, arity] => match (ball.terms.get(name), ball.terms.get(arity)) {
            (Term::Atom(name), Term::Integer(arity)) => Some(Indicator { name: *name, arity: u32::try_from(arity).ok()? }),
            _ => None,
        },
        _ => None,
    }
}

/// A number for the kind of an error, culprits apart: `type_error(evaluable, _)` for example.
fn class(ball: &Written, atoms: &Atoms) -> u32 {
    let root = ball.formal();
    let name = |term: TermRef| ball.terms.callable(term).map_or("", |(name, _)| atoms.name(name));
    let first = ball.terms.callable(root).and_then(|(_, args)| args.first()).map_or("", |&first| name(first));
    let mut hasher = FxHasher::default();
    (name(root), first).hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}

/// Where a goal is defined.
pub(super) fn place(program: &Program, goal: Indicator) -> Vec<Frame> {
    let predicate = program.code.find(goal).map(|id| program.code.predicate(id));
    let line = predicate.and_then(|predicate| predicate.clauses.first()).map_or(0, |clause| clause.line);
    predicate.map(|p| Frame { function: p.name.clone(), file: p.file.clone(), line, ..Frame::default() }).into_iter().collect()
}

fn failed(kind: FailureKind, message: String, stack: Vec<Frame>) -> Failure {
    Failure { kind, message, stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() }
}

/// What is wrong with a number of solutions, if anything is.
fn undeclared(solutions: usize, choices: bool, declared: Option<Determinism>) -> Option<&'static str> {
    match (declared?, solutions) {
        (Determinism::Det, 0) => Some("the goal is declared det and fails"),
        (Determinism::Multi, 0) => Some("the goal is declared multi and fails"),
        (Determinism::Failure, 1..) => Some("the goal is declared failure and succeeds"),
        (Determinism::Det, _) if choices => Some("the goal is declared det and leaves choice points"),
        (Determinism::Semidet, _) if choices => Some("the goal is declared semidet and leaves choice points"),
        _ => None,
    }
}

/// The kind and message of an error that nobody caught.
fn error(machine: &Machine<'_>, ball: &Written, program: &Program) -> (FailureKind, String) {
    let atoms: &Atoms = &machine.symbols.atoms;
    let formal = ball.formal();
    let text = Writer::new(atoms, &program.operators, Style::Operators).term(&ball.terms, formal, &[]);
    match ball.terms.callable(formal) {
        Some((name, _)) if atoms.name(name) == "assertion_error" => (FailureKind::Assertion, format!("uncaught {text}")),
        _ => (FailureKind::UncaughtException, format!("uncaught {text}{}", meant(&ball.terms, formal, atoms, program))),
    }
}

/// What may have been meant by a predicate that does not exist: one of the program, of the library or of the machine with a similar name.
fn meant(terms: &Arena, formal: TermRef, atoms: &Atoms, program: &Program) -> String {
    let unqualified = |indicator| terms.matches::<2>(indicator, Atom::COLON).map_or(indicator, |[_, plain]| plain);
    let missing = match terms.callable(formal) {
        Some((name, &[of, indicator])) if atoms.name(name) == "existence_error" => match (terms.get(of), terms.get(unqualified(indicator)))
        {
            (Term::Atom(of), Term::Compound(slash)) if atoms.name(*of) == "procedure" => terms.args(*slash),
            _ => return String::new(),
        },
        _ => return String::new(),
    };
    let &[name, arity] = missing else { return String::new() };
    let (Term::Atom(name), Term::Integer(arity)) = (terms.get(name), terms.get(arity)) else { return String::new() };
    let name = atoms.name(*name);
    let own = program.code.predicates.iter().map(|predicate| predicate.name.as_str());
    let known = own.chain(crate::elsewhere::names().map(|known| -> &str { known })).filter(|known| !known.starts_with(['$', '\'']));
    let distance = |known: &str| -> Option<usize> {
        let (other, of) = known.rsplit_once('/')?;
        // The same name with another arity is nearer than another name.
        Some(xcute_suggest::distance(name, other)? * 2 + usize::from(of != arity.to_string()))
    };
    let nearest = known.filter_map(|known| Some((distance(known)?, known))).min_by_key(|(distance, _)| *distance);
    xcute_suggest::hint(nearest.map(|(_, known)| known))
}
