//! Capsules with the ports, parts, connectors and state machines they inherit, and passive classes.

use xcute_suggest::meant;

use super::machine::Machine;
use super::merge::{Scope, merge};
use super::port::Port;
use super::{Flat, in_order, unique};
use crate::error::{ModelError, Result};
use crate::ir::{self, Mode, Multiplicity, PartKind, Place, Wiring};

/// A resolved capsule.
#[derive(Clone, Debug)]
pub struct Capsule {
    /// Its name.
    pub name: String,
    /// Its base.
    pub base: Option<usize>,
    /// Its ports, inherited ones first.
    pub ports: Vec<Port>,
    /// Its parts, inherited ones first.
    pub parts: Vec<Part>,
    /// Its connectors, inherited ones first.
    pub connectors: Vec<Connector>,
    /// Its behaviour.
    pub machine: Option<Machine>,
    /// Where it stands.
    pub place: Place,
}

/// A resolved part.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The capsule it holds.
    pub capsule: usize,
    /// How it gets its capsules.
    pub kind: PartKind,
    /// How many there may be.
    pub multiplicity: Multiplicity,
    /// How a capsule is created.
    pub create: Option<ir::Code>,
    /// How it is destroyed.
    pub destroy: Option<ir::Code>,
    /// The capsule that declares or redefines it.
    pub declared_in: usize,
    /// Whether a derived capsule excludes it.
    pub excluded: bool,
    /// Where it stands.
    pub place: Place,
}

/// An end of a resolved connector.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ConnectorEnd {
    /// The part whose port it is; none for a port of the capsule itself.
    pub part: Option<usize>,
    /// The port.
    pub port: usize,
}

/// A resolved connector.
#[derive(Clone, Debug)]
pub struct Connector {
    /// Its ends.
    pub ends: [ConnectorEnd; 2],
    /// Where it stands.
    pub place: Place,
}

/// A resolved passive class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its behaviour.
    pub machine: Option<Machine>,
}

/// All capsules of a model.
pub(super) fn capsules(flat: &Flat, notes: &mut Vec<ModelError>) -> Result<Vec<Capsule>> {
    let declared = &flat.model.capsules;
    let order = in_order(declared, "capsule", |c| &c.name, |c| (c.base.as_deref(), &c.place))?;
    let mut resolved: Vec<Option<Capsule>> = vec![None; declared.len()];
    for (at, base) in &order {
        let own = &declared[*at];
        let inherited = base.and_then(|base| resolved[base].clone());
        let (mut ports, mut parts) = inherited.map(|base| (base.ports, base.parts)).unwrap_or_default();
        unique("name", own.ports.iter().map(|p| (&p.name, &p.place)).chain(own.parts.iter().map(|p| (&p.name, &p.place))))?;
        for port in &own.ports {
            add_port(flat, *at, &mut ports, port)?;
        }
        for part in &own.parts {
            add_part(flat, *at, &mut parts, part)?;
        }
        let (name, place) = (own.name.clone(), own.place.clone());
        resolved[*at] = Some(Capsule { name, base: *base, ports, parts, connectors: Vec::new(), machine: None, place });
    }
    let mut resolved: Vec<_> = resolved.into_iter().map(|capsule| capsule.expect("the order has every capsule")).collect();
    // Connectors and state machines need the ports of other capsules.
    for (at, base) in order {
        resolved[at].connectors = connectors(flat, &resolved, base, at, notes)?;
        let triggering = declared[at].machine.as_ref().map(triggering).unwrap_or_default();
        let Capsule { ports, connectors, .. } = &mut resolved[at];
        for (number, port) in ports.iter_mut().enumerate().filter(|(_, port)| !port.behavior && triggering.contains(port.name.as_str())) {
            // A port that is not relayed inside and triggers transitions is one of the behaviour, whatever it says.
            let inside = ConnectorEnd { part: None, port: number };
            port.behavior = !connectors.iter().any(|connector| connector.ends.contains(&inside));
        }
        let scope =
            Scope { owner: at, ports: &resolved[at].ports, protocols: &flat.protocols, operations: &[], dialect: flat.model.dialect };
        let inherited = base.and_then(|base| resolved[base].machine.as_ref());
        let own = &declared[at];
        let machine = merge(&scope, inherited, own.machine.as_ref(), &own.name, own.is_abstract, notes)?;
        resolved[at].machine = machine;
    }
    Ok(resolved)
}

