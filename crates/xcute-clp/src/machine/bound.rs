//! What the variables of a clause are bound to where a goal of it threw something that nobody caught.
//!
//! **Invariant.** Only variables that have a name in the source; what is longer than a line is left out. Nothing is decided here.

use rustc_hash::FxHashMap;
use xcute_trace::{Frame, Held};

use super::Machine;
use super::cell::Cell;
use super::export::to_arena;
use crate::syntax::{Arena, Style, Writer};

/// Longer terms are left out: the input has them.
const LONG: usize = 200;
/// At most this many variables are shown.
const VARIABLES: usize = 40;

impl Machine<'_> {
    /// The variables of the innermost clause of the program, with what they are bound to (`_` where they are not), if that clause is at this place.
    pub(crate) fn bound_at(&mut self, at: &Frame) -> Vec<Held> {
        let Some((place, _)) = self.places(false).next().filter(|(_, frame)| frame == at) else { return Vec::new() };
        let Some(clause) = self.clause_at(place).cloned() else { return Vec::new() };
        let named = (0..).zip(&clause.variables).filter_map(|(number, name)| Some((number, name.as_ref()?)));
        let mut held = Vec::new();
        for (number, name) in named.take(VARIABLES) {
            let value = self.shown(Cell::Var(place.base + number)).filter(|value| value.chars().count() <= LONG);
            held.extend(value.map(|value| Held { name: name.to_string(), value }));
        }
        held
    }

    /// A term with the values of this run, as Prolog writes it; `None` for one that is longer than a line in any case.
    fn shown(&mut self, cell: Cell) -> Option<String> {
        let valued = self.valued_within(cell, 2 * LONG)?;
        if let Cell::Var(_) = self.heap.deref(valued) {
            return Some("_".to_owned());
        }
        let mut terms = Arena::default();
        let root = to_arena(&self.heap, self.symbols, valued, &mut terms, &mut FxHashMap::default());
        Some(Writer::new(&self.symbols.atoms, self.operators(), Style::Operators).term(&terms, root, &[]))
    }
}
