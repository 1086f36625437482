//! A C program under test, as a [`xcute_trace::Subject`].
//!
//! A run: the values of the case go to the shared memory, the process runs, and what it left there becomes a trace ([`trace`]) and an
//! outcome ([`outcome`]). Processes come and go without the search noticing ([`crate::run::process`]); variables stay ([`variables`]).
//!
//! **Invariant.** The same case gives the same trace, in whatever process and after whatever other runs.

mod effects;
mod fast;
mod follow;
mod glance;
mod identity;
mod memory_error;
mod names;
mod narrate;
mod outcome;
mod source;
mod steps;
mod threads;
mod trace;
mod variables;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::sync::Arc;

use xcute_sandbox::Refusal;
use xcute_term::{Interrupt, Model, Terms, VarId, profile};
use xcute_threads::{Narrator, Picture, Ranges};
use xcute_trace::segments::Points;
use xcute_trace::{
    DefaultChoice, End, Failure, Glance, Happening, Known as Promised, LaterFailure, Limit, ObjectId, Outcome, Record, Shape, SiteId,
    Sites, Subject, SubjectError, Task, TaskId, TestCase, Trace,
};

use crate::instrument::compiled::Compiled;
use crate::instrument::is_synchronisation;
use crate::run::process::{Ended, Inherited, Tables, Worker};
use crate::run::symbolize::Symbols;
use crate::tools::system::is_system;
use crate::types::dwarf::Program;
use crate::types::inputs::{TypeTable, Variables, XC_SIGNED, XC_TY_FLOAT, XC_TY_INT, XC_TY_POINTER};
use crate::wire::{XcLater, XcVar};
use follow::{Following, Ordinary};
use names::Names;
use source::{LastSteps, Places};
use threads::Threads;
use variables::Known;

pub use crate::run::process::Options as RunOptions;
pub use fast::Patience;
pub use follow::FollowMutant;

/// A C program under test.
pub struct CSubject {
    compiled: Arc<Compiled>,
    types: TypeTable,
    worker: Worker,
    known: Known,
    threads: Threads,
    cells: Ranges,
    choose: DefaultChoice,
    /// How much memory was known to be shared when the last run began.
    shared: usize,
    reader: trace::Reader,
    places: RefCell<Places>,
    run: u32,
    /// Which bytes of the coverage map were set by some run.
    covered: Vec<u8>,
    /// The same, by runs alongside the search.
    aside: Vec<u8>,
    /// By file: whether it is one of the program's own.
    own: Vec<bool>,
    /// By site: which arms were reported as covered.
    arms: Vec<Vec<bool>>,
    /// What inputs of these types cannot be; reported with the first run.
    untold: Vec<Limit>,
    followed: follow::Shared,
    following: Option<Box<Following>>,
    follows: bool,
    patience: Arc<Patience>,
    interrupt: Interrupt,
    /// Likely parts of inputs.
    vocabulary: Vec<Vec<u8>>,
}

/// How many processes a case may find dead.
const PROCESSES: u32 = 3;
/// How often a case is run again because it has values for variables that were met only now.
const ROUNDS: u32 = 10_000;

impl CSubject {
    /// A subject that is ready to run. What must be restored after each run is decided here; `options.flags` are added to it.
    ///
    /// # Errors
    /// Where the shared memory cannot be made or the first process does not start.
    pub fn start(compiled: Arc<Compiled>, types: TypeTable, mut options: RunOptions) -> Result<CSubject, SubjectError> {
        let served = |name: &String| compiled.threads && is_synchronisation(name);
        options.flags |= effects::flags(compiled.foreign.iter().filter(|name| !served(name)), compiled.snapshot_libc);
        let names = compiled.functions.iter().map(|f| &f.name).chain(&compiled.foreign);
        options.flags |= effects::initialised(names);
        CSubject::with(compiled, types, options, Variables::default(), Threads::new())
    }

