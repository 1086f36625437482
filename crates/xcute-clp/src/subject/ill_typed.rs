//! Errors that say that an input is of the wrong type.
//!
//! A predicate without declared types has the types that its built-in predicates ask for: what they refuse was never meant. Such an error is what the goal does with
//! an input outside of its type, which is a case and not a failure.

use xcute_term::{Model, Terms};

use super::ClpSubject;
use super::answer::Written;
use crate::syntax::{Arena, Term, TermRef};

impl ClpSubject {
    /// Whether something that was thrown blames a part of an input whose type is not declared.
    pub(super) fn is_ill_typed(&mut self, terms: &Terms, input: &Model, ball: &Written) -> bool {
        let formal = ball.formal();
        let Some((name, &[expected, culprit])) = ball.terms.callable(formal) else { return false };
        if self.symbols.atoms.name(name) != "type_error" {
            return false;
        }
        let evaluable = matches!(ball.terms.get(expected), Term::Atom(name) if self.symbols.atoms.name(*name) == "evaluable");
        let goal = self.goal(terms, input);
        let Some((_, args)) = goal.terms.callable(goal.roots[0]) else { return false };
        let open = args.iter().zip(&self.ground).zip(&self.declared).filter(|((_, ground), declared)| **ground && !**declared);
        let blamed = match (evaluable, ball.terms.callable(culprit)) {
            // `f/1` stands for any term with this functor.
            (true, Some((_, &[name, arity]))) => Blamed::Functor(name, arity),
            // It may have been computed of one that an input is.
            _ if matches!(ball.terms.get(culprit), Term::Float(_)) => Blamed::Float,
            _ => Blamed::Term(culprit),
        };
        open.map(|((&arg, _), _)| arg).collect::<Vec<TermRef>>().into_iter().any(|arg| has_part(&goal.terms, arg, &ball.terms, &blamed))
    }
}

/// What an error blames.
enum Blamed {
    Term(TermRef),
    Functor(TermRef, TermRef),
    Float,
}

/// Whether a part of a term is what an error blames.
fn has_part(terms: &Arena, term: TermRef, error: &Arena, blamed: &Blamed) -> bool {
    let mut pending = vec![term];
    while let Some(part) = pending.pop() {
        let found = match blamed {
            Blamed::Float => matches!(terms.get(part), Term::Float(_)),
            Blamed::Term(culprit) => same(terms, part, error, *culprit),
            Blamed::Functor(name, arity) => match (terms.callable(part), error.get(*name), error.get(*arity)) {
                (Some((own, args)), Term::Atom(name), Term::Integer(arity)) => own == *name && *arity == args.len().into(),
                _ => false,
            },
        };
        if found {
            return true;
        }
        if let Term::Compound(compound) = terms.get(part) {
            pending.extend(terms.args(*compound));
        }
    }
    false
}

fn same(a: &Arena, x: TermRef, b: &Arena, y: TermRef) -> bool {
    let mut pending = vec![(x, y)];
    while let Some((x, y)) = pending.pop() {
        match (a.get(x), b.get(y)) {
            (Term::Compound(f), Term::Compound(g)) if f.name == g.name && f.arity() == g.arity() => {
                pending.extend(a.args(*f).iter().copied().zip(b.args(*g).iter().copied()));
            }
            (Term::Compound(_), _) | (_, Term::Compound(_)) => return false,
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    true
}
