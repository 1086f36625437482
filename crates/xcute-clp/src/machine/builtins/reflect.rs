//! What a program may ask about itself and its Prolog: operators, flags, predicates.

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::step::Call;
use crate::syntax::{Atom, Fixity, Indicator};

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("current_op", 3, Builtin::Plain(current_op)),
    ("op", 3, Builtin::Plain(|_, _| Ok(true))),
    ("current_prolog_flag", 2, Builtin::Plain(flag)),
    ("set_prolog_flag", 2, Builtin::Plain(|_, _| Ok(true))),
    ("current_predicate", 1, Builtin::Plain(current_predicate)),
    ("predicate_property", 2, Builtin::Plain(property)),
];

/// Flags by name, as SWI-Prolog has them.
pub(crate) const FLAGS: &[(&str, &str)] =
    &[("bounded", "false"), ("occurs_check", "true"), ("double_quotes", "codes"), ("dialect", "swi"), ("unknown", "error")];

/// Flags that are numbers.
pub(crate) const NUMBERS: &[(&str, i64)] =
    &[("max_tagged_integer", (1 << 60) - 1), ("min_tagged_integer", -(1 << 60)), ("max_integer", i64::MAX), ("min_integer", i64::MIN)];

fn current_op(m: &mut Machine<'_>, call: Call) -> Step {
    let name = match m.pinned(m.arg(call, 2), "the name of an operator")? {
        Cell::Atom(name) => Some(name),
        Cell::Var(_) => None,
        other => return Err(m.type_error("atom", other)),
    };
    let functor = m.symbols.functor_named("op", 3);
    let mut answers = Vec::new();
    for (atom, operator) in m.program.operators.all() {
        if name.is_none_or(|name| name == atom) {
            let kind = m.symbols.atom(kind(operator.fixity));
            answers.push(m.heap.compound(functor, &[Cell::Int(operator.priority.into()), kind, Cell::Atom(atom)]));
        }
    }
    let args: Vec<Cell> = (0..3).map(|i| m.arg(call, i)).collect();
    let pattern = m.heap.compound(functor, &args);
    m.one_of(pattern, &answers)
}

fn kind(fixity: Fixity) -> &'static str {
    match fixity {
        Fixity::Xfx => "xfx",
        Fixity::Xfy => "xfy",
        Fixity::Yfx => "yfx",
        Fixity::Fy => "fy",
        Fixity::Fx => "fx",
        Fixity::Xf => "xf",
        Fixity::Yf => "yf",
    }
}

fn flag(m: &mut Machine<'_>, call: Call) -> Step {
    let Cell::Atom(name) = m.arg(call, 0) else { return m.unsupported("current_prolog_flag/2 without a name") };
    let name = m.symbols.atoms.name(name).to_owned();
    let value = if let Some((_, value)) = FLAGS.iter().find(|(known, _)| *known == name) {
        m.symbols.atom(value)
    } else if let Some((_, value)) = NUMBERS.iter().find(|(known, _)| *known == name) {
        Cell::Int(*value)
    } else {
        return m.unsupported(&format!("the flag {name}"));
    };
    m.unify_now(m.arg(call, 1), value)
}

/// Predicates of the program and what it has made of others; not those of the library.
fn current_predicate(m: &mut Machine<'_>, call: Call) -> Step {
    let slash = m.symbols.functor(Atom::SLASH, 2);
    let mut specification = m.arg(call, 0);
    let colon = m.symbols.functor(Atom::COLON, 2);
    if let Cell::Struct(address) = specification
        && m.heap.functor(address) == colon
    {
        specification = m.heap.arg(address, 1);
    }
    let mut answers = Vec::new();
    for indicator in m.defined() {
        answers.push(m.heap.compound(slash, &[Cell::Atom(indicator.name), Cell::Int(indicator.arity.into())]));
    }
    match specification {
        Cell::Var(_) => {}
        Cell::Struct(address) if m.heap.functor(address) == slash => {
            if let (Cell::Atom(name), Cell::Int(arity)) = (m.heap.arg(address, 0), m.heap.arg(address, 1)) {
                let found = m.defined().into_iter().any(|indicator| indicator.name == name && i64::from(indicator.arity) == arity);
                return Ok(found);
            }
        }
        other => return Err(m.type_error("predicate_indicator", other)),
    }
    m.one_of(specification, &answers)
}

fn property(m: &mut Machine<'_>, call: Call) -> Step {
    let mut head = m.arg(call, 0);
    let colon = m.symbols.functor(Atom::COLON, 2);
    if let Cell::Struct(address) = head
        && m.heap.functor(address) == colon
    {
        head = m.heap.arg(address, 1);
    }
    let indicator = match head {
        Cell::Atom(name) => Indicator { name, arity: 0 },
        Cell::Struct(address) => {
            let functor = m.heap.functor(address);
            Indicator { name: m.symbols.name(functor), arity: m.symbols.arity(functor) }
        }
        _ => return m.unsupported("predicate_property/2 without a predicate"),
    };
    let mut answers = Vec::new();
    if m.program.builtins.get(indicator).is_some() {
        answers.extend(["visible", "built_in", "system", "static", "defined"].map(|name| m.symbols.atom(name)));
    } else if let Some((id, current)) = m.predicate(indicator) {
        let dynamic = id.is_none_or(|id| m.program.code.predicate(id).dynamic);
        answers.extend(["visible", if dynamic { "dynamic" } else { "static" }, "defined"].map(|name| m.symbols.atom(name)));
        let functor = m.symbols.functor_named("number_of_clauses", 1);
        let count = i64::try_from(current.clauses.len()).expect("fewer than 2^63 clauses");
        answers.push(m.heap.compound(functor, &[Cell::Int(count)]));
    }
    m.one_of(m.arg(call, 1), &answers)
}

impl Machine<'_> {
    /// The predicates of the program that have clauses now.
    fn defined(&self) -> Vec<Indicator> {
        let own = self.program.code.predicates.iter().filter(|predicate| !predicate.library).map(|predicate| predicate.indicator);
        let mut made: Vec<Indicator> =
            self.changed.keys().copied().filter(|&indicator| self.program.code.find(indicator).is_none()).collect();
        made.sort_unstable_by_key(|indicator| (self.symbols.atoms.name(indicator.name), indicator.arity));
        let has_clauses = |indicator: &Indicator| self.predicate(*indicator).is_some_and(|(_, current)| !current.clauses.is_empty());
        own.chain(made).filter(has_clauses).collect()
    }
}
