//! Reads what a program says about the modes, types and determinism of its predicates.
//!
//! **Invariant.** A declaration never changes what a program does; one that is not understood is an error in a directive and nothing in a comment.

use super::error::Problem;
use super::{Arena, Atom, Atoms, Declaration, Determinism, Fixity, Indicator, Mode, ModedArgument, Operators, Span, Term, TermRef};

/// The operators in force plus those that declarations are written with.
pub(super) fn operators(atoms: &mut Atoms, operators: &Operators) -> Operators {
    let mut extended = operators.clone();
    let mut add = |priority, fixity, names: &[&str]| {
        for name in names {
            let atom = atoms.intern(name);
            extended.add(atoms, priority, fixity, atom).expect("these are not reserved names");
        }
    };
    add(1150, Fixity::Fx, &["pred", "mode", "type", "regtype"]);
    add(1130, Fixity::Xfx, &["--->"]);
    add(650, Fixity::Xfx, &["::"]);
    add(200, Fixity::Fy, &["++", "--", "?", "@", ":", "!"]);
    extended
}

/// Reads `p(+list(int), -int) is det`.
pub(super) fn declaration(terms: Arena, atoms: &Atoms, term: TermRef, span: Span) -> Result<Declaration, Problem> {
    let (head, determinism) = match terms.matches(term, Atom::IS) {
        Some([head, determinism]) => (head, Some(determinism_named(&terms, atoms, determinism).ok_or(Problem::Declaration)?)),
        None => (term, None),
    };
    // `p//2` is a grammar, of which only the name and the two states are known.
    let (head, extra) = match terms.matches(head, Atom::DOUBLE_SLASH) {
        Some([_, _]) => return Err(Problem::Declaration),
        None => match postfix_slashes(&terms, head) {
            Some(inner) => (inner, 2),
            None => (head, 0),
        },
    };
    let (name, args) = terms.callable(head).filter(|&(name, _)| name != Atom::NIL).ok_or(Problem::Declaration)?;
    let mut arguments: Vec<ModedArgument> = args.iter().map(|&arg| argument(&terms, atoms, arg)).collect();
    arguments.extend(std::iter::repeat_n(ModedArgument { mode: Mode::Either, type_: None }, extra));
    let predicate = Indicator { name, arity: u32::try_from(arguments.len()).map_err(|_| Problem::Declaration)? };
    Ok(Declaration { predicate, arguments, determinism, terms, span, directive: false })
}

fn postfix_slashes(terms: &Arena, head: TermRef) -> Option<TermRef> {
    terms.matches::<1>(head, Atom::DOUBLE_SLASH).map(|[inner]| inner)
}

fn determinism_named(terms: &Arena, atoms: &Atoms, term: TermRef) -> Option<Determinism> {
    let Term::Atom(atom) = *terms.get(term) else { return None };
    Some(match atoms.name(atom) {
        "det" => Determinism::Det,
        "semidet" => Determinism::Semidet,
        "nondet" => Determinism::Nondet,
        "multi" => Determinism::Multi,
        "failure" | "erroneous" => Determinism::Failure,
        _ => return None,
    })
}

fn argument(terms: &Arena, atoms: &Atoms, term: TermRef) -> ModedArgument {
    // Mercury writes the mode after the type: `list(int)::in`.
    if let Some([type_, mode]) = terms.matches(term, Atom::PLDOC_COLON) {
        let mode = match *terms.get(mode) {
            Term::Atom(atom) if matches!(atoms.name(atom), "in" | "di") => Mode::Input,
            Term::Atom(atom) if matches!(atoms.name(atom), "out" | "uo") => Mode::Output,
            _ => Mode::Either,
        };
        return ModedArgument { mode, type_: Some(type_) };
    }
    // `+Xs:list` is `(+Xs):list`.
    let (term, annotated) = match terms.matches(term, Atom::COLON) {
        Some([inner, type_]) => (inner, Some(type_)),
        None => (term, None),
    };
    match *terms.get(term) {
        Term::Atom(atom) if let Some(mode) = mode(atoms.name(atom)) => ModedArgument { mode, type_: None },
        Term::Compound(compound) if let (Some(mode), &[inner]) = (mode(atoms.name(compound.name)), terms.args(compound)) => {
            ModedArgument { mode, type_: annotated.or_else(|| type_of(terms, inner)) }
        }
        _ => ModedArgument { mode: Mode::Either, type_: annotated.or_else(|| type_of(terms, term)) },
    }
}

/// `list(int)`, or the type of `Name:list(int)`; a name alone says nothing.
fn type_of(terms: &Arena, term: TermRef) -> Option<TermRef> {
    match terms.matches(term, Atom::COLON) {
        Some([_, type_]) => Some(type_),
        None => (!matches!(terms.get(term), Term::Var(_))).then_some(term),
    }
}

fn mode(name: &str) -> Option<Mode> {
    match name {
        "+" | "++" => Some(Mode::Input),
        "-" | "--" => Some(Mode::Output),
        "?" | "@" | ":" | "!" | "=" => Some(Mode::Either),
        _ => None,
    }
}
