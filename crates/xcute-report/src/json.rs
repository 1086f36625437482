//! The summary as JSON: exactly one object, pretty-printed, the same text every time.

use crate::summary::Summary;

/// The JSON text, ending in a newline.
#[must_use]
pub fn render(summary: &Summary) -> String {
    // Serialising plain structs of numbers, strings and lists cannot fail.
    let mut text = serde_json::to_string_pretty(summary).expect("a summary has only string keys");
    text.push('\n');
    text
}

/// Reads a `summary.json` back.
///
/// # Errors
/// If the text is not JSON or a field is missing.
pub fn parse(text: &str) -> Result<Summary, serde_json::Error> {
    serde_json::from_str(text)
}
