//! Making a program ready: the library linked, directives run, the universe of inputs collected, clauses turned into code.
//!
//! **Invariant.** What cannot be called, or bounded as asked for, is an error here and never one of a run.

use std::sync::Arc;

use thiserror::Error;
use xcute_term::{Sort, Terms};

use super::ClpSubject;
use crate::machine::builtins::Builtins;
use crate::machine::code::Code;
use crate::machine::symbols::Symbols;
use crate::machine::{Bounds, Program};
use crate::syntax::{self, Indicator, Mode};
use crate::types::Type;
use crate::{collect, directives, library};

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
    /// What bounds a run.
    pub bounds: Bounds,
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
        let mut source = source.clone();
        library::link(&mut source, &Builtins::has);
        directives::as_predicates(&mut source);
        let goal = options.goal;
        let defined = |indicator| source.predicate(indicator).is_some();
        let library = |indicator| {
            let first = source.predicate(indicator).and_then(|predicate| predicate.clauses.first());
            first.is_some_and(|clause| source.source(clause.span.source).path.starts_with("library("))
        };
        if !defined(goal) {
            return Err(PrepareError::Undefined(source.show(goal)));
        }
        let mut ground = vec![options.ground.is_none(); goal.arity as usize];
        for &position in options.ground.iter().flatten() {
            match ground.get_mut(position as usize) {
                Some(place) => *place = true,
                None => return Err(PrepareError::NoArgument(position + 1, source.show(goal))),
            }
        }
        let mut symbols = Symbols::new(source.atoms.clone());
        let types = types(&source, goal, &mut ground, options.ground.is_none());
        let universe = collect::universe(&source, &mut symbols, &types, library);
        if let Some(depth) = options.term_depth {
            let mut terms = Terms::new();
            let sort = Sort::Data(universe.declare(&mut terms));
            let probe = terms.var("probe", sort);
            let condition = universe.depth_at_most(&mut terms, probe, depth, LARGEST);
            condition.filter(|_| depth <= DEEPEST).ok_or(PrepareError::TooDeep(depth))?;
        }
        let unseen = |indicator| library(indicator) || directives::is_load(&source, indicator);
        let code = Code::new(&source, &mut symbols, unseen, universe.constructors());
        let builtins = Builtins::new(&mut symbols.atoms, defined);
        let module = source.module.as_ref().map_or_else(|| symbols.atoms.intern("user"), |(name, _)| *name);
        let program = Arc::new(Program { code, universe, builtins, operators: source.operators.clone(), module });
        let determinism = source.declaration(goal).and_then(|declaration| declaration.determinism);
        Ok(ClpSubject::with(program, determinism, symbols, options, ground, types))
    }
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
