//! A failure on the page: what, where, with which input, and how to repeat it.

use maud::{Markup, html};
use xcute_trace::Frame;

use super::drawing;
use super::picture;
use super::place::linked;
use crate::fold::folded;
use crate::groups::{Group, way};
use crate::report::Report;
use crate::summary::Failure;

/// This many inputs of a failure are shown; its case has all of them.
const SHOWN: usize = 1000;

/// A failure; `why` it is not confirmed, if it is not.
pub(super) fn failure(report: &Report, failure: &Failure, why: Option<&String>) -> Markup {
    let mut rest = folded(report.inputs.get(&failure.id).map_or(&[][..], Vec::as_slice));
    let inputs: Vec<_> = rest.by_ref().take(SHOWN).collect();
    let more = rest.count();
    html! {
        section class="failure" id=(failure.id) { "\n"
            h2 { (failure.id) " " (failure.kind.name()) ": " (failure.message) } "\n"
            @for (at, frame) in failure.stack.iter().enumerate() {
                (place(report, if at == 0 { "at" } else { "called by" }, frame))
            }
            @for note in &failure.notes {
                @if note.at.file.is_empty() {
                    (place(report, &note.what, &note.at))
                } @else {
                    (place(report, &format!("{} at", note.what), &note.at))
                }
            }
            @if let Some(said) = failure.other_order() {
                div { "in the other order: " (said) } "\n"
            }
            @if !inputs.is_empty() {
                table class="inputs" { "\n"
                    @for input in &inputs {
                        tr { td { code { (input.name) } } td { code { (input.value) } } } "\n"
                    }
                } "\n"
                @if more > 0 { div { "and " (more) " more in " code { (failure.case) } } "\n" }
            }
            (picture::picture(report, failure))
            @for picture in report.words.pictures.iter().filter(|picture| picture.of.as_ref() == Some(&failure.id)) {
                (drawing::drawing(picture))
            }
            @if let Some(why) = why {
                p class="warning" { "Not confirmed: " (why) "." } "\n"
            }
            p { "Replay: " code { (failure.replay) } } "\n"
        } "\n"
    }
}

/// The other failures of a group, each with its inputs.
pub(super) fn ways(report: &Report, group: &Group<'_>) -> Markup {
    let more = group.more.len();
    html! {
        @if more > 0 {
            details {
                summary { (more) " more " (if more == 1 { "way" } else { "ways" }) " to reach it" } "\n"
                @for other in &group.more {
                    p { (other.id) " " (way(group.first, other)) } "\n"
                    (failure(report, other, None))
                }
            } "\n"
        }
    }
}

/// A place, linked to its line further down, with the text of that line.
fn place(report: &Report, lead: &str, frame: &Frame) -> Markup {
    let place = html! { (frame.file) ":" (frame.line) };
    html! {
        div {
            (lead)
            @if !frame.function.is_empty() { " " code { (frame.function) } }
            @if !frame.file.is_empty() { " (" (linked(report, &frame.file, frame.line, &place)) ")" }
            @if let Some(line) = report.line(frame) { " " code class="line" { (line.trim()) } }
        } "\n"
    }
}
