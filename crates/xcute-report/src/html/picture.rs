//! An interleaving as a picture of the HTML page: one lane per thread, time downward, the steps that the failure is about linked.
//!
//! **Invariant.** It needs no script and no colour of its own: text and background are those of the page, dark or light.

use std::collections::BTreeMap;

use maud::{Markup, html};
use xcute_trace::Happening;

use super::place::linked;
use crate::interleaving::{Row, rows, threads};
use crate::lanes::what;
use crate::report::Report;
use crate::summary::Failure;

/// The width of a character of the page's fixed font, with some room.
const CHARACTER: usize = 8;
/// The height of a row.
const ROW: usize = 22;
/// How far the dot of a step is from its text, and the lanes from the edge.
const GAP: usize = 12;
/// The lanes take so much of the page, unless there are too many.
const LANES: usize = 760;
/// Lanes are never closer.
const NARROW: usize = 28;
/// With more rows than this the picture scrolls, and links lead to what matters.
const LONG: usize = 28;

/// Draws the interleaving of a failure; nothing if it has none.
pub(super) fn picture(report: &Report, failure: &Failure) -> Markup {
    if failure.interleaving.is_empty() {
        return Markup::default();
    }
    let picture = Picture::of(report, failure);
    let (places, width, height) = (picture.places(), picture.width(), (picture.rows.len() + 1) * ROW);
    html! {
        @if picture.rows.len() > LONG { (picture.contents()) }
        div class="interleaving" { "\n"
            @if picture.titled { (picture.titles(width)) }
            svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } { "\n"
                (picture.lanes(width))
                @for pair in picture.links() { (picture.link(pair)) }
                @for row in 0..picture.rows.len() { (picture.drawn(row, places)) }
                (picture.end(places))
            } "\n"
        } "\n"
    }
}

struct Picture<'a> {
    report: &'a Report,
    failure: &'a Failure,
    threads: Vec<&'a str>,
    /// The position of each step, and how often it was done in a row.
    rows: Vec<(usize, usize)>,
    /// The lane of each step.
    lanes: Vec<usize>,
    /// From one lane to the next.
    pitch: usize,
    /// Whether the threads have headings; else each step names its own.
    titled: bool,
}

