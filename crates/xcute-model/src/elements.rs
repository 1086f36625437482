//! The elements of a state machine that a search covers: states, transitions, and the outcomes of guards.

use crate::flat::Machine;
use crate::ir::Place;
use crate::lower::{GUARDS, STATES, TRANSITIONS, guarded};

/// An element.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its name for people.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// Whether a run covered it.
    pub covered: bool,
}

/// All elements of a machine.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// The states.
    pub states: Vec<Element>,
    /// The transitions.
    pub transitions: Vec<Element>,
    /// Each guard twice: where it holds, and where it does not.
    pub guards: Vec<Element>,
}

impl Elements {
    /// The elements of a machine; `covered` says whether a line of [`STATES`], [`TRANSITIONS`] or [`GUARDS`] ran.
    #[must_use]
    pub fn of(machine: &Machine, covered: impl Fn(&str, u32) -> bool) -> Elements {
        let ran = |file: &str, number: usize| covered(file, u32::try_from(number + 1).unwrap_or(u32::MAX));
        let states = machine.states().enumerate().map(|(number, id)| {
            let vertex = machine.vertex(id);
            Element { name: vertex.path.clone(), place: vertex.place.clone(), covered: ran(STATES, number) }
        });
        let transitions = machine.edges.iter().enumerate().map(|(number, edge)| Element {
            name: edge.label.clone(),
            place: edge.place.clone(),
            covered: ran(TRANSITIONS, number),
        });
        let guards = guarded(machine).into_iter().flat_map(|edge| [(edge, false), (edge, true)]).map(|(at, holds)| {
            let edge = &machine.edges[at];
            let name = format!("{} {}", edge.label, if holds { "holds" } else { "does not hold" });
            Element { name, place: edge.place.clone(), covered: ran(GUARDS, 2 * at + usize::from(holds)) }
        });
        Elements { states: states.collect(), transitions: transitions.collect(), guards: guards.collect() }
    }

    /// What no run covered, with its kind.
    pub fn missing(&self) -> impl Iterator<Item = (&'static str, &Element)> {
        let kinds = [("state", &self.states), ("transition", &self.transitions), ("guard of", &self.guards)];
        kinds.into_iter().flat_map(|(kind, all)| all.iter().filter(|element| !element.covered).map(move |element| (kind, element)))
    }
}
