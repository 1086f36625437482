//! An interleaving as a picture of the HTML page: one lane per thread, time downward, the steps that the failure is about linked.
//!
//! **Invariant.** It needs no script and no colour of its own: text and background are those of the page, dark or light.

use std::fmt::Write;

use xcute_trace::Happening;

use crate::html::{anchor, escape};
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
pub(crate) fn write(out: &mut String, report: &Report, failure: &Failure) -> std::fmt::Result {
    let happenings = &failure.interleaving;
    if happenings.is_empty() {
        return Ok(());
    }
    let picture = Picture::of(report, failure);
    if picture.rows.len() > LONG {
        picture.write_contents(out)?;
    }
    writeln!(out, "<div class=\"interleaving\">")?;
    picture.write_threads(out)?;
    let (width, height) = (picture.width(), picture.rows.len() * ROW);
    writeln!(out, "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">")?;
    picture.write_lanes(out)?;
    picture.write_links(out)?;
    for row in 0..picture.rows.len() {
        picture.write_step(out, row)?;
    }
    writeln!(out, "</svg>\n</div>")
}

struct Picture<'a> {
    report: &'a Report,
    failure: &'a Failure,
    threads: Vec<&'a str>,
    /// The position of each step, and how often it was done in a row.
    rows: Vec<(usize, usize)>,
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
        Picture { report, failure, threads, rows, pitch, titled }
    }

    fn step(&self, row: usize) -> &'a Happening {
        &self.failure.interleaving[self.rows[row].0]
    }

    fn x(&self, row: usize) -> usize {
        let lane = self.threads.iter().position(|thread| *thread == self.step(row).task).unwrap_or(0);
        GAP + lane * self.pitch
    }

    fn y(row: usize) -> usize {
        row * ROW + ROW / 2
    }

    fn text(&self, row: usize) -> String {
        let text = what(self.step(row), self.rows[row].1);
        if self.titled { text } else { format!("{} {text}", self.step(row).task) }
    }

    /// Where the places begin: behind all lanes and all texts.
    fn places(&self) -> usize {
        let texts = (0..self.rows.len()).map(|row| self.x(row) + self.text(row).chars().count() * CHARACTER + 3 * GAP);
        texts.chain([self.threads.len() * self.pitch + GAP]).max().unwrap_or(0)
    }

    fn width(&self) -> usize {
        let places = (0..self.rows.len()).map(|row| place(self.step(row)).chars().count()).max().unwrap_or(0);
        self.places() + places * CHARACTER + GAP
    }

    fn id(&self, row: usize) -> String {
        format!("{}-step-{}", escape(&self.failure.id), self.rows[row].0 + 1)
    }

    /// Links to the steps that the failure is about.
    fn write_contents(&self, out: &mut String) -> std::fmt::Result {
        let links: Vec<String> = (0..self.rows.len())
            .filter(|&row| self.step(row).marked)
            .map(|row| format!("<a href=\"#{}\">{}</a>", self.id(row), self.rows[row].0 + 1))
            .collect();
        let marked = if links.is_empty() { String::new() } else { format!("; it is about {}", links.join(", ")) };
        writeln!(out, "<p>{} steps{marked}</p>", self.failure.interleaving.len())
    }

    /// The names of the threads, which stay in sight when the steps are scrolled.
    fn write_threads(&self, out: &mut String) -> std::fmt::Result {
        if !self.titled {
            return Ok(());
        }
        let width = self.width();
        writeln!(out, "<svg class=\"threads\" width=\"{width}\" height=\"{ROW}\" viewBox=\"0 0 {width} {ROW}\">")?;
        let full = self.threads.iter().all(|thread| ("thread ".len() + thread.len() + 1) * CHARACTER <= self.pitch);
        for (lane, thread) in self.threads.iter().enumerate() {
            let word = if full { "thread " } else { "" };
            writeln!(out, "<text x=\"{}\" y=\"{}\">{word}{}</text>", lane * self.pitch + GAP / 2, ROW - 7, escape(thread))?;
        }
        writeln!(out, "</svg>")
    }

    /// A lane from the first step of its thread to the last.
    fn write_lanes(&self, out: &mut String) -> std::fmt::Result {
        let width = self.width();
        for row in (1..self.rows.len()).step_by(2) {
            writeln!(out, "<rect class=\"band\" y=\"{}\" width=\"{width}\" height=\"{ROW}\"/>", row * ROW)?;
        }
        for thread in &self.threads {
            let mut own = (0..self.rows.len()).filter(|&row| self.step(row).task == *thread);
            let Some(first) = own.next() else { continue };
            let last = own.next_back().unwrap_or(first);
            let x = self.x(first);
            writeln!(out, "<line class=\"lane\" x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\"/>", Self::y(first), Self::y(last))?;
        }
        Ok(())
    }

    /// Pairs of steps that the failure is about: each with the last one before it that another thread did to the same object (who waits for a lock
    /// with who has it). Where there is no such pair, each with the one before it.
    fn links(&self) -> Vec<[usize; 2]> {
        let marked: Vec<usize> = (0..self.rows.len()).filter(|&row| self.step(row).marked).collect();
        let others = |a: usize, b: usize| self.step(a).task != self.step(b).task;
        let same = |a: usize, b: usize| object(self.step(a)).is_some_and(|name| object(self.step(b)) == Some(name));
        let earlier =
            |(at, &row): (usize, &usize)| Some([*marked[..at].iter().rfind(|&&before| others(before, row) && same(before, row))?, row]);
        let linked: Vec<[usize; 2]> = marked.iter().enumerate().filter_map(earlier).collect();
        if linked.is_empty() { marked.windows(2).map(|pair| [pair[0], pair[1]]).filter(|&[a, b]| others(a, b)).collect() } else { linked }
    }

    fn write_links(&self, out: &mut String) -> std::fmt::Result {
        for pair in self.links() {
            let [(x1, y1), (x2, y2)] = pair.map(|row| (self.x(row), Self::y(row)));
            let bend = usize::midpoint(y1, y2);
            writeln!(out, "<path class=\"link\" d=\"M{x1} {y1} C{x1} {bend} {x2} {bend} {x2} {y2}\"/>")?;
        }
        Ok(())
    }

    fn write_step(&self, out: &mut String, row: usize) -> std::fmt::Result {
        let step = self.step(row);
        let (x, y) = (self.x(row), Self::y(row));
        let class = if step.marked { " class=\"marked\"" } else { "" };
        writeln!(out, "<g id=\"{}\"{class}><title>{}</title>", self.id(row), escape(&self.title(row)))?;
        writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", if step.marked { 5 } else { 4 })?;
        writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + GAP, y + 4, escape(&self.text(row)))?;
        let shown = escape(&place(step));
        let shown = if self.report.coverage.files.contains_key(&step.at.file) {
            format!("<a href=\"#{}\">{shown}</a>", anchor(&step.at.file, step.at.line))
        } else {
            shown
        };
        writeln!(out, "<text class=\"place\" x=\"{}\" y=\"{}\">{shown}</text></g>", self.places(), y + 4)
    }

    /// All about a step, with its source line.
    fn title(&self, row: usize) -> String {
        let step = self.step(row);
        let mut title = format!("step {}, thread {}: {}", self.rows[row].0 + 1, step.task, what(step, self.rows[row].1));
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
