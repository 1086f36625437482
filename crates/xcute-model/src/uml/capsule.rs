//! Capsules of UML-RT: ports, parts, connectors, attributes and operations.

use super::declarations::{attribute, operations};
use super::document::{El, Ref};
use super::names::identifier;
use super::types::{SYSTEM_PROTOCOLS, library_name};
use super::values::multiplicity;
use super::vertices::Names;
use super::{is_excluded, machine, with_redefined};
use crate::error::{ModelError, Result};
use crate::ir::{Bound, Capsule, Code, Connector, ConnectorEnd, Mode, Part, PartKind, Port, Registration, Snippet, SnippetKind, Wiring};

/// Reads a capsule.
pub fn read(class: El<'_, '_>, names: &Names, notes: &mut Vec<ModelError>) -> Result<Capsule> {
    let Some(name) = class.name().map(identifier) else { return class.error("a capsule must have a name") };
    let (ports, parts, connectors) = (Vec::new(), Vec::new(), Vec::new());
    let mut capsule = Capsule {
        is_abstract: class.flag("isAbstract", false),
        base: base(class)?,
        cpp_bases: Vec::new(),
        snippets: Vec::new(),
        ports,
        parts,
        connectors,
        machine: machine::read(class, names, notes)?,
        place: class.place(),
        name,
    };
    let mut add = |kind, code: Code| capsule.snippets.push(Snippet { kind, code });
    if let Some(applied) = class.stereotype("CapsuleProperties") {
        for (name, kind) in [
            ("headerPreface", SnippetKind::HeaderPreface),
            ("headerEnding", SnippetKind::HeaderEnding),
            ("implementationPreface", SnippetKind::ImplPreface),
            ("implementationEnding", SnippetKind::ImplEnding),
        ] {
            if let Some(code) = applied.attribute_code(name) {
                add(kind, code);
            }
        }
        for (name, section) in
            [("publicDeclarations", "public"), ("protectedDeclarations", "protected"), ("privateDeclarations", "private")]
        {
            if let Some(code) = applied.attribute_code(name) {
                let text = format!("{section}:\n{}\nprotected:", code.text);
                add(SnippetKind::Decl, Code { text: text.into(), ..code });
            }
        }
    }
    for property in class.children("ownedAttribute") {
        if property.kind() == "Port" {
            capsule.ports.push(port(property)?);
        } else if is_part(property)? {
            capsule.parts.push(part(property)?);
        } else if let Some(line) = attribute(property)? {
            capsule.snippets.push(Snippet { kind: SnippetKind::Decl, code: Code::composed(&line, property.place()) });
        }
    }
    for (declaration, implementation) in operations(class, &format!("Capsule_{}", capsule.name))? {
        capsule.snippets.push(Snippet { kind: SnippetKind::Decl, code: Code::composed(&declaration, class.place()) });
        capsule.snippets.extend(implementation.map(|code| Snippet { kind: SnippetKind::Impl, code }));
    }
    for connector in class.children("ownedConnector") {
        capsule.connectors.push(read_connector(connector)?);
    }
    Ok(capsule)
}

/// The capsule that a class inherits from.
fn base(class: El<'_, '_>) -> Result<Option<String>> {
    for generalization in class.children("generalization") {
        match generalization.reference("general")? {
            Some(Ref::Here(general)) if general.stereotype("Capsule").is_some() => return Ok(general.name().map(identifier)),
            Some(Ref::Here(_)) => {}
            Some(Ref::Library { file, .. }) => return generalization.error(format!("the base class is in {file}, which was not given")),
            None => return generalization.error("the generalization has no base class"),
        }
    }
    Ok(None)
}

fn is_part(property: El<'_, '_>) -> Result<bool> {
    if property.stereotype("CapsulePart").is_some() {
        return Ok(true);
    }
    // A redefinition need not repeat the stereotype.
    Ok(with_redefined(property, "redefinedProperty")?.iter().skip(1).any(|property| property.stereotype("CapsulePart").is_some()))
}

fn mode(element: El<'_, '_>, chain: &[El<'_, '_>]) -> Mode {
    match (chain.len() > 1, is_excluded(element)) {
        (false, _) => Mode::New,
        (true, true) => Mode::Exclude,
        (true, false) => Mode::Redefine,
    }
}

/// The name of a port or part, which a redefining one may leave out.
fn name_of(element: El<'_, '_>, by: &'static str) -> Result<String> {
    match with_redefined(element, by)?.iter().find_map(|element| element.name()) {
        Some(name) => Ok(identifier(name)),
        None => element.error(format!("a {} must have a name", if element.kind() == "Port" { "port" } else { "part" })),
    }
}

