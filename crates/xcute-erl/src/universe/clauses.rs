//! Functions of inputs as Erlang writes them: a `fun` with a clause for each row and one for all other arguments.
//!
//! Arguments that a pattern can say are patterns; others are compared in a guard. A row whose arguments hold a function, a pid or a reference is left out: no text
//! says which one it is.

use std::fmt::Write as _;

use super::functions::{Table, holds_function};
use crate::etf::{Atoms, Term};

/// How terms are written.
type Writer = fn(&Term, &Atoms, &mut String);

/// Appends a function.
pub(super) fn function(table: &Table<'_>, atoms: &Atoms, write: Writer, out: &mut String) {
    out.push_str("fun");
    let mut seen: Vec<&[Term]> = Vec::new();
    for &(arguments, result) in &table.rows {
        let constant = arguments.iter().all(|argument| argument.is_constant() && !holds_function(argument, atoms));
        if seen.contains(&arguments) || !constant {
            continue;
        }
        seen.push(arguments);
        out.push_str(if seen.len() == 1 { "" } else { " " });
        clause(arguments, result, atoms, write, out);
        if arguments.is_empty() {
            // There are no other arguments than none.
            out.push_str(" end");
            return;
        }
        out.push(';');
    }
    if !seen.is_empty() {
        out.push(' ');
    }
    out.push('(');
    out.push_str(&vec!["_"; table.arity].join(","));
    out.push_str(") -> ");
    write(table.default, atoms, out);
    out.push_str(" end");
}

fn clause(arguments: &[Term], result: &Term, atoms: &Atoms, write: Writer, out: &mut String) {
    let mut guards = String::new();
    out.push('(');
    for (number, argument) in (1..).zip(arguments) {
        out.push_str(if number == 1 { "" } else { "," });
        if is_pattern(argument) {
            write(argument, atoms, out);
        } else {
            let _ = write!(out, "A{number}");
            let _ = write!(guards, "{}A{number} =:= ", if guards.is_empty() { " when " } else { ", " });
            write(argument, atoms, &mut guards);
        }
    }
    out.push(')');
    out.push_str(&guards);
    out.push_str(" -> ");
    write(result, atoms, out);
}

/// Whether a pattern that looks like the term matches the term and nothing else.
fn is_pattern(term: &Term) -> bool {
    match term {
        Term::Int(_) | Term::Big(_) | Term::Atom(_) | Term::Nil | Term::Bits(..) => true,
        Term::List(items, tail) => items.iter().all(is_pattern) && is_pattern(tail),
        Term::Tuple(items) => items.iter().all(is_pattern),
        Term::Float(_) | Term::Map(_) | Term::External(..) | Term::Other(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::TAG;
    use super::super::shown;
    use super::*;
    use crate::etf::Atom;

    #[test]
    fn functions_are_written_as_clauses() {
        let mut atoms = Atoms::new();
        let tag = Term::Atom(atoms.intern(TAG));
        let fun = |arity: i64, rows: Vec<(Vec<Term>, Term)>, default: Term| {
            let rows = rows.into_iter().map(|(arguments, result)| Term::Tuple(vec![Term::Tuple(arguments), result])).collect();
            Term::Tuple(vec![tag.clone(), Term::Int(arity), Term::list(rows), default])
        };
        let row = |arguments: &[i64], result: i64| (arguments.iter().map(|&argument| Term::Int(argument)).collect(), Term::Int(result));
        let float = (vec![Term::Float(0.5), Term::Atom(Atom::A)], Term::Nil);
        let inner = fun(1, vec![], Term::Int(0));
        let cases = [
            (fun(0, vec![], Term::Int(7)), "fun() -> 7 end"),
            (fun(0, vec![row(&[], 8)], Term::Int(7)), "fun() -> 8 end"),
            (fun(2, vec![], Term::Int(7)), "fun(_,_) -> 7 end"),
            (fun(1, vec![row(&[1], 2), row(&[1], 3), row(&[4], 5)], Term::Int(0)), "fun(1) -> 2; (4) -> 5; (_) -> 0 end"),
            (fun(2, vec![float], Term::Int(0)), "fun(A1,a) when A1 =:= 0.5 -> []; (_,_) -> 0 end"),
            (fun(1, vec![(vec![inner.clone()], Term::Int(1))], inner), "fun(_) -> fun(_) -> 0 end end"),
        ];
        for (term, text) in cases {
            assert_eq!(shown(&term, &atoms), text);
        }
    }
}
