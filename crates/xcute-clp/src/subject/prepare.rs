//! Making a program ready: the library linked, directives run, the universe of inputs collected, clauses turned into code.
//!
//! **Invariant.** What cannot be called, or bounded as asked for, is an error here and never one of a run.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use thiserror::Error;
use xcute_term::{Sort, Terms};

use super::ClpSubject;
use crate::machine::builtins::Builtins;
use crate::machine::code::Code;
use crate::machine::symbols::Symbols;
use crate::machine::{Bounds, Program};
use crate::regular::{self, Inputs};
use crate::syntax::{self, Indicator, Mode};
use crate::types::Type;
use crate::{directives, library, typed};

/// The conditions of a bound on the depth of terms are not larger than this.
pub(super) const LARGEST: usize = 100_000;

/// Nor are they nested deeper.
const DEEPEST: u32 = 10_000;

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The predicate to call.
    pub goal: Indicator,
    /// Which of its arguments are ground, from 0; the others are variables. `None`: all.
    pub ground: Option<Vec<u32>>,
    /// How deep the ground arguments may be: a constant has depth 0. `None`: any depth.
    pub term_depth: Option<u32>,
    /// Whether texts are followed as strings of the solver.
    pub texts: bool,
    /// What bounds a run.
    pub bounds: Bounds,
    /// Whether an error that blames the type of an input is a failure where no type is declared.
    pub strict: bool,
}

/// Why a program cannot be run.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PrepareError {
    /// There is no such predicate.
    #[error("cannot call {0}: the program does not define it")]
    Undefined(String),
    /// A position that the goal does not have.
    #[error("cannot make argument {0} of {1} ground: it has no such argument")]
    NoArgument(u32, String),
    /// The condition would be too large.
    #[error(
        "cannot bound terms to depth {0}: with the functors of this program that is too large a condition (try a smaller --term-depth)"
    )]
    TooDeep(u32),
}

impl ClpSubject {
    /// Makes a program ready, together with what it calls of the library.
    ///
    /// # Errors
    /// If the goal cannot be called.
    pub fn new(source: &syntax::Program, options: Options) -> Result<ClpSubject, PrepareError> {
        let identity = identity(source, &options);
        let mut source = source.clone();
        let goal = options.goal;
        let mut ground = vec![options.ground.is_none(); goal.arity as usize];
        for &position in options.ground.iter().flatten() {
            match ground.get_mut(position as usize) {
                Some(place) => *place = true,
                None => return Err(PrepareError::NoArgument(position + 1, source.show(goal))),
            }
        }
        let types = types(&source, goal, &mut ground, options.ground.is_none());
        typed::as_predicate(&mut source, goal, &ground);
        library::link(&mut source, &Builtins::has);
        directives::as_predicates(&mut source);
        let defined = |indicator| source.predicate(indicator).is_some();
        let library = |indicator| {
            let first = source.predicate(indicator).and_then(|predicate| predicate.clauses.first());
            first.is_some_and(|clause| source.source(clause.span.source).path.starts_with("library("))
        };
        if !defined(goal) {
            return Err(PrepareError::Undefined(source.show(goal)));
        }
        let mut symbols = Symbols::new(source.atoms.clone());
        let inputs = Inputs { goal, ground: &ground, types: &types, texts: options.texts };
        let (universe, reached) = regular::universe(&source, &mut symbols, &inputs);
        let whole = regular::whole(&source, &mut symbols, options.texts);
        if let Some(depth) = options.term_depth {
            let mut terms = Terms::new();
            let sort = Sort::Data(universe.declare(&mut terms));
            let probe = terms.var("probe", sort);
            let condition = universe.depth_at_most(&mut terms, probe, depth, LARGEST);
            condition.filter(|_| depth <= DEEPEST).ok_or(PrepareError::TooDeep(depth))?;
        }
        let unseen = |indicator| library(indicator) || directives::is_load(&source, indicator);
        let constructors = universe.constructors().max(whole.constructors());
        let code = Arc::new(Code::new(&source, &mut symbols, unseen, constructors));
        let builtins = Arc::new(Builtins::new(&mut symbols.atoms, defined));
        let module = source.module.as_ref().map_or_else(|| symbols.atoms.intern("user"), |(name, _)| *name);
        let made_of = |universe| {
            let (code, builtins) = (Arc::clone(&code), Arc::clone(&builtins));
            Arc::new(Program { code, universe, builtins, operators: source.operators.clone(), module })
        };
        let programs = (made_of(universe), made_of(whole));
        let determinism = source.declaration(goal).and_then(|declaration| declaration.determinism);
        let declared = declared(&source, goal);
        let subject = ClpSubject::with(programs, determinism, symbols, options, ground, types);
        Ok(ClpSubject { declared, identity, reached: Arc::new(reached), ..subject })
    }
}

/// The digest of the texts of a program and of the options.
fn identity(source: &syntax::Program, options: &Options) -> Arc<str> {
    let texts: String = source.sources.iter().map(|source| source.text.as_str()).collect();
    let digest = Sha256::digest(format!("{texts}\n{options:?}"));
    digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
}

/// Which arguments of the goal have a declared type.
fn declared(source: &syntax::Program, goal: Indicator) -> Vec<bool> {
    let known = source.declaration(goal).map(|declaration| declaration.arguments.iter().map(|argument| argument.type_.is_some()).collect());
    known.unwrap_or_else(|| vec![false; goal.arity as usize])
}

/// The declared types of the goal's arguments. Without `--ground`, arguments that are declared to be outputs are variables.
fn types(source: &syntax::Program, goal: Indicator, ground: &mut [bool], by_mode: bool) -> Vec<Type> {
    let Some(declaration) = source.declaration(goal) else { return vec![Type::Any; goal.arity as usize] };
    let mut types = Vec::new();
    for (argument, ground) in declaration.arguments.iter().zip(ground) {
        if by_mode && argument.mode == Mode::Output {
            *ground = false;
        }
        let named = argument.type_.and_then(|of| Type::read(&declaration.terms, &source.atoms, of).ok());
        types.push(named.unwrap_or(Type::Any));
    }
    types
}
