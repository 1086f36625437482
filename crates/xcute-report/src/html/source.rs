//! A source file on the page, with what ran.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::place::anchor;
use crate::coverage::FileCoverage;
use crate::report::Report;

/// The lines of a file with their coverage; nothing where its text is not known.
pub(super) fn listing(path: &str, file: &FileCoverage, report: &Report) -> Markup {
    let Some(text) = report.sources.get(path) else { return Markup::default() };
    let mut arms: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for arm in &file.branches {
        let (taken, total) = arms.entry(arm.line).or_default();
        *taken += usize::from(arm.taken);
        *total += 1;
    }
    let failed: BTreeSet<u32> = report.summary.failures.iter().filter(|failure| failure.file == path).map(|failure| failure.line).collect();
    let class = |number: u32| {
        let class = match (file.lines.get(&number), arms.get(&number)) {
            (None, _) => "",
            (Some(false), _) => "missed",
            (Some(true), Some((taken, total))) if taken < total => "partly",
            (Some(true), _) => "ran",
        };
        let class = if failed.contains(&number) { format!("{class} fails") } else { class.to_owned() };
        class.trim().to_owned()
    };
    html! {
        h2 { (path) } "\n"
        table class="source" { "\n"
            @for (number, source) in (1..).zip(text.lines()) {
                tr class=(class(number)) id=(anchor(path, number)) {
                    td { (number) }
                    td { @if let Some((taken, total)) = arms.get(&number) { (taken) "/" (total) } }
                    td { pre { (source) } }
                } "\n"
            }
        } "\n"
    }
}
