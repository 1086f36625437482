//! A failure on the page: what, where, with which input, and how to repeat it.

use maud::{Markup, html};
use xcute_trace::Frame;

use super::copy::command;
use super::place::linked;
use super::syntax::{Colours, rules};
use super::{drawing, memory, picture};
use crate::fold::folded;
use crate::groups::{Group, way};
use crate::report::Report;
use crate::summary::Failure;

/// This many inputs of a failure are shown; its case has all of them.
const SHOWN: usize = 1000;
/// An input in one line takes at most this many characters.
const BRIEF: usize = 100;
/// Lines of the source before and after the failing one.
const AROUND: u32 = 3;

/// A group of failures, folded; `first`: shown open.
pub(super) fn group(report: &Report, group: &Group<'_>, first: bool) -> Markup {
    let ways = 1 + group.more.len();
    html! {
        details class="failure" id=(group.first.id) open[first] { "\n"
            (heading(report, group.first, ways))
            (body(report, group.first, None))
            @if !group.more.is_empty() {
                details class="ways" {
                    summary { (group.more.len()) " more " (if group.more.len() == 1 { "way" } else { "ways" }) " to reach it" } "\n"
                    @for other in &group.more {
                        section class="failure" id=(other.id) { "\n"
                            h4 { (other.id) " " (way(group.first, other)) } "\n"
                            (body(report, other, None))
                        } "\n"
                    }
                } "\n"
            }
        } "\n"
    }
}

/// A failure that could not be confirmed, and why.
pub(super) fn unconfirmed(report: &Report, failure: &Failure, why: &str) -> Markup {
    html! {
        details class="failure unconfirmed" id=(failure.id) { "\n"
            (heading(report, failure, 1))
            (body(report, failure, Some(why)))
        } "\n"
    }
}

/// All of it in a line or two.
fn heading(report: &Report, failure: &Failure, ways: usize) -> Markup {
    html! {
        summary {
            span class="id" { (failure.id) } " " strong { (failure.kind.name()) } ": " (failure.message)
            @if ways > 1 { " " span class="note" { (ways) " ways" } }
            span class="where" {
                @if !failure.file.is_empty() { code { (failure.file) ":" (failure.line) } }
                @if let Some(input) = brief(report, failure) { " " code { (input) } }
            }
        } "\n"
    }
}

/// The input in one line.
fn brief(report: &Report, failure: &Failure) -> Option<String> {
    let inputs = report.inputs.get(&failure.id).filter(|inputs| !inputs.is_empty())?;
    let mut text = String::new();
    for input in folded(inputs) {
        let next = if input.name.is_empty() { input.value.clone() } else { format!("{} = {}", input.name, input.value) };
        if text.chars().count() + next.chars().count() > BRIEF {
            let room = BRIEF.saturating_sub(text.chars().count());
            text += if text.is_empty() { next.chars().take(room).collect() } else { String::new() }.as_str();
            text += ", …";
            break;
        }
        text += if text.is_empty() { "" } else { ", " };
        text += &next;
    }
    Some(text)
}

fn body(report: &Report, failure: &Failure, why: Option<&str>) -> Markup {
    let inputs = report.inputs.get(&failure.id).map_or(&[][..], Vec::as_slice);
    let mut rest = folded(inputs);
    let shown: Vec<_> = rest.by_ref().take(SHOWN).collect();
    let more = rest.count();
    html! {
        @if let Some(why) = why { p class="warning" { "Not confirmed: " (why) "." } "\n" }
        (excerpt(report, failure))
        (values(failure))
        @for (at, frame) in failure.stack.iter().enumerate() {
            (place(report, if at == 0 { "at" } else { "called by" }, frame, at > 0 || !report.sources.contains_key(&failure.file)))
        }
        @for note in &failure.notes {
            @if note.at.file.is_empty() {
                (place(report, &note.what, &note.at, true))
            } @else {
                (place(report, &format!("{} at", note.what), &note.at, true))
            }
        }
        @if let Some(said) = failure.other_order() { div { "in the other order: " (said) } "\n" }
        @if !shown.is_empty() {
            div class="input" {
                table class="inputs" { "\n"
                    @for input in &shown { tr { td { code { (input.name) } } td { code { (input.value) } } } "\n" }
                } "\n"
                (memory::graph(inputs))
            } "\n"
            @if more > 0 { div { "and " (more) " more in " code { (failure.case) } } "\n" }
        }
        (picture::picture(report, failure))
        @for picture in report.words.pictures.iter().filter(|picture| picture.of.as_ref() == Some(&failure.id)) { (drawing::drawing(picture)) }
        p class="files" {
            "Replay: " (command(&failure.replay))
            @if let Some(files) = report.files.get(&failure.id) {
                @for file in files { " " a href=(file) { (file) } }
            }
        } "\n"
    }
}

/// What variables held at the failing line.
fn values(failure: &Failure) -> Markup {
    html! {
        @if !failure.values.is_empty() {
            table class="inputs held" { "\n"
                caption { "Values at the failing line" } "\n"
                @for held in &failure.values { tr { td { code { (held.name) } } td { code { (held.value) } } } "\n" }
            } "\n"
        }
    }
}

/// The lines around the failing one.
fn excerpt(report: &Report, failure: &Failure) -> Markup {
    let Some(text) = report.sources.get(&failure.file).filter(|_| failure.line > 0) else { return Markup::default() };
    let mut colours = Colours::new(rules(&failure.file));
    let (first, last) = (failure.line.saturating_sub(AROUND).max(1), failure.line + AROUND);
    let lines = (1..).zip(text.lines()).take(last as usize).map(|(number, line)| (number, colours.line(line)));
    let lines: Vec<(u32, Markup)> = lines.filter(|(number, _)| *number >= first).collect();
    html! {
        div class="source excerpt" {
            @for (number, line) in &lines {
                div class=(if *number == failure.line { "l fails" } else { "l" }) {
                    (linked(report, &failure.file, *number, &html! { span class="n" { (number) } })) code { (line) }
                } "\n"
            }
        } "\n"
    }
}

/// A place, linked to its line further down; with the text of that line if that is not shown already.
fn place(report: &Report, lead: &str, frame: &Frame, text: bool) -> Markup {
    let place = html! { (frame.file) ":" (frame.line) };
    html! {
        div class="frame" {
            (lead)
            @if !frame.function.is_empty() { " " code { (frame.function) } }
            @if !frame.file.is_empty() { " (" (linked(report, &frame.file, frame.line, &place)) ")" }
            @if let Some(line) = report.line(frame).filter(|_| text) { " " code class="line" { (line.trim()) } }
        } "\n"
    }
}
