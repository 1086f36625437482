//! State machines of UML-RT.

use std::collections::{HashMap, HashSet};

use super::document::{El, Ref};
use super::protocol::message_name;
use super::types::library_name;
use super::values::body;
use super::vertices::{Kind, Known, Names, machine_of};
use super::{is_excluded, with_redefined};
use crate::error::{ModelError, Result};
use crate::ir::{Code, End, Event, Mode, Point, Pseudo, PseudoKind, Region, State, Transition, Trigger};

/// Reads the state machine of a capsule; none if it has none.
pub fn read(class: El<'_, '_>, names: &Names, notes: &mut Vec<ModelError>) -> Result<Option<Region>> {
    let Some(machine) = machine_of(class)? else { return Ok(None) };
    let regions: Vec<_> = machine.children("region").collect();
    match regions[..] {
        [] => Ok(Some(Region::default())),
        [region] => {
            let mut reader = Reader { names, extra: HashMap::new(), targets: targets(machine), placed: HashMap::new(), notes };
            reader.place(region, &[])?;
            let read = reader.region(region, &[])?;
            if let Some(transition) = reader.placed.values().flatten().next() {
                return transition.error("the transition belongs to a state that this state machine does not have");
            }
            if let Some(point) = reader.extra.values().flatten().next() {
                return Err(ModelError::new(
                    &point.place,
                    "the transition starts at the border of a state that this state machine does not have",
                ));
            }
            Ok(Some(read))
        }
        [_, second, ..] => second.error("a state machine with several regions is not supported"),
    }
}

struct Reader<'n, 'd, 'a> {
    names: &'n Names,
    /// The transitions of each region, by the path of the state it is in.
    placed: HashMap<Vec<String>, Vec<El<'d, 'a>>>,
    /// Entry points for transitions that start at the inner side of a border, by the path of the state.
    extra: HashMap<Vec<String>, Vec<Point>>,
    /// The ids of vertices that transitions lead to.
    targets: HashSet<String>,
    notes: &'n mut Vec<ModelError>,
}

/// The ids of all vertices that the transitions of a machine lead to.
fn targets(machine: El<'_, '_>) -> HashSet<String> {
    let (mut found, mut open) = (HashSet::new(), vec![machine]);
    while let Some(element) = open.pop() {
        open.extend(element.children("region").chain(element.children("subvertex")));
        found.extend(element.children("transition").filter_map(|transition| transition.get("target")).map(str::to_owned));
    }
    found
}

