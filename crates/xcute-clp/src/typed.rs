//! Declared types that are predicates: `+Shape:shape` where the program has a `shape/1`, the types of `must_be/2`, and lists of such.
//!
//! Before the goal is called, its inputs are given to the predicates of their types, and a run whose inputs these do not accept is not a run of the goal. The search
//! goes through their clauses like through all others, so whatever a predicate accepts is tried: trees, and all the user's own types.
//!
//! **Invariant.** The predicates decide which inputs there are, and nothing else: what they did is not a part of the path that is shown.

use xcute_trace::Budget;

use crate::defined;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::step::End;
use crate::syntax::{
    Arena, Atoms, Declaration, Indicator, OWN_TYPE, Operators, Problem, Program, Style, SyntaxError, Term, TermRef, Writer,
};
use crate::types::Type;

/// The predicate that accepts the inputs of the goal.
const TYPED: &str = "$typed";
/// Where it is from: it does not count for coverage.
const FILE: &str = "library(types)";

/// The types of `must_be/2` that are not conditions of their own.
const MUST_BE: &[&str] = &[
    "atomic",
    "callable",
    "char",
    "chars",
    "text",
    "compound",
    "constant",
    "float",
    "negative_integer",
    "number",
    "pair",
    "proper_list",
    "symbol",
    "rational",
    "string",
    "nonvar",
    "acyclic",
    "encoding",
];
const MUST_BE_WITH: &[(&str, usize)] = &[("between", 2), ("oneof", 1)];

/// Whether a term names a type that is a predicate.
fn is_checked(program: &Program, terms: &Arena, of: TermRef) -> bool {
    closure(program, terms, of).is_some()
}

/// The closure that accepts the terms of a type; `None` where it is not known.
fn closure(program: &Program, terms: &Arena, of: TermRef) -> Option<String> {
    let (name, args) = terms.callable(of)?;
    if let Some(defined) = defined::closure(program, terms, of, &[], closure) {
        return Some(defined);
    }
    let text = program.atoms.name(name);
    if matches!(text, "list" | "list_of") && args.len() == 1 {
        // Elements first: a list of what is a condition of its own is one, too.
        let inner = closure(program, terms, args[0])?;
        return Some(format!("maplist({inner})"));
    }
    let arity = u32::try_from(args.len() + 1).ok()?;
    if program.predicate(Indicator { name, arity }).is_some() {
        return Some(written(terms, &program.atoms, of));
    }
    let known = if args.is_empty() { MUST_BE.contains(&text) } else { MUST_BE_WITH.contains(&(text, args.len())) };
    let known = known || Type::read(terms, &program.atoms, of).is_err() && is_extended(program, terms, of);
    known.then(|| format!("'$has_type'({})", written(terms, &program.atoms, of)))
}

/// Whether the program has a clause of `error:has_type/2` for a type.
fn is_extended(program: &Program, terms: &Arena, of: TermRef) -> bool {
    let indicator = program.atoms.get(OWN_TYPE).map(|name| Indicator { name, arity: 2 });
    let clauses = indicator.and_then(|indicator| program.predicate(indicator)).map_or(&[][..], |predicate| &predicate.clauses);
    let symbol = |terms: &Arena, term| terms.callable(term).map(|(name, args)| (name, args.len()));
    clauses.iter().any(|clause| {
        let first = clause.terms.callable(clause.head).map(|(_, args)| args[0]);
        first.is_some_and(|first| symbol(&clause.terms, first) == symbol(terms, of))
    })
}

fn written(terms: &Arena, atoms: &Atoms, term: TermRef) -> String {
    let operators = Operators::new(&mut atoms.clone());
    Writer::new(atoms, &operators, Style::Operators).term(terms, term, &[])
}

/// What is wrong with the types of a declaration, if anything is, with its place.
#[must_use]
pub fn mistake(declaration: &Declaration, program: &Program) -> Option<SyntaxError> {
    let (types, atoms) = (declaration.arguments.iter().filter_map(|argument| argument.type_), &program.atoms);
    let unknown = types.filter(|&of| !is_checked(program, &declaration.terms, of));
    let wrong = unknown.filter_map(|of| Type::read(&declaration.terms, atoms, of).err()).next()?;
    let text = written(&declaration.terms, atoms, wrong);
    let hint = match xcute_suggest::nearest(&text, Type::names()) {
        near @ Some(_) => xcute_suggest::hint(near),
        None => " (there are int, nat, pos, code, codes, atom, bool, list, list(T), any, the types of must_be/2, and predicates with one argument)".to_owned(),
    };
    // The terms of a comment have no places of their own.
    let place = declaration.terms.span(wrong, declaration.span).filter(|_| declaration.directive);
    let span = place.unwrap_or(declaration.span);
    Some(SyntaxError { problem: Problem::Type(text, hint), span })
}

/// What is wrong with the types that a program defines, each with its place.
#[must_use]
pub fn mistakes(program: &Program) -> Vec<SyntaxError> {
    defined::mistakes(program, closure)
}

/// Adds the predicate to a program whose goal has such types.
pub(crate) fn as_predicate(program: &mut Program, goal: Indicator, ground: &[bool]) {
    let Some(declaration) = program.declaration(goal) else { return };
    let mut calls = Vec::new();
    for (number, (argument, _)) in declaration.arguments.iter().zip(ground).enumerate().filter(|(_, (_, ground))| **ground) {
        let Some(of) = argument.type_ else { continue };
        let own = matches!(declaration.terms.get(of), Term::Var(_)) || Type::read(&declaration.terms, &program.atoms, of).is_ok();
        if let Some(closure) = closure(program, &declaration.terms, of).filter(|_| !own) {
            calls.push(format!("call({closure}, A{number})"));
        }
    }
    if calls.is_empty() {
        return;
    }
    let head: Vec<String> = (0..goal.arity).map(|number| format!("A{number}")).collect();
    let (definitions, predicates) = defined::clauses(program, closure);
    let text = format!("{definitions}'{TYPED}'({}) :- {}, !.\n", head.join(", "), calls.join(", "));
    let errors = program.add(FILE, &text, &|_| Err(std::io::ErrorKind::NotFound.into()));
    debug_assert!(errors.is_empty(), "{text}: {errors:?}");
    let name = program.atoms.intern(TYPED);
    for indicator in predicates.into_iter().chain([Indicator { name, arity: goal.arity }]) {
        program.predicate_mut(indicator).library = true;
    }
}

/// The predicate, if the goal has one.
pub(crate) fn predicate(program: &Program, goal: Indicator) -> Option<Indicator> {
    let indicator = Indicator { name: program.atoms.get(TYPED)?, ..goal };
    program.predicate(indicator).map(|_| indicator)
}

impl Machine<'_> {
    /// Whether the inputs are of their types; `Err` with what ended the question.
    pub(crate) fn is_typed(&mut self, args: &[Cell]) -> Result<bool, Budget> {
        let arity = u32::try_from(args.len()).expect("few arguments");
        let Some(name) = self.symbols.atoms.get(TYPED) else { return Ok(true) };
        if self.program.code.find(Indicator { name, arity }).is_none() {
            return Ok(true);
        }
        let functor = self.symbols.functor(name, arity);
        let goal = self.heap.compound(functor, args);
        let solutions = std::mem::replace(&mut self.bounds.solutions, 1);
        let end = self.run(goal, |_| {});
        self.bounds.solutions = solutions;
        self.start_over();
        match end {
            End::Finished { solutions, .. } => Ok(solutions > 0),
            End::Budget(budget) => Err(budget),
            _ => Ok(false),
        }
    }
}
