//! Constraint logic programs as subjects of the engine.
//!
//! A run executes a ground instance of the goal: the input has a value of the [universe](crate::machine::universe) for each ground position, the other
//! arguments are variables. A trace of the paper, the sequence of the sets of matching clauses, is a path of the tree.
//!
//! **Invariant.** Every run starts with the same program: what a run asserts or creates is gone after it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;
use xcute_match::Recorder;
use xcute_term::{Model, Sort, TermId, Terms};
use xcute_trace::{Budget, Decision, DecisionKind, Known, SiteId, Sites, Subject, SubjectError, TestCase, Trace};

use crate::constrained::{ConstrainedGoal, constrained};
use crate::machine::builtins::Builtins;
use crate::machine::cell::{Cell, Frozen};
use crate::machine::choice::Transition;
use crate::machine::code::{Code, PredicateId};
use crate::machine::export::to_arena;
use crate::machine::step::End;
use crate::machine::symbols::Symbols;
use crate::machine::{Bounds, Machine, Program};
use crate::outcome::{Declared, outcome};
use crate::syntax::{self, Arena, Determinism, Indicator, Mode, TermRef};
use crate::types::Type;
use crate::{collect, directives, library};

/// The conditions of a bound on the depth of terms are not larger than this.
const LARGEST: usize = 100_000;

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

/// How the goal of a run ended, for people and tests.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It has these solutions, in order: the values of the arguments that are not ground. `more`: choice points are left.
    Solutions(Vec<Written>, bool),
    /// It threw this.
    Error(Written),
    /// It did not end within its budget.
    NoEnd,
    /// The input was not allowed.
    Rejected,
}

/// Terms that can be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// Where they are.
    pub terms: Arena,
    /// The terms.
    pub roots: Vec<TermRef>,
}

/// How often the subsets of the clauses of each predicate matched a call.
pub type Subsets = BTreeMap<PredicateId, BTreeMap<Vec<u32>, u64>>;

