//! Lays a declared state machine over an inherited one: redefinition and exclusion, then names are bound.
//!
//! What a redefinition leaves out stays as inherited. A transition whose source or target is excluded is excluded, too.

use std::collections::HashSet;

use xcute_suggest::meant;

use super::machine::{Body, BodyId, BodyKind, Edge, Event, Machine, Target, Trigger, Vertex, VertexId, VertexKind};
use super::{Port, Protocol, Signal};
use crate::error::{ModelError, Result};
use crate::ir::{self, Code, Dialect, Direction, End, Mode, Place, PseudoKind, Region, State, Transition};

/// What names in a machine may refer to.
pub(super) struct Scope<'a> {
    pub owner: usize,
    pub ports: &'a [Port],
    pub protocols: &'a [Protocol],
    pub operations: &'a [ir::Operation],
    pub dialect: ir::Dialect,
}

/// A declared machine laid over an inherited one; `None` where there is neither.
pub(super) fn merge(
    scope: &Scope<'_>,
    inherited: Option<&Machine>,
    declared: Option<&Region>,
    name: &str,
    is_abstract: bool,
    notes: &mut Vec<ModelError>,
) -> Result<Option<Machine>> {
    match (inherited, declared) {
        (None, None) => Ok(None),
        (Some(inherited), None) => Ok(Some(inherited.clone())),
        (inherited, Some(declared)) => Merge::new(scope, name, inherited, notes).lay(declared, is_abstract).map(Some),
    }
}

struct Merge<'a> {
    scope: &'a Scope<'a>,
    name: &'a str,
    machine: Machine,
    excluded: HashSet<VertexId>,
    notes: &'a mut Vec<ModelError>,
}

