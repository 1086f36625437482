//! A Java program under test, as a [`xcute_trace::Subject`].
//!
//! A run: the values of the case become objects in a JVM, which runs the driver; the events that it left are replayed, which gives the trace. JVMs
//! come and go without the search noticing; variables stay.
//!
//! **Invariant.** The same case gives the same trace, in whatever JVM and after whatever other runs.

use std::sync::Arc;

use xcute_term::{Interrupt, Model, Terms, VarId, profile};
use xcute_trace::{
    DefaultChoice, Failure, FailureKind, Frame, Happening, Known as Promised, ObjectId, Outcome, Schedule, Shape, SiteId, Sites, Subject,
    SubjectError, Task, TaskId, TestCase, Trace,
};

use crate::inputs::known::Known;
use crate::inputs::recipe::Recipe;
use crate::inputs::types::TypeTable;
use crate::inputs::variable::Variables;
use crate::jdk::Jdk;
use crate::jvm::{Jvm, Options, RunEnd, StartError};
use crate::outcome::{self, Thrown};
use crate::program::Program;
use crate::replay::{self, Chars, State, Stop, Told, World};
use crate::threads::Threads;
use crate::threads::tasks::Tasks;
use crate::wire::{flag, outcome as end_of};
use xcute_classfile::Kind;
use xcute_process::Death;

/// How many JVMs a case may find dead.
const JVMS: u32 = 3;
/// How often a case is run again because references mean other objects.
const ROUNDS: u32 = 10_000;

/// A Java program under test.
pub struct JavaSubject {
    pub(crate) program: Arc<Program>,
    jdk: Jdk,
    pub(crate) jvm: Jvm,
    known: Known,
    types: TypeTable,
    pub(crate) state: State,
    /// By site: which arms were reported as covered.
    covered: Vec<Vec<bool>>,
    /// What the next run needs.
    flags: u32,
    /// What all runs have to report.
    reports: u32,
    /// Static initialisers since classes were loaded depend on each other, or on what runs do: their classes cannot be restored.
    tangled: bool,
    /// By instruction: whether it is one of the program's own.
    own: Vec<bool>,
    pub(crate) threads: Threads,
}

impl JavaSubject {
    /// A subject that is ready to run.
    ///
    /// # Errors
    /// Where no JVM can be started.
    pub fn start(program: Arc<Program>, jdk: &Jdk, options: Options) -> Result<JavaSubject, SubjectError> {
        let mut subject = JavaSubject::with(program, jdk, options, (Variables::default(), Tasks::default()))?;
        subject.jvm.ready().map_err(cannot)?;
        Ok(subject)
    }

    /// This many subjects of this program, this one among them, each with a JVM of its own. They share their variables, so that a model of one is a
    /// model of the others.
    ///
    /// # Errors
    /// As [`JavaSubject::another`].
    pub fn times(self, count: u32) -> Result<Vec<JavaSubject>, SubjectError> {
        let mut all = vec![self];
        for _ in 1..count {
            let other = all[0].another()?;
            all.push(other);
        }
        Ok(all)
    }

    /// Another subject of this program. Its JVM is started by its first run.
    ///
    /// # Errors
    /// Where there is not enough memory to share with a JVM.
    pub fn another(&self) -> Result<JavaSubject, SubjectError> {
        let (variables, tasks) = (self.known.shared.clone(), self.threads.tasks.clone());
        JavaSubject::with(Arc::clone(&self.program), &self.jdk, self.jvm.options().clone(), (variables, tasks))
    }

    fn with(
        program: Arc<Program>,
        jdk: &Jdk,
        options: Options,
        (variables, tasks): (Variables, Tasks),
    ) -> Result<JavaSubject, SubjectError> {
        let known = Known::new(variables, options.longest);
        let jvm = Jvm::new(jdk, &program.path, (&program.pack, program.instructions()), options).map_err(cannot)?;
        let covered = program.sites().sites.iter().map(|site| vec![false; site.arms as usize]).collect();
        let (types, state) = (TypeTable::default(), State::new(program.finder(), &program));
        let bits = [
            (program.threads, flag::THREADED),
            (program.interrupts, flag::INTERRUPTS),
            (program.signals, flag::SIGNALS),
            (program.lives, flag::LIVES),
            (program.lines, flag::LINES),
        ];
        let reports = bits.iter().filter(|_| program.threads).map(|(is, bit)| if *is { *bit } else { 0 }).sum();
        let threads = Threads::new(&program, tasks);
        let mut own = vec![false; program.instructions()];
        program.lines().filter(|at| at.line > 0).for_each(|at| own[at.instruction] = true);
        Ok(JavaSubject { program, jdk: jdk.clone(), jvm, known, types, state, covered, flags: 0, reports, tangled: false, own, threads })
    }

