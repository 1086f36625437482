//! The heap: terms of a run as cells, bindings that can be undone, and copies that survive backtracking.
//!
//! As in Warren's abstract machine, a variable is a cell that refers to itself until it is bound, and a compound is a cell with its functor followed by
//! its arguments. New is [`Cell::Sym`]: a ground term that depends on the input; it is looked into by decisions only.
//!
//! **Invariant.** Nothing here recurses: terms of any depth are copied and walked with a list of what is left to do.

use rustc_hash::FxHashMap;

use super::cell::{Cell, FunctorId};
use super::fd::attached::Attached;
use super::fd::store::Store;

/// A term outside the heap: its variables are its own. The root is the first cell; addresses are relative.
#[derive(Clone, Debug)]
pub struct Frozen {
    pub(crate) cells: Vec<Cell>,
    /// The constraints on its variables, where they are kept too.
    pub(crate) attached: Vec<Attached>,
}

/// Where to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    cells: usize,
    trail: usize,
    assignments: usize,
    constraints: usize,
}

/// The heap and its trail.
#[derive(Debug, Default)]
pub struct Heap {
    cells: Vec<Cell>,
    trail: Vec<u32>,
    /// Arguments that were replaced, and what was there.
    assignments: Vec<(u32, Cell)>,
    /// The constraints on its variables.
    pub(crate) store: Store,
}

impl Heap {
    /// How many cells there are.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// The cell at an address.
    pub fn at(&self, address: u32) -> Cell {
        self.cells[address as usize]
    }

    /// What a cell stands for: follows bindings.
    pub fn deref(&self, mut cell: Cell) -> Cell {
        while let Cell::Var(address) = cell {
            let next = self.cells[address as usize];
            if next == cell {
                break;
            }
            cell = next;
        }
        cell
    }

    /// A new variable.
    pub fn var(&mut self) -> Cell {
        let cell = Cell::Var(self.top());
        self.cells.push(cell);
        cell
    }

    /// A new compound.
    pub fn compound(&mut self, functor: FunctorId, args: &[Cell]) -> Cell {
        let address = self.top();
        self.cells.push(Cell::Functor(functor));
        for &arg in args {
            // A cell that refers to itself would be a new variable.
            self.cells.push(arg);
        }
        Cell::Struct(address)
    }

    /// The functor of a compound.
    pub fn functor(&self, address: u32) -> FunctorId {
        match self.at(address) {
            Cell::Functor(functor) => functor,
            other => unreachable!("a compound begins with its functor, not with {other:?}"),
        }
    }

    /// An argument of a compound, from 0, with bindings followed.
    pub fn arg(&self, address: u32, index: u32) -> Cell {
        self.deref(self.at(address + 1 + index))
    }

    /// Binds an unbound variable.
    pub fn bind(&mut self, address: u32, to: Cell) {
        debug_assert_eq!(self.at(address), Cell::Var(address), "only unbound variables are bound");
        self.cells[address as usize] = to;
        self.trail.push(address);
        self.store.bound(address);
    }

    /// Replaces an argument of a compound until backtracking.
    pub fn assign(&mut self, address: u32, to: Cell) {
        self.assignments.push((address, self.at(address)));
        self.cells[address as usize] = to;
    }

    /// Replaces an argument of a compound for good: not undone by backtracking.
    pub fn replace(&mut self, address: u32, to: Cell) {
        self.cells[address as usize] = to;
    }

    /// This moment.
    pub fn mark(&self) -> Mark {
        Mark { cells: self.cells.len(), trail: self.trail.len(), assignments: self.assignments.len(), constraints: self.store.mark() }
    }

    /// Unbinds what was bound since, keeping the cells.
    pub fn unbind(&mut self, mark: Mark) {
        // What was replaced had been bound before, if it was.
        while self.assignments.len() > mark.assignments {
            let (address, old) = self.assignments.pop().expect("longer than the mark");
            self.cells[address as usize] = old;
        }
        while self.trail.len() > mark.trail {
            let address = self.trail.pop().expect("longer than the mark");
            self.cells[address as usize] = Cell::Var(address);
        }
        self.store.undo(mark.constraints);
    }

