//! Protocols, capsules and what they are made of: messages, ports, parts and connectors.
//!
//! Elements are named by name, not by index: a model is what its files say, before inheritance is resolved. [`crate::flat`] resolves.

use super::{Code, Mode, Param, Place, Region, Snippet};

/// A set of messages that may pass through a port.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Protocol {
    /// Its name.
    pub name: String,
    /// The protocol whose messages it inherits.
    pub base: Option<String>,
    /// Its own messages. A symmetric message is there twice.
    pub messages: Vec<Message>,
    /// C++ around it.
    pub snippets: Vec<Snippet>,
    /// Where it stands.
    pub place: Place,
}

/// The direction of a message at a port that is not conjugated.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Direction {
    /// The owner of the port receives it.
    In,
    /// The owner of the port sends it.
    Out,
}

impl Direction {
    /// What it is at a conjugated port.
    #[must_use]
    pub fn conjugated(self, conjugated: bool) -> Direction {
        match (self, conjugated) {
            (Direction::In, true) | (Direction::Out, false) => Direction::Out,
            _ => Direction::In,
        }
    }
}

/// A message of a protocol.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Message {
    /// Its name.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// How it relates to an inherited message.
    pub mode: Mode,
    /// What it carries.
    pub params: Vec<Param>,
    /// Where it stands.
    pub place: Place,
}

/// How the far end of a port is found.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Wiring {
    /// By connectors.
    #[default]
    Wired,
    /// By registration at run time, as the action code says.
    Unwired,
    /// By registration as a provider of a service (SPP).
    Publish,
    /// By registration as a user of a service (SAP).
    Subscribe,
}

/// When a port that is not wired is registered.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Registration {
    /// When its capsule is created.
    #[default]
    Automatic,
    /// The same, for ever.
    AutomaticLocked,
    /// By the action code.
    Application,
}

/// A port of a capsule.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its protocol; empty for an excluded port.
    pub protocol: String,
    /// Whether in and out are exchanged.
    pub conjugated: bool,
    /// Whether it can be seen from outside the capsule.
    pub service: bool,
    /// Whether its messages reach the state machine, not another port.
    pub behavior: bool,
    /// Whether the state machine hears of connections that come and go.
    pub notify: bool,
    /// How its far end is found.
    pub wiring: Wiring,
    /// When it is registered.
    pub registration: Registration,
    /// The service under which it is registered, if not its own name.
    pub service_name: Option<String>,
    /// How many far ends it may have.
    pub multiplicity: Multiplicity,
    /// How it relates to an inherited port.
    pub mode: Mode,
    /// Where it stands.
    pub place: Place,
}

/// A bound of a multiplicity.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Bound {
    /// A number.
    Number(u32),
    /// A constant expression in C++.
    Expression(String),
}

/// How many there may be.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Multiplicity {
    /// The lower bound, if it was given next to the upper one.
    pub lower: Option<Bound>,
    /// The upper bound.
    pub upper: Bound,
}

impl Default for Multiplicity {
    fn default() -> Multiplicity {
        Multiplicity { lower: None, upper: Bound::Number(1) }
    }
}

/// How a part gets its capsules.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum PartKind {
    /// They are created and destroyed with the container.
    #[default]
    Fixed,
    /// The action code creates and destroys them.
    Optional,
    /// The action code imports and deports them.
    Plugin,
}

/// A part of a capsule: a place for capsules inside.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The capsule it holds; empty for an excluded part.
    pub capsule: String,
    /// How it gets its capsules.
    pub kind: PartKind,
    /// How many there may be.
    pub multiplicity: Multiplicity,
    /// How a capsule is created, if not by its constructor with the usual arguments.
    pub create: Option<Code>,
    /// How it is destroyed, if not by `delete`.
    pub destroy: Option<Code>,
    /// How it relates to an inherited part.
    pub mode: Mode,
    /// Where it stands.
    pub place: Place,
}

/// One end of a connector.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct ConnectorEnd {
    /// The part whose port it is; none for a port of the capsule itself.
    pub part: Option<String>,
    /// The port.
    pub port: String,
}

/// A connection of two ports.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Connector {
    /// Its ends, in no particular order.
    pub ends: [ConnectorEnd; 2],
    /// How it relates to an inherited connector with the same ends.
    pub mode: Mode,
    /// Where it stands.
    pub place: Place,
}

/// An active class.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Capsule {
    /// Its name.
    pub name: String,
    /// Whether there can be no instances of it.
    pub is_abstract: bool,
    /// The capsule it inherits from.
    pub base: Option<String>,
    /// C++ classes it inherits from, too.
    pub cpp_bases: Vec<String>,
    /// C++ in and around it: attributes and operations are among the declarations and implementations.
    pub snippets: Vec<Snippet>,
    /// Its own ports.
    pub ports: Vec<Port>,
    /// Its own parts.
    pub parts: Vec<Part>,
    /// Its own connectors.
    pub connectors: Vec<Connector>,
    /// Its own behaviour, or what it changes about an inherited one.
    pub machine: Option<Region>,
    /// Where it stands.
    pub place: Place,
}

/// A passive class with a state machine, whose transitions are triggered by calls.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Whether there can be no instances of it.
    pub is_abstract: bool,
    /// Classes it inherits from, in C++.
    pub bases: Vec<String>,
    /// Whether it is a `struct` in C++.
    pub is_struct: bool,
    /// The calls.
    pub operations: Vec<Operation>,
    /// C++ in and around it.
    pub snippets: Vec<Snippet>,
    /// Its behaviour.
    pub machine: Option<Region>,
    /// Where it stands.
    pub place: Place,
}

/// A call that triggers transitions of a passive class.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Operation {
    /// Its name; several may share one if their parameters differ.
    pub name: String,
    /// Its parameters, with names.
    pub params: Vec<Param>,
    /// Where it stands.
    pub place: Place,
}
