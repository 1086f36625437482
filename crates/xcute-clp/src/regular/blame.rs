//! Whether a catcher looks at what an error of arithmetic blames, or at its kind.
//!
//! Which term of an expression is not a number, and in which way, is not decided: all that is not a number is one path, a constant as well as an expression that
//! throws (`1/0`). That is right as long as the program does not look into the error. To print it does not count: nobody sees what a test writes, unless the program
//! collects it.

use crate::syntax::{Arena, Atoms, Program, Term, TermRef};

/// Goals that only write, as long as nothing collects what is written.
const PRINTS: &[(&str, usize)] = &[
    ("print_message", 2),
    ("print", 1),
    ("print", 2),
    ("write", 1),
    ("write", 2),
    ("writeln", 1),
    ("writeln", 2),
    ("writeq", 1),
    ("writeq", 2),
    ("write_canonical", 1),
    ("write_canonical", 2),
    ("portray_clause", 1),
    ("format", 2),
];

/// What collects what is written, or is called by what writes.
const COLLECTS: &[(&str, usize)] =
    &[("with_output_to", 2), ("format", 3), ("message_hook", 3), ("message", 1), ("message", 3), ("portray", 1), ("portray_text", 1)];

/// The errors that evaluating a ground term may throw: a catcher of one of them lets the others pass.
const EVALUATING: &[&str] = &["type_error", "evaluation_error", "domain_error", "resource_error"];

/// Whether a catcher of a clause may distinguish two errors of arithmetic, by itself or by its variables.
pub(super) fn is_looked_at(arena: &Arena, program: &Program, catcher: TermRef, recovery: TermRef) -> bool {
    let used = |term| is_used(arena, term, &[]) && (collects(program) || is_used(arena, term, &printed(arena, &program.atoms, recovery)));
    let Some((name, args)) = arena.callable(catcher) else { return used(catcher) };
    if args.len() != 2 || program.atoms.name(name) != "error" {
        return false;
    }
    match arena.callable(args[0]) {
        Some((name, _)) => EVALUATING.contains(&program.atoms.name(name)),
        None => used(args[0]),
    }
}

/// Whether a term is not a variable that occurs only once, apart from these compounds.
fn is_used(arena: &Arena, term: TermRef, except: &[TermRef]) -> bool {
    let Term::Var(own) = *arena.get(term) else { return true };
    let parts = arena.refs().filter(|term| !except.contains(term)).filter_map(|term| match arena.get(term) {
        Term::Compound(compound) => Some(arena.args(*compound)),
        _ => None,
    });
    parts.flatten().filter(|&&part| matches!(*arena.get(part), Term::Var(other) if other == own)).count() > 1
}

/// The goals of a recovery that only write, with the compounds in them.
fn printed(arena: &Arena, atoms: &Atoms, recovery: TermRef) -> Vec<TermRef> {
    let (mut goals, mut found) = (vec![recovery], Vec::new());
    while let Some(goal) = goals.pop() {
        let Some((name, args)) = arena.callable(goal) else { continue };
        match (atoms.name(name), args) {
            ("," | ";" | "->" | "*->", &[one, other]) => goals.extend([one, other]),
            ("format", &[text, _]) if !is_plain(arena, atoms, text) => {}
            (text, args) if PRINTS.contains(&(text, args.len())) => found.push(goal),
            _ => {}
        }
    }
    let mut at = 0;
    while let Some(&term) = found.get(at) {
        if let Term::Compound(compound) = arena.get(term) {
            found.extend(arena.args(*compound).iter().filter(|&&part| matches!(arena.get(part), Term::Compound(_))));
        }
        at += 1;
    }
    found
}

/// Whether a format takes terms of any kind.
fn is_plain(arena: &Arena, atoms: &Atoms, text: TermRef) -> bool {
    let text = match arena.get(text) {
        Term::Atom(name) => atoms.name(*name),
        Term::String(text) => text,
        _ => return false,
    };
    text.split('~').skip(1).all(|directive| directive.starts_with(['w', 'p', 'q', 'n']))
}

/// Whether a clause of the program itself mentions what collects texts.
fn collects(program: &Program) -> bool {
    let mentions = |terms: &Arena| {
        terms.refs().filter_map(|term| terms.callable(term)).any(|(name, args)| COLLECTS.contains(&(program.atoms.name(name), args.len())))
    };
    let own = program.predicates.iter().filter(|predicate| !predicate.library);
    own.flat_map(|predicate| &predicate.clauses).any(|clause| mentions(&clause.terms))
}
