//! Constraint logic programs as subjects of the engine.
//!
//! A run executes a ground instance of the goal: the input has a value of the [universe](crate::machine::universe) for each ground position, the other
//! arguments are variables. A trace of the paper, the sequence of the sets of matching clauses, is a path of the tree.
//!
//! **Invariant.** Every run starts with the same program: what a run asserts or creates is gone after it.

mod answer;
mod aside;
mod ill_typed;
mod outcome;
mod prepare;

pub use outcome::{DETERMINISM, OUT_OF_MEMORY};

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use xcute_match::Recorder;
use xcute_term::{Interrupt, Model, Sort, TermId, Terms, profile};
use xcute_trace::{Budget, Frame, Known, Limit, Outcome, SiteId, Sites, Subject, SubjectError, TestCase, Trace};

use crate::machine::cell::Cell;
use crate::machine::choice::Transition;
use crate::machine::code::PredicateId;
use crate::machine::later::Later;
use crate::machine::step::End;
use crate::machine::symbols::Symbols;
use crate::machine::{Bounds, Machine, Program};
use crate::syntax::{Determinism, Indicator};
use crate::types::Type;
pub use answer::{Answer, Written};
use answer::{execute, goal_cell};
use outcome::{Declared, outcome};
pub use prepare::{Options, PrepareError};

/// How often the subsets of the clauses of each predicate matched a call.
pub type Subsets = BTreeMap<PredicateId, BTreeMap<Vec<u32>, u64>>;

/// A program under test.
pub struct ClpSubject {
    program: Arc<Program>,
    /// The same with all symbols of the program: for calls that do not come from the goal.
    whole: Arc<Program>,
    determinism: Option<Determinism>,
    symbols: Symbols,
    options: Options,
    /// Only the choice of the goal itself is made, nothing is unfolded.
    heads: bool,
    ground: Vec<bool>,
    types: Vec<Type>,
    /// Which arguments have a declared type.
    declared: Vec<bool>,
    /// The predicates that the goal can come to.
    reached: Arc<FxHashSet<Indicator>>,
    covered: FxHashSet<(SiteId, u32)>,
    subsets: Subsets,
    /// The clauses of the program's own predicates that matched some call.
    matched: FxHashSet<u64>,
    derivation: Vec<Transition>,
    /// What the last run evaluated that is not a number.
    not_numbers: Vec<TermId>,
    answer: Answer,
    assumed: Option<(Vec<TermId>, Vec<Later>)>,
    interrupt: Interrupt,
    /// The digest of the texts and the options.
    identity: Arc<str>,
}

impl ClpSubject {
    /// A subject that has not run yet.
    fn with(
        (program, whole): (Arc<Program>, Arc<Program>),
        determinism: Option<Determinism>,
        symbols: Symbols,
        options: Options,
        ground: Vec<bool>,
        types: Vec<Type>,
    ) -> ClpSubject {
        ClpSubject {
            program,
            whole,
            determinism,
            symbols,
            options,
            heads: false,
            ground,
            types,
            declared: Vec::new(),
            reached: Arc::default(),
            covered: FxHashSet::default(),
            subsets: BTreeMap::new(),
            matched: FxHashSet::default(),
            derivation: Vec::new(),
            not_numbers: Vec::new(),
            answer: Answer::Rejected,
            assumed: None,
            interrupt: Interrupt::never().clone(),
            identity: Arc::from(""),
        }
    }

