//! State machines as they are declared: regions of states, pseudo-states and transitions.
//!
//! Inside a region a name means a state, choice or junction of that region, or an entry or exit point of the state that owns it; the
//! points of a state in the region are named `State.point`. In a capsule with a base the name may be inherited.
//!
//! **Invariant.** No transition crosses a border other than through an entry or exit point. Readers refuse what does.

use super::{Code, Mode, Param, Place};

/// The inside of a state machine or of a composite state.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Region {
    /// The states.
    pub states: Vec<State>,
    /// Choices and junctions.
    pub pseudos: Vec<Pseudo>,
    /// The transitions between them.
    pub transitions: Vec<Transition>,
}

impl Region {
    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty() && self.pseudos.is_empty() && self.transitions.is_empty()
    }
}

/// A state.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct State {
    /// Its name.
    pub name: String,
    /// How it relates to an inherited state.
    pub mode: Mode,
    /// What runs when it is entered.
    pub entry: Option<Code>,
    /// What runs when it is left.
    pub exit: Option<Code>,
    /// Its entry and exit points.
    pub points: Vec<Point>,
    /// Transitions that leave the state as it is. They have no target.
    pub internal: Vec<Transition>,
    /// What is inside.
    pub region: Region,
    /// Where it stands.
    pub place: Place,
}

/// An entry or exit point on the border of a state.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Whether it is an entry point.
    pub entry: bool,
    /// Where it stands.
    pub place: Place,
}

/// What a pseudo-state does with several ways to go on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PseudoKind {
    /// Guards are evaluated when it is reached.
    Choice,
    /// Guards are evaluated before anything else happens.
    Junction,
}

/// A choice or a junction.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Pseudo {
    /// Its name.
    pub name: String,
    /// Which of the two.
    pub kind: PseudoKind,
    /// Where it stands.
    pub place: Place,
}

/// An end of a transition.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum End {
    /// The initial pseudo-state of the region.
    Initial,
    /// The history of the region; deep unless it says otherwise.
    History {
        /// Whether all levels below are restored, not one.
        deep: bool,
    },
    /// A state, choice or junction of the region, or a point of its owner.
    Vertex(String),
    /// A point of a state of the region.
    Point {
        /// The state.
        state: String,
        /// The point.
        point: String,
    },
}

/// A transition.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Transition {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// How it relates to an inherited transition of the same name in the same region.
    pub mode: Mode,
    /// Where it starts; none if it is internal or excluded.
    pub source: Option<End>,
    /// Where it leads; none if it is internal or excluded.
    pub target: Option<End>,
    /// What triggers it.
    pub triggers: Vec<Trigger>,
    /// What must hold for it.
    pub guard: Option<Code>,
    /// What it does.
    pub effect: Option<Code>,
    /// Whether its code may change the data of the message.
    pub mutable_data: bool,
    /// Where it stands.
    pub place: Place,
}

/// Something that triggers a transition.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Trigger {
    /// What happens.
    pub event: Event,
    /// What must hold for it.
    pub guard: Option<Code>,
    /// Where it stands.
    pub place: Place,
}

/// What happens.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Event {
    /// A message is received at a port.
    Message {
        /// The port.
        port: String,
        /// The message.
        message: String,
    },
    /// Any message is received at a port.
    Any {
        /// The port.
        port: String,
    },
    /// An operation of a passive class is called.
    Call {
        /// Its name.
        operation: String,
        /// Its parameters, without names.
        params: Vec<Param>,
    },
}
