//! Strings: what is known of their characters.

use super::Replay;
use xcute_classfile::Kind;

use super::value::Value;

impl Replay<'_> {
    /// A string is known to hold these characters.
    pub(super) fn knows_text(&mut self, _object: u32, _text: &[u16]) {}

    /// The characters of a string, if they are known.
    pub(super) fn text_of(&self, _object: u32) -> Option<Vec<u16>> {
        None
    }

    /// Something was stored in an object that code which is not followed has.
    pub(super) fn stored_in_escaped(&mut self, _kind: Kind, _value: Value) {}
}