impl<'d, 'a> Reader<'_, 'd, 'a> {
    /// Finds the region in which each transition belongs: tools store it where it was drawn, which may be another one.
    fn place(&mut self, region: El<'d, 'a>, path: &[String]) -> Result<()> {
        for transition in region.children("transition") {
            let chain = with_redefined(transition, "redefinedTransition")?;
            let source = self.source(&chain)?.and_then(|source| self.names.vertex(source));
            let target =
                chain.iter().find_map(|transition| transition.here("target").ok().flatten()).and_then(|target| self.names.vertex(target));
            let internal = chain.iter().find_map(|transition| transition.get("kind")) == Some("internal");
            let own = match (source, target) {
                (Some(source), Some(target)) if !internal => region_of(source, target, path),
                _ => path.to_vec(),
            };
            self.placed.entry(own).or_default().push(transition);
        }
        for vertex in region.children("subvertex") {
            let known = self.known(vertex)?;
            let inside = [&known.path[..], std::slice::from_ref(&known.name)].concat();
            for region in vertex.children("region") {
                self.place(region, &inside)?;
            }
        }
        Ok(())
    }

    fn region(&mut self, region: El<'d, 'a>, path: &[String]) -> Result<Region> {
        let mut found = Region::default();
        // Internal transitions belong to their state, wherever they stand.
        let mut internal: HashMap<String, Vec<Transition>> = HashMap::new();
        for transition in self.placed.remove(path).unwrap_or_default() {
            let base = with_redefined(transition, "redefinedTransition")?;
            let kind = base.iter().find_map(|transition| transition.get("kind"));
            let source = self.source(&base)?;
            match source {
                Some(source) if kind == Some("internal") => {
                    let state = self.known(source)?.clone();
                    let own = [&state.path[..], std::slice::from_ref(&state.name)].concat();
                    let read = self.transition(transition, &own, true)?;
                    if read.triggers.is_empty() && read.mode == Mode::New {
                        self.note(transition, "the internal transition has no triggers, so it has no effect");
                        continue;
                    }
                    // It stands in the region of the state itself, or in the one around it.
                    let key = if own == path { String::new() } else { state.name.clone() };
                    internal.entry(key).or_default().push(read);
                }
                _ => found.transitions.push(self.transition(transition, path, false)?),
            }
        }
        for vertex in region.children("subvertex") {
            let known = self.known(vertex)?.clone();
            let place = vertex.place();
            match known.kind {
                Kind::State => {
                    let mut state = self.state(vertex, &known)?;
                    let (excluded, own): (Vec<_>, Vec<_>) = internal
                        .remove(&known.name)
                        .unwrap_or_default()
                        .into_iter()
                        .partition(|transition| transition.mode == Mode::Exclude);
                    state.internal.splice(0..0, own);
                    state.region.transitions.extend(excluded);
                    found.states.push(state);
                }
                Kind::Choice => found.pseudos.push(Pseudo { name: known.name, kind: PseudoKind::Choice, place }),
                Kind::Junction => found.pseudos.push(Pseudo { name: known.name, kind: PseudoKind::Junction, place }),
                _ => {}
            }
        }
        // What is left belongs to the owner of the region; it is taken out by whoever reads that.
        if let Some(own) = internal.remove("") {
            found.transitions.extend(own);
        }
        Ok(found)
    }

    fn state(&mut self, vertex: El<'d, 'a>, known: &Known) -> Result<State> {
        let chain = with_redefined(vertex, "redefinedState")?;
        let mode = match (chain.len() > 1, is_excluded(vertex)) {
            (false, _) => Mode::New,
            (true, true) => Mode::Exclude,
            (true, false) => Mode::Redefine,
        };
        let path = [&known.path[..], std::slice::from_ref(&known.name)].concat();
        let mut state = State {
            name: known.name.clone(),
            mode,
            entry: action(vertex, "entry")?,
            exit: action(vertex, "exit")?,
            points: Vec::new(),
            internal: Vec::new(),
            region: Region::default(),
            place: vertex.place(),
        };
        if mode == Mode::Exclude {
            return Ok(State { entry: None, exit: None, ..state });
        }
        for point in vertex.children("connectionPoint") {
            let known = self.known(point)?;
            state.points.push(Point { name: known.name.clone(), entry: known.kind == Kind::Entry, place: point.place() });
        }
        for region in vertex.children("region") {
            state.region = self.region(region, &path)?;
        }
        let (internal, inner) = std::mem::take(&mut state.region.transitions)
            .into_iter()
            .partition(|transition: &Transition| transition.source.is_none() && transition.mode != Mode::Exclude);
        (state.internal, state.region.transitions) = (internal, inner);
        state.points.extend(self.extra.remove(&path).unwrap_or_default());
        Ok(state)
    }

    fn known(&self, vertex: El<'_, '_>) -> Result<&Known> {
        match self.names.vertex(vertex) {
            Some(known) => Ok(known),
            None => vertex.error("a transition leads to something that is not a vertex of its state machine"),
        }
    }

    fn note(&mut self, element: El<'_, '_>, message: &str) {
        self.notes.push(ModelError::new(&element.place(), message));
    }

    /// Where a transition starts, which a redefining one may leave out.
    fn source<'e, 'b>(&self, chain: &[El<'e, 'b>]) -> Result<Option<El<'e, 'b>>> {
        for transition in chain {
            if let Some(source) = transition.here("source")? {
                return Ok(Some(source));
            }
        }
        Ok(None)
    }

    fn transition(&mut self, element: El<'_, '_>, path: &[String], internal: bool) -> Result<Transition> {
        let chain = with_redefined(element, "redefinedTransition")?;
        let mode = match (chain.len() > 1, is_excluded(element)) {
            (false, _) => Mode::New,
            (true, true) => Mode::Exclude,
            (true, false) => Mode::Redefine,
        };
        let name = self.names.transition(element).map(str::to_owned);
        let mut read = Transition {
            name,
            mode,
            source: None,
            target: None,
            triggers: Vec::new(),
            guard: None,
            effect: None,
            mutable_data: false,
            place: element.place(),
        };
        if mode == Mode::Exclude {
            return Ok(read);
        }
        if !internal {
            let target = chain.iter().map(|transition| transition.here("target")).find(|target| !matches!(target, Ok(None)));
            let (Some(source), Some(target)) = (self.source(&chain)?, target.transpose()?.flatten()) else {
                return element.error("a transition must have a source and a target");
            };
            read.source = Some(self.end(element, source, path, true)?);
            read.target = Some(self.end(element, target, path, false)?);
        }
        // A redefinition adds triggers to those it inherits.
        if element.children("trigger").next().is_some() {
            for transition in chain.iter().rev() {
                for trigger in transition.children("trigger").filter(|trigger| !is_excluded(*trigger)) {
                    self.triggers(*transition, trigger, &mut read.triggers)?;
                }
            }
        }
        if let Some(source) = self.source(&chain)? {
            let kind = self.known(source)?.kind;
            let goes_on = match kind {
                Kind::State => false,
                Kind::Entry | Kind::Exit => self.targets.contains(source.id()),
                _ => true,
            };
            if kind == Kind::Initial && transition_guard(element)?.is_some() {
                self.note(element, "an initial transition cannot be guarded, so its guard has no effect");
                return Ok(Transition { triggers: Vec::new(), effect: action(element, "effect")?, ..read });
            }
            if goes_on && !read.triggers.is_empty() {
                self.note(element, "the transition goes on from another one, so its triggers have no effect");
                read.triggers.clear();
            }
        }
        read.guard = transition_guard(element)?;
        read.effect = action(element, "effect")?;
        Ok(read)
    }

    /// An end of a transition as its region sees it.
    fn end(&mut self, transition: El<'_, '_>, vertex: El<'_, '_>, path: &[String], is_source: bool) -> Result<End> {
        let known = self.known(vertex)?.clone();
        let own = [&known.path[..], std::slice::from_ref(&known.name)].concat();
        let crossing = || {
            transition.error(format!(
                "a transition cannot cross the border of a state, as it does to reach {} (use entry and exit points)",
                own.join(".")
            ))
        };
        match known.kind {
            Kind::Initial if known.path == path => Ok(End::Initial),
            Kind::DeepHistory if known.path == path => Ok(End::History { deep: true }),
            Kind::ShallowHistory if known.path == path => Ok(End::History { deep: false }),
            Kind::State | Kind::Choice | Kind::Junction if known.path == path => Ok(End::Vertex(known.name)),
            // The owner of the region: at the inner side of its border.
            Kind::State if own == path && !is_source => Ok(End::History { deep: true }),
            Kind::State if own == path => {
                let points = self.extra.entry(path.to_vec()).or_default();
                let name = format!("local{}", points.len() + 1);
                points.push(Point { name: name.clone(), entry: true, place: transition.place() });
                Ok(End::Vertex(name))
            }
            Kind::Entry | Kind::Exit if known.path == path => Ok(End::Vertex(known.name)),
            Kind::Entry | Kind::Exit if known.path.split_last().is_some_and(|(_, around)| around == path) => {
                Ok(End::Point { state: known.path.last().cloned().unwrap_or_default(), point: known.name })
            }
            // The history of a state is entered through a point that leads nowhere else.
            Kind::DeepHistory if !is_source && known.path.split_last().is_some_and(|(_, around)| around == path) => {
                let points = self.extra.entry(known.path.clone()).or_default();
                let name = format!("restore{}", points.len() + 1);
                points.push(Point { name: name.clone(), entry: true, place: transition.place() });
                Ok(End::Point { state: known.path.last().cloned().unwrap_or_default(), point: name })
            }
            _ => crossing(),
        }
    }

    /// A trigger for each of its ports.
    fn triggers(&mut self, transition: El<'_, '_>, trigger: El<'_, '_>, found: &mut Vec<Trigger>) -> Result<()> {
        let message = match trigger.reference("event")? {
            Some(Ref::Here(event)) => match event.kind() {
                "AnyReceiveEvent" => None,
                "CallEvent" => match event.here("operation")? {
                    Some(operation) => Some(message_name(operation)?),
                    None => return event.error("the event has no message"),
                },
                other => return trigger.error(format!("the event {other} is not supported")),
            },
            Some(Ref::Library { fragment, file }) => {
                let name = library_name(&fragment);
                if !super::types::SYSTEM_EVENTS.iter().any(|(_, known)| *known == name) {
                    return trigger.error(format!("the event \"{name}\" of {file} is not supported"));
                }
                Some(name)
            }
            None => {
                self.note(trigger, "the trigger has no event, so it has no effect");
                return Ok(());
            }
        };
        let guard = trigger_guard(transition, trigger)?;
        let ports = trigger.refs("port")?;
        if ports.is_empty() {
            self.note(trigger, "the trigger has no port, so it has no effect");
        }
        for port in ports {
            let port = match port {
                Ref::Here(port) => port,
                Ref::Library { file, .. } => return trigger.error(format!("the port of a trigger is in {file}, which was not given")),
            };
            let by = if port.get("redefinedPort").is_some() { "redefinedPort" } else { "redefinedProperty" };
            let Some(name) = with_redefined(port, by)?.iter().find_map(|port| port.name()) else {
                return port.error("a port must have a name");
            };
            let port = super::names::identifier(name);
            let event = match &message {
                Some(message) => Event::Message { port, message: message.clone() },
                None => Event::Any { port },
            };
            found.push(Trigger { event, guard: guard.clone(), place: trigger.place() });
        }
        Ok(())
    }
}

