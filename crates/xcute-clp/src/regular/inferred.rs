//! The types that the analysis finds for the arguments of a goal, written as a program: a predicate for each type, and a declaration that names them.
//!
//! A type has the symbols that the program looks for, so it is what the goal was written for, and not all that it accepts.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use super::graph::{Class, Looks};
use super::walk::Walk;
use crate::machine::builtins::Builtins;
use crate::machine::cell::Cell;
use crate::machine::symbols::Symbols;
use crate::syntax::{Atom, Indicator, Program, atom_text, quoted};
use crate::{directives, library};

/// The types of the arguments of a predicate.
#[must_use]
pub fn inferred(program: &Program, goal: Indicator) -> String {
    let mut program = program.clone();
    library::link(&mut program, &Builtins::has);
    directives::as_predicates(&mut program);
    let mut symbols = Symbols::new(program.atoms.clone());
    let mut walk = Walk::new(&program, &mut symbols);
    let classes = walk.goal(goal);
    let mut types = Types { walk, prefix: program.atoms.name(goal.name).to_owned(), names: FxHashMap::default(), pending: Vec::new() };
    let names: Vec<String> = classes.into_iter().map(|class| types.name(class)).collect();
    let mut text = String::new();
    let head = atom_text(&program.atoms, goal.name).into_owned();
    let args: Vec<String> = names.iter().map(|name| format!("?{name}")).collect();
    let _ = writeln!(text, "%! {head}({})", args.join(", "));
    while let Some((name, class)) = types.pending.pop() {
        text += &types.clauses(&name, class);
    }
    text
}

struct Types<'a> {
    walk: Walk<'a>,
    prefix: String,
    names: FxHashMap<Class, String>,
    /// Types that have a name and no clauses yet.
    pending: Vec<(String, Class)>,
}

impl Types<'_> {
    /// The name of the type of a class.
    fn name(&mut self, class: Class) -> String {
        let class = self.walk.graph.find(class);
        if let Some(name) = self.names.get(&class) {
            return name.clone();
        }
        let (looks, functors) = (self.walk.graph.looks(class), self.walk.graph.functors(class));
        let constants: Vec<Cell> = self.constants(class);
        if let Some(name) = simple(looks, constants.is_empty() && functors.is_empty()) {
            return name.to_owned();
        }
        let dot = self.walk.symbols.functor(Atom::DOT, 2);
        if let ([(functor, parts)], true) = (&functors[..], constants.iter().all(|&cell| cell == Cell::Atom(Atom::NIL)))
            && *functor == dot
            && self.walk.graph.find(parts[1]) == class
            && self.walk.graph.find(parts[0]) != class
            && kinds(looks).is_empty()
        {
            // The name is needed before the elements are looked at: they may have such lists in them.
            let element = self.walk.graph.find(parts[0]);
            if self.walk.graph.functors(element).is_empty() {
                return format!("list({})", self.name(element));
            }
        }
        let name = quoted_if_needed(&format!("{}_{}", self.prefix, self.names.len() + 1));
        self.names.insert(class, name.clone());
        self.pending.push((name.clone(), class));
        name
    }

    /// The constants of a class; numbers are there by their kind.
    fn constants(&mut self, class: Class) -> Vec<Cell> {
        self.walk.graph.constants(class).into_iter().filter(|cell| !matches!(cell, Cell::Int(_))).collect()
    }

    /// The predicate that accepts the terms of a type.
    fn clauses(&mut self, name: &str, class: Class) -> String {
        let mut text = String::new();
        for cell in self.constants(class) {
            let shown = match cell {
                Cell::Atom(atom) => atom_text(&self.walk.symbols.atoms, atom).into_owned(),
                Cell::Str(id) => quoted(self.walk.symbols.text(id), '"'),
                _ => continue,
            };
            let _ = writeln!(text, "{name}({shown}).");
        }
        for (functor, parts) in self.walk.graph.functors(class) {
            let of = self.walk.symbols.name(functor);
            let types: Vec<String> = parts.into_iter().map(|part| self.name(part)).collect();
            let named = |(number, of): (usize, &String)| if of == "any" { "_".to_owned() } else { format!("A{number}") };
            let args: Vec<String> = types.iter().enumerate().map(named).collect();
            let goals: Vec<String> = types.iter().enumerate().filter(|(_, of)| *of != "any").map(|(number, of)| goal(of, number)).collect();
            let body = if goals.is_empty() { String::new() } else { format!(" :- {}", goals.join(", ")) };
            let head = match (of, &args[..]) {
                (Atom::DOT, [head, tail]) => format!("[{head}|{tail}]"),
                _ => format!("{}({})", atom_text(&self.walk.symbols.atoms, of), args.join(", ")),
            };
            let _ = writeln!(text, "{name}({head}){body}.");
        }
        for kind in kinds(self.walk.graph.looks(class)) {
            let _ = writeln!(text, "{name}(A) :- {kind}(A).");
        }
        text
    }
}

/// The test that an argument is of a type.
fn goal(of: &str, number: usize) -> String {
    match of.strip_prefix("list(").and_then(|rest| rest.strip_suffix(')')) {
        Some("any") => format!("is_list(A{number})"),
        Some(element) => format!("maplist({element}, A{number})"),
        None => format!("{of}(A{number})"),
    }
}

/// The kinds of numbers and texts that are looked for.
fn kinds(looks: Looks) -> Vec<&'static str> {
    let number = match (looks.integer, looks.float) {
        (true, true) => Some("number"),
        (true, false) => Some("integer"),
        (false, true) => Some("float"),
        _ => None,
    };
    number.into_iter().chain(looks.string.then_some("string")).collect()
}

/// The name of a type that needs no predicate.
fn simple(looks: Looks, no_symbols: bool) -> Option<&'static str> {
    if looks.compound {
        return Some("any");
    }
    match (no_symbols, &kinds(looks)[..]) {
        (true, []) => Some("any"),
        (true, [kind]) => Some(kind),
        (true, _) => Some("any"),
        _ => None,
    }
}

fn quoted_if_needed(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { quoted(name, '\'') }
}
