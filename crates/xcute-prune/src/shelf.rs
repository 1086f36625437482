//! A shelf: the interpolants of one program point, found by what cells hold.
//!
//! In a loop every turn leaves interpolants of its own at the same points, most of which say what the counter is: `i == 7 && c <= 7`. A state with another counter cannot imply
//! them. So a full shelf is split by a cell that many of its interpolants equate with different constants; a state then looks only at those with its own value, and at the ones
//! that do not mention the cell.
//!
//! **Invariant.** Every interpolant that a state may imply is among its candidates. Which ones are kept depends on the order of insertions and uses only.

use rustc_hash::FxHashMap;
use xcute_term::{Op, Terms, VarId};

use crate::interpolant::{Annotation, Interpolant};
use crate::symbols::Symbols;
use crate::tree::NodeId;

/// Cells by which a shelf is split, one within the other.
const LEVELS: usize = 3;

/// An interpolant with the node that it is of.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its number among those of the point.
    pub(crate) number: usize,
    pub(crate) annotation: Annotation,
    pub(crate) of: NodeId,
    /// What it says cells are.
    equations: Box<[(VarId, u64)]>,
    /// Whether it subsumed something since somebody last looked for one to forget.
    used: bool,
}

impl Entry {
    pub(crate) fn new(terms: &Terms, symbols: &Symbols, number: usize, annotation: Annotation, of: NodeId) -> Entry {
        let equations = annotation.interpolant.as_deref().map_or(Vec::new(), |interpolant| equations(terms, symbols, interpolant));
        Entry { number, annotation, of, equations: equations.into_boxed_slice(), used: false }
    }

    fn value(&self, cell: VarId) -> Option<u64> {
        self.equations.iter().find(|equation| equation.0 == cell).map(|equation| equation.1)
    }
}

/// What an interpolant says cells are.
fn equations(terms: &Terms, symbols: &Symbols, interpolant: &Interpolant) -> Vec<(VarId, u64)> {
    let equation = |literal| {
        let (Op::Eq, &[cell, value]) = (terms.op(literal), terms.args(literal)) else { return None };
        let Op::Var(cell) = terms.op(cell) else { return None };
        symbols.is_cell(cell).then_some((cell, terms.as_u64(value)?))
    };
    interpolant.clauses().iter().filter_map(|clause| clause.unit()).filter_map(equation).collect()
}

/// Interpolants, as they are found.
#[derive(Debug)]
pub(crate) enum Shelf {
    /// In the order of their numbers.
    Flat(Vec<Entry>),
    /// By the value of a cell; those that do not say what it is.
    Split { cell: VarId, by_value: FxHashMap<u64, Shelf>, others: Box<Shelf> },
}

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf::Flat(Vec::new())
    }
}

impl Shelf {
    /// Adds an interpolant. Each part of the shelf holds at most `room`; whether another one had to go for it.
    pub(crate) fn insert(&mut self, entry: Entry, room: usize, level: usize) -> bool {
        match self {
            Shelf::Split { cell, by_value, others } => match entry.value(*cell) {
                Some(value) => by_value.entry(value).or_default().insert(entry, room, level + 1),
                None => others.insert(entry, room, level + 1),
            },
            Shelf::Flat(entries) if entries.len() < room => {
                entries.push(entry);
                false
            }
            Shelf::Flat(entries) => {
                if let Some(cell) = (level < LEVELS).then(|| telling(entries)).flatten() {
                    let before = std::mem::take(entries);
                    *self = Shelf::Split { cell, by_value: FxHashMap::default(), others: Box::default() };
                    let mut lost = false;
                    for entry in before.into_iter().chain([entry]) {
                        lost |= self.insert(entry, room, level);
                    }
                    return lost;
                }
                forget(entries);
                entries.push(entry);
                true
            }
        }
    }

    /// Calls `visit` with the candidates from number `from` on, until it says that one is found: the newest of each part first. `held` says which value a
    /// cell can be equal to, if any. The one that was found is used.
    pub(crate) fn find(
        &mut self,
        from: usize,
        held: &mut dyn FnMut(VarId) -> Option<u64>,
        visit: &mut dyn FnMut(&Entry) -> bool,
    ) -> Option<(Annotation, NodeId)> {
        match self {
            Shelf::Flat(entries) => {
                let start = entries.partition_point(|entry| entry.number < from);
                let found = entries[start..].iter_mut().rev().find(|entry| visit(entry))?;
                found.used = true;
                Some((found.annotation.clone(), found.of))
            }
            Shelf::Split { cell, by_value, others } => {
                let inside = held(*cell).and_then(|value| by_value.get_mut(&value)).and_then(|shelf| shelf.find(from, held, visit));
                inside.or_else(|| others.find(from, held, visit))
            }
        }
    }

