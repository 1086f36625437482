//! What was not exact: how often, what it means, and what to do about it.

use maud::{Markup, html};

use crate::limit_kinds::{LimitKind, limit_kind};
use crate::summary::Limit;

/// The table; nothing where everything was exact. What may hide paths comes first.
pub(super) fn section(limits: &[Limit], own: &'static [LimitKind]) -> Markup {
    let mut sorted: Vec<&Limit> = limits.iter().collect();
    sorted.sort_by_key(|limit| !limit.incomplete);
    html! {
        @if !limits.is_empty() {
            section id="limits" { "\n"
                h2 { "What was not exact" } "\n"
                table { "\n"
                    thead { tr { th { "kind" } th { "what" } th { "runs" } th { "may hide paths" } th { "what it means, and what to do" } } } "\n"
                    tbody { "\n"
                        @for limit in sorted {
                            tr class=[limit.incomplete.then_some("warn-row")] {
                                td { (limit.kind) } td { (limit.what) } td { (limit.count) } td { (if limit.incomplete { "yes" } else { "no" }) }
                                td class="note" { @if let Some(kind) = limit_kind(&limit.kind, own) { (kind.meaning) " " b { (kind.advice) } } }
                            } "\n"
                        }
                    } "\n"
                } "\n"
            } "\n"
        }
    }
}
