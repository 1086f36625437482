//! Finished documents of XML and HTML: what is written by `maud`, which escapes, and holds no character that a reader refuses.
//!
//! A crate of its own, because front ends, the report and the binary write such documents, and none of them knows the others.
//!
//! **Invariant.** A document comes from [`document`] or [`xml`] only: the text of a program under test may hold any character, and XML 1.0 has no way to
//! write most control characters, not even escaped.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, Render};

/// A number with one digit after the point, as pictures need it.
#[derive(Clone, Copy, Debug)]
pub struct Tenths(pub f64);

impl Render for Tenths {
    fn render_to(&self, buffer: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(buffer, "{:.1}", self.0);
    }
}

/// The text of a document: characters that XML forbids are U+FFFD. In HTML they are errors, too.
#[must_use]
pub fn document(PreEscaped(text): Markup) -> String {
    if text.chars().all(is_allowed) {
        text
    } else {
        text.chars().map(|c| if is_allowed(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
    }
}

/// The text of an XML document with its declaration.
#[must_use]
pub fn xml(root: Markup) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", document(root))
}

/// `Char` of XML 1.0, without the control characters that it advises against.
fn is_allowed(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn text_is_escaped_and_forbidden_characters_are_replaced() {
        let text = "<a b=\"c\">&\u{1}\0\u{7f}\u{85}\u{ffff}\t\n";
        let made = document(html! { x y=(text) { (text) } });
        let safe = "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\t\n";
        assert_eq!(made, format!("<x y=\"{safe}\">{safe}</x>"));
        assert_eq!(xml(html! { x z=(Tenths(1.25)) {} }), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<x z=\"1.2\"></x>");
    }
}