    /// This many subjects of this program, this one among them, each with a process of its own. They share their variables, so that a
    /// model of one is a model of the others.
    ///
    /// # Errors
    /// As [`CSubject::start`].
    pub fn times(self, count: u32) -> Result<Vec<CSubject>, SubjectError> {
        let mut all = vec![self];
        for _ in 1..count {
            let CSubject { compiled, types, worker, known, threads, .. } = &all[0];
            let (variables, threads) = (known.shared.clone(), threads.fork());
            let names = all[0].places.borrow().names.clone();
            let mut other = CSubject::with(Arc::clone(compiled), types.clone(), worker.options().clone(), variables, threads)?;
            other.places.borrow_mut().names.share(names);
            (other.followed, other.patience) = (Arc::clone(&all[0].followed), all[0].patience());
            all.push(other);
        }
        among(&mut all);
        Ok(all)
    }

    /// Breaks what is said of runs that are followed.
    ///
    /// # Errors
    /// As [`Subject::follow`].
    #[cfg(feature = "mutants")]
    pub fn follow_broken(&mut self, mutant: FollowMutant) -> Result<(), SubjectError> {
        self.follow(true)?;
        if let Some(following) = &mut self.following {
            following.break_by(mutant);
        }
        Ok(())
    }

    fn with(
        compiled: Arc<Compiled>,
        types: TypeTable,
        options: RunOptions,
        variables: Variables,
        threads: Threads,
    ) -> Result<CSubject, SubjectError> {
        let tables = Tables {
            types: &types.types,
            fields: &types.fields,
            inputs: &types.inputs,
            coverage: compiled.coverage.len(),
            threads: compiled.threads,
        };
        let cannot = |e: crate::run::process::StartError| SubjectError::Start(e.to_string());
        let mut worker = Worker::new(&compiled.exe, &tables, options).map_err(cannot)?;
        worker.ready(&Inherited { tasks: threads.tasks(), shared: threads.shared(), ..Inherited::default() }).map_err(cannot)?;
        let places = Places { symbols: Symbols::new(worker.exe(), &compiled.files, &compiled.sources), names: Names::new(worker.exe()) };
        let places = RefCell::new(places);
        let (covered, aside) = (vec![0; compiled.coverage.len()], vec![0; compiled.coverage.len()]);
        let arms = compiled.sites.sites.iter().map(|site| vec![false; site.arms as usize]).collect();
        let own = compiled.files.iter().map(|file| compiled.sources.contains(file) || !is_system(file)).collect();
        let (known, reader) = (Known::new(variables), trace::Reader::default());
        let (untold, patience) = (types.limits.clone(), Patience::with(&compiled, &types));
        let vocabulary = compiled.vocabulary.iter().map(|text| text.as_bytes().to_vec()).collect();
        let (cells, choose, shared) = (Ranges::default(), DefaultChoice::default(), 0);
        Ok(CSubject {
            compiled,
            types,
            worker,
            known,
            threads,
            cells,
            choose,
            shared,
            reader,
            places,
            run: 0,
            covered,
            aside,
            own,
            arms,
            untold,
            followed: follow::Shared::default(),
            following: None,
            follows: false,
            patience,
            interrupt: Interrupt::never().clone(),
            vocabulary,
        })
    }

    /// Learns what the globals of the program are made of, to name their parts.
    #[must_use]
    pub fn describing(mut self, program: &Program) -> CSubject {
        self.places.get_mut().names.describe(program);
        self
    }

    /// Learns byte strings that its inputs may be made of.
    #[must_use]
    pub fn knowing(mut self, words: &[Vec<u8>]) -> CSubject {
        self.vocabulary.extend_from_slice(words);
        self
    }

    /// The program.
    #[must_use]
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// The types of its inputs.
    #[must_use]
    pub fn types(&self) -> &TypeTable {
        &self.types
    }

    /// The variables met so far: a handle that sees later ones as well.
    #[must_use]
    pub fn variables(&self) -> Variables {
        self.known.shared.clone()
    }

