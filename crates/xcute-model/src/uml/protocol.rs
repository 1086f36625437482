//! Protocols of UML-RT: a collaboration, with an interface of messages for each direction next to it.

use super::document::{El, Ref};
use super::names::identifier;
use super::types::cpp_type;
use super::values::dimension;
use super::{is_excluded, with_redefined};
use crate::cpp::{joined, lex};
use crate::error::Result;
use crate::ir::{Direction, Message, Mode, Param, Protocol};

/// Reads a protocol; none for the one that all others inherit from.
pub fn read(collaboration: El<'_, '_>) -> Result<Option<Protocol>> {
    let name = collaboration.name().map(identifier).unwrap_or_default();
    if name == "UMLRTBaseCommProtocol" {
        return Ok(None);
    }
    let mut base = None;
    for generalization in collaboration.children("generalization") {
        if let Some(Ref::Here(general)) = generalization.reference("general")?
            && general.name() != Some("UMLRTBaseCommProtocol")
        {
            base = general.name().map(identifier);
        }
    }
    let mut messages = Vec::new();
    let Some(container) = collaboration.parent() else { return collaboration.error("the protocol has no container") };
    for interface in container.children("packagedElement").filter(|element| element.kind() == "Interface") {
        let Some(set) = interface.stereotype("RTMessageSet") else { continue };
        let directions: &[Direction] = match set.get("rtMsgKind") {
            None | Some("in") => &[Direction::In],
            Some("out") => &[Direction::Out],
            Some("inOut") => &[Direction::In, Direction::Out],
            Some(other) => return set.error(format!("the message kind \"{other}\" is not supported")),
        };
        for operation in interface.children("ownedOperation") {
            for direction in directions {
                messages.push(message(operation, *direction)?);
            }
        }
    }
    Ok(Some(Protocol { name, base, messages, snippets: Vec::new(), place: collaboration.place() }))
}

/// The name of a message, which a redefining one may leave out.
pub fn message_name(operation: El<'_, '_>) -> Result<String> {
    let chain = with_redefined(operation, "redefinedOperation")?;
    match chain.iter().find_map(|operation| operation.name()) {
        Some(name) => Ok(identifier(name)),
        None => operation.error("a message must have a name"),
    }
}

fn message(operation: El<'_, '_>, direction: Direction) -> Result<Message> {
    let chain = with_redefined(operation, "redefinedOperation")?;
    let mode = match (chain.len() > 1, is_excluded(operation)) {
        (false, _) => Mode::New,
        (true, true) => Mode::Exclude,
        (true, false) => Mode::Redefine,
    };
    let mut params = Vec::new();
    for parameter in operation.children("ownedParameter").filter(|parameter| parameter.get("direction") != Some("return")) {
        let param = param(parameter)?;
        // A parameter without a value is none.
        if param.ty != "void" {
            params.push(param);
        }
    }
    // A redefinition without parameters keeps those it inherits.
    if mode == Mode::Redefine
        && params.is_empty()
        && let Some(base) = chain.get(1)
    {
        params = message(*base, direction)?.params;
    }
    Ok(Message { name: message_name(operation)?, direction, mode, params, place: operation.place() })
}

/// A parameter of a message or operation.
pub fn param(parameter: El<'_, '_>) -> Result<Param> {
    let ty = cpp_type(parameter, "ParameterProperties")?;
    // Without a type it can be anything.
    let ty = ty.unwrap_or_else(|| "void *".to_owned());
    let dimension = dimension(parameter)?;
    Ok(Param { name: parameter.name().map(identifier), ty: joined(&lex(&format!("{ty}{dimension}"))) })
}
