//! Goals of runs: how they are built, and how they ended.
//!
//! **Invariant.** An answer is written down before the heap it lies in is gone.

use rustc_hash::FxHashMap;

use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::export::to_arena;
use crate::machine::heap::{Frozen, Heap};
use crate::machine::step::End;
use crate::machine::symbols::Symbols;
use crate::syntax::{Arena, Indicator, TermRef};

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

pub(super) fn goal_cell(heap: &mut Heap, symbols: &mut Symbols, goal: Indicator, args: &[Cell]) -> Cell {
    if args.is_empty() {
        return Cell::Atom(goal.name);
    }
    let functor = symbols.functor(goal.name, goal.arity);
    heap.compound(functor, args)
}

/// Runs a goal; the answer, and how it ended.
pub(super) fn execute(machine: &mut Machine<'_>, goal: Cell, args: &[Cell], ground: &[bool]) -> (Answer, End) {
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