impl<'a> Merge<'a> {
    fn new(scope: &'a Scope<'a>, name: &'a str, inherited: Option<&Machine>, notes: &'a mut Vec<ModelError>) -> Merge<'a> {
        Merge { scope, name, machine: inherited.cloned().unwrap_or_default(), excluded: HashSet::new(), notes }
    }

    fn lay(mut self, declared: &Region, is_abstract: bool) -> Result<Machine> {
        let owner = self.scope.owner;
        self.vertices(declared, None)?;
        self.transitions(declared, None)?;
        let machine = self.without_excluded();
        let machine = labelled(machine);
        super::check::check(&machine, owner, is_abstract)?;
        Ok(machine)
    }

    /// All vertices of a region, before any transition: a transition may name what stands below it.
    fn vertices(&mut self, region: &Region, owner: Option<VertexId>) -> Result<()> {
        for state in &region.states {
            let id = match (state.mode, self.child(owner, &state.name)) {
                (Mode::New, None) => self.vertex(&state.name, VertexKind::State, owner, &state.place),
                (Mode::New, Some(_)) => return twice(&state.name, &state.place),
                (Mode::Redefine | Mode::Exclude, Some(id)) if self.machine.vertex(id).kind == VertexKind::State => id,
                (Mode::Redefine | Mode::Exclude, _) => {
                    return Err(ModelError::new(&state.place, format!("no state \"{}\" is inherited here", state.name)));
                }
            };
            if state.mode == Mode::Exclude {
                self.excluded.insert(id);
                continue;
            }
            self.actions(state, id);
            for point in &state.points {
                if self.point(id, &point.name).is_some() {
                    return twice(&point.name, &point.place);
                }
                let kind = if point.entry { VertexKind::EntryPoint } else { VertexKind::ExitPoint };
                self.vertex(&point.name, kind, Some(id), &point.place);
            }
            self.vertices(&state.region, Some(id))?;
        }
        for pseudo in &region.pseudos {
            if self.child(owner, &pseudo.name).is_some() {
                return twice(&pseudo.name, &pseudo.place);
            }
            let kind = if pseudo.kind == PseudoKind::Choice { VertexKind::Choice } else { VertexKind::Junction };
            self.vertex(&pseudo.name, kind, owner, &pseudo.place);
        }
        Ok(())
    }

    fn actions(&mut self, state: &State, id: VertexId) {
        let element = format!("{}.{}", self.name, self.machine.vertex(id).path);
        let redefines = state.mode == Mode::Redefine;
        let Vertex { entry, exit, .. } = *self.machine.vertex(id);
        let entry = self.body(BodyKind::Entry, &element, state.entry.as_ref(), redefines, entry);
        let exit = self.body(BodyKind::Exit, &element, state.exit.as_ref(), redefines, exit);
        let vertex = &mut self.machine.vertices[id.0];
        (vertex.entry, vertex.exit) = (entry, exit);
    }

    fn vertex(&mut self, name: &str, kind: VertexKind, parent: Option<VertexId>, place: &Place) -> VertexId {
        let path = parent.map_or_else(|| name.to_owned(), |parent| format!("{}.{name}", self.machine.vertex(parent).path));
        let (name, place) = (name.to_owned(), place.clone());
        self.machine.vertices.push(Vertex { name, path, kind, parent, entry: None, exit: None, place });
        VertexId(self.machine.vertices.len() - 1)
    }

    /// New code, or what was inherited if there is none; blank code replaces inherited code by nothing.
    fn body(&mut self, kind: BodyKind, element: &str, code: Option<&Code>, redefines: bool, inherited: Option<BodyId>) -> Option<BodyId> {
        let Some(code) = code else { return inherited };
        if code.is_blank() {
            return None;
        }
        let owner = self.scope.owner;
        let number = self.machine.bodies.iter().filter(|body| body.owner == owner).count();
        let redefines = redefines.then_some(inherited);
        self.machine.bodies.push(Body { kind, owner, number, element: element.to_owned(), code: code.clone(), redefines });
        Some(BodyId(self.machine.bodies.len() - 1))
    }

    fn transitions(&mut self, region: &Region, owner: Option<VertexId>) -> Result<()> {
        for state in region.states.iter().filter(|state| state.mode != Mode::Exclude) {
            let id = self.child(owner, &state.name).expect("all states were added");
            for transition in &state.internal {
                self.transition(transition, Some(id), true)?;
            }
            self.transitions(&state.region, Some(id))?;
        }
        for transition in &region.transitions {
            self.transition(transition, owner, false)?;
        }
        Ok(())
    }

    fn transition(&mut self, own: &Transition, owner: Option<VertexId>, internal: bool) -> Result<()> {
        let there = match (&own.name, own.mode) {
            (_, Mode::New) => None,
            (name, mode) => Some(self.inherited(name.as_deref().unwrap_or_default(), owner, mode, &own.place)?),
        };
        if own.mode == Mode::Exclude {
            let edge = self.machine.edges.remove(there.unwrap_or_default());
            self.machine.excluded.push(edge);
            return Ok(());
        }
        let old = there.map(|there| self.machine.edges[there].clone());
        let (source, target) = match (&own.source, &own.target, &old) {
            (Some(source), Some(target), _) => (self.source(source, owner, &own.place)?, self.target(target, owner, &own.place)?),
            (_, _, Some(old)) => (old.source, old.target),
            _ => match (internal, owner) {
                (true, Some(state)) => (state, Target::Internal),
                _ => return Err(ModelError::new(&own.place, "the transition has no source and target")),
            },
        };
        let place = &own.place;
        let path = owner.map_or_else(String::new, |owner| format!("{}.", self.machine.vertex(owner).path));
        let own_label = own.name.clone().unwrap_or_else(|| self.unnamed(source, target, own));
        let element = format!("{}.{path}{own_label}", self.name);
        let redefines = own.mode == Mode::Redefine;
        let mut triggers = Vec::new();
        for trigger in &own.triggers {
            let event = match self.event(&trigger.event, &trigger.place) {
                Ok(event) => event,
                // UML tools let such triggers be; in the code they generate nothing comes of them.
                Err(error) if self.scope.dialect == Dialect::Papyrus => {
                    self.notes.push(ModelError { message: format!("{}, so the trigger has no effect", error.message), ..error });
                    continue;
                }
                Err(error) => return Err(error),
            };
            let guard = self.body(BodyKind::TriggerGuard, &element, trigger.guard.as_ref(), false, None);
            triggers.push(Trigger { event, guard });
        }
        let old_guard = old.as_ref().and_then(|old| old.guard);
        let is_else = match &own.guard {
            Some(guard) => guard.is_else(),
            None => old.as_ref().is_some_and(|old| old.is_else),
        };
        let guard = if is_else { None } else { self.body(BodyKind::Guard, &element, own.guard.as_ref(), redefines, old_guard) };
        let effect = self.body(BodyKind::Effect, &element, own.effect.as_ref(), redefines, old.as_ref().and_then(|old| old.effect));
        if let Some(old) = old.filter(|_| triggers.is_empty()) {
            triggers = old.triggers;
        }
        let label = format!("{path}{own_label}");
        let (name, place, mutable_data, declared_in) = (own.name.clone(), place.clone(), own.mutable_data, self.scope.owner);
        let edge = Edge { name, label, owner, source, target, triggers, guard, is_else, effect, mutable_data, declared_in, place };
        match there {
            Some(there) => self.machine.edges[there] = edge,
            None => self.machine.edges.push(edge),
        }
        Ok(())
    }

    /// What a transition without a name is called.
    fn unnamed(&self, source: VertexId, target: Target, own: &Transition) -> String {
        let name = |vertex: VertexId| {
            let vertex = self.machine.vertex(vertex);
            match (vertex.kind, vertex.parent) {
                (VertexKind::EntryPoint | VertexKind::ExitPoint, Some(state)) => {
                    format!("{}.{}", self.machine.vertex(state).name, vertex.name)
                }
                _ => vertex.name.clone(),
            }
        };
        match target {
            Target::Vertex(target) => format!("{}->{}", name(source), name(target)),
            Target::History { deep } => format!("{}->history{}", name(source), if deep { "*" } else { "" }),
            Target::Internal => match own.triggers.first().map(|trigger| &trigger.event) {
                Some(ir::Event::Message { port, message }) => format!("on {port}.{message}"),
                Some(ir::Event::Any { port }) => format!("on {port}.*"),
                Some(ir::Event::Call { operation, .. }) => format!("on {operation}"),
                None => "internal".to_owned(),
            },
        }
    }

    fn inherited(&mut self, name: &str, owner: Option<VertexId>, mode: Mode, place: &Place) -> Result<usize> {
        let named = |edge: &Edge| edge.owner == owner && edge.name.as_deref() == Some(name);
        let excluded = self.machine.excluded.iter().position(named).filter(|_| mode == Mode::Redefine);
        if let Some(at) = excluded {
            let edge = self.machine.excluded.remove(at);
            self.machine.edges.push(edge);
        }
        let edges = &self.machine.edges;
        edges.iter().position(named).ok_or_else(|| {
            let names = edges.iter().filter(|edge| edge.owner == owner).filter_map(|edge| edge.name.as_deref());
            let word = if mode == Mode::Redefine { "redefined" } else { "excluded" };
            ModelError::new(place, format!("no transition \"{name}\" is inherited here that could be {word}{}", meant(name, names)))
        })
    }

    fn child(&self, owner: Option<VertexId>, name: &str) -> Option<VertexId> {
        let inside = |kind| matches!(kind, VertexKind::State | VertexKind::Choice | VertexKind::Junction);
        let matching = |id: &VertexId| {
            let vertex = self.machine.vertex(*id);
            vertex.parent == owner && inside(vertex.kind) && vertex.name == name
        };
        self.machine.ids().find(matching)
    }

    fn point(&self, state: VertexId, name: &str) -> Option<VertexId> {
        let is_point = |kind| matches!(kind, VertexKind::EntryPoint | VertexKind::ExitPoint);
        let matching = |id: &VertexId| {
            let vertex = self.machine.vertex(*id);
            vertex.parent == Some(state) && is_point(vertex.kind) && vertex.name == name
        };
        self.machine.ids().find(matching)
    }

    fn source(&mut self, end: &End, owner: Option<VertexId>, place: &Place) -> Result<VertexId> {
        match end {
            End::Initial => match self.machine.initial(owner) {
                Some(initial) => Ok(initial),
                None => Ok(self.vertex("initial", VertexKind::Initial, owner, place)),
            },
            End::History { .. } => Err(ModelError::new(place, "a transition cannot start at a history")),
            End::Vertex(_) | End::Point { .. } => self.end(end, owner, place, true),
        }
    }

    fn target(&mut self, end: &End, owner: Option<VertexId>, place: &Place) -> Result<Target> {
        match end {
            End::History { .. } if owner.is_none() => Err(ModelError::new(place, "only a composite state has a history")),
            End::History { deep } => Ok(Target::History { deep: *deep }),
            End::Initial => Err(ModelError::new(place, "a transition cannot lead to the initial pseudo-state")),
            End::Vertex(_) | End::Point { .. } => Ok(Target::Vertex(self.end(end, owner, place, false)?)),
        }
    }

    /// A named end. Inside a region, entry points of its owner are sources and exit points targets; for states in it, it is the reverse.
    fn end(&self, end: &End, owner: Option<VertexId>, place: &Place, is_source: bool) -> Result<VertexId> {
        let (found, inside) = match end {
            End::Point { state, point } => {
                let state_id = self.child(owner, state).filter(|id| self.machine.vertex(*id).kind == VertexKind::State);
                let state_id = state_id.ok_or_else(|| self.unknown("state", state, owner, place))?;
                match self.point(state_id, point) {
                    Some(id) => (id, false),
                    None if self.child(Some(state_id), point).is_some() => {
                        let message = format!("a transition cannot cross the border of state {state} (add an entry or exit point)");
                        return Err(ModelError::new(place, message));
                    }
                    None => return Err(ModelError::new(place, format!("state {state} has no entry or exit point \"{point}\""))),
                }
            }
            End::Vertex(name) => match (self.child(owner, name), owner.and_then(|owner| self.point(owner, name))) {
                (Some(id), _) => return Ok(id),
                (None, Some(id)) => (id, true),
                (None, None) => return Err(self.unknown("state or pseudo-state", name, owner, place)),
            },
            End::Initial | End::History { .. } => unreachable!("they have no name"),
        };
        let entry = self.machine.vertex(found).kind == VertexKind::EntryPoint;
        // UML tools use points in both directions.
        if entry == (is_source == inside) || self.scope.dialect == Dialect::Papyrus {
            return Ok(found);
        }
        let (kind, side) = (if entry { "entry" } else { "exit" }, if inside { "inside" } else { "outside" });
        let (verb, name) = (if is_source { "start" } else { "end" }, &self.machine.vertex(found).name);
        Err(ModelError::new(place, format!("a transition cannot {verb} at the {kind} point {name} from the {side} of its state")))
    }

    fn unknown(&self, what: &str, name: &str, owner: Option<VertexId>, place: &Place) -> ModelError {
        let here = self.machine.vertices.iter().filter(|vertex| vertex.parent == owner && vertex.kind != VertexKind::Initial);
        let region = owner
            .map_or_else(|| format!("the state machine of {}", self.name), |owner| format!("state {}", self.machine.vertex(owner).path));
        ModelError::new(place, format!("there is no {what} \"{name}\" in {region}{}", meant(name, here.map(|vertex| vertex.name.as_str()))))
    }

    fn event(&self, event: &ir::Event, place: &Place) -> Result<Event> {
        let port = |name: &str| {
            let found = self.scope.ports.iter().position(|port| port.name == name && !port.excluded);
            let found = found.ok_or_else(|| {
                let hint = meant(name, self.scope.ports.iter().map(|port| port.name.as_str()));
                ModelError::new(place, format!("{} has no port \"{name}\"{hint}", self.name))
            })?;
            if !self.scope.ports[found].behavior {
                let message =
                    format!("port {name} is relayed to another port, so it cannot trigger a transition (make it a behavior port)");
                return Err(ModelError::new(place, message));
            }
            Ok(found)
        };
        match event {
            ir::Event::Any { port: name } => Ok(Event::Any { port: port(name)? }),
            ir::Event::Message { port: name, message } => {
                let port = port(name)?;
                Ok(Event::Signal { port, signal: self.signal(port, message, place)? })
            }
            ir::Event::Call { operation, params } => {
                let same = |other: &ir::Operation| {
                    let plain = |ty: &str| ty.split_whitespace().collect::<String>();
                    other.name == *operation && other.params.iter().map(|p| plain(&p.ty)).eq(params.iter().map(|p| plain(&p.ty)))
                };
                let found = self.scope.operations.iter().position(same);
                let unknown =
                    || ModelError::new(place, format!("{} has no trigger operation \"{operation}\" with these parameters", self.name));
                Ok(Event::Call(found.ok_or_else(unknown)?))
            }
        }
    }

    fn signal(&self, port: usize, message: &str, place: &Place) -> Result<Signal> {
        let port = &self.scope.ports[port];
        let protocol = &self.scope.protocols[port.protocol];
        match (protocol.message(message, Direction::In, port.conjugated), message) {
            (Some(at), _) => Ok(Signal::Message(at)),
            (None, "rtBound") => Ok(Signal::Bound),
            (None, "rtUnbound") => Ok(Signal::Unbound),
            (None, _) => {
                let received = protocol.messages.iter().filter(|m| m.passes(Direction::In, port.conjugated)).map(|m| m.name.as_str());
                let wrong = if protocol.message(message, Direction::Out, port.conjugated).is_some() {
                    format!("port {} sends \"{message}\", it does not receive it (is its conjugation right?)", port.name)
                } else {
                    format!("port {} of protocol {} receives no \"{message}\"{}", port.name, protocol.name, meant(message, received))
                };
                Err(ModelError::new(place, wrong))
            }
        }
    }

    /// The machine without what was excluded, and what hangs on it.
    fn without_excluded(self) -> Machine {
        let Merge { machine, excluded, .. } = self;
        if excluded.is_empty() {
            return machine;
        }
        let gone: Vec<bool> = machine.ids().map(|id| machine.outwards(Some(id)).any(|at| excluded.contains(&at))).collect();
        let mut renumbered = vec![VertexId(0); machine.vertices.len()];
        let mut vertices = Vec::new();
        for (at, vertex) in machine.vertices.into_iter().enumerate().filter(|(at, _)| !gone[*at]) {
            renumbered[at] = VertexId(vertices.len());
            vertices.push(Vertex { parent: vertex.parent.map(|parent| renumbered[parent.0]), ..vertex });
        }
        let stays = |edge: &Edge| !gone[edge.source.0] && !matches!(edge.target, Target::Vertex(target) if gone[target.0]);
        let renumber = |edge: Edge| Edge {
            owner: edge.owner.map(|owner| renumbered[owner.0]),
            source: renumbered[edge.source.0],
            target: match edge.target {
                Target::Vertex(target) => Target::Vertex(renumbered[target.0]),
                other => other,
            },
            ..edge
        };
        let edges = machine.edges.into_iter().filter(stays).map(renumber).collect();
        let excluded = machine.excluded.into_iter().filter(stays).map(renumber).collect();
        Machine { vertices, edges, bodies: machine.bodies, excluded }
    }
}

/// Labels that were used before get a number.
fn labelled(mut machine: Machine) -> Machine {
    let mut used = HashSet::new();
    for edge in &mut machine.edges {
        let mut label = edge.label.clone();
        let mut count = 1;
        while !used.insert(label.clone()) {
            count += 1;
            label = format!("{}#{count}", edge.label);
        }
        edge.label = label;
    }
    machine
}

fn twice<T>(name: &str, place: &Place) -> Result<T> {
    Err(ModelError::new(place, format!("the name \"{name}\" is used twice in one region")))
}
