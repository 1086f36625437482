//! Threads: what they do that others can see, who goes on when, and what is said of it.

pub(crate) mod director;
mod ended;
pub(crate) mod held;
pub(crate) mod operation;
mod published;
mod source;
pub(crate) mod tasks;
mod written;

use rustc_hash::FxHashSet;
use xcute_classfile::access;
use xcute_threads::{CaseSchedule, Narrator, Picture, endless, stuck};
use xcute_trace::{Concurrent, DefaultChoice, End, FailureKind, Outcome, Schedule, TaskId};

use crate::jvm::{Block, Jvm, RunEnd};
use crate::program::Program;
use crate::replay::{Steps, Story};
use crate::wire::{Row, flag, outcome as end_of};
use director::{Directed, Director, Plan};
use held::Held;
use source::LastRun;
use tasks::{Shareable, Tasks};

/// What a subject knows of the threads of its program.
#[derive(Debug)]
pub(crate) struct Threads {
    pub(crate) tasks: Tasks,
    pub(crate) choice: DefaultChoice,
    /// What the JVM knows to be shared.
    pub(crate) shared: FxHashSet<Shareable>,
    /// The same, in the order of [`Tasks`].
    known: usize,
    /// It knows which instructions write.
    marked: bool,
    /// What the last run did, if it had several tasks.
    pub(crate) directed: Option<Directed>,
    /// What its replay said of it.
    steps: Steps,
}

impl Threads {
    /// Volatile fields are shared from the start: a loop may wait for one.
    pub(crate) fn new(program: &Program, tasks: Tasks) -> Threads {
        for (number, _) in (0..).zip(&program.fields).filter(|(_, field)| field.access & access::VOLATILE != 0) {
            tasks.share(Shareable::Field(number));
        }
        let (choice, shared, steps) = (DefaultChoice::default(), FxHashSet::default(), Steps::default());
        Threads { tasks, choice, shared, known: 0, marked: false, directed: None, steps }
    }

    /// Before a run: tells the JVM what is shared.
    pub(crate) fn catch_up(&mut self, program: &Program, block: &mut Block) {
        if !self.marked {
            self.marked = true;
            self.mark(program, block, |_| false);
        }
        let more = self.tasks.shared(self.known);
        if more.is_empty() {
            return;
        }
        self.known += more.len();
        self.mark(program, block, |what| more.contains(what));
        self.shared.extend(more);
    }

    /// Tells the JVM which instructions write, and which access what was found to be shared.
    fn mark(&self, program: &Program, block: &mut Block, is_shared: impl Fn(&Shareable) -> bool) {
        for method in program.methods.iter().filter(|_| program.threads) {
            for (place, insn) in (method.body.first..).zip(&method.body.insns) {
                let Some((what, writes)) = operation::accessed(insn) else { continue };
                let shared = self.shared.contains(&what) || is_shared(&what);
                if shared || writes {
                    block.access(u32::try_from(place).expect("fewer than 2^32 instructions"), shared, writes);
                }
            }
        }
    }

    /// Lets a JVM run what is in its block, by a plan.
    pub(crate) fn lead(&mut self, program: &Program, jvm: &mut Jvm, schedule: &Schedule, flags: u32) -> RunEnd {
        let mut director = Director::new(program, &self.tasks, Plan { schedule, choice: self.choice });
        let mut rows = Vec::new();
        let known = [(Shareable::Ends, flag::ENDINGS), (Shareable::Lines, flag::LINES)];
        let known = known.iter().filter(|(what, _)| self.shared.contains(what)).fold(0, |bits, (_, bit)| bits | bit);
        let end = jvm.run(flags | known, &mut |now: &mut dyn Iterator<Item = Row>| {
            rows.clear();
            rows.extend(now);
            director.pick(&rows)
        });
        rows.clear();
        rows.extend(jvm.block.rows());
        self.directed = director.directed(&rows);
        end
    }

    /// Takes over what a run found to be shared; whether that was news.
    pub(crate) fn learn(&mut self, steps: &Steps) -> bool {
        let mut found: Vec<Shareable> = steps.shared.iter().copied().collect();
        found.sort_unstable();
        found.into_iter().for_each(|what| self.tasks.share(what));
        self.tasks.outgrown(self.known)
    }

