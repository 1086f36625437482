//! Ports with what they inherit: capsules have them, and the triggers of state machines name them.

use crate::ir::{Multiplicity, Place, Registration, Wiring};

/// A resolved port.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its protocol.
    pub protocol: usize,
    /// Whether in and out are exchanged.
    pub conjugated: bool,
    /// Whether it can be seen from outside.
    pub service: bool,
    /// Whether its messages reach the state machine.
    pub behavior: bool,
    /// Whether the state machine hears of connections.
    pub notify: bool,
    /// How its far end is found.
    pub wiring: Wiring,
    /// When it is registered.
    pub registration: Registration,
    /// The service under which it is registered.
    pub service_name: String,
    /// How many far ends it may have.
    pub multiplicity: Multiplicity,
    /// The capsule that declares or redefines it.
    pub declared_in: usize,
    /// Whether a derived capsule excludes it; then only its number is left.
    pub excluded: bool,
    /// Where it stands.
    pub place: Place,
}
