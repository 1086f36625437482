//! `receive`, which the compiler makes a loop of jumps, as an ordinary local function.
//!
//! In a loop of jumps nothing may be called between the look at a message and its removal. Here messages are values like others, and the loop a function that calls
//! itself. A function has one value: where a receive gives several (variables that its clauses bind), they are put into a tuple, and taken out again.
//!
//! **Invariant.** What leaves the loop by a jump to elsewhere stays a jump: such a receive is left as it was.

use super::{Pass, take};
use crate::core::ast::{Anno, Expr, Function, Name};
use crate::core::normalise::peeks;
use crate::etf::{Atom, Atoms};

/// Whether a `letrec` is a receive that can be a function.
pub(super) fn is_receive(anno: &Anno, functions: &[Function], body: &Expr, atoms: &Atoms) -> bool {
    if !anno.has(Atom::LETREC_GOTO) || !functions.iter().any(|function| matches!(&function.fun, Expr::Fun(_, _, body) if peeks(body))) {
        return false;
    }
    let mut known: Vec<Name> = functions.iter().map(|function| Name::Function(function.name, function.arity)).collect();
    functions.iter().all(|function| stays(&function.fun, &mut known, atoms)) && stays(body, &mut known, atoms)
}

/// Whether all jumps in tail position go to these labels.
fn stays(expr: &Expr, known: &mut Vec<Name>, atoms: &Atoms) -> bool {
    match expr {
        Expr::Fun(_, _, body) | Expr::Let { body, .. } | Expr::Seq(_, _, body) => stays(body, known, atoms),
        Expr::Case { clauses, .. } => clauses.iter().all(|clause| stays(&clause.body, known, atoms)),
        Expr::Try { body, handler, .. } => stays(body, known, atoms) && stays(handler, known, atoms),
        Expr::Letrec { anno, functions, body } => {
            let jumps = anno.has(Atom::LETREC_GOTO);
            known.extend(functions.iter().map(|function| Name::Function(function.name, function.arity)));
            (!jumps || functions.iter().all(|function| stays(&function.fun, known, atoms))) && stays(body, known, atoms)
        }
        Expr::Apply { op, .. } => match op.name() {
            // The compiler's own functions are called so.
            Some(name @ Name::Function(function, _)) => known.contains(&name) || !atoms.name(function).contains("$^"),
            _ => true,
        },
        _ => true,
    }
}

/// How many values an expression gives; 1 if it never comes to any.
fn values(expr: &Expr) -> usize {
    match expr {
        Expr::Values(_, items) => items.len(),
        Expr::Fun(_, _, body) | Expr::Let { body, .. } | Expr::Seq(_, _, body) => values(body),
        Expr::Case { clauses, .. } => clauses.iter().map(|clause| values(&clause.body)).find(|count| *count != 1).unwrap_or(1),
        Expr::Try { body, handler, .. } => [body, handler].into_iter().map(|part| values(part)).find(|count| *count != 1).unwrap_or(1),
        Expr::Letrec { anno, functions, body } => {
            let inside = functions.iter().filter(|_| anno.has(Atom::LETREC_GOTO)).map(|function| values(&function.fun));
            inside.chain([values(body)]).find(|count| *count != 1).unwrap_or(1)
        }
        _ => 1,
    }
}

/// Makes a tuple of the values at the end.
fn tuple(expr: &mut Expr) {
    match expr {
        Expr::Values(anno, items) => *expr = Expr::Tuple(anno.clone(), std::mem::take(items)),
        Expr::Fun(_, _, body) | Expr::Let { body, .. } | Expr::Seq(_, _, body) => tuple(body),
        Expr::Case { clauses, .. } => clauses.iter_mut().for_each(|clause| tuple(&mut clause.body)),
        Expr::Try { body, handler, .. } => {
            tuple(body);
            tuple(handler);
        }
        Expr::Letrec { anno, functions, body } => {
            if anno.has(Atom::LETREC_GOTO) {
                functions.iter_mut().for_each(|function| tuple(&mut function.fun));
            }
            tuple(body);
        }
        _ => {}
    }
}

impl Pass<'_> {
    /// Makes a function of a receive whose parts are instrumented.
    pub(super) fn receive(&mut self, expr: &mut Expr) {
        let Expr::Letrec { anno, functions, body } = expr else { unreachable!("only called for receive") };
        let inside = functions.iter().map(|function| values(&function.fun));
        let count = inside.chain([values(body)]).find(|count| *count != 1).unwrap_or(1);
        *anno = anno.without(Atom::LETREC_GOTO);
        if count == 1 {
            return;
        }
        functions.iter_mut().for_each(|function| tuple(&mut function.fun));
        tuple(body);
        let made = take(expr);
        let var = self.fresh();
        let element = self.atoms.intern("element");
        let part = |n| Expr::call(Atom::ERLANG, element, vec![Expr::int(n), var.clone()]);
        let parts = (1..).take(count).map(part).collect();
        let body = Box::new(Expr::Values(Anno::generated(), parts));
        *expr = Expr::Let { anno: Anno::generated(), vars: vec![var], arg: Box::new(made), body };
    }
}
