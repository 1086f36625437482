//! The choices of a logic program as a table of the page.

use maud::{Markup, html};

use super::place::linked;
use crate::choices::{others, seen, sets};
use crate::report::Report;

/// The table; nothing where there are no choices.
pub(super) fn table(report: &Report) -> Markup {
    html! {
        @if !report.choices.is_empty() {
            h2 { "Choices" } "\n"
            p { "Which subsets of the clauses of a predicate matched a call, by their numbers; feasible is what some ground call matches." } "\n"
            table class="choices" { "\n"
                tr { th { "predicate" } th { "clauses" } th { "seen" } th { "feasible, not seen" } th { "other subsets" } } "\n"
                @for of in &report.choices {
                    tr {
                        td { (linked(report, &of.file, of.line, &html! { code { (of.predicate) } })) }
                        td { (of.clauses) }
                        td { (seen(of)) }
                        td class=[(!of.feasible.is_empty()).then_some("warning")] { (sets(of.feasible.iter())) }
                        td { (others(of)) }
                    } "\n"
                }
            } "\n"
        }
    }
}
