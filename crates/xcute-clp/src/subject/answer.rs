//! Goals of runs: how they are built, and how they ended.
//!
//! **Invariant.** An answer is written down before the heap it lies in is gone.

use rustc_hash::FxHashMap;
use xcute_trace::Budget;

use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::export::to_arena;
use crate::machine::heap::{Frozen, Heap};
use crate::machine::shape::ListView;
use crate::machine::step::End;
use crate::machine::symbols::Symbols;
use crate::syntax::{Arena, Atom, Indicator, Term, TermRef};

/// Solutions with more cells are not written down.
const LARGEST: usize = 1_000_000;

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

impl Answer {
    /// Whether both are answers to the same goal: up to the names of variables. What did not come to its end agrees only with what did not, either.
    #[must_use]
    pub fn agrees(&self, other: &Answer) -> bool {
        match (self, other) {
            (Answer::Solutions(own, _), Answer::Solutions(others, _)) => {
                own.len() == others.len()
                    && own.iter().zip(others).all(|(a, b)| {
                        a.roots.len() == b.roots.len() && a.is_variant(b, a.roots.iter().copied().zip(b.roots.iter().copied()).collect())
                    })
            }
            (Answer::Error(own), Answer::Error(other)) => own.is_variant(other, vec![(own.formal(), other.formal())]),
            (Answer::NoEnd, Answer::NoEnd) | (Answer::Rejected, Answer::Rejected) => true,
            _ => false,
        }
    }
}

/// Terms that can be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// Where they are.
    pub terms: Arena,
    /// The terms.
    pub roots: Vec<TermRef>,
}

impl Written {
    /// Of something that was thrown what went wrong: `error(Formal, Context)` has a context, which is for machines.
    pub(super) fn formal(&self) -> TermRef {
        self.terms.matches::<2>(self.roots[0], Atom::ERROR).map_or(self.roots[0], |[formal, _]| formal)
    }

    /// Whether pairs of their terms are the same up to the names of variables.
    fn is_variant(&self, other: &Written, mut pending: Vec<(TermRef, TermRef)>) -> bool {
        let (mut there, mut back) = (FxHashMap::default(), FxHashMap::default());
        while let Some((a, b)) = pending.pop() {
            let same = match (self.terms.get(a), other.terms.get(b)) {
                (Term::Var(x), Term::Var(y)) => *there.entry(*x).or_insert(*y) == *y && *back.entry(*y).or_insert(*x) == *x,
                (Term::Compound(f), Term::Compound(g)) => {
                    let (x, y) = (self.terms.args(*f), other.terms.args(*g));
                    pending.extend(x.iter().copied().zip(y.iter().copied()));
                    f.name == g.name && x.len() == y.len()
                }
                (Term::Float(x), Term::Float(y)) => x.to_bits() == y.to_bits(),
                (x, y) => x == y,
            };
            if !same {
                return false;
            }
        }
        true
    }
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
    match machine.is_typed(args) {
        Ok(true) => {}
        Ok(false) => return (Answer::Rejected, End::Rejected),
        Err(budget) => return (Answer::NoEnd, End::Budget(budget)),
    }
    let mut too_large = false;
    let end = machine.run(goal, |machine| {
        let mut written = Written::default();
        let mut variables = FxHashMap::default();
        // All at once: a variable that two of them share is one variable.
        let open: Vec<Cell> = args.iter().zip(ground).filter(|(_, ground)| !**ground).map(|(&arg, _)| arg).collect();
        let list = machine.list(&open, Cell::Atom(Atom::NIL));
        let Some(mut valued) = machine.valued_within(list, LARGEST) else {
            too_large = true;
            return;
        };
        while let ListView::Cons(head, tail) = machine.list_view(valued) {
            written.roots.push(to_arena(&machine.heap, machine.symbols, head, &mut written.terms, &mut variables));
            valued = tail;
        }
        solutions.push(written);
    });
    let end = if too_large { End::Budget(Budget::Memory) } else { end };
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
