//! Predicates with effects that tests do not see (output), and those that this machine does not have.

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::step::{Call, ChoiceKind, Goal};
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("write", 1, Builtin::Plain(silent)),
    ("write", 2, Builtin::Plain(silent)),
    ("print", 1, Builtin::Plain(silent)),
    ("writeln", 1, Builtin::Plain(silent)),
    ("writeq", 1, Builtin::Plain(silent)),
    ("write_canonical", 1, Builtin::Plain(silent)),
    ("write_term", 2, Builtin::Plain(silent)),
    ("portray_clause", 1, Builtin::Plain(silent)),
    ("nl", 0, Builtin::Plain(silent)),
    ("nl", 1, Builtin::Plain(silent)),
    ("tab", 1, Builtin::Plain(silent)),
    ("put_char", 1, Builtin::Plain(silent)),
    ("flush_output", 0, Builtin::Plain(silent)),
    ("format", 1, Builtin::Plain(silent)),
    ("format", 2, Builtin::Plain(silent)),
    ("print_message", 2, Builtin::Plain(silent)),
    ("garbage_collect", 0, Builtin::Plain(silent)),
    ("assertion", 1, Builtin::Plain(assertion)),
    ("$assertion_failed", 1, Builtin::Plain(assertion_failed)),
    ("format", 3, Builtin::Plain(unsupported)),
    ("with_output_to", 2, Builtin::Plain(unsupported)),
    ("read", 1, Builtin::Plain(unsupported)),
    ("read_term", 2, Builtin::Plain(unsupported)),
    ("get_char", 1, Builtin::Plain(unsupported)),
    ("see", 1, Builtin::Plain(unsupported)),
    ("open", 3, Builtin::Plain(unsupported)),
    ("open", 4, Builtin::Plain(unsupported)),
    ("consult", 1, Builtin::Plain(unsupported)),
    ("statistics", 2, Builtin::Plain(unsupported)),
    ("get_time", 1, Builtin::Plain(unsupported)),
    ("random", 1, Builtin::Plain(unsupported)),
    ("random_between", 3, Builtin::Plain(unsupported)),
    ("freeze", 2, Builtin::Plain(unsupported)),
    ("when", 2, Builtin::Plain(unsupported)),
    ("term_to_atom", 2, Builtin::Plain(unsupported)),
    ("nb_setval", 2, Builtin::Plain(unsupported)),
    ("nb_getval", 2, Builtin::Plain(unsupported)),
    ("b_setval", 2, Builtin::Plain(unsupported)),
    ("b_getval", 2, Builtin::Plain(unsupported)),
    ("#<==>", 2, Builtin::Plain(unsupported)),
    ("#==>", 2, Builtin::Plain(unsupported)),
    ("#<==", 2, Builtin::Plain(unsupported)),
    ("#\\/", 2, Builtin::Plain(unsupported)),
    ("#/\\", 2, Builtin::Plain(unsupported)),
    ("#\\", 1, Builtin::Plain(unsupported)),
    ("tuples_in", 2, Builtin::Plain(unsupported)),
];

#[expect(clippy::unnecessary_wraps, reason = "the type of builtin predicates")]
fn silent(_: &mut Machine<'_>, _: Call) -> Step {
    Ok(true)
}

/// Ends the run: what would follow is not known.
fn unsupported(m: &mut Machine<'_>, call: Call) -> Step {
    let what = format!("{}/{}", m.symbols.atoms.name(call.name), call.arity);
    m.rec.limit("unsupported", &what, true);
    Err(Stop::Rejected)
}

/// `assertion(G)`: once G, and an error if it fails.
fn assertion(m: &mut Machine<'_>, call: Call) -> Step {
    let goal = m.arg(call, 0);
    let failed = m.symbols.functor_named("$assertion_failed", 1);
    let otherwise = m.heap.compound(failed, &[goal]);
    let height = m.height();
    m.push_choice(ChoiceKind::Goal { goal: otherwise, barrier: call.barrier, place: call.place });
    m.push(Goal::CutTo(height));
    m.push(Goal::Call { goal, barrier: height + 1, place: call.place });
    Ok(true)
}

fn assertion_failed(m: &mut Machine<'_>, call: Call) -> Step {
    let (fail, user) = (Cell::Atom(Atom::FAIL), m.symbols.atom("user"));
    let colon = m.symbols.functor(Atom::COLON, 2);
    let goal = m.heap.compound(colon, &[user, m.arg(call, 0)]);
    let functor = m.symbols.functor_named("assertion_error", 2);
    let formal = m.heap.compound(functor, &[fail, goal]);
    Err(m.error(formal))
}
