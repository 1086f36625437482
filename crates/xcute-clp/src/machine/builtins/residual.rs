//! Constraints as goals: `copy_term/3`, and which variables have any.

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::fd::store::Propagator;
use crate::machine::goals::Call;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("copy_term", 3, Builtin::Plain(copy_term)),
    ("term_attvars", 2, Builtin::Plain(term_attvars)),
    ("attvar", 1, Builtin::Test(|m, c| Ok(m.has_constraints(m.arg(c, 0))))),
];

fn term_attvars(m: &mut Machine<'_>, call: Call) -> Step {
    let all = m.variables(m.arg(call, 0));
    let constrained: Vec<Cell> = all.into_iter().filter(|&variable| m.has_constraints(variable)).collect();
    let list = m.list(&constrained, Cell::Atom(Atom::NIL));
    m.unify_now(m.arg(call, 1), list)
}

/// `copy_term(Term, Copy, Goals)`: the copy has no constraints, the goals say what they were.
fn copy_term(m: &mut Machine<'_>, call: Call) -> Step {
    let term = m.arg(call, 0);
    let constrained: Vec<Cell> = m.variables(term).into_iter().filter(|&variable| m.has_constraints(variable)).collect();
    let (domains, propagators) = m.reached(constrained);
    let (colon, clpfd, member) = (m.symbols.functor(Atom::COLON, 2), m.symbols.atom("clpfd"), m.symbols.functor_named("in", 2));
    let mut goals = Vec::new();
    for (variable, _) in domains {
        let domain = m.domain_term(variable)?;
        let inside = m.heap.compound(member, &[variable, domain]);
        goals.push(m.heap.compound(colon, &[clpfd, inside]));
    }
    for propagator in propagators {
        goals.push(match propagator {
            Propagator::Goal { variable, goal, .. } => {
                let (freeze, module) = (m.symbols.functor_named("freeze", 2), Cell::Atom(m.program.module));
                let goal = m.heap.compound(colon, &[module, goal]);
                m.heap.compound(freeze, &[variable, goal])
            }
            // Of other disequations SWI-Prolog says what is left of them.
            Propagator::Dif { a, b } if matches!(m.heap.deref(a), Cell::Var(_)) => {
                let dif = m.symbols.functor_named("dif", 2);
                m.heap.compound(dif, &[a, b])
            }
            _ => return m.unsupported("copy_term/3 of a constraint between variables"),
        });
    }
    let goals = m.list(&goals, Cell::Atom(Atom::NIL));
    let pair = m.symbols.functor(Atom::MINUS, 2);
    let both = m.heap.compound(pair, &[term, goals]);
    let copy = m.freeze(both)?;
    let copy = m.heap.thaw(&copy);
    let wanted = m.heap.compound(pair, &[m.arg(call, 1), m.arg(call, 2)]);
    m.unify_now(wanted, copy)
}
