//! The one trait between the engine and a language.

use thiserror::Error;
use xcute_term::{Interrupt, Model, Terms, VarId};

use crate::case::{TaskId, TestCase};
use crate::failure::{Failure, Happening};
use crate::operation::ObjectId;
use crate::schedule::DefaultChoice;
use crate::segments::Points;
use crate::site::{SiteId, Sites};
use crate::task::Task;
use crate::trace::Trace;

/// A decision that the run is promised to take, because it follows a path of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where.
    pub site: SiteId,
    /// Which arm.
    pub taken: u32,
}

/// What the word of an input is, as far as it matters for simple values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number without a sign.
    Unsigned,
    /// A number with a sign, of this many bits.
    Signed(u32),
    /// A character.
    Character,
    /// An IEEE float of this many bits.
    Float(u32),
    /// A pointer; 0 is none.
    Pointer,
}

/// What a run did that was made only to see whether it does anything new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// Whether it covered something that no run of this subject covered.
    pub news: bool,
    /// Of a run that did not end well: a digest of how and where, equal for equal failures.
    pub failure: Option<u64>,
    /// What it cost, in steps of the subject.
    pub steps: u64,
}

/// A program under test, ready to run.
pub trait Subject {
    /// The sites of the program.
    fn sites(&self) -> &Sites;

    /// What identifies the program: a digest of all of it that decides what runs do, code and data. It is the same when the program is made ready again, and another one when
    /// anything of that changed; an earlier campaign goes on only where it is the same.
    fn identity(&self) -> String;

    /// Runs a case. `promise` are the decisions the engine already knows: the front end compares them with what happens and
    /// does not build their conditions again. If the run leaves the promise after `k` decisions, the trace has `known == k`
    /// and goes on from there.
    ///
    /// # Errors
    /// Only where the subject cannot be run at all. Whatever the subject does is an outcome.
    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError>;

    /// Runs a case alongside the search, without a promise. What it covers is reported, and stays new for later runs; a subject that reports coverage
    /// has to see to that.
    ///
    /// # Errors
    /// As [`Subject::run`].
    fn run_aside(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Trace, SubjectError> {
        self.run(case, &[], terms)
    }

    /// Runs a case only to see whether it does anything new: nothing that inputs decide is recorded, and what it covers stays new for later runs. It covers and fails as
    /// [`Subject::run`] does. `None` where there are no such runs.
    ///
    /// # Errors
    /// As [`Subject::run`].
    fn glance(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Option<Glance>, SubjectError> {
        let _ = (case, terms);
        Ok(None)
    }

    /// Inputs that are bytes of texts: in the order in which they follow each other in memory. Those met so far.
    fn texts(&self) -> Vec<Vec<VarId>> {
        Vec::new()
    }

    /// Byte strings that the program, or its user, knows: likely parts of inputs.
    fn vocabulary(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// Ends runs under way when this flag is raised: they are [`SubjectError::Interrupted`] then. A subject whose runs are short need not listen.
    fn interrupt_by(&mut self, interrupt: &Interrupt) {
        let _ = interrupt;
    }

    /// The fork paths of all tasks met so far, by [`crate::Task`]; the list only grows, and all subjects of a program share it.
    fn tasks(&self) -> Vec<TaskId> {
        Vec::new()
    }

    /// How runs go on when their schedule is used up.
    fn schedule_by(&mut self, choice: DefaultChoice) {
        let _ = choice;
    }

    /// The data race between two steps of the last run, for people: both accesses with their stacks. `held`: the locks at the first and at the
    /// second. `None` where steps cannot race.
    fn data_race(&mut self, first: usize, second: usize, held: [&[ObjectId]; 2]) -> Option<Failure> {
        let _ = (first, second, held);
        None
    }

    /// Which data races are reported as one: those with the same number are to the same variable, in the same two functions. Of two steps of the last run.
    fn race_group(&mut self, first: usize, second: usize) -> u64 {
        let _ = (first, second);
        0
    }

    /// What identifies the place of an access where data races are compared; in code that is not the program's own it includes the caller in the program.
    /// Of a step of the last run, and its place.
    fn race_place(&self, step: usize, place: u32) -> u64 {
        let _ = step;
        u64::from(place)
    }

    /// What a task did, or would have done, at a step of the last run, for people. After the last step, what it could no longer do.
    /// `None` where nobody knows.
    fn happening(&self, step: usize, task: Task) -> Option<Happening> {
        let _ = (step, task);
        None
    }

    /// Whether traces have [`crate::Trace::segments`] from the next run on. They say what happened to memory between decisions, also those that no input
    /// decides. Such runs are slower; everything else in their traces is as in other runs. Segments are always of the whole run, so a promise saves less.
    ///
    /// # Errors
    /// Where the subject has no segments: [`SubjectError::Segments`] says why. Everything is as it was then.
    fn follow(&mut self, on: bool) -> Result<(), SubjectError> {
        if on { Err(SubjectError::Segments("the language has none".to_owned())) } else { Ok(()) }
    }

    /// Whether there is anything in the program that could fail, as far as can be seen without running it.
    fn can_fail(&self) -> bool {
        true
    }

    /// The program points that the decisions of segments name.
    fn points(&self) -> Option<&Points> {
        None
    }

    /// What a variable is.
    fn shape(&self, var: VarId) -> Shape {
        let _ = var;
        Shape::Unsigned
    }

    /// A model with its variables renamed from this subject's arena to the numbers that all subjects of the same program share.
    /// By default they are the same: right where every arena declares all variables in the same order.
    fn export(&self, model: &Model) -> Model {
        model.clone()
    }

    /// The opposite of [`Subject::export`]; declares variables that only others have met so far.
    fn import(&mut self, model: &Model, terms: &mut Terms) -> Model {
        let _ = terms;
        model.clone()
    }
}

/// Why a subject cannot be run.
#[derive(Debug, Error)]
pub enum SubjectError {
    /// The process that runs it could not be started or died before it was ready.
    #[error("cannot start the subject: {0}")]
    Start(String),
    /// It answered something that is not a trace, again and again.
    #[error("the subject does not answer: {0}")]
    Protocol(String),
    /// The run was broken off: what it did is not known, and it can be made again.
    #[error("the run was interrupted")]
    Interrupted,
    /// Its runs cannot be cut into segments.
    #[error("no segments: {0}")]
    Segments(String),
}