    /// The variables met so far: a handle that sees later ones as well.
    #[must_use]
    pub fn variables(&self) -> Variables {
        self.known.shared.clone()
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> Arc<Program> {
        Arc::clone(&self.program)
    }

    /// How many elements arrays and strings of the input have at most.
    pub(crate) fn longest(&self) -> u32 {
        self.known.longest()
    }

    /// By instruction of the program ([`Program::lines`]): whether any run came to it.
    #[must_use]
    pub fn ran(&self) -> &[bool] {
        &self.state.ran
    }

    /// The arms that runs took.
    pub fn covered(&self) -> impl Iterator<Item = (SiteId, u32)> {
        let arms = |(site, arms): (u32, &Vec<bool>)| {
            let taken: Vec<u32> = (0..).zip(arms).filter(|(_, taken)| **taken).map(|(arm, _)| arm).collect();
            taken.into_iter().map(move |arm| (SiteId(site), arm))
        };
        (0..).zip(&self.covered).flat_map(arms)
    }

    /// Says, whenever it is asked, whether some run of the program had several threads.
    #[must_use]
    pub fn several(&self) -> Box<dyn Fn() -> bool + Send + Sync> {
        let tasks = self.threads.tasks.clone();
        Box::new(move || tasks.ids().len() > 1)
    }

    /// How many JVMs were needed so far.
    #[must_use]
    pub fn jvms(&self) -> u32 {
        self.jvm.starts()
    }

    /// How often the current JVM has loaded the classes of the program.
    #[must_use]
    pub fn loads(&self) -> u64 {
        self.jvm.block.loads()
    }

    /// Lets a JVM run an input; how that ended.
    pub(crate) fn execute(&mut self, recipe: &Recipe, schedule: &Schedule) -> Result<RunEnd, SubjectError> {
        let words = self.types.encode(recipe);
        let mut end = RunEnd::NotBegun;
        for _ in 0..JVMS {
            let fresh = self.jvm.is_fresh();
            let starting = profile::phase("starting");
            self.jvm.ready().map_err(cannot)?;
            drop(starting);
            if fresh {
                self.types.told = 0;
                self.state.classes.forget();
            }
            let (at, bytes) = self.types.untold();
            let fits = self.jvm.block.add_types(at, bytes, self.types.count()) && self.jvm.block.set_input(&words);
            if !fits {
                return Err(SubjectError::Protocol("an input is too large for the memory shared with the JVM".into()));
            }
            self.types.all_told();
            self.threads.catch_up(&self.program, &mut self.jvm.block);
            let before = self.jvm.block.collections();
            let running = profile::phase("program");
            end = self.threads.lead(&self.program, &mut self.jvm, schedule, self.flags | self.reports);
            if end == RunEnd::Answered && self.flags & flag::NUMBERED == 0 && self.jvm.block.collections() != before {
                // Objects may have moved: their addresses name them no longer. Collections before the run began do no harm.
                self.flags = (self.flags | flag::NUMBERED | flag::COLLECT | flag::FRESH_COPIES | flag::FRESH_PROGRAM) & !flag::RESTORE;
                end = self.threads.lead(&self.program, &mut self.jvm, schedule, self.flags | self.reports);
            }
            drop(running);
            match end {
                RunEnd::NotBegun => {}
                RunEnd::Interrupted => return Err(SubjectError::Interrupted),
                _ => break,
            }
        }
        self.flags = 0;
        if self.jvm.block.generation() != self.state.classes.generation {
            self.state.classes.forget();
            self.state.classes.generation = self.jvm.block.generation();
        }
        let (met, read) = self.jvm.block.classes(self.state.classes.read);
        for (number, name) in met {
            self.state.classes.learn(number, &name);
        }
        self.state.classes.read = read;
        Ok(end)
    }

    /// Runs a case until it has run with the objects that its references mean.
    fn settle(&mut self, case: &TestCase, promise: &[Promised], terms: &mut Terms) -> Result<(RunEnd, Told, Model), SubjectError> {
        self.known.catch_up(terms);
        let mut input = case.input.clone();
        for _ in 0..ROUNDS {
            let recipe = {
                let shared = self.known.shared.clone();
                let registry = shared.lock();
                Recipe::of(&registry, &|number| self.known.value(&input, number))
            };
            let end = self.execute(&recipe, &case.schedule)?;
            let (events, decisions) = (self.jvm.block.events(), self.jvm.options().decisions);
            let (texts, arrays) = (self.reports & flag::TEXTS != 0, self.reports & flag::ARRAYS != 0);
            let (directed, shared) = (self.threads.directed.as_ref(), &self.threads.shared);
            let run = replay::Run { events, recipe: &recipe, input: &input, promise, texts, arrays, decisions, directed, shared };
            let world = World { program: &self.program, terms, known: &mut self.known };
            let decoding = profile::phase("decoding");
            let mut told = replay::replay(&mut self.state, world, &run);
            drop(decoding);
            if self.jvm.block.outcome() == end_of::STEPS {
                told.steps.shared.extend(&told.steps.reads);
            }
            match told.stop {
                Stop::Again(variable, address) => {
                    let id = self.known.id(variable).expect("declared");
                    input.set_word(id, u64::from(address));
                }
                Stop::Texts => self.reports |= flag::TEXTS,
                Stop::Arrays => self.reports |= flag::ARRAYS,
                Stop::Chars => self.state.chars = Some(Chars::new(self.jvm.table().map_err(SubjectError::Protocol)?)),
                // Accesses were not steps, and nobody was given a run that suffers from the same.
                _ if self.threads.learn(&told.steps) && !self.threads.tasks.told() => {}
                _ => return Ok((end, told, input)),
            }
            self.soiled(end, &told);
            // What that round came to is not this case's.
            self.state.reached.drain(..).for_each(|place| self.state.ran[place as usize] = false);
        }
        Err(SubjectError::Protocol("references of an input do not come to an end".into()))
    }

    /// Sees to it that the next run does not find what this one left in static fields.
    fn soiled(&mut self, end: RunEnd, told: &Told) {
        // Threads that were stopped, and whatever was not followed to its end, may have done more.
        let stopped = self.threads.directed.as_ref().is_some_and(|directed| directed.is_stopped());
        let known = end == RunEnd::Answered && told.stop == Stop::End && !stopped && self.jvm.block.outcome() != end_of::STEPS;
        // Initialisers that were not followed may have changed anything.
        let unseen = self.jvm.block.initialisers() != u64::from(told.initialisers);
        self.tangled |= told.tangled || unseen;
        let dirty = if known && !unseen { told.dirty } else { [true, true] };
        self.flags |= fresh(dirty, self.tangled);
        // What is loaded again depends on nothing yet.
        self.tangled &= dirty != [true, true];
    }

    /// How a run ended; `stack` is where the replay ended.
    pub(crate) fn outcome(&self, end: RunEnd, stack: Vec<Frame>) -> Outcome {
        let code = self.jvm.block.outcome();
        match (end, code) {
            (RunEnd::Hung, _) => failed(FailureKind::Hang, "the run does not end within its time", stack),
            (RunEnd::NotBegun | RunEnd::Interrupted, _) => failed(FailureKind::Signal, "its JVM ends before it begins", stack),
            // Code that is not followed has called `System.exit`.
            (RunEnd::Died(Death::Exit(_)), end_of::RUNNING) => Outcome::Passed,
            (RunEnd::Died(Death::Signal(signal)), end_of::RUNNING) => {
                failed(FailureKind::Signal, &format!("the JVM dies by signal {signal}"), stack)
            }
            (_, end_of::RETURNED | end_of::EXITED) => Outcome::Passed,
            (_, end_of::REJECTED) => Outcome::Rejected,
            (_, end_of::SCHEDULED | end_of::UNSUPPORTED) => Outcome::Passed,
            (_, end_of::STEPS) => failed(FailureKind::Hang, "the run does not end within its steps", stack),
            _ => outcome::failed(Thrown::parse(&self.jvm.block.text(), &self.program), code == end_of::ASSERTED),
        }
    }
}

fn cannot(error: StartError) -> SubjectError {
    match error {
        StartError::Interrupted => SubjectError::Interrupted,
        other => SubjectError::Start(other.to_string()),
    }
}

/// What the next run needs after one that changed static state: classes that are loaded again, or restored if nothing speaks against it.
fn fresh(dirty: [bool; 2], tangled: bool) -> u32 {
    let restore = if tangled { 0 } else { flag::RESTORE };
    match dirty {
        [_, true] => flag::FRESH_COPIES | flag::FRESH_PROGRAM | restore,
        [true, false] => flag::FRESH_PROGRAM | restore,
        [false, false] => 0,
    }
}

fn failed(kind: FailureKind, message: &str, stack: Vec<Frame>) -> Outcome {
    Outcome::Failed(Failure { kind, message: message.to_owned(), stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() })
}

impl Subject for JavaSubject {
    fn sites(&self) -> &Sites {
        self.program.sites()
    }

