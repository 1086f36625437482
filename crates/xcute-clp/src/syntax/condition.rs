//! Conditions of `:- if(Goal)` that can be decided while the text is read: constants, flags, what is defined, comparisons, and what is made of these.
//!
//! **Invariant.** A condition that is not of these kinds is not guessed: it is an error with its place.

use rustc_hash::FxHashMap;

use super::error::Problem;
use super::{Arena, Atom, Indicator, Program, Term, TermRef};
use crate::elsewhere::is_elsewhere;

/// Conditions are not nested deeper than this.
const DEPTH: u32 = 100;

/// The version of SWI-Prolog that programs see.
const VERSION: i64 = 90_004;

/// Flags by name, with their values where those are atoms.
const FLAGS: &[(&str, &str)] = &[("bounded", "false"), ("dialect", "swi"), ("unknown", "error"), ("emulated_dialect", "swi")];

/// Libraries that are there.
const LIBRARIES: &[&str] = &[
    "lists",
    "apply",
    "assoc",
    "pairs",
    "aggregate",
    "clpfd",
    "dcg/basics",
    "error",
    "debug",
    "ordsets",
    "option",
    "yall",
    "when",
    "strings",
    "terms",
    "occurs",
    "plunit",
];

/// Whether a condition holds.
pub(super) fn decide(program: &Program, terms: &Arena, condition: TermRef) -> Result<bool, Problem> {
    Deciding { program, terms, values: FxHashMap::default() }.goal(condition, 0)
}

struct Deciding<'a> {
    program: &'a Program,
    terms: &'a Arena,
    /// What variables were unified with.
    values: FxHashMap<u32, Term>,
}

impl Deciding<'_> {
    fn goal(&mut self, goal: TermRef, depth: u32) -> Result<bool, Problem> {
        let Some((name, args)) = self.terms.callable(goal).filter(|_| depth < DEPTH) else { return Err(Problem::Condition) };
        match (self.program.atoms.name(name), args) {
            ("true" | "otherwise", []) => Ok(true),
            ("false" | "fail", []) => Ok(false),
            ("\\+" | "not", &[inner]) => Ok(!self.goal(inner, depth + 1)?),
            (",", &[a, b]) => Ok(self.goal(a, depth + 1)? && self.goal(b, depth + 1)?),
            (";", &[a, b]) => match self.terms.matches(a, Atom::IF_THEN) {
                Some([condition, then]) if self.goal(condition, depth + 1)? => self.goal(then, depth + 1),
                Some(_) => self.goal(b, depth + 1),
                None => Ok(self.goal(a, depth + 1)? || self.goal(b, depth + 1)?),
            },
            ("catch", &[inner, _, _]) | ("once" | "call" | "ignore", &[inner]) => self.goal(inner, depth + 1),
            ("current_prolog_flag", &[flag, value]) => self.flag(flag, value),
            ("current_predicate", &[indicator]) => self.defined(indicator),
            ("exists_source", &[source]) => self.exists(source),
            ("<" | ">" | "=<" | ">=" | "=:=" | "=\\=", &[a, b]) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                Ok(match self.program.atoms.name(name) {
                    "<" => a < b,
                    ">" => a > b,
                    "=<" => a <= b,
                    ">=" => a >= b,
                    "=:=" => a == b,
                    _ => a != b,
                })
            }
            ("==" | "=" | "\\==" | "\\=", &[a, b]) => {
                let (a, b) = (self.atomic(a)?, self.atomic(b)?);
                Ok((a == b) != self.program.atoms.name(name).starts_with('\\'))
            }
            _ => Err(Problem::Condition),
        }
    }

    /// A term that is not compound, and no unbound variable.
    fn atomic(&self, term: TermRef) -> Result<Term, Problem> {
        match self.terms.get(term) {
            Term::Var(number) => self.values.get(number).cloned().ok_or(Problem::Condition),
            Term::Compound(_) => Err(Problem::Condition),
            other => Ok(other.clone()),
        }
    }

    fn integer(&self, term: TermRef) -> Result<num_bigint::BigInt, Problem> {
        match self.atomic(term)? {
            Term::Integer(value) => Ok(value),
            _ => Err(Problem::Condition),
        }
    }

    fn flag(&mut self, flag: TermRef, value: TermRef) -> Result<bool, Problem> {
        let Term::Atom(flag) = *self.terms.get(flag) else { return Err(Problem::Condition) };
        let flag = self.program.atoms.name(flag);
        let known = match (flag, FLAGS.iter().find(|(name, _)| *name == flag)) {
            ("version", _) => Term::Integer(VERSION.into()),
            (_, Some((_, text))) => match self.program.atoms.get(text) {
                Some(atom) => Term::Atom(atom),
                // The text has no such atom, so it asks for another value.
                None => return Ok(matches!(self.terms.get(value), Term::Var(_))),
            },
            _ => return Err(Problem::Condition),
        };
        match self.terms.get(value) {
            Term::Var(number) if !self.values.contains_key(number) => {
                self.values.insert(*number, known);
                Ok(true)
            }
            _ => Ok(self.atomic(value)? == known),
        }
    }

    /// A predicate of SWI-Prolog may be there or not, as it was loaded or not.
    fn defined(&self, indicator: TermRef) -> Result<bool, Problem> {
        let Some([name, arity]) = self.terms.matches(indicator, Atom::SLASH) else { return Err(Problem::Condition) };
        let (Term::Atom(name), Term::Integer(arity)) = (self.terms.get(name), self.terms.get(arity)) else {
            return Err(Problem::Condition);
        };
        let Ok(arity) = u32::try_from(arity) else { return Ok(false) };
        if self.program.predicate(Indicator { name: *name, arity }).is_some_and(|predicate| !predicate.clauses.is_empty()) {
            return Ok(true);
        }
        // Who asks for a part of the system has something else for when it is not there.
        let system = self.program.atoms.name(*name).starts_with('$');
        if !system && is_elsewhere(self.program.atoms.name(*name), arity) { Err(Problem::Condition) } else { Ok(false) }
    }

    fn exists(&self, source: TermRef) -> Result<bool, Problem> {
        let Some([library]) = self.terms.matches(source, Atom::LIBRARY) else { return Err(Problem::Condition) };
        let name = match (self.terms.get(library), self.terms.matches(library, Atom::SLASH)) {
            (Term::Atom(name), _) => self.program.atoms.name(*name).to_owned(),
            (_, Some(parts)) => match parts.map(|part: TermRef| self.terms.get(part)) {
                [Term::Atom(directory), Term::Atom(name)] => {
                    format!("{}/{}", self.program.atoms.name(*directory), self.program.atoms.name(*name))
                }
                _ => return Err(Problem::Condition),
            },
            _ => return Err(Problem::Condition),
        };
        if LIBRARIES.contains(&name.as_str()) { Ok(true) } else { Err(Problem::Condition) }
    }
}
