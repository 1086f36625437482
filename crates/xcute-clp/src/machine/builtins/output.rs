//! Predicates with effects that tests do not see (output to streams), the error of `assertion/1`, and those that this machine does not have.

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Call;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("write", 2, Builtin::Plain(to_stream)),
    ("print", 2, Builtin::Plain(to_stream)),
    ("writeln", 2, Builtin::Plain(to_stream)),
    ("writeq", 2, Builtin::Plain(to_stream)),
    ("write_canonical", 2, Builtin::Plain(to_stream)),
    ("write_term", 3, Builtin::Plain(to_stream)),
    ("portray_clause", 2, Builtin::Plain(to_stream)),
    ("nl", 1, Builtin::Plain(to_stream)),
    ("tab", 2, Builtin::Plain(|m, c| Ok(to_stream(m, c)? && m.spaces(m.arg(c, 1)).map(|_| true)?))),
    ("put_char", 2, Builtin::Plain(|m, c| Ok(to_stream(m, c)? && m.one_character(m.arg(c, 1)).map(|_| true)?))),
    ("flush_output", 0, Builtin::Plain(silent)),
    ("flush_output", 1, Builtin::Plain(to_stream)),
    ("ttyflush", 0, Builtin::Plain(silent)),
    ("prompt", 2, Builtin::Plain(silent)),
    ("print_message", 2, Builtin::Plain(print_message)),
    ("print_message_lines", 3, Builtin::Plain(silent)),
    ("garbage_collect", 0, Builtin::Plain(silent)),
    ("sleep", 1, Builtin::Plain(silent)),
    ("$made_compound", 1, Builtin::Plain(made_compound)),
    ("$assertion_failed", 2, Builtin::Plain(assertion_failed)),
    ("$with_module", 2, Builtin::Plain(with_module)),
    ("$in_module", 2, Builtin::Plain(in_module)),
    ("$check_sink", 1, Builtin::Plain(|m, c| m.check_sink(m.arg(c, 0)).map(|_| true))),
    ("see", 1, Builtin::Plain(unsupported)),
    ("tell", 1, Builtin::Plain(unsupported)),
    ("open", 3, Builtin::Plain(unsupported)),
    ("open", 4, Builtin::Plain(unsupported)),
    ("close", 1, Builtin::Plain(unsupported)),
    ("current_output", 1, Builtin::Plain(unsupported)),
    ("current_input", 1, Builtin::Plain(unsupported)),
    ("consult", 1, Builtin::Plain(unsupported)),
    ("statistics", 2, Builtin::Plain(unsupported)),
    ("get_time", 1, Builtin::Plain(unsupported)),
    ("random", 1, Builtin::Plain(unsupported)),
    ("random", 3, Builtin::Plain(unsupported)),
    ("random_between", 3, Builtin::Plain(unsupported)),
    ("random_member", 2, Builtin::Plain(unsupported)),
    ("random_permutation", 2, Builtin::Plain(unsupported)),
    ("shell", 1, Builtin::Plain(unsupported)),
    ("shell", 2, Builtin::Plain(unsupported)),
    ("getenv", 2, Builtin::Plain(unsupported)),
    ("exists_file", 1, Builtin::Plain(unsupported)),
    ("call_with_depth_limit", 3, Builtin::Plain(unsupported)),
    ("call_with_inference_limit", 3, Builtin::Plain(unsupported)),
    ("thread_create", 3, Builtin::Plain(unsupported)),
    ("put_attr", 3, Builtin::Plain(unsupported)),
    ("get_attr", 3, Builtin::Plain(unsupported)),
    ("del_attr", 2, Builtin::Plain(unsupported)),
    ("del_attrs", 1, Builtin::Plain(unsupported)),
    ("get_attrs", 2, Builtin::Plain(unsupported)),
    ("put_attrs", 2, Builtin::Plain(unsupported)),
    ("tnot", 1, Builtin::Plain(unsupported)),
    ("automaton", 3, Builtin::Plain(unsupported)),
    ("automaton", 8, Builtin::Plain(unsupported)),
    ("cumulative", 1, Builtin::Plain(unsupported)),
    ("cumulative", 2, Builtin::Plain(unsupported)),
    ("disjoint2", 1, Builtin::Plain(unsupported)),
];

