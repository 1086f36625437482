//! What a state machine does: for each state it can rest in, and each event, the transitions that come into question, in order.
//!
//! A transition is one *segment* of a way from state to state. A segment leaves the states below its owner from the inside out, runs
//! its effect, enters at most one state, and goes on as [`Next`] says. Which segments come into question for an event depends on the
//! state alone and is listed in [`Row`]s; coverage counts these, pictures draw them, and the C++ tables are a copy of them.
//!
//! The order: inner states before outer ones; in one state events by name before "any", transitions with a guard before those
//! without, those inside the state's border before those outside, else as declared. Papyrus-RT sorts by depth and tries one
//! transition without a guard last; an outer one with a guard then goes before an inner one without, which contradicts UML and is not
//! followed here.
//!
//! Junctions, entry and exit points are *static*: a transition is enabled only if guards that hold lead all the way to a state or choice,
//! evaluated before anything is left (UML, Art; Papyrus-RT allows one way on only, where this makes no difference). Choices are
//! *dynamic*: their guards are evaluated when they are reached.

use std::collections::BTreeMap;

use crate::flat::{EdgeId, Event, Machine, Target, Trigger, VertexId, VertexKind};

/// How a way goes on after a segment.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Next {
    /// It ends: the state is active.
    Rest(VertexId),
    /// Through a junction or a point: the first segment from there whose guard holds, chosen beforehand.
    Static(Way),
    /// Through a choice: the first segment from there whose guard holds now.
    Dynamic(VertexId),
    /// To what was active last inside a composite state, or through its initial transition if it was never active.
    History {
        /// The state.
        state: VertexId,
        /// Whether the same is done for the states inside.
        deep: bool,
    },
    /// Nowhere: nothing was left.
    Internal,
}

/// A pseudo-state and, for a point on a border, to which side the way goes on.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Way {
    /// The pseudo-state.
    pub through: VertexId,
    /// Whether it goes on inside the state whose point it is.
    pub inwards: bool,
}

/// What an edge does when it is taken.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Segment {
    /// States below this one are left; none means all.
    pub owner: Option<VertexId>,
    /// The state that is entered.
    pub enters: Option<VertexId>,
    /// How the way goes on.
    pub next: Next,
}

/// A transition that comes into question.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Candidate {
    /// The transition.
    pub edge: EdgeId,
    /// Which of its triggers.
    pub trigger: usize,
    /// The event of that trigger.
    pub event: Event,
}

/// What can happen in a state.
#[derive(Clone, Debug)]
pub struct Row {
    /// The state.
    pub state: VertexId,
    /// The candidates for all events, in the order in which they are tried.
    pub candidates: Vec<Candidate>,
}

/// The behaviour of a machine.
#[derive(Clone, Debug)]
pub struct Table {
    /// What each edge does.
    pub segments: Vec<Segment>,
    /// One for each state that can be rested in, in the order of the states.
    pub rows: Vec<Row>,
    /// The segments that go on from each pseudo-state, in the order in which they are tried. Only points go on inwards.
    pub branches: BTreeMap<Way, Vec<EdgeId>>,
    /// Whether there are states inside each vertex.
    pub composite: Vec<bool>,
    /// The initial pseudo-state of each vertex' region.
    pub initials: Vec<Option<VertexId>>,
    /// The initial pseudo-state of the machine.
    pub start: Option<VertexId>,
}

impl Table {
    /// The table of a machine.
    #[must_use]
    pub fn new(machine: &Machine) -> Table {
        let count = machine.vertices.len();
        let (mut composite, mut initials, mut start) = (vec![false; count], vec![None; count], None);
        for id in machine.ids() {
            let vertex = machine.vertex(id);
            match (vertex.kind, vertex.parent) {
                (VertexKind::State, Some(parent)) => composite[parent.0] = true,
                (VertexKind::Initial, Some(parent)) => initials[parent.0] = Some(id),
                (VertexKind::Initial, None) => start = Some(id),
                _ => {}
            }
        }
        let (mut outgoing, mut incoming) = (vec![Vec::new(); count], vec![false; count]);
        for (at, edge) in machine.edges.iter().enumerate() {
            outgoing[edge.source.0].push(EdgeId(at));
            if let Target::Vertex(target) = edge.target {
                incoming[target.0] = true;
            }
        }
        let mut table = Table { segments: Vec::new(), rows: Vec::new(), branches: BTreeMap::new(), composite, initials, start };
        for id in machine.ids().filter(|id| machine.vertex(*id).kind != VertexKind::State) {
            let mut ways: Vec<_> =
                outgoing[id.0].iter().copied().filter(|edge| incoming[id.0] || machine.edge(*edge).triggers.is_empty()).collect();
            ways.sort_by_key(|edge| machine.edge(*edge).guard.is_none());
            let inwards = |edge: &EdgeId| is_point(machine, id) && machine.edge(*edge).owner == machine.vertex(id).parent;
            let (inner, outer): (Vec<_>, Vec<_>) = ways.into_iter().partition(inwards);
            table.branches.insert(Way { through: id, inwards: false }, outer);
            if is_point(machine, id) {
                table.branches.insert(Way { through: id, inwards: true }, inner);
            }
        }
        table.segments = machine.edges.iter().map(|edge| table.segment(machine, edge.source, edge.target, edge.owner)).collect();
        let own = own_candidates(machine, &outgoing, &incoming);
        for state in machine.states().filter(|state| !table.composite[state.0] || table.initials[state.0].is_none()) {
            let candidates = machine.outwards(Some(state)).flat_map(|at| own[at.0].iter().copied()).collect();
            table.rows.push(Row { state, candidates });
        }
        table
    }