    fn identity(&self) -> String {
        self.program.identity().to_owned()
    }

    fn shape(&self, var: VarId) -> Shape {
        let Some(number) = self.known.number(var) else { return Shape::Unsigned };
        match self.known.kind(number) {
            Kind::Boolean => Shape::Unsigned,
            Kind::Char => Shape::Character,
            Kind::Reference => Shape::Pointer,
            kind @ (Kind::Float | Kind::Double) => Shape::Float(kind.bits()),
            kind => Shape::Signed(kind.bits()),
        }
    }

    fn export(&self, model: &Model) -> Model {
        let mut out = Model::new();
        for &(var, word) in model.words() {
            if let Some(number) = self.known.number(var) {
                out.set_word(VarId(number), word);
            }
        }
        out
    }

    fn import(&mut self, model: &Model, terms: &mut Terms) -> Model {
        self.known.catch_up(terms);
        let mut out = Model::new();
        for &(number, word) in model.words() {
            if let Some(var) = self.known.id(number.0) {
                out.set_word(var, word);
            }
        }
        out
    }

    fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.jvm.interrupt_by(interrupt);
    }

    fn tasks(&self) -> Vec<TaskId> {
        self.threads.tasks.ids()
    }

    fn schedule_by(&mut self, choice: DefaultChoice) {
        self.threads.choice = choice;
    }

