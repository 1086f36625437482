//! What is asked about a case outside of the search: its goal, what the plain machine does with it, its path as a goal with constraints.
//!
//! **Invariant.** Nothing of this is recorded in the path tree.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use xcute_match::Recorder;
use xcute_term::{Model, Sort, TermId, Terms};
use xcute_trace::{Decision, DecisionKind, Subject, TestCase};

use super::ClpSubject;
use super::answer::{Answer, Written, execute, goal_cell};
use crate::constrained::{Conditions, ConstrainedGoal, constrained};
use crate::machine::cell::Cell;
use crate::machine::choice::{Transition, relocated};
use crate::machine::code::relative;
use crate::machine::export::to_arena;
use crate::machine::heap::Heap;
use crate::machine::{Bounds, Machine};
use crate::syntax::{Arena, Flags, Operators, Reader, SourceId};

impl ClpSubject {
    /// The goal of a case: ground arguments with their values, variables for the others. `_` is what [`Subject::export`] gives.
    #[must_use]
    pub fn goal(&mut self, terms: &Terms, input: &Model) -> Written {
        let mut heap = Heap::default();
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

    /// The case of a goal, as Prolog reads it; `None` if it is a goal of another predicate, or a ground argument is not a term of the universe.
    #[must_use]
    pub fn case(&mut self, terms: &mut Terms, operators: &Operators, goal: &str) -> Option<TestCase> {
        let text = format!("{goal} .");
        let sentence = Reader::new(SourceId(0), &text).next(&mut self.symbols.atoms, operators, Flags::default())?.ok()?;
        let (name, args) = sentence.terms.callable(sentence.root)?;
        if (name, args.len()) != (self.options.goal.name, self.options.goal.arity as usize) {
            return None;
        }
        let sort = Sort::Data(self.program.universe.declare(terms));
        let mut case = TestCase::default();
        for (argument, (&root, _)) in (0..).zip(args.iter().zip(&self.ground)).filter(|(_, (_, ground))| **ground) {
            let mut heap = Heap::default();
            let (cells, root) = relative(&sentence.terms, root, sentence.variables.len(), &mut self.symbols);
            let base = heap.instantiate(&cells);
            let value = self.program.universe.value(&self.symbols, &heap, relocated(root, base))?;
            let name = ClpSubject::input_name(argument);
            terms.var(&name, sort);
            case.input.set(terms.find_var(&name)?, value);
        }
        Some(case)
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
        let names = self.symbols.names();
        let mut machine = Machine::new(&program, &mut self.symbols, rec, bounds).until(&self.interrupt);
        let args: Vec<Cell> = values
            .iter()
            .map(|value| match value {
                Some(value) => program.universe.build(machine.symbols, &mut machine.heap, value),
                None => machine.heap.var(),
            })
            .collect();
        let goal = goal_cell(&mut machine.heap, machine.symbols, self.options.goal, &args);
        let (answer, _) = execute(&mut machine, goal, &args, &self.ground);
        let derivation = machine.derivation;
        self.symbols.forget(names);
        (answer, derivation)
    }

    /// The path of a case as a goal with constraints; `None` where it cannot be written. The case is run, and must be one of the terms given.
    ///
    /// Of what every path assumes, only types that the path has looked at are among the constraints, and not the depth of terms.
    #[must_use]
    pub fn constrained(&mut self, terms: &mut Terms, case: &TestCase) -> Option<ConstrainedGoal> {
        let trace = self.run(case, &[], terms).ok()?;
        // What inputs are not made of may take this path, or another one.
        if trace.limits.iter().any(|limit| limit.kind == "universe") {
            return None;
        }
        let (assumed, decided): (Vec<_>, Vec<_>) = trace.decisions.iter().partition(|decision| decision.kind == DecisionKind::Assume);
        let conditions = |decisions: &[&Decision]| -> Vec<TermId> { decisions.iter().map(|d| d.arms[d.taken as usize]).collect() };
        let conditions = (conditions(&decided), conditions(&assumed));
        let input = |(argument, &ground): (u32, &bool)| {
            terms.find_var(&ClpSubject::input_name(argument)).filter(|_| ground).map(|var| terms.var_term(var))
        };
        let inputs: Vec<Option<TermId>> = (0..).zip(&self.ground).map(input).collect();
        let goal = self.options.goal;
        let universe = (&*terms, &self.program.universe, &mut self.symbols);
        let of_path = Conditions { decided: &conditions.0, assumed: &conditions.1, not_numbers: &self.not_numbers };
        constrained(universe, &inputs, of_path, |heap, symbols, args| goal_cell(heap, symbols, goal, args))
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
}