    fn segment(&self, machine: &Machine, source: VertexId, target: Target, owner: Option<VertexId>) -> Segment {
        let into = |state: VertexId| {
            if self.composite[state.0] { Next::History { state, deep: true } } else { Next::Rest(state) }
        };
        let on = |way: Way, state: VertexId| {
            if self.branches[&way].is_empty() { into(state) } else { Next::Static(way) }
        };
        let (enters, next) = match target {
            Target::Internal => (None, Next::Internal),
            Target::History { deep } => (None, Next::History { state: owner.unwrap_or(source), deep }),
            Target::Vertex(vertex) => match (machine.vertex(vertex).kind, machine.vertex(vertex).parent) {
                (VertexKind::State, _) => (Some(vertex), into(vertex)),
                // From the inside a point leads out, from the outside in.
                (VertexKind::EntryPoint | VertexKind::ExitPoint, Some(state)) => {
                    let inwards = owner != Some(state);
                    (Some(state).filter(|_| inwards), on(Way { through: vertex, inwards }, state))
                }
                (VertexKind::Choice, _) => (None, Next::Dynamic(vertex)),
                _ => (None, Next::Static(Way { through: vertex, inwards: false })),
            },
        };
        Segment { owner, enters, next }
    }

    /// The states that a transition leaves when it is taken in a state, from the inside out.
    pub fn exits<'a>(&self, machine: &'a Machine, from: VertexId, edge: EdgeId) -> impl Iterator<Item = VertexId> + 'a {
        let segment = self.segments[edge.0];
        let internal = segment.next == Next::Internal;
        machine.outwards(Some(from)).take_while(move |at| !internal && Some(*at) != segment.owner)
    }

    /// The segments that go on from a pseudo-state.
    #[must_use]
    pub fn branches(&self, through: VertexId, inwards: bool) -> &[EdgeId] {
        self.branches.get(&Way { through, inwards }).map_or(&[], Vec::as_slice)
    }
}

fn is_point(machine: &Machine, vertex: VertexId) -> bool {
    matches!(machine.vertex(vertex).kind, VertexKind::EntryPoint | VertexKind::ExitPoint)
}

/// For each state the candidates that it adds itself, in the order in which they are tried.
fn own_candidates(machine: &Machine, outgoing: &[Vec<EdgeId>], incoming: &[bool]) -> Vec<Vec<Candidate>> {
    let mut own = vec![Vec::new(); machine.vertices.len()];
    for vertex in machine.ids() {
        let state = match (machine.vertex(vertex).kind, machine.vertex(vertex).parent) {
            (VertexKind::State, _) => vertex,
            // A point that nothing leads to stands for its state.
            (VertexKind::EntryPoint | VertexKind::ExitPoint, Some(state)) if !incoming[vertex.0] => state,
            _ => continue,
        };
        for edge in &outgoing[vertex.0] {
            for (trigger, Trigger { event, .. }) in machine.edge(*edge).triggers.iter().enumerate() {
                own[state.0].push(Candidate { edge: *edge, trigger, event: *event });
            }
        }
    }
    for (state, candidates) in own.iter_mut().enumerate() {
        candidates.sort_by_key(|candidate| {
            let edge = machine.edge(candidate.edge);
            let guarded = edge.guard.is_some() || edge.triggers[candidate.trigger].guard.is_some();
            let any = matches!(candidate.event, Event::Any { .. });
            (any, !guarded, edge.owner != Some(VertexId(state)), candidate.edge)
        });
    }
    own
}
