//! Places in the source, as links to the lines of the page.

use maud::{Markup, html};

use crate::report::Report;

/// The name of a line on the page.
pub(super) fn anchor(path: &str, line: u32) -> String {
    let name: String = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{name}-{line}")
}

/// Something that is at a line, as a link if the page has that line.
pub(super) fn linked(report: &Report, path: &str, line: u32, what: &Markup) -> Markup {
    html! {
        @if report.coverage.files.contains_key(path) && report.sources.contains_key(path) {
            a href={ "#" (anchor(path, line)) } { (what) }
        } @else {
            (what)
        }
    }
}
