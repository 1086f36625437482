//! The tables about threads in the shared block: the plan of a run, what its threads did, and what outlives runs.
//!
//! **Invariant.** No number of the subject's is used as an index here before it was compared with the size of its table.

use std::mem::offset_of;

use xcute_trace::{DefaultChoice, Schedule};

use super::block::{Block, Inherited};
use crate::wire::{self, XcChoice, XcFork, XcLater, XcNext, XcRange, XcStep, XcTask, XcThreads};

/// What the threads of a run did; every part is inside its table.
#[derive(Clone, Copy, Debug)]
pub struct Recorded<'a> {
    /// What was executed.
    pub steps: &'a [XcStep],
    /// What the steps chose from, and after it what is pending.
    pub nexts: &'a [XcNext],
    /// Which task forked which.
    pub forks: &'a [XcFork],
    /// What threads would have done at the end.
    pub pending: &'a [XcNext],
    /// Where they stood; none, or one for each of `pending`.
    pub standing: &'a [XcStep],
    /// `wire::run_end`.
    pub end: u32,
    /// The first choice of the plan that could not be made.
    pub strayed: Option<u32>,
}

macro_rules! field {
    ($block:expr, $name:ident) => {
        $block.read::<u32>($block.head.threads_at + offset_of!(XcThreads, $name) as u64)
    };
}

impl Block {
    /// What a fresh process finds.
    pub(super) fn prepare_threads(&mut self, inherited: &Inherited<'_>) {
        let Some(mut head) = self.threads else { return };
        let tasks = &inherited.tasks[..inherited.tasks.len().min(wire::TASKS)];
        let shared = &inherited.shared[..inherited.shared.len().min(head.max_shared as usize)];
        (head.n_tasks, head.n_shared) = (tasks.len() as u32, shared.len() as u32);
        self.write(self.head.threads_at, head);
        self.fill(head.tasks_at, tasks);
        self.fill(head.shared_at, shared);
    }

    /// Whether the subject left alone what only we write.
    pub(super) fn threads_intact(&self) -> bool {
        let Some(ours) = &self.threads else { return true };
        let now: XcThreads = self.read(self.head.threads_at);
        let sizes = |t: &XcThreads| [t.spurious, t.max_steps, t.max_nexts, t.max_forks, t.max_choices, t.max_shared];
        let places = |t: &XcThreads| [t.choices_at, t.steps_at, t.nexts_at, t.forks_at, t.tasks_at, t.shared_at];
        sizes(ours) == sizes(&now) && places(ours) == places(&now)
    }

    /// Writes the schedule of the next run, as far as it fits.
    pub fn set_schedule(&mut self, schedule: &Schedule, choose: DefaultChoice) {
        let Some(head) = self.threads else { return };
        let most = head.max_choices as usize;
        let choices: Vec<XcChoice> = schedule.choices.iter().take(most).map(|&(task, arm)| XcChoice { task: task.0, arm }).collect();
        let asleep: Vec<u32> = schedule.asleep.iter().take(wire::TASKS).map(|task| task.0).collect();
        self.fill(head.choices_at, &choices);
        self.fill(head.choices_at + size_of_val(&choices[..]) as u64, &asleep);
        let at = self.head.threads_at;
        let mut seeded = |seed: u64, changes: u32, expected: u32| {
            self.write(at + offset_of!(XcThreads, seed) as u64, seed);
            self.write(at + offset_of!(XcThreads, changes) as u64, changes);
            self.write(at + offset_of!(XcThreads, expected) as u64, expected);
        };
        let choose = match choose {
            DefaultChoice::Lowest => wire::choose::LOWEST,
            DefaultChoice::Current => wire::choose::CURRENT,
            DefaultChoice::Walk(seed) => {
                seeded(seed, 0, 0);
                wire::choose::WALK
            }
            DefaultChoice::Pct { seed, depth, steps } => {
                seeded(seed, depth.saturating_sub(1), steps.max(1));
                wire::choose::PCT
            }
            DefaultChoice::Pos(seed) => {
                seeded(seed, 0, 0);
                wire::choose::POS
            }
        };
        self.write(at + offset_of!(XcThreads, n_choices) as u64, [choices.len() as u32, asleep.len() as u32, choose]);
        let failing = schedule.failing.map_or(0, |task| task.0 + 1);
        self.write(at + offset_of!(XcThreads, strict) as u64, [u32::from(schedule.strict), failing]);
        // A process that dies before it begins must not report the run before.
        self.write(at + offset_of!(XcThreads, n_steps) as u64, [0u32; 8]);
    }

    /// What the threads of the last run did. `None` if it had only one, or if what it says cannot be.
    #[must_use]
    pub fn recorded(&self) -> Option<Recorded<'_>> {
        let head = self.threads?;
        let (n_steps, n_nexts, n_forks, n_pending) =
            (field!(self, n_steps), field!(self, n_nexts), field!(self, n_forks), field!(self, n_pending));
        let fits = n_steps <= head.max_steps && n_nexts <= head.max_nexts && n_forks <= head.max_forks && n_pending <= n_nexts;
        if !fits || (n_forks, n_steps, n_pending) == (0, 0, 0) {
            return None;
        }
        let standing = if n_pending as usize <= wire::TASKS { n_pending } else { 0 };
        let nexts: &[XcNext] = self.slice(head.nexts_at, n_nexts);
        let rows: &[XcStep] = self.slice(head.steps_at, n_steps + standing);
        let (steps, standing) = rows.split_at(n_steps as usize);
        let pending = &nexts[(n_nexts - n_pending) as usize..];
        let forks = self.slice(head.forks_at, n_forks);
        let strayed = field!(self, strayed).checked_sub(1);
        Some(Recorded { steps, nexts, forks, pending, standing, end: field!(self, end), strayed })
    }

    /// Whose failure is the outcome of the last run; `None` if nobody failed.
    #[must_use]
    pub fn failed(&self) -> Option<u32> {
        self.threads?;
        field!(self, failed).checked_sub(1).filter(|task| (*task as usize) < wire::TASKS)
    }

    /// The threads that failed in the last run after another one had.
    #[must_use]
    pub fn later(&self) -> Vec<XcLater> {
        if self.threads.is_none() {
            return Vec::new();
        }
        let all: [XcLater; wire::LATER] = self.read(self.head.threads_at + offset_of!(XcThreads, later) as u64);
        all.into_iter().take(field!(self, n_later) as usize).collect()
    }

    /// The tasks that the process knows.
    #[must_use]
    pub fn tasks(&self) -> &[XcTask] {
        self.threads.map_or(&[], |head| self.slice(head.tasks_at, field!(self, n_tasks).min(wire::TASKS as u32)))
    }

    /// The memory that it knows to be shared by several tasks.
    #[must_use]
    pub fn shared(&self) -> &[XcRange] {
        self.threads.map_or(&[], |head| self.slice(head.shared_at, field!(self, n_shared).min(head.max_shared)))
    }
}
