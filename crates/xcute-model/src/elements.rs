//! The elements of a state machine that a search covers: states, transitions, the outcomes of guards, and what triggers transitions in which state.

use crate::flat::{Capsule, Edge, Event, Flat, Machine, Signal, Vertex};
use crate::ir::Place;
use crate::lower::{GUARDS, STATES, TRANSITIONS, TRIGGERS, guarded, triggers};
use crate::trace::{Kind, Trace};

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

/// All elements of the machines that are explored.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// The states.
    pub states: Vec<Element>,
    /// The transitions.
    pub transitions: Vec<Element>,
    /// Each guard twice: where it holds, and where it does not.
    pub guards: Vec<Element>,
    /// Each state with everything that it has a transition for.
    pub triggers: Vec<Element>,
}

impl Elements {
    /// The elements of the machines of capsules, in this order; `covered` says whether a line of [`STATES`], [`TRANSITIONS`], [`GUARDS`] or
    /// [`TRIGGERS`] ran.
    #[must_use]
    pub fn of(flat: &Flat, capsules: &[usize], covered: impl Fn(&str, u32) -> bool) -> Elements {
        let ran = |file: &str, number: usize| covered(file, u32::try_from(number + 1).unwrap_or(u32::MAX));
        let mut elements = Elements::default();
        let (mut guards, several) = (0, capsules.len() > 1);
        for capsule in capsules.iter().map(|at| &flat.capsules[*at]) {
            let Some(machine) = &capsule.machine else { continue };
            let named = |name: &str| if several { format!("{}.{name}", capsule.name) } else { name.to_owned() };
            let first = elements.states.len();
            for id in machine.states() {
                let (vertex, covered) = (machine.vertex(id), ran(STATES, elements.states.len()));
                elements.states.push(Element { name: named(&vertex.path), place: vertex.place.clone(), covered });
            }
            for edge in &machine.edges {
                let covered = ran(TRANSITIONS, elements.transitions.len());
                elements.transitions.push(Element { name: named(&edge.label), place: edge.place.clone(), covered });
            }
            for (at, holds) in guarded(machine).into_iter().flat_map(|edge| [(edge, false), (edge, true)]) {
                let edge = &machine.edges[at];
                let name = format!("{} {}", named(&edge.label), if holds { "holds" } else { "does not hold" });
                let covered = ran(GUARDS, guards + 2 * at + usize::from(holds));
                elements.guards.push(Element { name, place: edge.place.clone(), covered });
            }
            guards += 2 * machine.edges.len();
            for (state, candidate, _) in triggers(machine) {
                let covered = ran(TRIGGERS, elements.triggers.len());
                let state = &elements.states[first + state];
                let name = format!("{} in {}", event(flat, capsule, candidate.event), state.name);
                elements.triggers.push(Element { name, place: state.place.clone(), covered });
            }
        }
        elements
    }

    /// States and transitions of the machine of a capsule; covered are those that one run of it came to.
    #[must_use]
    pub fn of_run(machine: &Machine, trace: &Trace, capsule: &str) -> Elements {
        let hits = trace.hits(capsule);
        let came = |kind: Kind, name: &str| hits.contains_key(&(kind, name.to_owned()));
        let state =
            |vertex: &Vertex| Element { name: vertex.path.clone(), place: vertex.place.clone(), covered: came(Kind::Enter, &vertex.path) };
        let transition =
            |edge: &Edge| Element { name: edge.label.clone(), place: edge.place.clone(), covered: came(Kind::Transition, &edge.label) };
        let states = machine.states().map(|id| state(machine.vertex(id))).collect();
        Elements { states, transitions: machine.edges.iter().map(transition).collect(), ..Elements::default() }
    }

    /// States and transitions of one of the capsules.
    #[must_use]
    pub fn part(&self, flat: &Flat, capsules: &[usize], nth: usize) -> Elements {
        let size =
            |at: &usize| flat.capsules[*at].machine.as_ref().map_or((0, 0), |machine| (machine.states().count(), machine.edges.len()));
        let before = capsules[..nth].iter().map(size).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let own = size(&capsules[nth]);
        let slice = |all: &[Element], from: usize, count: usize| all.get(from..from + count).unwrap_or_default().to_vec();
        let (states, transitions) = (slice(&self.states, before.0, own.0), slice(&self.transitions, before.1, own.1));
        Elements { states, transitions, ..Elements::default() }
    }

    /// What no run covered, with its kind.
    pub fn missing(&self) -> impl Iterator<Item = (&'static str, &Element)> {
        let kinds = [("state", &self.states), ("transition", &self.transitions), ("guard of", &self.guards), ("trigger", &self.triggers)];
        kinds.into_iter().flat_map(|(kind, all)| all.iter().filter(|element| !element.covered).map(move |element| (kind, element)))
    }
}

/// What triggers a transition, as `port.message`.
#[must_use]
pub fn event(flat: &Flat, capsule: &Capsule, event: Event) -> String {
    let port = |at: usize| &capsule.ports[at];
    match event {
        Event::Any { port: at } => format!("{}.*", port(at).name),
        Event::Call(operation) => format!("operation {operation}"),
        Event::Signal { port: at, signal } => {
            let message = match signal {
                Signal::Bound => "rtBound",
                Signal::Unbound => "rtUnbound",
                Signal::Message(number) => &flat.protocols[port(at).protocol].messages[number].name,
            };
            format!("{}.{message}", port(at).name)
        }
    }
}
