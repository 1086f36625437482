//! The store: domains of variables, propagators, and which of them wait for which variable; everything can be undone.

use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::domain::Domain;
use crate::machine::Place;
use crate::machine::cell::{Cell, FunctorId};
use crate::machine::number::Number;
use crate::syntax::Atom;

/// How a sum compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    Unequal,
    AtMost,
}

impl Relation {
    /// The comparison of numbers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Relation::Equal => "=:=",
            Relation::Unequal => "=\\=",
            Relation::AtMost => "=<",
        }
    }
}

/// A constraint that waits for variables.
#[derive(Clone, Debug)]
pub(crate) enum Propagator {
    /// A sum of variables with coefficients, and a constant, compared with zero.
    Linear { terms: Vec<(BigInt, Cell)>, constant: Number, relation: Relation },
    /// A truth value: 1 where the sum compares so, 0 where it does not.
    Reified { terms: Vec<(BigInt, Cell)>, constant: Number, relation: Relation, truth: Cell },
    /// A tuple that is one of the rows.
    Table { tuple: Arc<[Cell]>, rows: Arc<[Vec<BigInt>]> },
    /// Cells that all differ.
    Distinct { cells: Arc<[Cell]> },
    /// An operation that is not a sum: the result of applying the functor to the arguments.
    Function { functor: FunctorId, args: Vec<Cell>, result: Cell },
    /// Two terms that are to stay different.
    Dif { a: Cell, b: Cell },
    /// A goal that waits until a variable is bound.
    Goal { variable: Cell, goal: Cell, place: Place },
}

impl Propagator {
    /// Replaces its cells.
    pub(super) fn map(&mut self, mut replaced: impl FnMut(Cell) -> Cell) {
        match self {
            Propagator::Linear { terms, .. } => terms.iter_mut().for_each(|(_, cell)| *cell = replaced(*cell)),
            Propagator::Reified { terms, truth, .. } => {
                terms.iter_mut().for_each(|(_, cell)| *cell = replaced(*cell));
                *truth = replaced(*truth);
            }
            Propagator::Table { tuple: cells, .. } | Propagator::Distinct { cells } => {
                *cells = cells.iter().map(|&cell| replaced(cell)).collect()
            }
            Propagator::Function { args, result, .. } => {
                args.iter_mut().for_each(|cell| *cell = replaced(*cell));
                *result = replaced(*result);
            }
            Propagator::Dif { a, b } => (*a, *b) = (replaced(*a), replaced(*b)),
            Propagator::Goal { variable, goal, .. } => (*variable, *goal) = (replaced(*variable), replaced(*goal)),
        }
    }
}

#[derive(Debug)]
enum Undo {
    Domain(u32, Option<Domain>),
    Watch(u32),
    Propagator,
    Global(Atom, Option<Cell>),
    Settled(u32),
}

/// The store.
#[derive(Debug, Default)]
pub(crate) struct Store {
    domains: FxHashMap<u32, Domain>,
    watchers: FxHashMap<u32, Vec<u32>>,
    propagators: Vec<Propagator>,
    undo: Vec<Undo>,
    /// Propagators that hold whatever happens from here on.
    settled: FxHashSet<u32>,
    /// Global variables: what they are until backtracking.
    globals: FxHashMap<Atom, Cell>,
    /// Variables with constraints that were bound, and propagators that are to run.
    pub(crate) woken: Vec<u32>,
    pub(crate) queue: Vec<u32>,
}

impl Store {
    pub(super) fn domain(&self, variable: u32) -> Option<&Domain> {
        self.domains.get(&variable)
    }

    /// Both bounds of a variable, if it has them.
    pub(crate) fn bounds_of(&self, variable: u32) -> Option<(Number, Number)> {
        let domain = self.domains.get(&variable)?;
        Some((domain.low.clone()?, domain.high.clone()?))
    }

    /// The bounds of a variable, where it has them.
    pub(crate) fn ends_of(&self, variable: u32) -> (Option<Number>, Option<Number>) {
        self.domains.get(&variable).map_or((None, None), |domain| (domain.low.clone(), domain.high.clone()))
    }

    /// The intervals that are left out between the bounds of a variable, in order and apart from each other.
    pub(crate) fn holes(&self, variable: u32) -> Vec<(BigInt, BigInt)> {
        self.domains.get(&variable).map_or_else(Vec::new, Domain::gaps)
    }

    /// Whether a variable has a domain or takes part in a constraint on integers.
    pub(crate) fn is_constrained(&self, variable: u32) -> bool {
        let integers =
            |&number: &u32| !matches!(self.propagators.get(number as usize), Some(Propagator::Dif { .. } | Propagator::Goal { .. }));
        self.domains.contains_key(&variable) || self.watchers.get(&variable).is_some_and(|all| all.iter().any(integers))
    }

    /// How many constraints a variable takes part in.
    pub(crate) fn degree(&self, variable: u32) -> usize {
        self.watchers.get(&variable).map_or(0, |all| all.iter().filter(|number| !self.settled.contains(number)).count())
    }

