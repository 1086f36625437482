//! What a program may ask about itself and its Prolog: operators, flags, predicates.

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Call;
use crate::syntax::{Atom, Fixity, Indicator, TextFlag};

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("current_op", 3, Builtin::Plain(current_op)),
    ("op", 3, Builtin::Plain(op)),
    ("current_prolog_flag", 2, Builtin::Plain(flag)),
    ("set_prolog_flag", 2, Builtin::Plain(set_flag)),
    ("current_predicate", 1, Builtin::Plain(current_predicate)),
    ("predicate_property", 2, Builtin::Plain(property)),
];

/// Flags by name, as SWI-Prolog has them.
pub(crate) const FLAGS: &[(&str, &str)] =
    &[("bounded", "false"), ("occurs_check", "true"), ("double_quotes", "codes"), ("dialect", "swi"), ("unknown", "error")];

const WHAT: &str = "an argument of a predicate about flags or operators";

/// Flags that are for people, for speed, or for loading.
const HARMLESS: &[&str] = &[
    "answer_format",
    "answer_write_options",
    "autoload",
    "character_escapes_unicode",
    "color_term",
    "debug",
    "debugger_write_options",
    "encoding",
    "gc",
    "generate_debug_info",
    "last_call_optimisation",
    "message_context",
    "optimise",
    "print_write_options",
    "report_error",
    "stack_limit",
    "table_space",
    "toplevel_prompt",
    "toplevel_var_size",
    "verbose",
    "verbose_autoload",
    "verbose_load",
    "warn_override_implicit_import",
];

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
    for (atom, operator) in m.operators().all() {
        if name.is_none_or(|name| name == atom) {
            let kind = m.symbols.atom(kind(operator.fixity));
            answers.push(m.heap.compound(functor, &[Cell::Int(operator.priority.into()), kind, Cell::Atom(atom)]));
        }
    }
    let args: Vec<Cell> = (0..3).map(|i| m.arg(call, i)).collect();
    let pattern = m.heap.compound(functor, &args);
    m.one_of(pattern, &answers)
}

/// `op(Priority, Type, Names)`: from here on, for what is read and written while the program runs.
fn op(m: &mut Machine<'_>, call: Call) -> Step {
    let [priority, of, names] = [0, 1, 2].map(|i| m.arg(call, i));
    let (priority, of) = (m.pinned(priority, WHAT)?, m.pinned(of, WHAT)?);
    let names = m.pinned(names, WHAT)?;
    let names = match m.elements(names) {
        Ok(list) => list,
        Err(_) => vec![names],
    };
    let priority = match priority {
        Cell::Int(value @ 0..=1200) => u16::try_from(value).expect("at most 1200"),
        Cell::Var(_) => return Err(m.instantiation_error()),
        other @ Cell::Int(_) => return Err(m.domain_error("operator_priority", other)),
        other => return Err(m.type_error("integer", other)),
    };
    let fixity = match of {
        Cell::Atom(name) => match Fixity::named(m.symbols.atoms.name(name)) {
            Some(fixity) => fixity,
            None => return Err(m.domain_error("operator_specifier", of)),
        },
        Cell::Var(_) => return Err(m.instantiation_error()),
        other => return Err(m.type_error("atom", other)),
    };
    let mut operators = m.operators().clone();
    let colon = m.symbols.functor(Atom::COLON, 2);
    for mut name in names.into_iter().map(|name| m.heap.deref(name)).collect::<Vec<Cell>>() {
        if let Cell::Struct(address) = name
            && m.heap.functor(address) == colon
        {
            name = m.heap.arg(address, 1);
        }
        match name {
            Cell::Atom(atom) if operators.add(&m.symbols.atoms, priority, fixity, atom).is_ok() => {}
            Cell::Atom(_) => return Err(m.permission_error("modify", "operator", name)),
            Cell::Var(_) => return Err(m.instantiation_error()),
            other => return Err(m.type_error("list", other)),
        }
    }
    m.own_operators = Some(Box::new(operators));
    Ok(true)
}

/// Flags that change nothing of what a program does here, or have this value anyway.
fn set_flag(m: &mut Machine<'_>, call: Call) -> Step {
    let (flag, value) = (m.pinned(m.arg(call, 0), WHAT)?, m.pinned(m.arg(call, 1), WHAT)?);
    let (Cell::Atom(flag), value) = (flag, value) else { return Err(m.instantiation_error()) };
    let name = m.symbols.atoms.name(flag).to_owned();
    let text = if let Cell::Atom(value) = value { m.symbols.atoms.name(value).to_owned() } else { String::new() };
    if name == "double_quotes"
        && let Some(text) = TextFlag::named(&text)
    {
        m.flags.double_quotes = text;
        return Ok(true);
    }
    if HARMLESS.contains(&name.as_str()) || FLAGS.contains(&(name.as_str(), text.as_str())) {
        return Ok(true);
    }
    m.unsupported(&format!("the flag {name}"))
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