/// All passive classes of a model.
pub(super) fn classes(flat: &Flat) -> Result<Vec<Class>> {
    let class = |(at, own): (usize, &ir::Class)| {
        let scope = Scope { owner: at, ports: &[], protocols: &flat.protocols, operations: &own.operations, dialect: flat.model.dialect };
        let machine = merge(&scope, None, own.machine.as_ref(), &own.name, own.is_abstract, &mut Vec::new())?;
        Ok(Class { name: own.name.clone(), machine })
    };
    flat.model.classes.iter().enumerate().map(class).collect()
}

/// The ports that trigger transitions.
fn triggering(region: &ir::Region) -> std::collections::HashSet<&str> {
    let mut found = std::collections::HashSet::new();
    let mut open = vec![region];
    while let Some(region) = open.pop() {
        let internal = region.states.iter().flat_map(|state| &state.internal);
        for trigger in region.transitions.iter().chain(internal).flat_map(|transition| &transition.triggers) {
            if let ir::Event::Message { port, .. } | ir::Event::Any { port } = &trigger.event {
                found.insert(port.as_str());
            }
        }
        open.extend(region.states.iter().map(|state| &state.region));
    }
    found
}

fn add_port(flat: &Flat, capsule: usize, ports: &mut Vec<Port>, own: &ir::Port) -> Result<()> {
    let there = inherited(flat, ports.iter().position(|port| port.name == own.name), own.mode, "port", (&own.name, &own.place))?;
    if own.mode == Mode::Exclude {
        ports[there.unwrap_or_default()].excluded = true;
        return Ok(());
    }
    let protocol = flat.protocols.iter().position(|protocol| protocol.name == own.protocol).ok_or_else(|| {
        let hint = meant(&own.protocol, flat.protocols.iter().map(|protocol| protocol.name.as_str()));
        ModelError::new(&own.place, format!("port {} has the unknown protocol \"{}\"{}", own.name, own.protocol, or_given(hint)))
    })?;
    let predefined = flat.protocols[protocol].predefined;
    let port = Port {
        name: own.name.clone(),
        protocol,
        conjugated: own.conjugated,
        service: own.service,
        // What the run-time system provides is never relayed.
        behavior: own.behavior || predefined,
        notify: own.notify,
        wiring: own.wiring,
        registration: own.registration,
        service_name: own.service_name.clone().unwrap_or_else(|| own.name.clone()),
        multiplicity: own.multiplicity.clone(),
        declared_in: capsule,
        excluded: false,
        place: own.place.clone(),
    };
    match there {
        Some(there) => ports[there] = port,
        None => ports.push(port),
    }
    Ok(())
}

fn add_part(flat: &Flat, capsule: usize, parts: &mut Vec<Part>, own: &ir::Part) -> Result<()> {
    let there = inherited(flat, parts.iter().position(|part| part.name == own.name), own.mode, "part", (&own.name, &own.place))?;
    if own.mode == Mode::Exclude {
        parts[there.unwrap_or_default()].excluded = true;
        return Ok(());
    }
    let declared = &flat.model.capsules;
    let held = declared.iter().position(|capsule| capsule.name == own.capsule).ok_or_else(|| {
        let hint = meant(&own.capsule, declared.iter().map(|capsule| capsule.name.as_str()));
        ModelError::new(&own.place, format!("part {} holds the unknown capsule \"{}\"{}", own.name, own.capsule, or_given(hint)))
    })?;
    let part = Part {
        name: own.name.clone(),
        capsule: held,
        kind: own.kind,
        multiplicity: own.multiplicity.clone(),
        create: own.create.clone(),
        destroy: own.destroy.clone(),
        declared_in: capsule,
        excluded: false,
        place: own.place.clone(),
    };
    match there {
        Some(there) => parts[there] = part,
        None => parts.push(part),
    }
    Ok(())
}