impl<'a> Picture<'a> {
    fn of(report: &'a Report, failure: &'a Failure) -> Picture<'a> {
        let happenings = &failure.interleaving;
        let threads = threads(happenings);
        let step = |row: Row| if let Row::Step { at, times } = row { Some((at, times)) } else { None };
        let rows: Vec<(usize, usize)> = rows(happenings, usize::MAX).into_iter().filter_map(step).collect();
        let texts = rows.iter().map(|&(at, times)| what(&happenings[at], times).chars().count());
        let titles = threads.iter().map(|thread| "thread ".len() + thread.len());
        let roomy = texts.chain(titles).max().unwrap_or(0) * CHARACTER + 2 * GAP;
        let pitch = (LANES / threads.len().max(1)).clamp(NARROW, roomy.max(NARROW));
        let titled = threads.iter().all(|thread| (thread.len() + 1) * CHARACTER <= pitch);
        let numbers: BTreeMap<&str, usize> = threads.iter().copied().zip(0..).collect();
        let lanes = rows.iter().map(|&(at, _)| numbers.get(&*happenings[at].task).copied().unwrap_or(0)).collect();
        Picture { report, failure, threads, rows, lanes, pitch, titled }
    }

    fn step(&self, row: usize) -> &'a Happening {
        &self.failure.interleaving[self.rows[row].0]
    }

    /// The number of a step, from 1.
    fn number(&self, row: usize) -> usize {
        self.rows[row].0 + 1
    }

    fn x(&self, row: usize) -> usize {
        GAP + self.lanes[row] * self.pitch
    }

    fn y(row: usize) -> usize {
        row * ROW + ROW / 2
    }

    fn text(&self, row: usize) -> String {
        let text = what(self.step(row), self.rows[row].1);
        if self.titled { text } else { format!("{} {text}", self.step(row).task) }
    }

    /// Where the places begin: after all lanes and all texts.
    fn places(&self) -> usize {
        let texts = (0..self.rows.len()).map(|row| self.x(row) + self.text(row).chars().count() * CHARACTER + 3 * GAP);
        let end = self
            .rows
            .len()
            .checked_sub(1)
            .map(|last| self.x(last) + ("fails here: ".len() + self.failure.kind.name().len()) * CHARACTER + 3 * GAP);
        texts.chain([self.threads.len() * self.pitch + GAP]).chain(end).max().unwrap_or(0)
    }

    fn width(&self) -> usize {
        let places = (0..self.rows.len()).map(|row| place(self.step(row)).chars().count()).max().unwrap_or(0);
        self.places() + places * CHARACTER + GAP
    }

    fn id(&self, row: usize) -> String {
        format!("{}-step-{}", self.failure.id, self.number(row))
    }

    /// Links to the steps that the failure is about.
    fn contents(&self) -> Markup {
        let marked: Vec<usize> = (0..self.rows.len()).filter(|&row| self.step(row).marked).collect();
        html! {
            p {
                (self.failure.interleaving.len()) " steps"
                @for (at, &row) in marked.iter().enumerate() {
                    (if at == 0 { "; it is about " } else { ", " })
                    a href={ "#" (self.id(row)) } { (self.number(row)) }
                }
            } "\n"
        }
    }

    /// The names of the threads, which stay in sight when the steps are scrolled.
    fn titles(&self, width: usize) -> Markup {
        let full = self.threads.iter().all(|thread| ("thread ".len() + thread.len() + 1) * CHARACTER <= self.pitch);
        html! {
            svg class="threads" width=(width) height=(ROW) viewBox={ "0 0 " (width) " " (ROW) } { "\n"
                @for (lane, thread) in self.threads.iter().enumerate() {
                    text x=(lane * self.pitch + GAP / 2) y=(ROW - 7) { @if full { "thread " } (thread) } "\n"
                }
            } "\n"
        }
    }

    /// A lane from the first step of its thread to the last.
    fn lanes(&self, width: usize) -> Markup {
        let mut ends: Vec<Option<(usize, usize)>> = vec![None; self.threads.len()];
        for (row, &lane) in self.lanes.iter().enumerate() {
            ends[lane].get_or_insert((row, row)).1 = row;
        }
        html! {
            @for row in (1..self.rows.len()).step_by(2) {
                rect class="band" y=(row * ROW) width=(width) height=(ROW) {} "\n"
            }
            @for (first, last) in ends.into_iter().flatten() {
                line class="lane" x1=(self.x(first)) y1=(Self::y(first)) x2=(self.x(first)) y2=(Self::y(last)) {} "\n"
            }
        }
    }

    /// Pairs of steps that the failure is about: each with the last one before it that another thread did to the same object (one that waits for a
    /// lock with the one that has it). Where there is no such pair, each with the one before it.
    fn links(&self) -> Vec<[usize; 2]> {
        let marked: Vec<usize> = (0..self.rows.len()).filter(|&row| self.step(row).marked).collect();
        let others = |a: usize, b: usize| self.step(a).task != self.step(b).task;
        let same = |a: usize, b: usize| object(self.step(a)).is_some_and(|name| object(self.step(b)) == Some(name));
        let earlier =
            |(at, &row): (usize, &usize)| Some([*marked[..at].iter().rfind(|&&before| others(before, row) && same(before, row))?, row]);
        let linked: Vec<[usize; 2]> = marked.iter().enumerate().filter_map(earlier).collect();
        if linked.is_empty() { marked.windows(2).map(|pair| [pair[0], pair[1]]).filter(|&[a, b]| others(a, b)).collect() } else { linked }
    }

    fn link(&self, pair: [usize; 2]) -> Markup {
        let [(x1, y1), (x2, y2)] = pair.map(|row| (self.x(row), Self::y(row)));
        let bend = usize::midpoint(y1, y2);
        html! { path class="link" d=(format_args!("M{x1} {y1} C{x1} {bend} {x2} {bend} {x2} {y2}")) {} "\n" }
    }

    /// A step; its place begins at `places`.
    fn drawn(&self, row: usize, places: usize) -> Markup {
        let step = self.step(row);
        let (x, y) = (self.x(row), Self::y(row));
        let at = linked(self.report, &step.at.file, step.at.line, &html! { (place(step)) });
        html! {
            g id=(self.id(row)) class=[step.marked.then_some("marked")] {
                title { (self.title(row)) } "\n"
                circle cx=(x) cy=(y) r=(if step.marked { 5 } else { 4 }) {} "\n"
                text x=(x + GAP) y=(y + 4) { (self.text(row)) } "\n"
                text class="place" x=(places) y=(y + 4) { (at) }
            } "\n"
        }
    }

    /// The last row: where it fails, in the lane of the last step.
    fn end(&self, places: usize) -> Markup {
        let Some(last) = self.rows.len().checked_sub(1) else { return Markup::default() };
        let (x, y) = (self.x(last), Self::y(last + 1));
        let place = format!("{}:{}", self.failure.file, self.failure.line);
        html! {
            g class="end" {
                title { (self.failure.message) }
                circle cx=(x) cy=(y) r="5" {}
                text x=(x + GAP) y=(y + 4) { "fails here: " (self.failure.kind.name()) } "\n"
                @if !self.failure.file.is_empty() {
                    text class="place" x=(places) y=(y + 4) { (linked(self.report, &self.failure.file, self.failure.line, &html! { (place) })) }
                }
            } "\n"
        }
    }

    /// All about a step, with its source line.
    fn title(&self, row: usize) -> String {
        let step = self.step(row);
        let mut title = format!("step {}, thread {}: {}", self.number(row), step.task, what(step, self.rows[row].1));
        if !step.at.function.is_empty() {
            title += &format!(" in {}", step.at.function);
        }
        if let Some(line) = self.report.line(&step.at) {
            title += &format!("\n{}: {}", place(step), line.trim());
        }
        title
    }
}

/// The name of what a step is done to, as in "locks `m`".
fn object(step: &Happening) -> Option<&str> {
    step.what.split('`').nth(1)
}

fn place(step: &Happening) -> String {
    if step.at.file.is_empty() { String::new() } else { format!("{}:{}", step.at.file, step.at.line) }
}
