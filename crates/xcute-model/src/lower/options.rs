//! What is explored, and how the program that explores names elements and fails.

use super::writer::{Writer, line_directive, quoted};
use crate::ir::Place;
use crate::property::Property;

/// Line `i + 1` is state `i` of [`crate::flat::Machine::states`].
pub const STATES: &str = "/xcute-model/states";
/// Line `i + 1` is edge `i`.
pub const TRANSITIONS: &str = "/xcute-model/transitions";
/// Line `2 i + 1` is the guard of edge `i` where it does not hold, line `2 i + 2` where it does.
pub const GUARDS: &str = "/xcute-model/guards";
/// Line `i + 1` is what can be triggered `i` of [`super::triggers`].
pub const TRIGGERS: &str = "/xcute-model/triggers";

/// What is explored.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The capsule.
    pub capsule: usize,
    /// How many messages and timeouts a sequence has.
    pub length: u32,
    /// How often a transition is taken in one sequence.
    pub texec: Option<u32>,
    /// The longest text.
    pub text: u32,
    /// Whether a message that nothing is triggered by is a failure.
    pub unexpected: bool,
    /// Whether such messages are sent although they change nothing.
    pub any_message: bool,
    /// Whether the program makes the best of inputs that are random.
    pub random: bool,
    /// Whether the capsules in its parts run with it.
    pub system: bool,
    /// What must hold.
    pub properties: Vec<Property>,
    /// Capsules that watch.
    pub monitors: Vec<usize>,
}

/// A function that fails at an element.
pub fn failing(writer: &mut Writer, head: &str, place: &Place, text: &str) {
    writer.line(&format!("{head} {{"));
    writer.line(&line_directive(place));
    writer.line(&format!("    {};", assertion(place, text)));
    writer.back();
    writer.line("}");
}

/// A call that fails with a text.
pub fn assertion(place: &Place, text: &str) -> String {
    format!("__xcute_assert(0, {}, {}, {})", quoted(text), quoted(&place.file), place.line)
}