/// The path of the region in which two vertices can be the ends of a transition: the given one if it is one.
fn region_of(source: &Known, target: &Known, path: &[String]) -> Vec<String> {
    // A vertex can be an end in its own region; a state also inside itself, a point also around its state.
    let regions = |known: &Known| -> Vec<Vec<String>> {
        let around = known.path.split_last().map(|(_, around)| around.to_vec());
        match known.kind {
            Kind::Entry | Kind::Exit | Kind::DeepHistory => std::iter::once(known.path.clone()).chain(around).collect(),
            Kind::State => vec![known.path.clone(), [&known.path[..], std::slice::from_ref(&known.name)].concat()],
            _ => vec![known.path.clone()],
        }
    };
    let (sources, targets) = (regions(source), regions(target));
    let mut common: Vec<_> = sources.into_iter().filter(|region| targets.contains(region)).collect();
    match common.iter().position(|region| region == path) {
        Some(at) => common.swap_remove(at),
        None if common.is_empty() => path.to_vec(),
        None => common.swap_remove(0),
    }
}

/// An entry, exit or effect action. One that is excluded takes the place of an inherited one with nothing.
fn action(element: El<'_, '_>, tag: &'static str) -> Result<Option<Code>> {
    let Some(action) = element.children(tag).next() else { return Ok(None) };
    if is_excluded(action) {
        return Ok(Some(Code::new("", action.place())));
    }
    body(action)
}

/// The guard of a transition.
fn transition_guard(transition: El<'_, '_>) -> Result<Option<Code>> {
    let Some(rule) = transition.here("guard")? else { return Ok(None) };
    rule_code(rule)
}

/// The guard of a trigger: a rule of the transition that constrains it.
fn trigger_guard(transition: El<'_, '_>, trigger: El<'_, '_>) -> Result<Option<Code>> {
    let constrains =
        |rule: &El<'_, '_>| rule.get("constrainedElement").is_some_and(|ids| ids.split_whitespace().any(|id| id == trigger.id()));
    let rule = transition.children("ownedRule").find(constrains);
    rule.map_or(Ok(None), rule_code)
}

fn rule_code(rule: El<'_, '_>) -> Result<Option<Code>> {
    if is_excluded(rule) {
        return Ok(Some(Code::new("", rule.place())));
    }
    let Some(specification) = rule.children("specification").next() else { return Ok(None) };
    match specification.kind() {
        "LiteralString" => Ok(specification.attribute_code("value")),
        "LiteralBoolean" => Ok(Some(Code::composed(specification.get("value").unwrap_or("false"), specification.place()))),
        _ => body(specification),
    }
}
