//! Processes: which of them goes on when, and what is said about it.

mod director;
mod operation;
mod source;
mod steps;
mod stuck;
mod tasks;

pub(crate) use director::{Directed, Director};
pub(crate) use steps::{Calling, Standing, Steps};
pub(crate) use tasks::Tasks;

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;
use xcute_threads::{CaseSchedule, Narrator, Picture, of_run};
use xcute_trace::{Concurrent, DefaultChoice, End, LaterFailure, Limit, Outcome, Schedule, Task, TaskId};

use crate::program::Program;
use crate::vm::Ended;
use source::LastRun;

/// What a subject knows of the processes of its program.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    pub(crate) tasks: Tasks,
    pub(crate) choice: DefaultChoice,
    /// What the last run did, if it was led.
    pub(crate) directed: Option<Directed>,
    /// What its replay said of it.
    steps: Steps,
}

/// Another process that failed: its number in the run, and how.
pub(crate) type Failing = (usize, xcute_trace::Failure);

impl Processes {
    pub(crate) fn new(tasks: Tasks) -> Processes {
        Processes { tasks, ..Processes::default() }
    }

    /// What is said about the processes of the last run; its outcome is completed. `failing` are other processes that failed.
    pub(crate) fn concurrent(
        &mut self,
        program: &Program,
        (ended, schedule): (&Ended, &Schedule),
        (steps, failing): (Steps, Vec<Failing>),
        (limits, outcome): (&mut Vec<Limit>, &mut Outcome),
    ) -> Option<Box<Concurrent>> {
        self.steps = steps;
        let directed = self.directed.as_mut()?;
        let record = &mut directed.record;
        if record.end == End::Cut && !directed.endless && matches!(ended, Ended::Returned(_) | Ended::Raised(_) | Ended::Exited(_)) {
            record.end = End::Finished;
        }
        if self.steps.before.len() < record.steps.len() {
            // The replay could not follow.
            record.steps.truncate(self.steps.before.len());
            record.pending.clear();
            record.end = End::Cut;
        }
        if directed.endless {
            let what = "a run of several processes that did not end was stopped".to_owned();
            limits.push(Limit { kind: "cut".to_owned(), what, incomplete: true });
            *outcome = Outcome::Passed;
        }
        let mut concurrent =
            Concurrent { record: record.clone(), before: self.steps.before.clone(), outdated: false, failed: None, later: Vec::new() };
        if matches!(outcome, Outcome::Failed(_)) {
            concurrent.failed = directed.tasks.first().copied();
        }
        self.settle(program, schedule.failing, failing, (&mut concurrent, outcome));
        Some(Box::new(concurrent))
    }

    /// The first failure is the run's, or that of the task which is asked for; a run without one may be stuck.
    fn settle(
        &self,
        program: &Program,
        wanted: Option<Task>,
        failing: Vec<Failing>,
        (concurrent, outcome): (&mut Concurrent, &mut Outcome),
    ) {
        let Some(directed) = &self.directed else { return };
        let steps = concurrent.record.steps.len();
        let mut all: Vec<(usize, Task, xcute_trace::Failure)> = Vec::new();
        let after = |number: usize| directed.ended.get(number).copied().flatten().unwrap_or(steps);
        if let (Some(task), Outcome::Failed(failure)) = (concurrent.failed, &*outcome) {
            all.push((after(0), task, failure.clone()));
        }
        all.extend(failing.into_iter().filter_map(|(number, failure)| Some((after(number), *directed.tasks.get(number)?, failure))));
        all.sort_by_key(|(after, task, _)| (*after, task.0));
        let counts = |task: Task| wanted.is_none_or(|wanted| wanted == task);
        if *outcome == Outcome::Rejected {
            return;
        }
        match all.iter().position(|(_, task, _)| counts(*task)) {
            Some(first) => {
                let (_, task, mut failure) = all.remove(first);
                let fails = failure.stack.first().map(|at| (task, at.clone()));
                if directed.tasks.len() > 1 {
                    failure.interleaving =
                        self.narrated(program, directed, |narrator| Picture { fails, ..Picture::all(narrator) }.rows(narrator));
                }
                (*outcome, concurrent.failed) = (Outcome::Failed(failure), Some(task));
                if wanted.is_none() {
                    concurrent.later = all.into_iter().map(|(after, task, failure)| later(after, task, &failure)).collect();
                }
            }
            None => {
                concurrent.failed = None;
                if *outcome != Outcome::Passed {
                    *outcome = Outcome::Passed;
                }
                if concurrent.record.end == End::Finished
                    && let Some(failure) =
                        self.narrated(program, directed, |narrator| stuck::failure(narrator, directed, &self.tasks.ids()))
                {
                    *outcome = Outcome::Failed(failure);
                }
            }
        }
    }

    /// The order in which the processes of the last run did what they did.
    pub(crate) fn order(&self, program: &Program, failed: Option<Task>) -> Option<CaseSchedule> {
        self.narrate(program, |narrator| of_run(narrator, failed))?
    }

    /// Describes the last run; `None` if it was not led.
    pub(crate) fn narrate<T>(&self, program: &Program, describe: impl FnOnce(&mut Narrator<'_>) -> T) -> Option<T> {
        Some(self.narrated(program, self.directed.as_ref()?, describe))
    }

    fn narrated<T>(&self, program: &Program, directed: &Directed, describe: impl FnOnce(&mut Narrator<'_>) -> T) -> T {
        let ids: Vec<TaskId> = self.tasks.ids();
        let mut source = LastRun { program, directed, steps: &self.steps, ids: &ids };
        describe(&mut Narrator::new(&directed.record, &ids, &mut source))
    }
}

fn later(steps: usize, task: Task, failure: &xcute_trace::Failure) -> LaterFailure {
    let place = failure.stack.first().map(|frame| (&frame.file, frame.line, &frame.function));
    let what = FxBuildHasher.hash_one((failure.kind.name(), &failure.message, place));
    LaterFailure { task, steps, what }
}
