//! Whether a catcher looks at what a type error blames.
//!
//! Which term of an expression is not a number, and in which way, is not decided: all that is not a number is one path. That is right as long as the program does not
//! look into the error.

use crate::syntax::{Arena, Atoms, Term, TermRef};

/// Whether a catcher of a clause may distinguish two type errors, by itself or by its variables.
pub(super) fn is_looked_at(arena: &Arena, atoms: &Atoms, catcher: TermRef) -> bool {
    let Some((name, args)) = arena.callable(catcher) else { return is_used(arena, catcher) };
    if args.len() != 2 || atoms.name(name) != "error" {
        return false;
    }
    match arena.callable(args[0]) {
        Some((name, parts)) => parts.len() == 2 && atoms.name(name) == "type_error" && parts.iter().any(|&part| is_used(arena, part)),
        None => is_used(arena, args[0]),
    }
}

/// Whether a term is not a variable that occurs only once.
fn is_used(arena: &Arena, term: TermRef) -> bool {
    let Term::Var(own) = *arena.get(term) else { return true };
    let is_own = |part: &&TermRef| matches!(*arena.get(**part), Term::Var(other) if other == own);
    let parts =
        arena.refs().filter_map(|term| if let Term::Compound(compound) = arena.get(term) { Some(arena.args(*compound)) } else { None });
    parts.flatten().filter(is_own).count() > 1
}