    /// For each byte of the coverage map whether some run set it; see [`Compiled::coverage`].
    #[must_use]
    pub fn coverage(&self) -> Vec<u8> {
        self.covered.iter().zip(&self.aside).map(|(search, aside)| search | aside).collect()
    }

    /// What identifies the program and the way it is run: its code and data, the types of its inputs, the budgets. Inputs of another one mean nothing here.
    #[must_use]
    pub fn identity(&self) -> String {
        let options = RunOptions { random: None, ..self.worker.options().clone() };
        identity::of(&self.compiled.exe, &format!("{:?} {options:?}", self.types))
    }

    /// How many processes were needed so far.
    #[must_use]
    pub fn processes(&self) -> u32 {
        self.worker.starts()
    }

    /// Runs the case once; whether it must run again: it has a value for a variable that appeared only in this run, and had another value.
    fn once(&mut self, case: &TestCase, terms: &mut Terms) -> Result<(Ended, bool), SubjectError> {
        let mut ended = Ended::NotBegun;
        for _ in 0..PROCESSES {
            if self.compiled.threads && self.threads.catch_up() {
                self.worker.stop();
            }
            let (tasks, shared) = (self.threads.tasks(), self.threads.shared());
            let inherited = Inherited { variables: &self.known.wire, coverage: &self.covered, tasks, shared };
            self.shared = shared.len();
            let starting = profile::phase("starting");
            self.worker.ready(&inherited).map_err(|e| start_error(&self.interrupt, &e))?;
            drop(starting);
            self.run += 1;
            if self.compiled.threads {
                self.worker.block.set_schedule(&case.schedule, self.choose);
            }
            self.give_values(case);
            let running = profile::phase("program");
            ended = self.worker.run(self.run);
            drop(running);
            if ended == Ended::Interrupted {
                return Err(SubjectError::Interrupted);
            }
            if ended != Ended::NotBegun {
                break;
            }
        }
        let mut missed = false;
        if self.worker.block.intact() {
            self.patience.spend(self.worker.block.steps());
            missed = self.learn(case, terms)?;
            if self.compiled.threads {
                missed |= self.learn_threads();
            }
        }
        Ok((ended, missed))
    }

    /// Gives the inputs of the next run their values.
    fn give_values(&mut self, case: &TestCase) {
        for &(var, word) in case.input.words() {
            if let Some(number) = self.known.number(var) {
                self.worker.block.set_value(number, self.run, word);
            }
        }
    }

    /// Takes over what is new about threads. Whether the run has to be made again: its tasks have the wrong numbers, or accesses were no steps
    /// and no run that suffers from the same was reported.
    fn learn_threads(&mut self) -> bool {
        let learned = self.threads.learn(&self.worker.block);
        if learned.stale {
            self.worker.stop();
        }
        learned.renumbered || (learned.grown && !self.threads.told())
    }

    /// What the threads of the last run did; `Err` if what the process says cannot be.
    fn recording(&mut self, ended: Ended) -> Result<Option<trace::Recording>, ()> {
        let Some(recorded) = self.worker.block.recorded() else { return Ok(None) };
        let mut record = steps::record(&recorded, self.threads.tasks().len(), &mut self.cells).ok_or(())?;
        if ended != Ended::Answered {
            record.end = End::Cut;
        }
        Ok(Some((record, recorded.strayed)))
    }

    /// Takes over the variables that appeared in this run. Whether it has to be run again.
    fn learn(&mut self, case: &TestCase, terms: &mut Terms) -> Result<bool, SubjectError> {
        let from = self.known.wire.len();
        let first = u32::try_from(from).expect("max_vars is a u32");
        let block = &self.worker.block;
        if block.variables() == first {
            return Ok(false);
        }
        let plausible = |var: &XcVar| (1..=64).contains(&var.bits) && (var.of as usize) < self.types.types.len();
        let met: Vec<_> = (first..block.variables()).map_while(|n| block.variable(n).filter(plausible)).collect();
        let Some(valid) = self.known.learn(terms, &self.types, &met, &self.interrupt) else {
            // The process knows more variables than we do now.
            self.worker.stop();
            return Err(SubjectError::Interrupted);
        };
        if !valid {
            // Another subject gave these numbers to other variables: a fresh process learns them.
            self.worker.stop();
            return Ok(true);
        }
        let all = self.known.wire.len();
        if all > from + met.len() {
            self.worker.block.add_variables(from + met.len(), &self.known.wire[from + met.len()..]);
        }
        if all < self.worker.block.variables() as usize {
            // The subject wrote over its variables.
            self.worker.stop();
        }
        Ok(self.known.ids[from..all.min(from + met.len())].iter().any(|&id| case.input.word(id).is_some()))
    }

