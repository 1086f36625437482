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
    match (Deciding { program, terms, values: FxHashMap::default(), cyclic: Vec::new() }).goal(condition, 0) {
        Ok(holds) => Ok(holds),
        Err(_) => Err(Problem::Condition),
    }
}

/// Why a condition has no answer.
enum Stop {
    /// It is not of a kind that can be decided.
    Unknown,
    /// It throws an error.
    Thrown,
}

/// Parts of the system that the library has.
const SYSTEM: &[(&str, u32)] = &[("$btree_find_node", 5)];

struct Deciding<'a> {
    program: &'a Program,
    terms: &'a Arena,
    /// What variables were unified with.
    values: FxHashMap<u32, Term>,
    /// Variables that were unified with a term that they are in.
    cyclic: Vec<u32>,
}

impl Deciding<'_> {
    fn goal(&mut self, goal: TermRef, depth: u32) -> Result<bool, Stop> {
        let Some((name, args)) = self.terms.callable(goal).filter(|_| depth < DEPTH) else { return Err(Stop::Unknown) };
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
            ("catch", &[inner, ball, recovery]) => match self.goal(inner, depth + 1) {
                Err(Stop::Thrown) if matches!(self.terms.get(ball), Term::Var(_)) => self.goal(recovery, depth + 1),
                other => other,
            },
            ("once" | "call", &[inner]) => self.goal(inner, depth + 1),
            ("ignore", &[inner]) => self.goal(inner, depth + 1).map(|_| true),
            // The usual question is whether terms without end have a hash: no.
            ("=", &[a, b]) if let (Term::Var(number), Term::Compound(of)) = (self.terms.get(a), self.terms.get(b)) => {
                let inside = self.terms.args(*of).iter().any(|&arg| matches!(self.terms.get(arg), Term::Var(inner) if inner == number));
                if !inside || self.values.contains_key(number) {
                    return Err(Stop::Unknown);
                }
                self.cyclic.push(*number);
                Ok(true)
            }
            ("variant_hash" | "variant_sha1", &[of, _]) => match self.terms.get(of) {
                Term::Var(number) if self.cyclic.contains(number) => Err(Stop::Thrown),
                _ => Err(Stop::Unknown),
            },
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
            _ => Err(Stop::Unknown),
        }
    }

    /// A term that is not compound, and no unbound variable.
    fn atomic(&self, term: TermRef) -> Result<Term, Stop> {
        match self.terms.get(term) {
            Term::Var(number) => self.values.get(number).cloned().ok_or(Stop::Unknown),
            Term::Compound(_) => Err(Stop::Unknown),
            other => Ok(other.clone()),
        }
    }

    fn integer(&self, term: TermRef) -> Result<num_bigint::BigInt, Stop> {
        match self.atomic(term)? {
            Term::Integer(value) => Ok(value),
            _ => Err(Stop::Unknown),
        }
    }

    fn flag(&mut self, flag: TermRef, value: TermRef) -> Result<bool, Stop> {
        let Term::Atom(flag) = *self.terms.get(flag) else { return Err(Stop::Unknown) };
        let flag = self.program.atoms.name(flag);
        let known = match (flag, FLAGS.iter().find(|(name, _)| *name == flag)) {
            ("version", _) => Term::Integer(VERSION.into()),
            (_, Some((_, text))) => match self.program.atoms.get(text) {
                Some(atom) => Term::Atom(atom),
                // The text has no such atom, so it asks for another value.
                None => return Ok(matches!(self.terms.get(value), Term::Var(_))),
            },
            _ => return Err(Stop::Unknown),
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
    fn defined(&self, indicator: TermRef) -> Result<bool, Stop> {
        let Some([name, arity]) = self.terms.matches(indicator, Atom::SLASH) else { return Err(Stop::Unknown) };
        let (Term::Atom(name), Term::Integer(arity)) = (self.terms.get(name), self.terms.get(arity)) else {
            return Err(Stop::Unknown);
        };
        let Ok(arity) = u32::try_from(arity) else { return Ok(false) };
        if self.program.predicate(Indicator { name: *name, arity }).is_some_and(|predicate| !predicate.clauses.is_empty()) {
            return Ok(true);
        }
        if SYSTEM.contains(&(self.program.atoms.name(*name), arity)) {
            return Ok(true);
        }
        // Who asks for a part of the system has something else for when it is not there.
        let system = self.program.atoms.name(*name).starts_with('$');
        if !system && is_elsewhere(self.program.atoms.name(*name), arity) { Err(Stop::Unknown) } else { Ok(false) }
    }

    fn exists(&self, source: TermRef) -> Result<bool, Stop> {
        let Some([library]) = self.terms.matches(source, Atom::LIBRARY) else { return Err(Stop::Unknown) };
        let name = match (self.terms.get(library), self.terms.matches(library, Atom::SLASH)) {
            (Term::Atom(name), _) => self.program.atoms.name(*name).to_owned(),
            (_, Some(parts)) => match parts.map(|part: TermRef| self.terms.get(part)) {
                [Term::Atom(directory), Term::Atom(name)] => {
                    format!("{}/{}", self.program.atoms.name(*directory), self.program.atoms.name(*name))
                }
                _ => return Err(Stop::Unknown),
            },
            _ => return Err(Stop::Unknown),
        };
        if LIBRARIES.contains(&name.as_str()) { Ok(true) } else { Err(Stop::Unknown) }
    }
}
