//! The report as one HTML page: the verdict, failures and their inputs, coverage, the search, the path tree, and the source.
//!
//! **Invariant.** The page loads nothing from anywhere, and every text that comes from the subject is escaped: `maud` writes it. Without scripts everything but the
//! path tree can be read.

mod copy;
mod coverage;
mod drawing;
mod failure;
mod limits;
mod memory;
mod paths;
mod picture;
mod place;
mod search;
mod section;
mod source;
mod syntax;
mod timeline;
mod tree;
mod verdict;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::groups::groups;
use crate::report::Report;
use crate::summary::Unconfirmed;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Renders the page.
#[must_use]
pub fn render(report: &Report) -> String {
    let summary = &report.summary;
    let title = format!("xcute: {}", summary.subject);
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" { "\n"
            head { "\n"
                meta charset="utf-8"; "\n"
                meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
                title { (title) } "\n"
                style { "\n" (PreEscaped(STYLE)) } "\n"
                noscript { style { ".later { display: table-row-group; }" } } "\n"
            } "\n"
            body data-explain=[report.provenance.as_ref().map(|provenance| &provenance.explain)] { "\n"
                header { "\n"
                    h1 { (title) } "\n"
                    (verdict::verdict(report))
                    (contents(report))
                } "\n"
                (memory::arrow_head())
                main { "\n"
                    (failures(report))
                    (coverage::section(report))
                    (limits::section(&summary.limits, report.words.limits))
                    (search::section(report))
                    @for picture in report.words.pictures.iter().filter(|picture| picture.of.is_none()) { (drawing::drawing(picture)) }
                    @for section in &report.words.sections { (section::table(report, section)) }
                    (tree::tree(report))
                    (paths::section(report))
                    (sources(report))
                } "\n"
                (provenance(report))
                script { "\n" (PreEscaped(SCRIPT)) } "\n"
            } "\n"
        } "\n"
    };
    xcute_markup::document(page)
}

/// Links to the parts that are there.
fn contents(report: &Report) -> Markup {
    let summary = &report.summary;
    let failed = !summary.failures.is_empty() || !summary.unconfirmed.is_empty();
    let parts = [
        ("failures", "Failures", failed),
        ("coverage", "Coverage", true),
        ("limits", "Limits", !summary.limits.is_empty()),
        ("search", "Search", true),
        ("paths", "Path tree", !report.paths.nodes.is_empty()),
        ("source", "Source", has_source(report)),
    ];
    html! {
        nav {
            @for (to, name, _) in parts.iter().filter(|(.., there)| *there) { a href={ "#" (to) } { (name) } " " }
            span class="keys" { kbd { "f" } " next failure " kbd { "n" } " next missed line " kbd { "p" } " previous " kbd { "/" } " search" }
        } "\n"
    }
}

fn failures(report: &Report) -> Markup {
    let summary = &report.summary;
    html! {
        @if !summary.failures.is_empty() || !summary.unconfirmed.is_empty() {
            section id="failures" { "\n"
                h2 { "Failures" } "\n"
                @for (at, group) in groups(&summary.failures).iter().enumerate() { (failure::group(report, group, at == 0)) }
                @for Unconfirmed { failure, why } in &summary.unconfirmed { (failure::unconfirmed(report, failure, why)) }
            } "\n"
        }
    }
}

fn has_source(report: &Report) -> bool {
    report.coverage.files.keys().any(|path| place::has_lines(report, path))
}

fn sources(report: &Report) -> Markup {
    let later = source::many(report);
    html! {
        @if has_source(report) {
            section id="source" { "\n"
                h2 { "Source" } "\n"
                p class="legend" {
                    span class="ran" { "ran" } " " span class="partly" { "not all arms" } " " span class="missed" { "not reached" } " " span class="never" { "proved unreachable" }
                } "\n"
                @for (path, file) in &report.coverage.files { (source::listing(path, file, report, later)) }
            } "\n"
        }
    }
}

/// How this page came to be.
fn provenance(report: &Report) -> Markup {
    html! {
        @if let Some(provenance) = &report.provenance {
            footer { "\n"
                p { (copy::command(&provenance.command)) } "\n"
                p { "xcute " (provenance.version) ", " (provenance.date) ", seed " (report.summary.seed) } "\n"
            } "\n"
        }
    }
}
