//! State machines with what they inherit, as vertices and edges with indices.
//!
//! How a declared machine is laid over an inherited one is in [`super::merge`].

use super::Signal;
use crate::ir::{Code, Place};

/// A vertex of a machine.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct VertexId(pub usize);

/// An edge of a machine.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct EdgeId(pub usize);

/// A piece of action code of a machine.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct BodyId(pub usize);

/// A resolved state machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// States and pseudo-states; containers come before what is in them.
    pub vertices: Vec<Vertex>,
    /// Transitions, inherited ones first.
    pub edges: Vec<Edge>,
    /// All action code.
    pub bodies: Vec<Body>,
    /// Transitions that were excluded: a capsule that is derived further may redefine them, which brings them back.
    pub excluded: Vec<Edge>,
}

/// What a vertex is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum VertexKind {
    /// A state.
    State,
    /// Where a region starts.
    Initial,
    /// Guards are evaluated when it is reached.
    Choice,
    /// Guards are evaluated before anything else happens.
    Junction,
    /// A way into its parent.
    EntryPoint,
    /// A way out of its parent.
    ExitPoint,
}

/// A state or pseudo-state.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its own name.
    pub name: String,
    /// Its name with those of all states around it: `Outer.Inner`.
    pub path: String,
    /// What it is.
    pub kind: VertexKind,
    /// The state around it, or whose point it is; none at the top.
    pub parent: Option<VertexId>,
    /// The entry action.
    pub entry: Option<BodyId>,
    /// The exit action.
    pub exit: Option<BodyId>,
    /// Where it stands.
    pub place: Place,
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Target {
    /// To a vertex.
    Vertex(VertexId),
    /// To what was active last in the region of the edge.
    History {
        /// On all levels below.
        deep: bool,
    },
    /// Nowhere: it is an internal transition.
    Internal,
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it is called in traces and pictures; no two of a machine have the same.
    pub label: String,
    /// The state whose region it is in; the state itself if it is internal; none at the top.
    pub owner: Option<VertexId>,
    /// Where it starts.
    pub source: VertexId,
    /// Where it leads.
    pub target: Target,
    /// What triggers it.
    pub triggers: Vec<Trigger>,
    /// Its guard; none if it has none or is [`Edge::is_else`].
    pub guard: Option<BodyId>,
    /// Whether it is taken where nothing else can be.
    pub is_else: bool,
    /// Its effect.
    pub effect: Option<BodyId>,
    /// Whether its code may change the data of the message.
    pub mutable_data: bool,
    /// The capsule, or the class, that declares or redefines it.
    pub declared_in: usize,
    /// Where it stands.
    pub place: Place,
}

/// A trigger of an edge.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// What happens.
    pub event: Event,
    /// Its guard.
    pub guard: Option<BodyId>,
}

/// What triggers an edge.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Event {
    /// Something arrives at a port.
    Signal {
        /// The port.
        port: usize,
        /// What.
        signal: Signal,
    },
    /// Anything arrives at a port.
    Any {
        /// The port.
        port: usize,
    },
    /// An operation of a passive class is called.
    Call(usize),
}

/// What action code is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BodyKind {
    /// Guard of a transition.
    Guard,
    /// Guard of a trigger.
    TriggerGuard,
    /// Effect of a transition.
    Effect,
    /// Entry action.
    Entry,
    /// Exit action.
    Exit,
}

impl BodyKind {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BodyKind::Guard => "guard",
            BodyKind::TriggerGuard => "trigger guard",
            BodyKind::Effect => "effect",
            BodyKind::Entry => "entry",
            BodyKind::Exit => "exit",
        }
    }

    /// Whether it gives a truth value.
    #[must_use]
    pub fn is_guard(self) -> bool {
        matches!(self, BodyKind::Guard | BodyKind::TriggerGuard)
    }
}

/// A piece of action code.
#[derive(Clone, Debug)]
pub struct Body {
    /// What it is for.
    pub kind: BodyKind,
    /// The capsule, or the class, that declares it.
    pub owner: usize,
    /// Its number among those that its owner declares.
    pub number: usize,
    /// The path of its element: `Capsule.State.transition`.
    pub element: String,
    /// The text.
    pub code: Code,
    /// Whether it redefines an inherited element, and the inherited code if there was any.
    pub redefines: Option<Option<BodyId>>,
}

impl Machine {
    /// A vertex.
    #[must_use]
    pub fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id.0]
    }

    /// An edge.
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0]
    }

    /// A piece of action code.
    #[must_use]
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0]
    }

    /// All vertices with their ids.
    pub fn ids(&self) -> impl Iterator<Item = VertexId> + use<> {
        (0..self.vertices.len()).map(VertexId)
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = VertexId> + '_ {
        self.ids().filter(|id| self.vertex(*id).kind == VertexKind::State)
    }

    /// The states directly inside a state, or at the top.
    pub fn substates(&self, of: Option<VertexId>) -> impl Iterator<Item = VertexId> + '_ {
        self.states().filter(move |id| self.vertex(*id).parent == of)
    }

    /// The edges that start at a vertex, in their order.
    pub fn outgoing(&self, of: VertexId) -> impl Iterator<Item = EdgeId> + '_ {
        (0..self.edges.len()).map(EdgeId).filter(move |id| self.edge(*id).source == of)
    }

    /// The initial pseudo-state of a region.
    #[must_use]
    pub fn initial(&self, of: Option<VertexId>) -> Option<VertexId> {
        self.ids().find(|id| self.vertex(*id).kind == VertexKind::Initial && self.vertex(*id).parent == of)
    }

    /// A state and all states around it, from the inside out.
    pub fn outwards(&self, from: Option<VertexId>) -> impl Iterator<Item = VertexId> + '_ {
        std::iter::successors(from, |at| self.vertex(*at).parent)
    }
}
