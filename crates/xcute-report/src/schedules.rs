//! Why schedules were run, in words: which races asked for which arms.
//!
//! A schedule arm is a way to go on at a step of a run: which thread goes next, and in which of its ways. It is named by the run and the step that
//! it stands at, as in `schedule:2:7`, for it has no place in the source of its own.
//!
//! **Invariant.** Steps are counted from 1, as in all that is shown.

use std::collections::BTreeMap;
use std::fmt::Write;

use xcute_trace::Happening;

/// At most this many arms of a kind are named.
const NAMED: usize = 3;

/// What became of a way to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WayState {
    /// Runs took it; the first of them.
    Taken(u64),
    /// It was asked for, and the search ended before.
    Open,
    /// A run that should have taken it went elsewhere.
    Diverged,
    /// Nobody asked for it.
    Idle,
}

/// A step of a race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Racing {
    /// Its number; `None` for a step that its thread could no longer do.
    pub step: Option<usize>,
    /// What it is.
    pub happening: Happening,
}

/// Why a way was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// By which run.
    pub run: u64,
    /// The race of that run to be turned around; `None` where every way is asked for.
    pub race: Option<[Racing; 2]>,
}

/// A way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Which thread goes on, and what it does.
    pub next: Happening,
    /// Which of the ways to do that, from 1, where there are several: which waiter a signal wakes.
    pub arm: Option<u32>,
    /// What became of it.
    pub state: WayState,
    /// Why it was asked for, if it was.
    pub asked: Option<Asked>,
}

/// A step at which a run could have gone on in several ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The run.
    pub run: u64,
    /// The step.
    pub step: usize,
    /// The ways, in their order.
    pub ways: Vec<Way>,
    /// Which of them the run took.
    pub chosen: usize,
}

/// All about one choice.
#[must_use]
pub fn choice(choice: &Choice) -> String {
    let mut out = format!("run {}, step {}: {} ways to go on\n", choice.run, choice.step, choice.ways.len());
    for (number, way) in choice.ways.iter().enumerate() {
        let state = match way.state {
            WayState::Taken(_) if number == choice.chosen => "taken by this run".to_owned(),
            WayState::Taken(first) => format!("taken, first by run {first}"),
            WayState::Open => "open: the search ended before it was tried; xcute resume continues it".to_owned(),
            WayState::Diverged => "diverged: a run that should have taken it went elsewhere".to_owned(),
            WayState::Idle => "not asked for: no race was found that needs it to go first".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}: {state}", named(way));
        if let Some(asked) = &way.asked {
            out += &reason(asked, &way.next.task);
        }
    }
    out
}

/// The choices of a run, one line each. `steps` is how many steps it had.
#[must_use]
pub fn run(number: u64, steps: usize, choices: &[Choice]) -> String {
    let mut out = format!("run {number}: {steps} steps, {} with a choice\n", choices.len());
    let width = choices.iter().map(|choice| choice.step).max().unwrap_or(0).to_string().len();
    for choice in choices {
        let others = choice.ways.iter().enumerate().filter(|(at, _)| *at != choice.chosen).map(|(_, way)| {
            let state = match way.state {
                WayState::Taken(first) => format!("run {first}"),
                WayState::Open => "open".to_owned(),
                WayState::Diverged => "diverged".to_owned(),
                WayState::Idle => "not asked for".to_owned(),
            };
            format!("{}{} ({state})", way.next.task, numbered(way))
        });
        let others = others.collect::<Vec<_>>().join(", ");
        let chosen = choice.ways.get(choice.chosen).map_or_else(String::new, named);
        let _ = writeln!(out, "step {:>width$}  {chosen}; else {others}", choice.step);
    }
    out
}

/// Why the arms of all runs were asked for: the races, and where they were turned around. Each arm comes with the run and the step it stands at.
#[must_use]
pub fn overview(arms: &[((u64, usize), &Way)]) -> String {
    let asked: Vec<_> = arms.iter().filter_map(|(at, way)| Some((*at, *way, way.asked.as_ref()?))).collect();
    let count = |fits: fn(&WayState) -> bool| asked.iter().filter(|(_, way, _)| fits(&way.state)).count();
    let taken = count(|state| matches!(state, WayState::Taken(_)));
    let mut out =
        format!("{} {} asked for: {taken} taken", asked.len(), if asked.len() == 1 { "schedule arm was" } else { "schedule arms were" });
    for (number, word) in [(count(|state| *state == WayState::Open), "open"), (count(|state| *state == WayState::Diverged), "diverged")] {
        if number > 0 {
            let _ = write!(out, ", {number} {word}");
        }
    }
    out.push('\n');
    let mut races: BTreeMap<String, Vec<(u64, usize)>> = BTreeMap::new();
    for (at, _, asked) in asked {
        let why = match &asked.race {
            Some([first, second]) => format!("to turn around {}, {}", doing(&first.happening), doing(&second.happening)),
            None => "because every way to go on is run".to_owned(),
        };
        races.entry(why).or_default().push(at);
    }
    let mut races: Vec<_> = races.into_iter().collect();
    races.sort_by_key(|(_, arms)| std::cmp::Reverse(arms.len()));
    for (why, arms) in races {
        let mut names: Vec<String> = arms.iter().take(NAMED).map(|(run, step)| format!("schedule:{run}:{step}")).collect();
        if arms.len() > NAMED {
            names.push(format!("{} more", arms.len() - NAMED));
        }
        let _ = writeln!(out, "{} {why}\n  at {}", arms.len(), names.join(", "));
    }
    out
}

/// Why a way of a thread was asked for, indented.
fn reason(asked: &Asked, thread: &str) -> String {
    let Some(race) = &asked.race else { return format!("  run {} asked for it, as for every way to go on\n", asked.run) };
    let own = race[1].happening.task == thread;
    let lead = if own { "to turn these around" } else { "as the first step to turn these around" };
    let mut out = format!("  run {} asked for it, {lead}:\n", asked.run);
    let steps = race.each_ref().map(|one| one.step.map_or_else(|| "at the end".to_owned(), |step| format!("step {step}")));
    let width = steps.iter().map(String::len).max().unwrap_or(0);
    for (step, one) in steps.iter().zip(race) {
        let _ = writeln!(out, "    {step:<width$}  {}", doing(&one.happening));
    }
    out
}

/// What a thread does, and where.
fn doing(one: &Happening) -> String {
    let place = if one.at.file.is_empty() { String::new() } else { format!(" ({}:{})", one.at.file, one.at.line) };
    format!("thread {} {}{place}", one.task, one.what)
}

fn named(way: &Way) -> String {
    doing(&way.next) + &numbered(way)
}

fn numbered(way: &Way) -> String {
    way.arm.map_or_else(String::new, |arm| format!(", way {arm}"))
}
