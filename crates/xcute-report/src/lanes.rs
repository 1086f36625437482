//! An interleaving as text: one lane per thread, time downward, the place of each step at the right.
//!
//! A row has one step, so its text may run over the lanes at its right; that is how many threads fit on a narrow terminal. Where not even the
//! names of the threads fit, there are no lanes, and each step says who it is.
//!
//! **Invariant.** No line is wider than [`Style::width`], unless that leaves no room for anything.

use std::fmt::Write;

use xcute_trace::{Frame, Happening};

use crate::interleaving::{Row, rows, threads};
use crate::style::Style;

/// At most this many rows are shown; marked steps are shown beyond that.
const ROWS: usize = 40;
/// A place takes at most this many columns.
const PLACE: usize = 28;
/// A lane is at least so wide, and its steps have at least so much room.
const LEAST: usize = 8;
/// What stands between a step and its place: whether the failure is about it.
const MARK: [&str; 2] = ["    ", " <- "];

/// Draws an interleaving, each line after `indent`. Empty if nothing happened.
#[must_use]
pub fn render(happenings: &[Happening], indent: &str, style: Style) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, happenings, indent, style);
    text
}

fn write(out: &mut String, happenings: &[Happening], indent: &str, style: Style) -> std::fmt::Result {
    let rows = rows(happenings, ROWS);
    let threads = threads(happenings);
    let mut lines: Vec<Line> = rows.iter().map(|row| Line::of(row, happenings, &threads)).collect();
    let places = lines.iter().map(|line| line.place.chars().count()).max().unwrap_or(0);
    let room = style.width.saturating_sub(indent.chars().count() + MARK[0].len() + places).max(LEAST);
    let mut lanes = Lanes::of(&lines, &threads, room);
    match lanes.heading(&threads) {
        Some(heading) if !threads.is_empty() => writeln!(out, "{indent}{}", style.strong(heading.trim_end()))?,
        _ => {
            lines.iter_mut().for_each(|line| line.name(&threads));
            lanes = Lanes::of(&lines, &[], room);
        }
    }
    for line in &lines {
        writeln!(out, "{indent}{}", lanes.row(line, style).trim_end())?;
    }
    Ok(())
}

/// A row in words.
struct Line {
    /// The number of its lane; none for a gap.
    lane: Option<usize>,
    what: String,
    place: String,
    marked: bool,
}

impl Line {
    fn of(row: &Row, happenings: &[Happening], threads: &[&str]) -> Line {
        match *row {
            Row::Gap(left_out) => Line { lane: None, what: gap(left_out), place: String::new(), marked: false },
            Row::Step { at, times } => {
                let one = &happenings[at];
                let lane = threads.iter().position(|thread| *thread == one.task);
                Line { lane, what: what(one, times), place: place(&one.at, PLACE), marked: one.marked }
            }
        }
    }

    /// Says who it is, instead of being in a lane.
    fn name(&mut self, threads: &[&str]) {
        if let Some(lane) = self.lane {
            self.lane = Some(0);
            self.what = format!("thread {} {}", threads[lane], self.what);
        }
    }
}

/// What a thread did, and how often.
pub(crate) fn what(happening: &Happening, times: usize) -> String {
    if times > 1 { format!("{} ({times} times)", happening.what) } else { happening.what.clone() }
}

/// What stands for steps that are left out.
fn gap(left_out: usize) -> String {
    if left_out == 1 { "... 1 step ...".into() } else { format!("... {left_out} steps ...") }
}

/// A place in at most this many columns: of a long path its end, which tells most. Empty where it is unknown.
fn place(at: &Frame, most: usize) -> String {
    if at.file.is_empty() {
        return String::new();
    }
    let whole = format!("{}:{}", at.file, at.line);
    let length = whole.chars().count();
    if length <= most { whole } else { "...".to_owned() + &whole.chars().skip(length + 3 - most).collect::<String>() }
}

/// Where the lanes are.
struct Lanes {
    count: usize,
    /// From the start of one to the start of the next.
    pitch: usize,
    /// All of them, with the steps.
    width: usize,
}

impl Lanes {
    /// As far apart as the longest step needs, if there is room for that.
    fn of(lines: &[Line], threads: &[&str], room: usize) -> Lanes {
        let count = threads.len();
        let steps = lines.iter().filter(|line| line.lane.is_some()).map(|line| line.what.chars().count());
        let titles = threads.iter().map(|thread| thread.chars().count() + "thread ".len());
        let roomy = steps.clone().chain(titles).max().unwrap_or(0) + 2;
        let last = steps.max().unwrap_or(0).min(room / 2);
        let pitch = (room.saturating_sub(last) / count.saturating_sub(1).max(1)).clamp(2, roomy);
        let used = |line: &Line| line.lane.map_or(0, |lane| lane * pitch) + line.what.chars().count();
        Lanes { count, pitch, width: lines.iter().map(used).max().unwrap_or(0).min(room) }
    }

    /// The threads over their lanes, in narrow ones by their fork paths only. `None` where even these have no room.
    fn heading(&self, threads: &[&str]) -> Option<String> {
        let longest = threads.iter().map(|thread| thread.chars().count()).max().unwrap_or(0);
        let title = if longest + "thread ".len() < self.pitch { "thread " } else { "" };
        let titled = |thread: &&str| format!("{:<1$}", format!("{title}{thread}"), self.pitch);
        (longest < self.pitch).then(|| threads.iter().map(titled).collect())
    }

    /// A step in its lane, with the bars of the others.
    fn row(&self, line: &Line, style: Style) -> String {
        let Some(lane) = line.lane else { return style.frame(&line.what) };
        let start = lane * self.pitch;
        let what = cut(&line.what, self.width.saturating_sub(start).max(LEAST));
        let end = start + what.chars().count();
        let bar = |at: usize| if at.is_multiple_of(self.pitch) && at / self.pitch < self.count { '|' } else { ' ' };
        let before: String = (0..start).map(bar).collect();
        // A bar right behind the text would look like a part of it.
        let after: String = (end..self.width).map(|at| if at == end { ' ' } else { bar(at) }).collect();
        let what = if line.marked { style.bad(&what) } else { what };
        let mark = MARK[usize::from(line.marked)];
        let mark = if line.marked { style.bad(mark) } else { mark.to_owned() };
        format!("{}{what}{}{mark}{}", style.frame(&before), style.frame(&after), line.place)
    }
}

/// A text in at most this many columns.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most.saturating_sub(3)).collect::<String>() + "..." }
}