    fn data_race(&mut self, first: usize, second: usize, held: [&[ObjectId]; 2]) -> Option<Failure> {
        self.threads.narrate(&self.program, |narrator| xcute_threads::data_race(narrator, (first, second), held))?
    }

    fn race_group(&mut self, first: usize, second: usize) -> u64 {
        self.threads.narrate(&self.program, |narrator| xcute_threads::group(narrator, first, second)).unwrap_or(0)
    }

    fn race_place(&self, step: usize, place: u32) -> u64 {
        self.threads.race_place(&self.program, step, place)
    }

    fn happening(&self, step: usize, task: Task) -> Option<Happening> {
        self.threads.narrate(&self.program, |narrator| narrator.next_of(task, step))?
    }

    fn run_aside(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Trace, SubjectError> {
        let trace = self.run(case, &[], terms)?;
        for &(site, arm) in &trace.covered {
            self.covered[site.0 as usize][arm as usize] = false;
        }
        Ok(trace)
    }

    fn run(&mut self, case: &TestCase, promise: &[Promised], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let (end, told, _) = self.settle(case, promise, terms)?;
        self.soiled(end, &told);
        let Told { mut story, stop, stack, locals, steps, .. } = told;
        let mut outcome = self.outcome(end, stack);
        if let (Outcome::Failed(failure), Some(locals)) = (&mut outcome, locals) {
            failure.values = locals.of(failure);
        }
        let concurrent = self.threads.concurrent(&self.program, &self.jvm, end, (&case.schedule, steps), (&mut story, &mut outcome));
        if end == RunEnd::Answered && self.jvm.block.outcome() == end_of::BROKEN {
            let thrown = Thrown::parse(&self.jvm.block.text(), &self.program);
            let message = thrown.message.map_or(String::new(), |message| format!(": {message}"));
            story.limit("unsupported", format!("an input could not be built: {}{message}", thrown.class), true);
            outcome = Outcome::Rejected;
        }
        let unsupported = end == RunEnd::Answered && self.jvm.block.outcome() == end_of::UNSUPPORTED;
        if unsupported {
            let thrown = Thrown::parse(&self.jvm.block.text(), &self.program);
            story.limit("unsupported", thrown.message.unwrap_or_default(), true);
        }
        if end == RunEnd::Answered && self.jvm.block.threads() > 0 {
            story.limit("unsupported", "code that is not followed makes threads: what they do is not followed", true);
            // They may still run.
            self.jvm.stop();
        }
        if matches!(end, RunEnd::Died(_)) && self.jvm.block.outcome() == end_of::RUNNING {
            story.limit("unsupported", "code that is not followed ends the JVM: what came before is not known in full", true);
        }
        // What a thread was doing that is stopped need not be known.
        if let Stop::Lost(what) = &stop
            && !unsupported
        {
            story.limit("inexact", format!("a run could not be followed: {what}"), true);
        }
        let mut covered: Vec<(SiteId, u32)> = Vec::new();
        for &(site, arm) in &story.covered {
            let seen = self.covered.get_mut(site.0 as usize).and_then(|arms| arms.get_mut(arm as usize));
            if let Some(seen) = seen.filter(|seen| !**seen) {
                *seen = true;
                covered.push((site, arm));
            }
        }
        let mut reached = std::mem::take(&mut self.state.reached);
        reached.retain(|&place| self.own.get(place as usize) == Some(&true));
        let (decisions, known, limits, input) = (story.decisions, story.known, story.limits, story.input);
        Ok(Trace { decisions, known, outcome, covered, reached, limits, input, concurrent, segments: None })
    }
}
