//! Protocols with the messages they inherit.

use super::{in_order, unique};
use crate::error::{ModelError, Result};
use crate::ir::{self, Direction, Mode, Param, Place};

/// A resolved protocol.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// Its name.
    pub name: String,
    /// Whether the run-time system provides it.
    pub predefined: bool,
    /// The protocol it inherits from.
    pub base: Option<usize>,
    /// Its messages, inherited ones first. A symmetric message is there once.
    pub messages: Vec<Message>,
}

/// A message of a resolved protocol.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its name.
    pub name: String,
    /// Whether the owner of a port that is not conjugated can receive it.
    pub received: bool,
    /// Whether that owner can send it.
    pub sent: bool,
    /// What it carries.
    pub params: Vec<Param>,
    /// Where it stands.
    pub place: Place,
}

impl Message {
    /// Whether it passes a port in this direction.
    #[must_use]
    pub fn passes(&self, direction: Direction, conjugated: bool) -> bool {
        match direction.conjugated(conjugated) {
            Direction::In => self.received,
            Direction::Out => self.sent,
        }
    }
}

/// What can arrive at a port.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Signal {
    /// A connection was made.
    Bound,
    /// A connection was dropped.
    Unbound,
    /// A message of the protocol.
    Message(usize),
}

impl Signal {
    /// The number by which the run-time system knows it.
    #[must_use]
    pub fn number(self) -> usize {
        match self {
            Signal::Bound => 0,
            Signal::Unbound => 1,
            Signal::Message(at) => at + 2,
        }
    }
}

impl Protocol {
    /// The message of this name that passes a port in this direction.
    #[must_use]
    pub fn message(&self, name: &str, direction: Direction, conjugated: bool) -> Option<usize> {
        self.messages.iter().position(|message| message.name == name && message.passes(direction, conjugated))
    }
}

/// All protocols of a model and the predefined ones.
pub(super) fn resolve(model: &ir::Model) -> Result<Vec<Protocol>> {
    let order = in_order(&model.protocols, "protocol", |p| &p.name, |p| (p.base.as_deref(), &p.place))?;
    let mut resolved: Vec<Option<Protocol>> = vec![None; model.protocols.len()];
    for (at, base) in order {
        let own = &model.protocols[at];
        let mut messages = match base {
            Some(base) => resolved[base].as_ref().map(|base| base.messages.clone()).unwrap_or_default(),
            None => Vec::new(),
        };
        let of = |direction| own.messages.iter().filter(move |message| message.direction == direction);
        unique("event", of(Direction::In).map(|m| (&m.name, &m.place)))?;
        unique("event", of(Direction::Out).map(|m| (&m.name, &m.place)))?;
        for message in &own.messages {
            add(&mut messages, message, &own.name, model.dialect)?;
        }
        resolved[at] = Some(Protocol { name: own.name.clone(), predefined: false, base, messages });
    }
    let own = resolved.into_iter().map(|protocol| protocol.expect("the order has every protocol"));
    Ok(own.chain(ir::PREDEFINED.iter().filter(|(name, _)| model.protocol(name).is_none()).map(predefined)).collect())
}

fn predefined((name, received): &(&str, &[&str])) -> Protocol {
    let message =
        |name: &&str| Message { name: (*name).to_owned(), received: true, sent: false, params: Vec::new(), place: Place::default() };
    Protocol { name: (*name).to_owned(), predefined: true, base: None, messages: received.iter().map(message).collect() }
}

fn add(messages: &mut Vec<Message>, own: &ir::Message, protocol: &str, dialect: ir::Dialect) -> Result<()> {
    let received = own.direction == Direction::In;
    let same_types = |message: &Message| message.params.iter().map(|p| &p.ty).eq(own.params.iter().map(|p| &p.ty));
    let passes = |message: &Message| if received { message.received } else { message.sent };
    let named = messages.iter_mut().filter(|message| message.name == own.name);
    // A new message may be the other half of a symmetric one; if its parameters differ, it is one of its own.
    let there = match own.mode {
        Mode::New => named.filter(|message| passes(message) || same_types(message)).last(),
        Mode::Redefine | Mode::Exclude => named.filter(|message| passes(message)).last(),
    };
    match (own.mode, there) {
        (Mode::New, None) => {
            let ir::Message { name, params, place, .. } = own.clone();
            messages.push(Message { name, received, sent: !received, params, place });
        }
        // The other half of a symmetric message.
        (Mode::New, Some(other)) if !passes(other) => {
            other.received |= received;
            other.sent |= !received;
        }
        // UML tools allow a message to take the place of an inherited one without saying so.
        (Mode::New, Some(other)) if dialect == ir::Dialect::Papyrus => other.params.clone_from(&own.params),
        (Mode::New, Some(_)) => {
            let message = format!("protocol {protocol} inherits an event \"{}\" already (write \"redefine\")", own.name);
            return Err(ModelError::new(&own.place, message));
        }
        (Mode::Redefine, Some(other)) => other.params.clone_from(&own.params),
        // It keeps its number, and passes in no direction.
        (Mode::Exclude, Some(other)) => {
            if received {
                other.received = false;
            } else {
                other.sent = false;
            }
        }
        (Mode::Redefine | Mode::Exclude, None) => {
            let message = format!("protocol {protocol} inherits no event \"{}\"", own.name);
            return Err(ModelError::new(&own.place, message));
        }
    }
    Ok(())
}
