//! What a program may ask about itself: operators, predicates.

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Call;
use crate::syntax::{Atom, Fixity, Indicator};

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("current_op", 3, Builtin::Plain(current_op)),
    ("op", 3, Builtin::Plain(op)),
    ("current_predicate", 1, Builtin::Plain(current_predicate)),
    ("predicate_property", 2, Builtin::Plain(property)),
];

/// Predicates of the machine that are those of libraries in SWI-Prolog.
const LIBRARY: &[&str] = &[
    "all_different",
    "all_distinct",
    "automaton",
    "cumulative",
    "disjoint2",
    "fd_degree",
    "fd_dom",
    "fd_inf",
    "fd_size",
    "fd_sup",
    "fd_var",
    "in",
    "indomain",
    "ins",
    "label",
    "otherwise",
    "portray_clause",
    "random",
    "random_between",
    "random_member",
    "random_permutation",
    "read_line_to_codes",
    "read_line_to_string",
    "read_term_from_atom",
    "sum",
];

const WHAT: &str = "an argument of a predicate about operators";

fn current_op(m: &mut Machine<'_>, call: Call) -> Step {
    let name = match m.pinned(m.arg(call, 2), "the name of an operator")? {
        Cell::Atom(name) => Some(name),
        Cell::Var(_) => None,
        other => return Err(m.type_error("atom", other)),
    };
    match m.pinned(m.arg(call, 0), WHAT)? {
        Cell::Var(_) | Cell::Int(1..=1200) => {}
        other @ Cell::Int(value) if i32::try_from(value).is_ok() => return Err(m.domain_error("operator_priority", other)),
        Cell::Int(_) | Cell::Big(_) => return Err(m.representation_error("int")),
        other => return Err(m.type_error("integer", other)),
    }
    match m.pinned(m.arg(call, 1), WHAT)? {
        Cell::Var(_) => {}
        Cell::Atom(of) if Fixity::named(m.symbols.atoms.name(of)).is_some() => {}
        other @ Cell::Atom(_) => return Err(m.domain_error("operator_specifier", other)),
        other => return Err(m.type_error("atom", other)),
    }
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
        Ok(list) => list.into_iter().map(|name| (name, "atom")).collect(),
        Err(_) => vec![(names, "list")],
    };
    if !matches!(of, Cell::Var(_) | Cell::Atom(_)) {
        return Err(m.type_error("atom", of));
    }
    let priority = match priority {
        Cell::Int(value @ 0..=1200) => u16::try_from(value).expect("at most 1200"),
        Cell::Var(_) => return Err(m.instantiation_error()),
        other @ Cell::Int(value) if i32::try_from(value).is_ok() => return Err(m.domain_error("operator_priority", other)),
        Cell::Int(_) | Cell::Big(_) => return Err(m.representation_error("int")),
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
    for (mut name, expected) in names.into_iter().map(|(name, expected)| (m.heap.deref(name), expected)).collect::<Vec<_>>() {
        if let Cell::Struct(address) = name
            && m.heap.functor(address) == colon
        {
            name = m.heap.arg(address, 1);
        }
        match name {
            Cell::Atom(atom) if operators.add(&m.symbols.atoms, priority, fixity, atom).is_ok() => {}
            Cell::Atom(Atom::BAR) => return Err(m.permission_error("create", "operator", name)),
            Cell::Atom(_) => return Err(m.permission_error("modify", "operator", name)),
            Cell::Var(_) => return Err(m.instantiation_error()),
            other => return Err(m.type_error(expected, other)),
        }
    }
    m.own_operators = Some(Box::new(operators));
    Ok(true)
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
            let (name, arity) = (m.heap.arg(address, 0), m.heap.arg(address, 1));
            match (name, arity) {
                (_, Cell::Int(..0)) => return Err(m.domain_error("not_less_than_zero", arity)),
                (Cell::Atom(name), Cell::Int(arity)) => {
                    let same = |indicator: Indicator| indicator.name == name && i64::from(indicator.arity) == arity;
                    let built_in = u32::try_from(arity).is_ok_and(|arity| m.program.builtins.get(Indicator { name, arity }).is_some());
                    let system = built_in && !is_of_a_library(m.symbols.atoms.name(name));
                    return Ok(system || m.defined().into_iter().any(same));
                }
                (Cell::Var(_) | Cell::Atom(_) | Cell::Sym(_), Cell::Var(_) | Cell::Int(_) | Cell::Sym(_)) => {}
                _ => return Err(m.type_error("predicate_indicator", m.arg(call, 0))),
            }
        }
        other => return Err(m.type_error("predicate_indicator", other)),
    }
    m.one_of(specification, &answers)
}

/// Whether a predicate of the machine is one of a library in SWI-Prolog, and so there only if that is loaded.
fn is_of_a_library(name: &str) -> bool {
    name.starts_with(['#', '$']) || LIBRARY.contains(&name)
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
        Cell::Int(_) | Cell::Big(_) | Cell::Float(_) | Cell::Str(_) => return Ok(false),
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