    /// Arms that no run had covered before, and places of the program's own files to which none had come.
    fn newly_covered(&mut self) -> (Vec<(SiteId, u32)>, Vec<u64>) {
        let (mut new, mut reached) = (Vec::new(), Vec::new());
        let (items, arms, own) = (&self.compiled.coverage, &mut self.arms, &self.own);
        self.worker.block.merge_coverage(&mut self.covered, |byte| {
            if items[byte].lines.iter().any(|(file, _)| own.get(*file as usize) == Some(&true)) {
                reached.push(byte as u64);
            }
            for &(site, arm) in &items[byte].arms {
                let reported = arms.get_mut(site.0 as usize).and_then(|of| of.get_mut(arm as usize));
                if let Some(reported) = reported.filter(|r| !**r) {
                    *reported = true;
                    new.push((site, arm));
                }
            }
        });
        (new, reached)
    }

    /// What is said of a run that was left because it waited.
    fn waited(&mut self) -> Limit {
        let head = self.worker.block.control();
        let frames = &head.frames[..(head.n_frames as usize).min(head.frames.len())];
        let place = self.places.get_mut().symbols.stack(head.pc, frames).into_iter().next();
        let place = place.map_or_else(String::new, |frame| format!(", at {}:{}", frame.file, frame.line));
        Limit { kind: "waits".to_owned(), what: format!("a run waited for something that did not come{place}"), incomplete: true }
    }

    fn outcome(&mut self, ended: Ended, record: Option<&Record>) -> Outcome {
        if ended == Ended::Answered && matches!(self.worker.block.outcome(), crate::wire::outcome::RETURNED | crate::wire::outcome::EXITED)
        {
            return Outcome::Passed;
        }
        let head = self.worker.block.control();
        let (places, objects) = (self.places.get_mut(), &self.compiled.objects);
        let stuck = ended == Ended::Answered && head.outcome == crate::wire::outcome::STUCK;
        if let (true, Some(record), Some(recorded)) = (stuck, record, self.worker.block.recorded()) {
            let (tasks, mut source) = (self.threads.ids(), LastSteps { recorded, places, objects });
            return Outcome::Failed(xcute_threads::stuck(&mut Narrator::new(record, &tasks, &mut source)));
        }
        let mut outcome = outcome::of(ended, &head, &mut places.symbols, objects);
        if let (Outcome::Failed(failure), Some(record), Some(recorded)) = (&mut outcome, record, self.worker.block.recorded()) {
            let (tasks, mut source) = (self.threads.ids(), LastSteps { recorded, places, objects });
            let mut narrator = Narrator::new(record, &tasks, &mut source);
            let fails = self.worker.block.failed().map(Task).zip(failure.stack.first().cloned());
            failure.interleaving = Picture { fails, ..Picture::all(&narrator) }.rows(&mut narrator);
        }
        outcome
    }
}

/// Has each spin for as long as pays where this many run at once.
fn among(subjects: &mut [CSubject]) {
    let workers = subjects.len();
    subjects.iter_mut().for_each(|subject| subject.worker.among(workers));
}

/// What a search covers of a program whose atomic operations ask for less than sequential consistency.
fn weak_orders() -> Limit {
    let what = "atomic operations with weaker orders are run in sequentially consistent interleavings only";
    Limit { kind: "memory-order".to_owned(), what: what.to_owned(), incomplete: false }
}