/// The place of an inherited element, if the mode asks for one.
fn inherited(flat: &Flat, there: Option<usize>, mode: Mode, what: &str, (name, place): (&str, &Place)) -> Result<Option<usize>> {
    match (mode, there) {
        // UML tools allow an element to take the place of an inherited one without saying so.
        (Mode::New, Some(_)) if flat.model.dialect == ir::Dialect::Papyrus => Ok(there),
        (Mode::New, None) | (Mode::Redefine | Mode::Exclude, Some(_)) => Ok(there),
        (Mode::New, Some(_)) => Err(ModelError::new(place, format!("a {what} \"{name}\" is inherited already (write \"redefine\")"))),
        (_, None) => Err(ModelError::new(place, format!("no {what} \"{name}\" is inherited"))),
    }
}

fn connectors(flat: &Flat, capsules: &[Capsule], base: Option<usize>, at: usize, notes: &mut Vec<ModelError>) -> Result<Vec<Connector>> {
    let (own, declared) = (&capsules[at], &flat.model.capsules[at]);
    let mut found = base.map(|base| capsules[base].connectors.clone()).unwrap_or_default();
    for connector in &declared.connectors {
        let [first, second] = &connector.ends;
        let ends = [end(capsules, own, first, &connector.place)?, end(capsules, own, second, &connector.place)?];
        let same = |other: &Connector| other.ends == ends || other.ends == [ends[1], ends[0]];
        match connector.mode {
            Mode::New => found.push(Connector { ends, place: connector.place.clone() }),
            Mode::Redefine => {}
            Mode::Exclude => found.retain(|other| !same(other)),
        }
    }
    // What leads to something excluded is excluded with it.
    found.retain(|connector| {
        connector.ends.iter().all(|end| match end.part {
            Some(part) => !own.parts[part].excluded && capsules[own.parts[part].capsule].ports.get(end.port).is_some_and(|p| !p.excluded),
            None => !own.ports[end.port].excluded,
        })
    });
    let mut kept = Vec::new();
    for connector in found {
        match check(capsules, own, &connector) {
            Ok(()) => kept.push(connector),
            // UML tools let such connectors be.
            Err(error) if flat.model.dialect == ir::Dialect::Papyrus => notes.push(error),
            Err(error) => return Err(error),
        }
    }
    Ok(kept)
}

fn end(capsules: &[Capsule], own: &Capsule, end: &ir::ConnectorEnd, place: &Place) -> Result<ConnectorEnd> {
    let (part, ports) = match &end.part {
        Some(name) => {
            let part = own.parts.iter().position(|part| part.name == *name && !part.excluded).ok_or_else(|| {
                let hint = meant(name, own.parts.iter().map(|part| part.name.as_str()));
                ModelError::new(place, format!("capsule {} has no part \"{name}\"{hint}", own.name))
            })?;
            (Some(part), &capsules[own.parts[part].capsule].ports)
        }
        None => (None, &own.ports),
    };
    let port = ports.iter().position(|port| port.name == end.port && !port.excluded).ok_or_else(|| {
        let hint = meant(&end.port, ports.iter().map(|port| port.name.as_str()));
        let of = end.part.as_ref().map_or_else(|| format!("capsule {}", own.name), |part| format!("part {part}"));
        ModelError::new(place, format!("{of} has no port \"{}\"{hint}", end.port))
    })?;
    Ok(ConnectorEnd { part, port })
}

/// Connected ports must be wired and understand each other.
fn check(capsules: &[Capsule], own: &Capsule, connector: &Connector) -> Result<()> {
    let port = |end: &ConnectorEnd| match end.part {
        Some(part) => &capsules[own.parts[part].capsule].ports[end.port],
        None => &own.ports[end.port],
    };
    let [first, second] = connector.ends.each_ref().map(port);
    for port in [first, second] {
        if port.wiring != Wiring::Wired {
            return Err(ModelError::new(&connector.place, format!("port {} is not wired, so it cannot be connected", port.name)));
        }
    }
    Ok(())
}

/// Files of Art do not name each other: what is not there may be in a file that was not given.
fn or_given(hint: String) -> String {
    if hint.is_empty() { " (give all files of the model)".to_owned() } else { hint }
}
