//! Copies of terms together with the constraints on their variables, as `copy_term/2`, `findall/3` and `throw/1` make them.
//!
//! A copy has its own variables with their own constraints: all that can be reached from the term, through variables that only constraints mention as well. So a copy
//! does not see what happens to the original, nor the original what happens to the copy.
//!
//! **Invariant.** A term without constrained variables costs nothing more than a plain copy.

use rustc_hash::FxHashMap;
use xcute_trace::Budget;

use super::attached::Attached;
use super::domain::Domain;
use super::store::Propagator;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::heap::Frozen;
use crate::machine::{Machine, Place};

impl Machine<'_> {
    /// A copy that survives backtracking, with the constraints on its variables.
    pub(crate) fn keep(&self, cell: Cell) -> Result<Frozen, Stop> {
        if self.heap.store.is_empty() {
            return self.freeze(cell);
        }
        let constrained: Vec<Cell> = self.variables(cell).into_iter().filter(|&variable| self.has_constraints(variable)).collect();
        if constrained.is_empty() { self.freeze(cell) } else { self.freeze_with(cell, constrained) }
    }

    /// Puts such a copy on the heap. What its constraints say is found out at the next waking.
    pub(crate) fn restore(&mut self, frozen: &Frozen) -> Cell {
        if frozen.attached.is_empty() {
            return self.heap.thaw(frozen);
        }
        let base = self.heap.instantiate(&frozen.cells);
        let top = u32::try_from(self.heap.size()).expect("the budget of memory is smaller");
        for attached in frozen.attached.iter() {
            match attached {
                Attached::Domain(variable, domain) => {
                    if let Cell::Var(address) = self.rooted(*variable, base) {
                        self.heap.store.set_domain(address, domain.clone());
                    }
                }
                Attached::Propagator(propagator) => {
                    let mut propagator = propagator.clone();
                    propagator.map(|cell| self.rooted(cell, base));
                    if let Propagator::Goal { place, .. } = &mut propagator {
                        // No test of the clause itself lies below its base.
                        *place = Place { base: top, ..*place };
                    }
                    let watched = self.watched(&propagator);
                    self.heap.store.add(propagator, watched.into_iter());
                }
            }
        }
        self.heap.deref(self.heap.at(base))
    }

    /// Whether something waits for a variable, or bounds it.
    pub(crate) fn has_constraints(&self, variable: Cell) -> bool {
        matches!(variable, Cell::Var(address) if self.heap.store.domain(address).is_some() || self.heap.store.degree(address) > 0)
    }

    /// The constraints that can be reached from variables, in the order in which they were posted: domains first.
    pub(crate) fn reached(&self, variables: Vec<Cell>) -> (Vec<(Cell, Domain)>, Vec<Propagator>) {
        let (mut domains, mut numbers, mut pending) = (Vec::new(), Vec::new(), variables);
        let mut seen = rustc_hash::FxHashSet::default();
        pending.reverse();
        while let Some(variable) = pending.pop() {
            let Cell::Var(address) = variable else { continue };
            if !seen.insert(variable) {
                continue;
            }
            domains.extend(self.heap.store.domain(address).map(|domain| (variable, domain.clone())));
            for number in self.heap.store.watchers_of(address) {
                let Some(propagator) = self.heap.store.propagator(number).filter(|_| !numbers.contains(&number)) else { continue };
                // A goal that was called no longer waits.
                if let Propagator::Goal { variable, .. } = propagator
                    && !matches!(self.heap.deref(*variable), Cell::Var(_))
                {
                    continue;
                }
                numbers.push(number);
                propagator.clone().map(|cell| {
                    pending.extend(self.variables(cell));
                    cell
                });
            }
        }
        numbers.sort_unstable();
        let propagators = numbers.into_iter().filter_map(|number| self.heap.store.propagator(number).cloned()).collect();
        (domains, propagators)
    }

    fn freeze_with(&self, cell: Cell, variables: Vec<Cell>) -> Result<Frozen, Stop> {
        let (domains, propagators) = self.reached(variables);
        let (mut roots, mut numbers) = (vec![cell], FxHashMap::default());
        let mut root = |cell: Cell| {
            let number = *numbers.entry(cell).or_insert_with(|| {
                roots.push(cell);
                u32::try_from(roots.len() - 1).expect("the budget of memory is smaller")
            });
            Cell::Var(number)
        };
        let mut attached: Vec<Attached> = domains.into_iter().map(|(variable, domain)| Attached::Domain(root(variable), domain)).collect();
        for mut propagator in propagators {
            propagator.map(&mut root);
            attached.push(Attached::Propagator(propagator));
        }
        let symbols = &self.symbols;
        let frozen = self.heap.freeze_all(&roots, |functor| symbols.arity(functor), self.bounds.cells);
        frozen.map(|frozen| Frozen { attached, ..frozen }).ok_or(Stop::Budget(Budget::Memory))
    }

    /// A root of a frozen term that was put on the heap.
    fn rooted(&self, root: Cell, base: u32) -> Cell {
        match root {
            Cell::Var(number) => self.heap.deref(self.heap.at(base + number)),
            other => other,
        }
    }

    /// The variables that wake a propagator; a disequation finds them itself.
    fn watched(&self, propagator: &Propagator) -> Vec<u32> {
        let mut watched = Vec::new();
        let mut note = |cell: Cell| {
            if let Cell::Var(address) = self.heap.deref(cell)
                && !watched.contains(&address)
            {
                watched.push(address);
            }
        };
        match propagator {
            Propagator::Dif { .. } => {}
            Propagator::Goal { variable, .. } => note(*variable),
            other => {
                other.clone().map(|cell| {
                    note(cell);
                    cell
                });
            }
        }
        watched
    }
}
