//! What action code finds in its scope: the data of the messages that can lead to it.
//!
//! A body may run for different messages. `rtdata` has the type of their first parameter if they agree on it, and parameters with
//! names are references. Where only some of the messages have a parameter, or with another type, its name becomes a macro that looks into
//! the message when it is used, as in the code that Papyrus-RT generates: reading what is not there is then an error of the model.

use std::collections::{BTreeSet, HashMap};

use crate::flat::{BodyId, Edge, Event, Flat, Machine, Port, Signal, VertexId};
use crate::ir::{self, Direction, Param};
use crate::table::{Next, Table, Way};

/// What leads to a piece of code.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Cause {
    Start,
    Signal(usize, Signal),
    Call(usize),
}

/// A named parameter that can be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Named {
    pub name: String,
    pub index: usize,
    pub ty: String,
    /// Whether every message has it, at this place and with this type.
    pub sure: bool,
}

/// The scope of a piece of code.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Signature {
    /// The type of `rtdata`; none if it is not known.
    pub data: Option<String>,
    pub params: Vec<Named>,
    /// Protocol and conjugation of `rtport`; none if they differ.
    pub port: Option<(usize, bool)>,
}

/// The scopes of all code of a machine that something leads to.
pub fn signatures(
    flat: &Flat,
    ports: &[Port],
    operations: &[ir::Operation],
    machine: &Machine,
    table: &Table,
) -> HashMap<BodyId, Signature> {
    let mut flow = Flow { flat, ports, machine, table, causes: HashMap::new(), reached: BTreeSet::new() };
    flow.all();
    let scope = |causes: &BTreeSet<Cause>| signature(flat, ports, operations, causes);
    flow.causes.iter().map(|(body, causes)| (*body, scope(causes))).collect()
}

struct Flow<'a> {
    flat: &'a Flat,
    ports: &'a [Port],
    machine: &'a Machine,
    table: &'a Table,
    causes: HashMap<BodyId, BTreeSet<Cause>>,
    /// Pseudo-states and states (by their borders) that a cause was followed to.
    reached: BTreeSet<(Way, Cause)>,
}

impl Flow<'_> {
    fn all(&mut self) {
        if let Some(start) = self.table.start {
            self.onwards(Way { through: start, inwards: false }, Cause::Start);
        }
        for row in &self.table.rows {
            for candidate in &row.candidates {
                let edge = self.machine.edge(candidate.edge);
                for cause in self.events(candidate.event) {
                    self.mark(edge.triggers[candidate.trigger].guard, cause);
                    for state in self.table.exits(self.machine, row.state, candidate.edge) {
                        self.mark(self.machine.vertex(state).exit, cause);
                    }
                    self.segment(candidate.edge.0, cause);
                }
            }
        }
    }

    /// The causes that an event stands for.
    fn events(&self, event: Event) -> Vec<Cause> {
        match event {
            Event::Signal { port, signal } => vec![Cause::Signal(port, signal)],
            Event::Call(operation) => vec![Cause::Call(operation)],
            Event::Any { port } => {
                let messages = &self.flat.protocols[self.ports[port].protocol].messages;
                let received = |message: &crate::flat::Message| message.passes(Direction::In, self.ports[port].conjugated);
                let indices = messages.iter().enumerate().filter(|(_, message)| received(message)).map(|(at, _)| at);
                indices.map(|at| Cause::Signal(port, Signal::Message(at))).collect()
            }
        }
    }

    fn mark(&mut self, body: Option<BodyId>, cause: Cause) {
        if let Some(body) = body {
            self.causes.entry(body).or_default().insert(cause);
        }
    }

    fn segment(&mut self, edge: usize, cause: Cause) {
        let Edge { guard, effect, .. } = self.machine.edges[edge];
        let segment = self.table.segments[edge];
        self.mark(guard, cause);
        self.mark(effect, cause);
        if let Some(state) = segment.enters {
            self.mark(self.machine.vertex(state).entry, cause);
        }
        match segment.next {
            Next::Rest(_) | Next::Internal => {}
            Next::Static(way) => self.onwards(way, cause),
            Next::Dynamic(through) => self.onwards(Way { through, inwards: false }, cause),
            Next::History { state, .. } => self.restored(state, cause),
        }
    }

    fn onwards(&mut self, way: Way, cause: Cause) {
        if !self.reached.insert((way, cause)) {
            return;
        }
        for edge in self.table.branches[&way].clone() {
            // A way on from a point that leads out leaves the state it belongs to.
            let parent = self.machine.vertex(way.through).parent;
            if let Some(parent) = parent.filter(|parent| Some(*parent) != self.table.segments[edge.0].owner) {
                self.mark(self.machine.vertex(parent).exit, cause);
            }
            self.segment(edge.0, cause);
        }
    }

    /// Everything inside a state may be entered.
    fn restored(&mut self, state: VertexId, cause: Cause) {
        if !self.reached.insert((Way { through: state, inwards: true }, cause)) {
            return;
        }
        if let Some(initial) = self.table.initials[state.0] {
            self.onwards(Way { through: initial, inwards: false }, cause);
        }
        let inside: Vec<_> = self.machine.substates(Some(state)).collect();
        for inner in inside {
            self.mark(self.machine.vertex(inner).entry, cause);
            if self.table.composite[inner.0] {
                self.restored(inner, cause);
            }
        }
    }
}

fn signature(flat: &Flat, ports: &[Port], operations: &[ir::Operation], causes: &BTreeSet<Cause>) -> Signature {
    let none: &[Param] = &[];
    // What each cause carries; no answer for data without a declared type.
    let carried: Vec<Option<&[Param]>> = causes
        .iter()
        .map(|cause| match cause {
            Cause::Start => None,
            Cause::Call(operation) => Some(operations[*operation].params.as_slice()),
            Cause::Signal(_, Signal::Bound | Signal::Unbound) => Some(none),
            Cause::Signal(port, Signal::Message(at)) => {
                let protocol = &flat.protocols[ports[*port].protocol];
                if protocol.predefined { None } else { Some(protocol.messages[*at].params.as_slice()) }
            }
        })
        .collect();
    let mut firsts = carried.iter().flatten().filter_map(|params| params.first()).map(|param| plain(&param.ty));
    let first = firsts.next();
    // In Papyrus-RT data has the type of some message that leads to the code.
    let all_known = carried.iter().all(Option::is_some) || flat.model.dialect == ir::Dialect::Papyrus;
    let agreed = firsts.all(|ty| Some(ty) == first) && all_known;
    let data = first.filter(|_| agreed);
    let mut params: Vec<Named> = Vec::new();
    for (index, param) in carried.iter().flatten().flat_map(|params| params.iter().enumerate()) {
        let Some(name) = &param.name else { continue };
        if params.iter().all(|other| other.name != *name) {
            let has = |params: &Option<&[Param]>| {
                params.is_some_and(|params| params.get(index).is_some_and(|p| p.name == param.name && plain(&p.ty) == plain(&param.ty)))
            };
            params.push(Named { name: name.clone(), index, ty: param.ty.clone(), sure: carried.iter().all(has) });
        }
    }
    let mut kinds = causes.iter().map(|cause| match cause {
        Cause::Signal(port, _) if !flat.protocols[ports[*port].protocol].predefined => {
            Some((ports[*port].protocol, ports[*port].conjugated))
        }
        _ => None,
    });
    let kind = kinds.next().flatten();
    let port = kind.filter(|_| kinds.all(|other| other == kind));
    Signature { data, params, port }
}

fn plain(ty: &str) -> String {
    ty.split_whitespace().collect::<Vec<_>>().join(" ")
}