    /// Another subject for the same program.
    #[must_use]
    pub fn another(&self) -> ClpSubject {
        let (symbols, options) = (self.symbols.clone(), self.options.clone());
        let programs = (Arc::clone(&self.program), Arc::clone(&self.whole));
        ClpSubject {
            heads: self.heads,
            declared: self.declared.clone(),
            reached: Arc::clone(&self.reached),
            identity: Arc::clone(&self.identity),
            ..ClpSubject::with(programs, self.determinism, symbols, options, self.ground.clone(), self.types.clone())
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
        let options = Options { goal, ground: None, term_depth: None, ..self.options.clone() };
        let program = Arc::clone(&self.whole);
        ClpSubject { program, options, heads: true, ground: vec![true; arguments], types: vec![Type::Any; arguments], ..self.another() }
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

    /// Whether the goal can come to a predicate, as far as its clauses show.
    #[must_use]
    pub fn reaches(&self, predicate: PredicateId) -> bool {
        self.reached.contains(&self.program.code.predicate(predicate).indicator)
    }

    /// What the last run did.
    #[must_use]
    pub fn derivation(&self) -> &[Transition] {
        &self.derivation
    }

    /// Where the goal is defined.
    #[must_use]
    pub fn place(&self) -> Vec<Frame> {
        outcome::place(&self.program, self.options.goal)
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

    /// What is assumed of the inputs, at once and later: their types, and how deep they are.
    fn assumptions(&mut self, terms: &mut Terms, inputs: &[Option<TermId>]) -> (Vec<TermId>, Vec<Later>) {
        if let Some(known) = &self.assumed {
            return known.clone();
        }
        let universe = &self.program.universe;
        let (mut all, mut later) = (Vec::new(), Vec::new());
        for (input, of) in inputs.iter().zip(&self.types) {
            let Some(input) = *input else { continue };
            let (now, deeper) = of.conditions(universe, terms, &mut self.symbols, input);
            all.extend(now);
            later.extend(deeper);
            if let Some(depth) = self.options.term_depth {
                all.push(universe.depth_at_most(terms, input, depth, prepare::LARGEST).expect("tried before"));
            }
        }
        self.assumed.insert((all, later)).clone()
    }
}

impl Subject for ClpSubject {
    fn sites(&self) -> &Sites {
        &self.program.code.sites
    }

    fn identity(&self) -> String {
        self.identity.to_string()
    }

    fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
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
        let (assumed, later) = self.assumptions(terms, &inputs);
        let names = self.symbols.names();
        let rec = Recorder::new(terms, &input, promise);
        let mut machine = Machine::new(&program, &mut self.symbols, rec, self.options.bounds).until(&self.interrupt);
        machine.later = later;
        let args: Vec<Cell> = inputs.iter().map(|input| input.map_or_else(|| machine.heap.var(), Cell::Sym)).collect();
        let goal = goal_cell(&mut machine.heap, machine.symbols, self.options.goal, &args);
        let allowed = assumed.is_empty() || machine.rec.assume(program.code.assumption(), &assumed);
        let running = profile::phase("program");
        let (answer, end) = match (allowed, self.heads) {
            (false, _) => (Answer::Rejected, End::Rejected),
            (true, true) => (Answer::Solutions(Vec::new(), false), machine.choose(goal, self.options.goal)),
            (true, false) => execute(&mut machine, goal, &args, &self.ground),
        };
        drop(running);
        if self.interrupt.raised() {
            drop(machine);
            self.symbols.forget(names);
            return Err(SubjectError::Interrupted);
        }
        let determinism = self.determinism.filter(|_| !self.heads);
        let declared = Declared { goal: self.options.goal, determinism, program: &program };
        let mut outcome = outcome(&mut machine, &answer, &end, declared);
        let derivation = std::mem::take(&mut machine.derivation);
        if matches!(end, End::Budget(Budget::Steps)) {
            // Whatever it would have decided later is not known.
            let what = format!("runs were ended after {} steps", self.options.bounds.steps);
            machine.rec.limit("steps", &what, true);
        }
        if matches!(end, End::Budget(Budget::Memory)) {
            machine.rec.limit("cut", "a run used up its budget of memory", true);
        }
        machine.note_order();
        let passed = std::mem::take(&mut machine.covered);
        let not_numbers = std::mem::take(&mut machine.not_numbers);
        let mut recorded = machine.rec.finish();
        if let (false, Outcome::Failed(_), Answer::Error(ball)) = (self.options.strict, &outcome, &answer)
            && self.is_ill_typed(terms, &input, ball)
        {
            outcome = Outcome::Passed;
            let what = "the goal refuses some inputs, whose types are not declared, with a type error (--strict counts that as a failure)";
            recorded.limits.push(Limit { kind: "type".to_owned(), what: what.to_owned(), incomplete: false });
        }
        self.symbols.forget(names);
        self.not_numbers = not_numbers;
        self.answer = answer;
        let reached = self.note(derivation);
        let covered = passed.into_iter().filter(|arm| self.covered.insert(*arm)).collect();
        Ok(Trace {
            decisions: recorded.decisions,
            known: recorded.known,
            outcome,
            covered,
            reached,
            limits: recorded.limits,
            input,
            concurrent: None,
            segments: None,
        })
    }
}

/// What stands for a clause among the places of a program.
#[must_use]
pub fn place(predicate: PredicateId, clause: u32) -> u64 {
    u64::from(predicate.0) << 32 | u64::from(clause)
}

impl ClpSubject {
    /// Counts which clauses matched; the places of those that did so for the first time.
    fn note(&mut self, derivation: Vec<Transition>) -> Vec<u64> {
        let mut reached = Vec::new();
        for transition in &derivation {
            if let Transition::Choice { predicate: Some(predicate), rq, .. } = transition {
                let own = !self.program.code.predicates[predicate.0 as usize].library;
                let places = rq.iter().map(|clause| place(*predicate, *clause));
                reached.extend(places.filter(|place| own && self.matched.insert(*place)));
                *self.subsets.entry(*predicate).or_default().entry(rq.to_vec()).or_insert(0) += 1;
            }
        }
        self.derivation = derivation;
        reached
    }
}