/// What the sandbox refused: what the program does then is not what it does without one.
fn refused(refusal: &Refusal) -> Limit {
    Limit { kind: "sandbox".to_owned(), what: format!("refused: {} (--no-sandbox allows it)", refusal.what), incomplete: true }
}

/// Why a process could not be started.
fn start_error(interrupt: &Interrupt, error: &crate::run::process::StartError) -> SubjectError {
    if interrupt.raised() { SubjectError::Interrupted } else { SubjectError::Start(error.to_string()) }
}

impl Subject for CSubject {
    fn sites(&self) -> &Sites {
        &self.compiled.sites
    }

    fn identity(&self) -> String {
        CSubject::identity(self)
    }

    fn tasks(&self) -> Vec<TaskId> {
        self.threads.ids()
    }

    fn schedule_by(&mut self, choice: DefaultChoice) {
        self.choose = choice;
    }

    fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        self.worker.interrupt_by(interrupt);
        self.reader.interrupt_by(interrupt);
        if let Some(following) = &mut self.following {
            following.interrupt_by(interrupt);
        }
    }

    fn data_race(&mut self, first: usize, second: usize, held: [&[ObjectId]; 2]) -> Option<Failure> {
        self.narrate(|narrator| xcute_threads::data_race(narrator, (first, second), held))
    }

    fn race_group(&mut self, first: usize, second: usize) -> u64 {
        self.narrate(|narrator| Some(xcute_threads::group(narrator, first, second))).unwrap_or(0)
    }

    fn happening(&self, step: usize, task: Task) -> Option<Happening> {
        self.narrate(|narrator| narrator.next_of(task, step))
    }

    fn follow(&mut self, on: bool) -> Result<(), SubjectError> {
        if on && self.following.is_none() {
            let names = self.places.get_mut().names.clone();
            let options = self.worker.options().clone();
            let mut following = Following::start(&self.followed, &self.compiled, &self.types, &names, options, &self.interrupt)?;
            following.interrupt_by(&self.interrupt);
            self.following = Some(Box::new(following));
        }
        // What was found out about memory stays, so that later runs speak of the same cells and points.
        self.follows = on;
        Ok(())
    }

    fn can_fail(&self) -> bool {
        !self.compiled.harmless
    }

    fn points(&self) -> Option<&Points> {
        self.following.as_ref().map(|following| &following.points)
    }

    fn shape(&self, var: VarId) -> Shape {
        let Some(variable) = self.known.number(var).and_then(|number| self.known.wire.get(number as usize)) else { return Shape::Unsigned };
        let (of, bits) = (self.types.get(variable.of), u32::from(variable.bits));
        // A byte by itself is a number; among others it is a character.
        let alone = variable.root().is_some_and(|key| self.types.inputs.get(key as usize) == Some(&variable.of));
        match of.kind {
            XC_TY_POINTER => Shape::Pointer,
            XC_TY_FLOAT => Shape::Float(bits),
            XC_TY_INT if bits == 8 && !alone => Shape::Character,
            XC_TY_INT if of.flags & XC_SIGNED != 0 => Shape::Signed(bits),
            _ => Shape::Unsigned,
        }
    }

    fn export(&self, model: &Model) -> Model {
        Model::from_words(model.words().iter().filter_map(|&(var, word)| Some((VarId(self.known.number(var)?), word))).collect())
    }

    fn import(&mut self, model: &Model, terms: &mut Terms) -> Model {
        let from = self.known.wire.len();
        if model.words().last().is_some_and(|(number, _)| number.index() >= from) {
            self.known.catch_up(terms, &self.types);
            self.worker.block.add_variables(from, &self.known.wire[from..]);
        }
        Model::from_words(model.words().iter().filter_map(|&(number, word)| Some((self.known.id(number.0)?, word))).collect())
    }

    fn run_aside(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Trace, SubjectError> {
        let before = self.covered.clone();
        let trace = self.run(case, &[], terms)?;
        for &(site, arm) in &trace.covered {
            self.arms[site.0 as usize][arm as usize] = false;
        }
        self.aside.iter_mut().zip(&self.covered).for_each(|(aside, covered)| *aside |= covered);
        self.covered = before;
        self.worker.block.set_coverage(&self.covered);
        Ok(trace)
    }

    fn glance(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Option<Glance>, SubjectError> {
        if self.compiled.threads { Ok(None) } else { self.look_at(case, terms).map(Some) }
    }

    fn texts(&self) -> Vec<Vec<VarId>> {
        self.known.texts()
    }

    fn vocabulary(&self) -> Vec<Vec<u8>> {
        self.vocabulary.clone()
    }

    fn run(&mut self, case: &TestCase, promise: &[Promised], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let (mut ended, mut missed) = self.once(case, terms)?;
        for _ in 0..ROUNDS {
            if !missed {
                break;
            }
            // What that run covered is not this case's.
            self.worker.block.set_coverage(&self.covered);
            (ended, missed) = self.once(case, terms)?;
        }
        let refused = self.worker.refused().into_iter().map(|refusal| refused(&refusal));
        if !self.worker.block.intact() {
            self.worker.stop();
            let (decisions, covered, reached, limits) = (Vec::new(), Vec::new(), Vec::new(), refused.collect());
            // What the events say cannot be trusted; the promise can: it comes from runs that were sound.
            return Ok(Trace {
                decisions,
                known: promise.len(),
                outcome: outcome::scribbled(),
                covered,
                reached,
                limits,
                input: case.input.clone(),
                concurrent: None,
                segments: None,
            });
        }
        let decoding = profile::phase("decoding");
        let recording = self.recording(ended);
        let lies = recording.is_err();
        let last = trace::LastRun { block: &self.worker.block, promise, record: recording.unwrap_or_default() };
        let Some(mut story) = self.reader.read(terms, &self.compiled, &self.known, last) else { return Err(SubjectError::Interrupted) };
        drop(decoding);
        story.damaged |= lies;
        let outcome = if story.damaged {
            self.worker.stop();
            outcome::scribbled()
        } else {
            self.outcome(ended, story.concurrent.as_ref().map(|concurrent| &concurrent.record))
        };
        // A damaged record may have a damaged map beside it.
        let (covered, reached) = if !story.damaged { self.newly_covered() } else { (Vec::new(), Vec::new()) };
        let mut limits = std::mem::take(&mut story.limits);
        limits.extend(self.worker.block.recorded().filter(steps::has_weak_orders).map(|_| weak_orders()));
        limits.append(&mut self.untold);
        limits.extend(refused);
        for placed in &story.placed {
            let stack = self.places.get_mut().symbols.stack(0, &placed.returns);
            placed.add_to(&mut limits, stack.first().map(|frame| format!("{}:{}", frame.file, frame.line)));
        }
        if ended == Ended::Waited {
            limits.push(self.waited());
        }
        if let Some(concurrent) = &mut story.concurrent {
            let block = &self.worker.block;
            concurrent.failed = block.failed().map(Task);
            let later = |one: XcLater| LaterFailure { task: Task(one.task), steps: one.step as usize, what: one.what };
            concurrent.later = block.later().into_iter().map(later).collect();
            concurrent.outdated = self.threads.outgrown(self.shared);
            self.threads.tell(concurrent.outdated);
        }
        let segments = match &mut self.following {
            Some(following) if self.follows && !story.damaged => {
                let _phase = profile::phase("segments");
                let ordinary = Ordinary { story: &story, promise, outcome: &outcome };
                Some(Box::new(following.follow(terms, &self.known, &self.types, &ordinary)?))
            }
            _ => None,
        };
        let concurrent = story.concurrent;
        Ok(Trace {
            decisions: story.decisions,
            known: story.known,
            outcome,
            covered,
            reached,
            limits,
            input: story.input,
            concurrent,
            segments,
        })
    }
}