    /// Whether some interpolant is like this; only those that say the same of cells are looked at.
    pub(crate) fn any(&self, like: &Entry, same: &dyn Fn(&Entry) -> bool) -> bool {
        match self {
            Shelf::Flat(entries) => entries.iter().any(same),
            Shelf::Split { cell, by_value, others } => match like.value(*cell) {
                Some(value) => by_value.get(&value).is_some_and(|shelf| shelf.any(like, same)),
                None => others.any(like, same),
            },
        }
    }
}

/// The cell that tells most of these interpolants apart: at least half of them say what it is, and it is rarely the same.
fn telling(entries: &[Entry]) -> Option<VarId> {
    let mut cells: Vec<(VarId, u64)> = entries.iter().flat_map(|entry| entry.equations.iter().copied()).collect();
    cells.sort_unstable();
    let said = cells.chunk_by(|a, b| a.0 == b.0).map(|group| {
        let values = group.chunk_by(|a, b| a.1 == b.1).count();
        (values, group.len(), group[0].0)
    });
    let (values, count, cell) = said.max_by_key(|&(values, count, cell)| (values, count, std::cmp::Reverse(cell)))?;
    (count * 2 >= entries.len() && values * 4 >= entries.len()).then_some(cell)
}

/// Makes room: the oldest that subsumed nothing lately goes. Those before it get another chance.
fn forget(entries: &mut Vec<Entry>) {
    let at = entries.iter().position(|entry| !entry.used).unwrap_or(0);
    entries[..at].iter_mut().for_each(|entry| entry.used = false);
    entries.remove(at);
}

#[cfg(test)]
mod tests {
    use xcute_term::{Sort, TermId};

    use super::*;
    use crate::interpolant::Horizon;

    struct World {
        terms: Terms,
        symbols: Symbols,
        cells: Vec<TermId>,
    }

    impl World {
        fn new() -> World {
            let (mut terms, mut symbols) = (Terms::new(), Symbols::default());
            let cells: Vec<TermId> = ["i", "j", "c"].map(|name| terms.var(name, Sort::BitVec(32))).to_vec();
            let zero = terms.bv(32, 0);
            for &cell in &cells {
                symbols.add_cell(terms.vars(cell).first().expect("a variable"), zero);
            }
            World { terms, symbols, cells }
        }

        /// `i == a && j == b && c <= k`, as far as they are given.
        fn entry(&mut self, number: usize, values: [Option<u64>; 2], most: u64) -> Entry {
            let mut interpolant = Interpolant::default();
            for (at, value) in values.into_iter().enumerate() {
                let Some(value) = value else { continue };
                let value = self.terms.bv(32, value);
                let equation = self.terms.mk(Op::Eq, &[self.cells[at], value]);
                interpolant.add_literals(&mut self.terms, &[equation]);
            }
            let most = self.terms.bv(32, most);
            let bound = self.terms.mk(Op::BvUle, &[self.cells[2], most]);
            interpolant.add_literals(&mut self.terms, &[bound]);
            Entry::new(&self.terms, &self.symbols, number, Annotation::new(Some(interpolant), Horizon::INFINITE, 1), NodeId::default())
        }

        fn candidates(&self, shelf: &mut Shelf, values: [u64; 2]) -> Vec<usize> {
            let mut met = Vec::new();
            let cell = |var| self.cells.iter().position(|&cell| self.terms.vars(cell).contains(var));
            shelf.find(0, &mut |var| cell(var).and_then(|at| values.get(at)).copied(), &mut |entry| {
                met.push(entry.number);
                false
            });
            met
        }
    }

    #[test]
    fn a_state_looks_at_its_own_turn_only_and_nothing_is_forgotten() {
        let (mut world, mut shelf) = (World::new(), Shelf::default());
        for i in 0..1000 {
            for j in 0..4 {
                let entry = world.entry((4 * i + j) as usize, [Some(i), Some(j)], i);
                assert!(!shelf.insert(entry, 50, 0), "there is room");
            }
        }
        let any = world.entry(4000, [None, None], 3);
        assert!(!shelf.insert(any, 50, 0));
        for i in [0, 7, 999] {
            let met = world.candidates(&mut shelf, [i, 2]);
            assert!(met.contains(&((4 * i + 2) as usize)) && met.contains(&4000) && met.len() <= 10, "{met:?}");
        }
    }

    #[test]
    fn without_anything_to_tell_them_apart_the_oldest_that_is_not_used_goes() {
        let (mut world, mut shelf) = (World::new(), Shelf::default());
        for number in 0..10 {
            let entry = world.entry(number, [None, None], number as u64);
            assert!(!shelf.insert(entry, 10, 0));
        }
        shelf.find(0, &mut |_| None, &mut |entry| entry.number == 0).unwrap();
        let entry = world.entry(10, [None, None], 10);
        assert!(shelf.insert(entry, 10, 0));
        let mut met = world.candidates(&mut shelf, [0, 0]);
        met.sort_unstable();
        assert_eq!(met, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    }
}
