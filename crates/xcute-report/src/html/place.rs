//! Places in the source, as links to the lines of the page.

use maud::{Markup, html};

use crate::report::Report;

/// The name of a line on the page.
pub(super) fn anchor(path: &str, line: u32) -> String {
    let name: String = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    format!("{name}-{line}")
}

/// Whether the page has the lines of a file.
pub(super) fn has_lines(report: &Report, path: &str) -> bool {
    report.coverage.files.contains_key(path) && report.sources.contains_key(path)
}

/// Something that is at a line, as a link if the page has that line.
pub(super) fn linked(report: &Report, path: &str, line: u32, what: &Markup) -> Markup {
    html! {
        @if has_lines(report, path) {
            a href={ "#" (anchor(path, line)) } { (what) }
        } @else {
            (what)
        }
    }
}
