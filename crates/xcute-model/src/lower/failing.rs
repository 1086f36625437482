//! Code that fails at an element of the model.

use super::writer::{Writer, line_directive, quoted};
use crate::ir::Place;

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