    /// A variable stands for an integer, whichever it is.
    pub(crate) fn make_integer(&mut self, variable: u32) {
        if !self.domains.contains_key(&variable) {
            self.set_domain(variable, Domain::default());
        }
    }

    pub(super) fn set_domain(&mut self, variable: u32, domain: Domain) {
        let bounds = (domain.low.clone(), domain.high.clone());
        let old = self.domains.insert(variable, domain);
        let stay = bounds == old.clone().map_or((None, None), |old| (old.low, old.high));
        self.undo.push(Undo::Domain(variable, old));
        self.wake(variable, stay);
    }

    pub(super) fn add(&mut self, propagator: Propagator, variables: impl Iterator<Item = u32>) {
        let number = u32::try_from(self.propagators.len()).expect("the budget of steps is smaller");
        self.propagators.push(propagator);
        self.undo.push(Undo::Propagator);
        for variable in variables {
            self.watch(variable, number);
        }
        self.queue.push(number);
    }

    /// A propagator holds whatever happens from here on.
    pub(super) fn settle(&mut self, propagator: u32) {
        if self.settled.insert(propagator) {
            self.undo.push(Undo::Settled(propagator));
        }
    }

    fn watch(&mut self, variable: u32, propagator: u32) {
        self.watchers.entry(variable).or_default().push(propagator);
        self.undo.push(Undo::Watch(variable));
    }

    pub(super) fn watch_once(&mut self, variable: u32, propagator: u32) {
        if !self.watchers.get(&variable).is_some_and(|known| known.contains(&propagator)) {
            self.watch(variable, propagator);
        }
    }

    /// The value of a global variable.
    pub(crate) fn global(&self, name: Atom) -> Option<Cell> {
        self.globals.get(&name).copied()
    }

    pub(crate) fn set_global(&mut self, name: Atom, value: Option<Cell>) {
        let old = match value {
            Some(value) => self.globals.insert(name, value),
            None => self.globals.remove(&name),
        };
        self.undo.push(Undo::Global(name, old));
    }

    /// The goals that wait for a variable.
    pub(crate) fn goals_of(&self, variable: u32) -> Vec<Cell> {
        let watchers = self.watchers.get(&variable).into_iter().flatten();
        let goal = |&number: &u32| match self.propagators.get(number as usize) {
            Some(Propagator::Goal { goal, .. }) => Some(*goal),
            _ => None,
        };
        watchers.filter_map(goal).collect()
    }

    /// Whether there never was a constraint.
    pub(crate) fn is_empty(&self) -> bool {
        self.domains.is_empty() && self.watchers.is_empty()
    }

    /// The propagators that watch a variable.
    pub(super) fn watchers_of(&self, variable: u32) -> Vec<u32> {
        self.watchers.get(&variable).into_iter().flatten().copied().filter(|number| !self.settled.contains(number)).collect()
    }

    pub(super) fn propagator(&self, number: u32) -> Option<&Propagator> {
        self.propagators.get(number as usize)
    }

    /// The watchers of one variable watch another one, too.
    pub(super) fn inherit(&mut self, from: u32, to: u32) {
        for propagator in self.watchers.get(&from).cloned().unwrap_or_default() {
            self.watch(to, propagator);
        }
        self.wake_watchers(from);
    }

    pub(super) fn wake_watchers(&mut self, variable: u32) {
        self.wake(variable, false);
    }

    /// Wakes what waits for a variable. Where its bounds stay, sums go on waiting, as in SWI-Prolog.
    fn wake(&mut self, variable: u32, bounds_stay: bool) {
        for &propagator in self.watchers.get(&variable).into_iter().flatten() {
            let of_bounds = matches!(self.propagators[propagator as usize], Propagator::Linear { relation: Relation::Equal, .. });
            let waits = bounds_stay && of_bounds || self.queue.contains(&propagator);
            if !waits {
                self.queue.push(propagator);
            }
        }
    }

    /// A variable was bound.
    pub(crate) fn bound(&mut self, variable: u32) {
        if self.undo.is_empty() {
            return;
        }
        if self.domains.contains_key(&variable) || self.watchers.contains_key(&variable) {
            self.woken.push(variable);
        }
    }

    pub(crate) fn mark(&self) -> usize {
        self.undo.len()
    }

    pub(crate) fn undo(&mut self, mark: usize) {
        self.woken.clear();
        self.queue.clear();
        while self.undo.len() > mark {
            match self.undo.pop().expect("longer than the mark") {
                Undo::Domain(variable, Some(old)) => drop(self.domains.insert(variable, old)),
                Undo::Domain(variable, None) => drop(self.domains.remove(&variable)),
                Undo::Watch(variable) => drop(self.watchers.get_mut(&variable).and_then(Vec::pop)),
                Undo::Global(name, Some(old)) => drop(self.globals.insert(name, old)),
                Undo::Global(name, None) => drop(self.globals.remove(&name)),
                Undo::Settled(number) => drop(self.settled.remove(&number)),
                Undo::Propagator => drop(self.propagators.pop()),
            }
        }
    }
}
