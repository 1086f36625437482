//! The sections of a language as tables of the page.

use maud::{Markup, html};

use super::place::linked;
use crate::report::Report;
use crate::section::Section;

/// The table of a section; nothing where a line says it all.
pub(super) fn table(report: &Report, section: &Section) -> Markup {
    html! {
        @if let Some(table) = &section.table {
            h2 { (table.title) } "\n"
            p { (table.about) } "\n"
            table class=(section.name) { "\n"
                tr { @for head in &table.heads { th { (head) } } } "\n"
                @for row in &table.rows {
                    tr {
                        td { (linked(report, &row.place.0, row.place.1, &html! { code { (row.name) } })) }
                        @for cell in &row.cells { td class=[cell.warning.then_some("warning")] { (cell.text) } }
                    } "\n"
                }
            } "\n"
        }
    }
}