    /// What is said of the tasks of the last run; its outcome is completed.
    pub(crate) fn concurrent(
        &mut self,
        program: &Program,
        jvm: &Jvm,
        end: RunEnd,
        (schedule, steps): (&Schedule, Steps),
        (story, outcome): (&mut Story, &mut Outcome),
    ) -> Option<Box<Concurrent>> {
        self.steps = steps;
        let directed = self.directed.as_mut()?;
        let record = &mut directed.record;
        if self.steps.before.len() < record.steps.len() {
            // The run ended before, or could not be followed.
            record.steps.truncate(self.steps.before.len());
            record.pending.clear();
            record.end = End::Cut;
        }
        let code = jvm.block.outcome();
        if end != RunEnd::Answered || code != end_of::SCHEDULED {
            record.end = End::Cut;
        }
        if directed.damaged {
            story.limit("inexact", "the JVM wants something that no thread can do", true);
        }
        if directed.daemons {
            story.limit("cut", "daemon threads that did not end were stopped", true);
        }
        // A thread that runs on without reading anything that another one could change never ends.
        let runs_on = code == end_of::STEPS && self.steps.reads.is_empty();
        if code == end_of::STEPS && end == RunEnd::Answered {
            // What it reads again and again it may wait for: then its looks are steps, which the next run makes.
            let mut reads: Vec<Shareable> = self.steps.reads.iter().copied().collect();
            reads.sort_unstable();
            reads.into_iter().for_each(|what| self.tasks.share(what));
        }
        if directed.endless || code == end_of::STEPS && !runs_on {
            story.limit("cut", "a run of several threads that did not end was stopped", true);
            *outcome = Outcome::Passed;
        }
        let mut concurrent =
            Concurrent { record: record.clone(), before: self.steps.before.clone(), outdated: false, failed: None, later: Vec::new() };
        if end == RunEnd::Hung {
            // It may wait for what another thread has, which does not run.
            story.limit("waits", "a thread did not come to its next operation in time: code that is not followed waits for another", true);
            *outcome = Outcome::Passed;
        }
        if end == RunEnd::Answered && code == end_of::SCHEDULED {
            ended::tell(program, directed, jvm.block.endings(), schedule.failing, (&mut concurrent, outcome));
            // A thread that waits for the end of another one, which this run did not know to wake it, is not stuck.
            let void = self.steps.shared.contains(&Shareable::Ends);
            if directed.stuck && !void && !directed.halted && *outcome == Outcome::Passed && concurrent.record.end == End::Finished {
                let mut failure = narrated(program, directed, (&self.steps, &self.tasks.ids()), stuck);
                let last = LastRun { program, directed, steps: &self.steps };
                if failure.kind == FailureKind::LostWakeup && last.waits_in_jdk() {
                    // A queue or a lock waits for what it needs; that this is a notification is how our models do it.
                    failure.kind = FailureKind::Deadlock;
                    failure.message.truncate(failure.message.trim_end_matches(", and nobody is left to give it").len());
                    failure.notes.retain(|note| note.what.starts_with("thread "));
                }
                if failure.kind == FailureKind::Deadlock && directed.insists {
                    // It does not wait: it tries.
                    failure.kind = FailureKind::Livelock;
                }
                *outcome = Outcome::Failed(failure);
            }
            if let Some(from) = directed.turns.filter(|_| *outcome == Outcome::Passed && concurrent.failed.is_none()) {
                let ids = self.tasks.ids();
                *outcome = Outcome::Failed(narrated(program, directed, (&self.steps, &ids), |narrator| endless(narrator, from)));
                // The rest repeats itself. A task that made no step in it stands where it stood.
                for record in [&mut concurrent.record, &mut directed.record] {
                    let rest = record.steps.split_off(from.min(record.steps.len()));
                    record.pending.retain(|next| !rest.iter().any(|step| step.task() == next.task));
                }
                concurrent.before.truncate(from);
            }
            if let (Outcome::Failed(failure), Some(task)) = (&mut *outcome, concurrent.failed) {
                let fails = failure.stack.first().map(|at| (task, at.clone()));
                failure.interleaving = narrated(program, directed, (&self.steps, &self.tasks.ids()), |narrator| {
                    Picture { fails, ..Picture::all(narrator) }.rows(narrator)
                });
            }
        }
        if directed.lines {
            self.tasks.share(Shareable::Lines);
        }
        concurrent.outdated = self.tasks.outgrown(self.known);
        self.tasks.tell(concurrent.outdated);
        Some(Box::new(concurrent))
    }

    /// The order of the last run for the original classes.
    pub(crate) fn held(&self, program: &Program, order: &CaseSchedule) -> Held {
        let held = |directed| held::held(program, directed, &self.steps, (order, &self.tasks.ids()));
        self.directed.as_ref().map(held).unwrap_or_default()
    }

    /// What identifies the place of a step of the last run where data races are compared.
    pub(crate) fn race_place(&self, program: &Program, step: usize, place: u32) -> u64 {
        let of = |directed| LastRun { program, directed, steps: &self.steps }.place(step, place);
        self.directed.as_ref().map_or(u64::from(place), of)
    }

    /// Describes the last run; `None` if it had one task only.
    pub(crate) fn narrate<T>(&self, program: &Program, describe: impl FnOnce(&mut Narrator<'_>) -> T) -> Option<T> {
        let directed = self.directed.as_ref()?;
        Some(narrated(program, directed, (&self.steps, &self.tasks.ids()), describe))
    }
}

fn narrated<T>(
    program: &Program,
    directed: &Directed,
    (steps, ids): (&Steps, &[TaskId]),
    describe: impl FnOnce(&mut Narrator<'_>) -> T,
) -> T {
    let mut source = LastRun { program, directed, steps };
    describe(&mut Narrator::new(&directed.record, ids, &mut source))
}