fn port(element: El<'_, '_>) -> Result<Port> {
    let by = if element.get("redefinedPort").is_some() { "redefinedPort" } else { "redefinedProperty" };
    let chain = with_redefined(element, by)?;
    let mode = mode(element, &chain);
    let get = |key: &str| chain.iter().find_map(|port| port.get(key));
    let applied: Vec<_> = chain.iter().filter_map(|port| port.stereotype("RTPort")).collect();
    let property = |key: &str| applied.iter().find_map(|applied| applied.get(key));
    let mut protocol = String::new();
    for port in &chain {
        match port.reference("type")? {
            Some(Ref::Here(ty)) => protocol = ty.name().map(identifier).unwrap_or_default(),
            Some(Ref::Library { file, fragment }) => {
                let name = library_name(&fragment);
                if !SYSTEM_PROTOCOLS.iter().any(|(_, known)| *known == name) && !crate::ir::is_predefined(&name) {
                    return port.error(format!(
                        "port {} has a protocol of {file}, which was not given and is not of the run-time system",
                        name_of(element, by)?
                    ));
                }
                protocol = name;
            }
            None => continue,
        }
        break;
    }
    if protocol.is_empty() && mode != Mode::Exclude {
        return element.error(format!("port {} has no protocol", name_of(element, by)?));
    }
    let is = |key: &str, otherwise: bool| get(key).map_or(otherwise, |value| value == "true");
    let (service, behavior) = (is("isService", true), is("isBehavior", false));
    let wired = property("isWired").is_none_or(|value| value == "true") || crate::ir::is_predefined(&protocol);
    let publish = property("isPublish") == Some("true") || (!wired && service);
    let wiring = match (wired, publish) {
        (true, _) => Wiring::Wired,
        (false, true) => Wiring::Publish,
        (false, false) => Wiring::Subscribe,
    };
    let registration = match property("registration") {
        Some("Application") => Registration::Application,
        Some("AutomaticLocked") => Registration::AutomaticLocked,
        _ => Registration::Automatic,
    };
    let bounded = chain.iter().find(|port| port.children("upperValue").next().is_some());
    let mut multiplicity = bounded.map_or_else(|| Ok(crate::ir::Multiplicity::default()), |port| multiplicity(*port))?;
    multiplicity.lower = None;
    Ok(Port {
        name: name_of(element, by)?,
        protocol: if mode == Mode::Exclude { String::new() } else { protocol },
        conjugated: is("isConjugated", false),
        service,
        behavior: behavior || !wired,
        notify: property("isNotification") == Some("true"),
        wiring,
        registration,
        service_name: property("registrationOverride").map(str::to_owned),
        multiplicity: if mode == Mode::Exclude { crate::ir::Multiplicity::default() } else { multiplicity },
        mode,
        place: element.place(),
    })
}

fn part(element: El<'_, '_>) -> Result<Part> {
    let chain = with_redefined(element, "redefinedProperty")?;
    let mode = mode(element, &chain);
    let name = name_of(element, "redefinedProperty")?;
    let mut capsule = String::new();
    for part in &chain {
        match part.reference("type")? {
            Some(Ref::Here(ty)) => capsule = ty.name().map(identifier).unwrap_or_default(),
            Some(Ref::Library { file, .. }) => return part.error(format!("part {name} holds a capsule of {file}, which was not given")),
            None => continue,
        }
        break;
    }
    if capsule.is_empty() && mode != Mode::Exclude {
        return element.error(format!("part {name} holds no capsule"));
    }
    let bounded = chain.iter().find(|part| part.children("upperValue").chain(part.children("lowerValue")).next().is_some());
    let multiplicity = bounded.map_or_else(|| Ok(crate::ir::Multiplicity::default()), |part| multiplicity(*part))?;
    let optional = multiplicity.lower == Some(Bound::Number(0));
    let shared = chain.iter().find_map(|part| part.get("aggregation")) == Some("shared");
    let kind = match (optional, shared) {
        (_, true) => PartKind::Plugin,
        (true, false) => PartKind::Optional,
        (false, false) => PartKind::Fixed,
    };
    // What the kind says already need not be said again.
    let lower = multiplicity.lower.filter(|_| kind != PartKind::Fixed);
    let multiplicity =
        if mode == Mode::Exclude { crate::ir::Multiplicity::default() } else { crate::ir::Multiplicity { lower, ..multiplicity } };
    let capsule = if mode == Mode::Exclude { String::new() } else { capsule };
    Ok(Part { name, capsule, kind, multiplicity, create: None, destroy: None, mode, place: element.place() })
}

fn read_connector(element: El<'_, '_>) -> Result<Connector> {
    let chain = with_redefined(element, "redefinedConnector")?;
    let ended = chain.iter().find(|connector| connector.children("end").next().is_some());
    let Some(ended) = ended else { return element.error("the connector has no ends") };
    let mut ends = Vec::new();
    for end in ended.children("end") {
        let Some(port) = end.here("role")? else { return end.error("the end of a connector leads to no port") };
        let by = if port.get("redefinedPort").is_some() { "redefinedPort" } else { "redefinedProperty" };
        let part = end.here("partWithPort")?.map(|part| name_of(part, "redefinedProperty")).transpose()?;
        ends.push(ConnectorEnd { part, port: name_of(port, by)? });
    }
    let Ok(ends) = <[ConnectorEnd; 2]>::try_from(ends) else { return element.error("a connector must have two ends") };
    Ok(Connector { ends, mode: mode(element, &chain), place: element.place() })
}