    /// Goes back to a moment: bindings and cells since then are gone.
    pub fn undo(&mut self, mark: Mark) {
        self.unbind(mark);
        self.cells.truncate(mark.cells);
    }

    /// The addresses that were bound since.
    pub fn bound_since(&self, mark: Mark) -> &[u32] {
        &self.trail[mark.trail..]
    }

    /// Puts a copy of a frozen term on the heap, with new variables.
    pub fn thaw(&mut self, frozen: &Frozen) -> Cell {
        let base = self.instantiate(&frozen.cells);
        self.deref(self.at(base))
    }

    /// Puts relative cells on the heap; answers the address of the first.
    pub fn instantiate(&mut self, cells: &[Cell]) -> u32 {
        let base = self.top();
        self.cells.extend(cells.iter().map(|&cell| match cell {
            Cell::Var(at) => Cell::Var(base + at),
            Cell::Struct(at) => Cell::Struct(base + at),
            other => other,
        }));
        base
    }

    /// A copy that does not depend on the heap; `None` where it would have more than `limit` cells.
    pub fn freeze(&self, root: Cell, arity: impl Fn(FunctorId) -> u32, limit: usize) -> Option<Frozen> {
        self.freeze_all(&[root], arity, limit)
    }

    /// The same for several terms that may share variables; they are the first cells.
    pub fn freeze_all(&self, roots: &[Cell], arity: impl Fn(FunctorId) -> u32, limit: usize) -> Option<Frozen> {
        let mut cells = vec![Cell::Int(0); roots.len()];
        let mut variables: FxHashMap<u32, u32> = FxHashMap::default();
        let mut pending: Vec<(Cell, usize)> = roots.iter().copied().zip(0..).collect();
        while let Some((cell, at)) = pending.pop() {
            cells[at] = match self.deref(cell) {
                Cell::Var(address) => Cell::Var(*variables.entry(address).or_insert(small(at))),
                Cell::Struct(address) => {
                    let functor = self.functor(address);
                    let start = cells.len();
                    cells.push(Cell::Functor(functor));
                    for index in 0..arity(functor) {
                        pending.push((self.at(address + 1 + index), cells.len()));
                        cells.push(Cell::Int(0));
                    }
                    if cells.len() > limit {
                        return None;
                    }
                    Cell::Struct(small(start))
                }
                other => other,
            };
        }
        Some(Frozen { cells, attached: Vec::new() })
    }

    fn top(&self) -> u32 {
        small(self.cells.len())
    }
}

fn small(index: usize) -> u32 {
    u32::try_from(index).expect("the machine's budget of memory is smaller")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_term_keeps_what_its_variables_share() {
        let mut heap = Heap::default();
        let (x, y) = (heap.var(), heap.var());
        let f = FunctorId(7);
        let inner = heap.compound(f, &[x, y]);
        let outer = heap.compound(f, &[inner, x]);
        let frozen = heap.freeze(outer, |_| 2, 100).expect("small");
        let mark = heap.mark();
        let Cell::Var(address) = x else { panic!("a variable") };
        heap.bind(address, Cell::Int(3));
        let Cell::Struct(copy) = heap.thaw(&frozen) else { panic!("a compound") };
        let Cell::Struct(inside) = heap.arg(copy, 0) else { panic!("a compound") };
        assert_eq!(heap.arg(inside, 0), heap.arg(copy, 1));
        assert_ne!(heap.arg(inside, 0), heap.arg(inside, 1));
        assert!(matches!(heap.arg(copy, 1), Cell::Var(_)), "the copy does not see the binding");
        heap.undo(mark);
        assert_eq!(heap.deref(x), x);
        assert!(heap.freeze(outer, |_| 2, 3).is_none());
    }
}
