//! Models as they were read: one representation for both formats.
//!
//! C++ stays text. What UML has as attributes, operations and data types is C++ in Art, so readers of UML write it down as such; the one
//! place that looks into declarations is [`crate::cpp`], which serves both formats.

mod code;
mod element;
mod machine;
mod structure;

pub use code::{Code, Lines, Place, Snippet, SnippetKind};
pub use element::{Mode, Param};
pub use machine::{End, Event, Point, Pseudo, PseudoKind, Region, State, Transition, Trigger};
pub use structure::{
    Bound, Capsule, Class, Connector, ConnectorEnd, Direction, Message, Multiplicity, Operation, Part, PartKind, Port, Protocol,
    Registration, Wiring,
};

/// Which run-time system the action code was written for; names that only one of them has could be the modeller's own in the other.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Dialect {
    /// Code RealTime and its relatives: `RTMessage`, `RTTimespec`, `General`.
    #[default]
    Art,
    /// Papyrus-RT: `UMLRTMessage`, `UMLRTTimespec`, `PRIORITY_NORMAL`.
    Papyrus,
}

impl Dialect {
    /// The name in the first lines of printed models.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Art => "art",
            Dialect::Papyrus => "papyrus-rt",
        }
    }
}

/// All that was read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Model {
    /// What the action code expects around it.
    pub dialect: Dialect,
    /// The capsule of which the system is an instance, if the model says so.
    pub top: Option<String>,
    /// C++ that belongs to files as a whole.
    pub files: Vec<File>,
    /// The protocols, in the order of the files.
    pub protocols: Vec<Protocol>,
    /// The capsules, in the order of the files.
    pub capsules: Vec<Capsule>,
    /// The passive classes with state machines, in the order of the files.
    pub classes: Vec<Class>,
    /// What has no effect in the model, and why.
    pub notes: Notes,
}

/// Remarks about a model. They do not take part in comparisons, as the places they name.
#[derive(Clone, Debug, Default)]
pub struct Notes(pub Vec<crate::ModelError>);

impl PartialEq for Notes {
    fn eq(&self, _: &Notes) -> bool {
        true
    }
}

impl Eq for Notes {}

/// C++ that belongs to a file as a whole.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct File {
    /// The name without directory and extension; its header is `NAME.art.h`.
    pub name: String,
    /// Declarations and implementations.
    pub snippets: Vec<Snippet>,
}

impl Model {
    /// The capsule of this name.
    #[must_use]
    pub fn capsule(&self, name: &str) -> Option<&Capsule> {
        self.capsules.iter().find(|capsule| capsule.name == name)
    }

    /// The protocol of this name.
    #[must_use]
    pub fn protocol(&self, name: &str) -> Option<&Protocol> {
        self.protocols.iter().find(|protocol| protocol.name == name)
    }
}

/// The protocols that every model has, and the messages that their ports can receive.
pub const PREDEFINED: &[(&str, &[&str])] =
    &[("Timing", &["timeout"]), ("Log", &[]), ("Frame", &[]), ("Exception", &["error"]), ("External", &["event"])];

/// Whether this is a protocol of the run-time system.
#[must_use]
pub fn is_predefined(protocol: &str) -> bool {
    PREDEFINED.iter().any(|(name, _)| *name == protocol)
}