#[expect(clippy::unnecessary_wraps, reason = "the type of builtin predicates")]
fn silent(_: &mut Machine<'_>, _: Call) -> Step {
    Ok(true)
}

/// Output to a stream that the first argument names; nobody sees it, but a stream must be there.
fn to_stream(m: &mut Machine<'_>, call: Call) -> Step {
    match m.pinned(m.arg(call, 0), "the stream of an output")? {
        Cell::Var(_) => Err(m.instantiation_error()),
        Cell::Atom(name) if matches!(m.symbols.atoms.name(name), "user_output" | "user_error" | "current_output") => Ok(true),
        Cell::Atom(name) if m.symbols.atoms.name(name) == "user_input" => {
            let [action, what] = ["output", "stream"].map(|text| m.symbols.atom(text));
            let functor = m.symbols.functor_named("permission_error", 3);
            let formal = m.heap.compound(functor, &[action, what, m.heap.deref(m.arg(call, 0))]);
            Err(m.error(formal))
        }
        name @ Cell::Atom(_) => Err(m.no_stream(name)),
        other => Err(m.domain_error("stream_or_alias", other)),
    }
}

/// The kind of a message is an atom; nobody sees the message.
fn print_message(m: &mut Machine<'_>, call: Call) -> Step {
    match m.pinned(m.arg(call, 0), "the kind of a message")? {
        Cell::Atom(_) | Cell::Var(_) => Ok(true),
        other => Err(m.type_error("atom", other)),
    }
}

/// Ends the run: what would follow is not known.
fn unsupported(m: &mut Machine<'_>, call: Call) -> Step {
    let what = format!("{}/{}", m.symbols.atoms.name(call.name), call.arity);
    m.unsupported(&what)
}

/// `'$made_compound'(Arity)`: there are no compounds without arguments here.
fn made_compound(m: &mut Machine<'_>, call: Call) -> Step {
    match m.arg(call, 0) {
        Cell::Int(0) => m.unsupported("a compound without arguments"),
        negative @ Cell::Int(..0) => Err(m.domain_error("not_less_than_zero", negative)),
        _ => Ok(true),
    }
}

/// `'$assertion_failed'(Reason, Goal)`: the goal is reported with its module.
fn assertion_failed(m: &mut Machine<'_>, call: Call) -> Step {
    let goal = m.in_module(m.arg(call, 1));
    let functor = m.symbols.functor_named("assertion_error", 2);
    let formal = m.heap.compound(functor, &[m.arg(call, 0), goal]);
    Err(m.error(formal))
}

/// `'$with_module'(Parameters>>Goal, Lambda)`: the goal with its module, as SWI-Prolog reports it.
fn with_module(m: &mut Machine<'_>, call: Call) -> Step {
    let Cell::Struct(address) = m.arg(call, 0) else { unreachable!("a lambda expression") };
    let (parameters, goal) = (m.heap.arg(address, 0), m.heap.arg(address, 1));
    let goal = m.in_module(goal);
    let made = m.heap.compound(m.heap.functor(address), &[parameters, goal]);
    m.unify_now(m.arg(call, 1), made)
}

/// `'$in_module'(Goal, Qualified)`.
fn in_module(m: &mut Machine<'_>, call: Call) -> Step {
    let goal = m.in_module(m.arg(call, 0));
    m.unify_now(m.arg(call, 1), goal)
}

impl Machine<'_> {
    /// A goal with the module that it is of.
    fn in_module(&mut self, goal: Cell) -> Cell {
        let colon = self.symbols.functor(Atom::COLON, 2);
        match goal {
            Cell::Struct(address) if self.heap.functor(address) == colon => goal,
            _ => self.heap.compound(colon, &[Cell::Atom(self.program.module), goal]),
        }
    }
}