/// A program under test.
pub struct ClpSubject {
    program: Arc<Program>,
    determinism: Option<Determinism>,
    symbols: Symbols,
    options: Options,
    /// Only the choice of the goal itself is made, nothing is unfolded.
    heads: bool,
    ground: Vec<bool>,
    types: Vec<Type>,
    covered: FxHashSet<(SiteId, u32)>,
    subsets: Subsets,
    derivation: Vec<Transition>,
    answer: Answer,
    assumed: Option<Vec<TermId>>,
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
            universe.depth_at_most(&mut terms, probe, depth, LARGEST).ok_or(PrepareError::TooDeep(depth))?;
        }
        let unseen = |indicator| library(indicator) || directives::is_load(&source, indicator);
        let code = Code::new(&source, &mut symbols, unseen, universe.constructors());
        let builtins = Builtins::new(&mut symbols.atoms, defined);
        let module = source.module.as_ref().map_or_else(|| symbols.atoms.intern("user"), |(name, _)| *name);
        let program = Arc::new(Program { code, universe, builtins, operators: source.operators.clone(), module });
        let determinism = source.declaration(goal).and_then(|declaration| declaration.determinism);
        Ok(ClpSubject::with(program, determinism, symbols, options, ground, types))
    }

    /// A subject that has not run yet.
    fn with(
        program: Arc<Program>,
        determinism: Option<Determinism>,
        symbols: Symbols,
        options: Options,
        ground: Vec<bool>,
        types: Vec<Type>,
    ) -> ClpSubject {
        ClpSubject {
            program,
            determinism,
            symbols,
            options,
            heads: false,
            ground,
            types,
            covered: FxHashSet::default(),
            subsets: BTreeMap::new(),
            derivation: Vec::new(),
            answer: Answer::Rejected,
            assumed: None,
        }
    }

    /// Another subject for the same program.
    #[must_use]
    pub fn another(&self) -> ClpSubject {
        let (symbols, options) = (self.symbols.clone(), self.options.clone());
        let program = Arc::clone(&self.program);
        ClpSubject {
            heads: self.heads,
            ..ClpSubject::with(program, self.determinism, symbols, options, self.ground.clone(), self.types.clone())
        }
    }

    /// A subject that only chooses among the clauses of a predicate: its [`ClpSubject::subsets`] are those that ground calls can match. Those
    /// of the goal itself are the calls that runs begin with.
    #[must_use]
    pub fn heads(&self, predicate: PredicateId) -> ClpSubject {
        let goal = self.program.code.predicate(predicate).indicator;
        if goal == self.options.goal {
            return ClpSubject { heads: true, ..self.another() };
        }
        let arguments = goal.arity as usize;
        let options = Options { goal, ground: None, term_depth: None, bounds: self.options.bounds };
        ClpSubject { options, heads: true, ground: vec![true; arguments], types: vec![Type::Any; arguments], ..self.another() }
    }

    /// What runs share.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The names, to write terms with.
    #[must_use]
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Which subsets of clauses matched calls, and how often.
    #[must_use]
    pub fn subsets(&self) -> &Subsets {
        &self.subsets
    }

    /// What the last run did.
    #[must_use]
    pub fn derivation(&self) -> &[Transition] {
        &self.derivation
    }

    /// What bounds its runs.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.options.bounds
    }

    /// How the goal of the last run ended.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The name of the variable for a ground argument, from 0.
    #[must_use]
    pub fn input_name(argument: u32) -> String {
        format!("arg{}", argument + 1)
    }

    /// The goal of a case: ground arguments with their values, variables for the others. `_` is what [`Subject::export`] gives.
    #[must_use]
    pub fn goal(&mut self, terms: &Terms, input: &Model) -> Written {
        let mut heap = crate::machine::cell::Heap::default();
        let mut args = Vec::new();
        for (argument, &ground) in (0..).zip(&self.ground) {
            let value = terms.find_var(&ClpSubject::input_name(argument)).filter(|_| ground).map(|var| input.value(terms, var));
            args.push(match value {
                Some(value) => self.program.universe.build(&mut self.symbols, &mut heap, &value),
                None => heap.var(),
            });
        }
        let goal = goal_cell(&mut heap, &mut self.symbols, self.options.goal, &args);
        let mut arena = Arena::default();
        let root = to_arena(&heap, &self.symbols, goal, &mut arena, &mut FxHashMap::default());
        Written { terms: arena, roots: vec![root] }
    }

    /// Runs a case on the plain machine: no input is symbolic, nothing is recorded.
    #[must_use]
    pub fn replay(&mut self, terms: &Terms, input: &Model, bounds: Bounds) -> (Answer, Vec<Transition>) {
        let values: Vec<_> = (0..)
            .zip(&self.ground)
            .map(|(argument, &ground)| {
                terms.find_var(&ClpSubject::input_name(argument)).filter(|_| ground).map(|var| input.value(terms, var))
            })
            .collect();
        let mut own = Terms::new();
        self.program.universe.declare(&mut own);
        let nothing = Model::new();
        let rec = Recorder::new(&mut own, &nothing, &[]);
        let program = Arc::clone(&self.program);
        let mut machine = Machine::new(&program, &mut self.symbols, rec, bounds);
        let args: Vec<Cell> = values
            .iter()
            .map(|value| match value {
                Some(value) => program.universe.build(machine.symbols, &mut machine.heap, value),
                None => machine.heap.var(),
            })
            .collect();
        let goal = goal_cell(&mut machine.heap, machine.symbols, self.options.goal, &args);
        let (answer, _) = execute(&mut machine, goal, &args, &self.ground);
        (answer, machine.derivation)
    }

    /// The path of a case as a goal with constraints; `None` where it cannot be written. The case is run, and must be one of the terms given.
    ///
    /// Of what every path assumes, only types that the path has looked at are among the constraints, and not the depth of terms.
    #[must_use]
    pub fn constrained(&mut self, terms: &mut Terms, case: &TestCase) -> Option<ConstrainedGoal> {
        let trace = self.run(case, &[], terms).ok()?;
        let (assumed, decided): (Vec<_>, Vec<_>) = trace.decisions.iter().partition(|decision| decision.kind == DecisionKind::Assume);
        let conditions = |decisions: &[&Decision]| -> Vec<TermId> { decisions.iter().map(|d| d.arms[d.taken as usize]).collect() };
        let conditions = (conditions(&decided), conditions(&assumed));
        let input = |(argument, &ground): (u32, &bool)| {
            terms.find_var(&ClpSubject::input_name(argument)).filter(|_| ground).map(|var| terms.var_term(var))
        };
        let inputs: Vec<Option<TermId>> = (0..).zip(&self.ground).map(input).collect();
        let goal = self.options.goal;
        let universe = (&*terms, &self.program.universe, &mut self.symbols);
        constrained(universe, &inputs, (&conditions.0, &conditions.1), |heap, symbols, args| goal_cell(heap, symbols, goal, args))
    }

    /// An input in other terms, with the same variables.
    #[must_use]
    pub fn moved(&self, from: &Terms, input: &Model, to: &mut Terms) -> Model {
        let sort = Sort::Data(self.program.universe.declare(to));
        let mut moved = Model::new();
        for (argument, _) in (0..).zip(&self.ground).filter(|(_, ground)| **ground) {
            let name = ClpSubject::input_name(argument);
            to.var(&name, sort);
            if let (Some(old), Some(new)) = (from.find_var(&name), to.find_var(&name)) {
                moved.set(new, input.value(from, old));
            }
        }
        moved
    }

    /// What is assumed of the inputs: their types, and how deep they are.
    fn assumptions(&mut self, terms: &mut Terms, inputs: &[Option<TermId>]) -> Vec<TermId> {
        if let Some(known) = &self.assumed {
            return known.clone();
        }
        let universe = &self.program.universe;
        let mut all = Vec::new();
        for (input, of) in inputs.iter().zip(&self.types) {
            let Some(input) = *input else { continue };
            all.extend(of.conditions(universe, terms, &mut self.symbols, input));
            if let Some(depth) = self.options.term_depth {
                all.push(universe.depth_at_most(terms, input, depth, LARGEST).expect("tried before"));
            }
        }
        self.assumed = Some(all.clone());
        all
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

fn goal_cell(heap: &mut crate::machine::cell::Heap, symbols: &mut Symbols, goal: Indicator, args: &[Cell]) -> Cell {
    if args.is_empty() {
        return Cell::Atom(goal.name);
    }
    let functor = symbols.functor(goal.name, goal.arity);
    heap.compound(functor, args)
}

/// Runs a goal; the answer, and how it ended.
fn execute(machine: &mut Machine<'_>, goal: Cell, args: &[Cell], ground: &[bool]) -> (Answer, End) {
    let mut solutions: Vec<Written> = Vec::new();
    machine.run_directives();
    let end = machine.run(goal, |machine| {
        let mut written = Written::default();
        let mut variables = FxHashMap::default();
        for (&arg, _) in args.iter().zip(ground).filter(|(_, ground)| !**ground) {
            let valued = machine.valued(arg);
            let root = to_arena(&machine.heap, machine.symbols, valued, &mut written.terms, &mut variables);
            written.roots.push(root);
        }
        solutions.push(written);
    });
    let answer = match &end {
        End::Finished { more, .. } => Answer::Solutions(solutions, *more),
        End::Halt => Answer::Solutions(solutions, false),
        End::Error(ball) => Answer::Error(written(machine, ball)),
        End::Budget(_) => Answer::NoEnd,
        End::Rejected => Answer::Rejected,
    };
    (answer, end)
}

fn written(machine: &mut Machine<'_>, ball: &Frozen) -> Written {
    let ball = machine.heap.thaw(ball);
    let valued = machine.valued(ball);
    let mut terms = Arena::default();
    let root = to_arena(&machine.heap, machine.symbols, valued, &mut terms, &mut FxHashMap::default());
    Written { terms, roots: vec![root] }
}

impl Subject for ClpSubject {
    fn sites(&self) -> &Sites {
        &self.program.code.sites
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let program = Arc::clone(&self.program);
        let sort = Sort::Data(program.universe.declare(terms));
        let mut input = Model::new();
        let mut inputs = Vec::new();
        for (argument, &ground) in (0..).zip(&self.ground) {
            let name = ClpSubject::input_name(argument);
            inputs.push(ground.then(|| terms.var(&name, sort)));
            if let Some(var) = terms.find_var(&name).filter(|_| ground) {
                let value = case.input.value(terms, var);
                let of = &self.types[argument as usize];
                input.set(var, of.fitted(&program.universe, &mut self.symbols, &value));
            }
        }
        let assumed = self.assumptions(terms, &inputs);
        let rec = Recorder::new(terms, &input, promise);
        let mut machine = Machine::new(&program, &mut self.symbols, rec, self.options.bounds);
        let args: Vec<Cell> = inputs.iter().map(|input| input.map_or_else(|| machine.heap.var(), Cell::Sym)).collect();
        let goal = goal_cell(&mut machine.heap, machine.symbols, self.options.goal, &args);
        let allowed = assumed.is_empty() || machine.rec.assume(program.code.assumption(), &assumed);
        let (answer, end) = match (allowed, self.heads) {
            (false, _) => (Answer::Rejected, End::Rejected),
            (true, true) => (Answer::Solutions(Vec::new(), false), machine.choose(goal, self.options.goal)),
            (true, false) => execute(&mut machine, goal, &args, &self.ground),
        };
        let determinism = self.determinism.filter(|_| !self.heads);
        let declared = Declared { goal: self.options.goal, determinism, program: &program };
        let outcome = outcome(&machine, &answer, &end, declared);
        let derivation = std::mem::take(&mut machine.derivation);
        if matches!(end, End::Budget(Budget::Steps)) {
            // Whatever it would have decided later is not known.
            let what = format!("runs were ended after {} steps", self.options.bounds.steps);
            machine.rec.limit("steps", &what, true);
        }
        let passed = std::mem::take(&mut machine.covered);
        let recorded = machine.rec.finish();
        self.answer = answer;
        self.note(derivation);
        let covered = passed.into_iter().filter(|arm| self.covered.insert(*arm)).collect();
        Ok(Trace {
            decisions: recorded.decisions,
            known: recorded.known,
            outcome,
            covered,
            limits: recorded.limits,
            input,
            concurrent: None,
            segments: None,
        })
    }
}

impl ClpSubject {
    fn note(&mut self, derivation: Vec<Transition>) {
        for transition in &derivation {
            if let Transition::Choice { predicate: Some(predicate), rq, .. } = transition {
                *self.subsets.entry(*predicate).or_default().entry(rq.to_vec()).or_insert(0) += 1;
            }
        }
        self.derivation = derivation;
    }
}
