//! Erlang functions as subjects of the engine.
//!
//! A run calls the instrumented function on the emulator, in a process of its own, and replays what it told. Several subjects of one program have an emulator
//! each, which they give to the next function that is tested.
//!
//! **Invariant.** Whatever the program does, also to its emulator, is an outcome; an emulator that is gone is replaced before the next run.

mod confirm;
mod outcome;

pub use confirm::{Original, Verdict};
pub use xcute_threads::CaseSchedule;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;

use rustc_hash::FxHashSet;
use sha2::{Digest as _, Sha256};
use xcute_match::Recorder;
use xcute_term::{Interrupt, Model, TermId, Terms, Value, VarId, profile};
use xcute_trace::{
    Budget, DefaultChoice, Happening, Known, Outcome, Schedule, SiteId, Sites, Subject, SubjectError, Task, TaskId, TestCase, Trace,
};

use crate::etf::{Atoms, Encoder, Term, read};
use crate::paper::Log;
use crate::processes::{Director, Processes, Tasks};
use crate::program::Program;
use crate::replay::{Bounds, End, Events, Heap, Machine, Mark, Strands, Val};
use crate::types::fit::Fit;
use crate::types::{Domain, Inputs};
use crate::universe::functions;
use crate::vm::{Ended, Gone, How, Limits, Other, Tell, Vm, VmError};
use outcome::{Reported, mark, outcome, process_failure};

/// Steps of the replay itself for each event that a run may tell.
const WORK_PER_EVENT: u64 = 64;

/// Words that the heap of a replay may have.
const HEAP: usize = 1 << 27;

/// A function under test.
pub struct ErlSubject {
    program: Arc<Program>,
    inputs: Arc<Inputs>,
    limits: Limits,
    vm: Option<Vm>,
    one_zero: bool,
    atoms: Atoms,
    heap: Heap,
    literals: Vec<Val>,
    keys: Vec<Val>,
    base: Mark,
    covered: FxHashSet<(SiteId, u32)>,
    /// The expressions that runs evaluated, by number.
    ran: Vec<bool>,
    /// Those that stand at a line.
    spots: FxHashSet<u64>,
    packet: Vec<u8>,
    interrupt: Interrupt,
    /// The processor that it stays on, and the thread that was put there.
    core: Option<usize>,
    placed: Option<ThreadId>,
    /// Whether the paper's events of the next runs are wanted.
    logging: bool,
    /// Whether the value of each run is compared with that of its replay.
    comparing: bool,
    processes: Processes,
    /// Whether some run of the program called a function of its input.
    calls_input: Arc<AtomicBool>,
    /// The other processes of the last run.
    others: Vec<Other>,
    last: Last,
}

/// What the last run did, for people and tests.
#[derive(Clone, Debug, Default)]
pub struct Last {
    /// How it ended on the emulator.
    pub ended: Option<Ended>,
    /// The events.
    pub events: Vec<u8>,
    /// The paper's events, if they were wanted.
    pub paper: Log,
    /// What the function returned, with the input as variables, if it returned a term.
    pub result: Option<TermId>,
}

impl ErlSubject {
    /// A subject that has not run yet.
    #[must_use]
    pub fn new(program: Arc<Program>, inputs: Arc<Inputs>, limits: Limits) -> ErlSubject {
        ErlSubject::with(program, inputs, limits, Tasks::default())
    }

    fn with(program: Arc<Program>, inputs: Arc<Inputs>, limits: Limits, tasks: Tasks) -> ErlSubject {
        let mut heap = Heap::default();
        let literals: Vec<Val> = program.code.literals.iter().map(|term| heap.literal(term)).collect();
        let keys: Vec<Val> = program.universe.keys().iter().map(|term| heap.literal(term)).collect();
        let (atoms, base) = (program.modules.atoms.clone(), heap.mark());
        let ran = vec![false; program.code.exprs.len()];
        let spots = program.code.spots.iter().map(|spot| u64::from(spot.expr.0)).collect();
        ErlSubject {
            program,
            inputs,
            limits,
            vm: None,
            one_zero: true,
            atoms,
            heap,
            literals,
            keys,
            base,
            covered: FxHashSet::default(),
            ran,
            spots,
            packet: Vec::new(),
            interrupt: Interrupt::never().clone(),
            core: None,
            placed: None,
            logging: false,
            comparing: false,
            processes: Processes::new(tasks),
            calls_input: Arc::default(),
            others: Vec::new(),
            last: Last::default(),
        }
    }

    /// Workers that are to run at the same time. A worker and its emulator take turns: where there are not enough processors for all, each such pair stays on
    /// one of them.
    pub fn spread(workers: &mut [ErlSubject]) {
        let cores = xcute_process::cores();
        if workers.len() > 1 && 2 * workers.len() > cores.len() {
            workers.iter_mut().zip(cores.iter().cycle()).for_each(|(worker, &core)| worker.core = Some(core));
        }
    }

    /// Another subject for the same program.
    #[must_use]
    pub fn another(&self) -> ErlSubject {
        let mut another = ErlSubject::with(Arc::clone(&self.program), Arc::clone(&self.inputs), self.limits, self.processes.tasks.clone());
        another.calls_input = Arc::clone(&self.calls_input);
        another
    }

    /// Says, whenever it is asked, whether some run of the program had several processes.
    #[must_use]
    pub fn several(&self) -> Box<dyn Fn() -> bool + Send + Sync> {
        let tasks = self.processes.tasks.clone();
        Box::new(move || tasks.several())
    }

    /// Says, whenever it is asked, whether some run of the program called a function of its input.
    #[must_use]
    pub fn calls_input(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.calls_input)
    }

    /// Which process did what when in a case; `None` if there was one only.
    pub fn ordered(&mut self, case: &TestCase, terms: &mut Terms) -> Option<CaseSchedule> {
        let trace = self.run_aside(case, terms).ok()?;
        let concurrent = trace.concurrent.filter(|concurrent| concurrent.record.width() > 1)?;
        self.processes.order(&self.program, concurrent.failed)
    }

    /// The plan that a case file holds.
    #[must_use]
    pub fn schedule(&self, order: &CaseSchedule) -> Schedule {
        let task = |name: &str| self.processes.tasks.intern(&TaskId(name.split('.').filter_map(|part| part.parse().ok()).collect()));
        let choices = order.choices.iter().map(|(name, arm)| (task(name.text()), *arm)).collect();
        let failing = order.fails.as_ref().map(|name| task(name.text()));
        Schedule { choices, failing, ..Schedule::default() }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// What inputs may be.
    #[must_use]
    pub fn inputs(&self) -> &Arc<Inputs> {
        &self.inputs
    }

    /// Keeps the paper's events of runs from now on.
    pub fn log(&mut self, on: bool) {
        self.logging = on;
    }

    /// Compares the value of each run from now on with that of its replay; if they differ, that is a divergence.
    pub fn compare(&mut self, on: bool) {
        if self.comparing != on {
            self.comparing = on;
            self.release();
        }
    }

    /// The arms that runs of this subject passed.
    pub fn covered(&self) -> impl Iterator<Item = (SiteId, u32)> + '_ {
        self.covered.iter().copied()
    }

    /// The expressions that runs of this subject evaluated, by number.
    #[must_use]
    pub fn ran(&self) -> &[bool] {
        &self.ran
    }

    /// What the last run did.
    #[must_use]
    pub fn last(&self) -> &Last {
        &self.last
    }

    /// The name of the variable for an argument, from 0.
    #[must_use]
    pub fn input_name(argument: usize) -> String {
        format!("arg{}", argument + 1)
    }

    /// The arguments of a case, as terms.
    #[must_use]
    pub fn arguments(&mut self, terms: &Terms, input: &Model) -> Vec<Term> {
        arguments(&self.program, terms, input, &mut self.atoms)
    }

    /// The atoms that terms of this subject are made of.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// The case with these arguments; `None` if one of them is not of the universe.
    pub fn case(&mut self, terms: &mut Terms, arguments: &[Term]) -> Option<TestCase> {
        let sort = self.program.universe.declare(terms);
        let mut case = TestCase::default();
        for (argument, term) in arguments.iter().enumerate() {
            let value = self.program.universe.value(term, &self.atoms)?;
            let variable = terms.var(&ErlSubject::input_name(argument), sort);
            case.input.set(only(terms, variable), value);
        }
        Some(case)
    }

    /// The case with the list of arguments that an external term is; `None` if one of them is not of the universe.
    pub fn case_external(&mut self, terms: &mut Terms, arguments: &[u8]) -> Option<TestCase> {
        let list = read(arguments, &mut self.atoms).ok()?;
        self.case(terms, list.items()?)
    }

    /// Starts the emulator, so that the first run need not.
    ///
    /// # Errors
    /// Where that fails.
    pub fn start(&mut self) -> Result<(), VmError> {
        self.vm().map(|_| ())
    }

    /// The emulator, started if there is none.
    fn vm(&mut self) -> Result<&mut Vm, VmError> {
        if self.vm.is_none() {
            let mut vm = self.program.modules.emulator()?;
            let copy = self.program.modules.linkage.copy(self.program.called.0).expect("the entry is followed");
            let tell = if self.comparing { Tell::Both } else { Tell::Events };
            vm.set_up((copy, self.program.called.1), tell, self.limits, &mut self.atoms)?;
            self.one_zero = vm.one_zero();
            vm.interrupt_by(&self.interrupt);
            self.vm = Some(vm);
            self.placed = None;
        }
        let vm = self.vm.as_mut().expect("just started");
        if let Some(core) = self.core {
            let thread = std::thread::current().id();
            if self.placed.replace(thread) != Some(thread) {
                xcute_process::stay_on(core, vm.id());
            }
        }
        Ok(vm)
    }

    /// Gives the emulator to whichever subject needs one next.
    fn release(&mut self) {
        if let Some(mut vm) = self.vm.take() {
            // The next one has a time of its own.
            vm.interrupt_by(Interrupt::never());
            self.program.modules.idle.keep(vm);
        }
    }

    /// Runs the packet by a plan: how it ended, and the events, which are kept in `last`.
    fn execute(&mut self, schedule: &Schedule) -> Result<Ended, VmError> {
        let packet = std::mem::take(&mut self.packet);
        let mut atoms = std::mem::take(&mut self.atoms);
        let mut events = std::mem::take(&mut self.last.events);
        events.clear();
        let vm = self.vm.as_mut().expect("it was started");
        let mut director = Director::new(&self.processes.tasks, schedule, self.processes.choice);
        let running = profile::phase("program");
        let answer = vm.run(&packet, &mut atoms, &mut |rows| director.lead(rows));
        drop(running);
        self.processes.directed = director.directed();
        let ended = answer.map(|(ended, told, others)| {
            events.extend_from_slice(told);
            self.others = others;
            ended
        });
        let gone = matches!(ended, Ok(Ended::Gone(_)) | Err(_));
        let said = if gone { vm.said() } else { String::new() };
        if gone {
            self.vm = None;
        }
        (self.packet, self.atoms, self.last.events) = (packet, atoms, events);
        match ended {
            Ok(Ended::Gone(gone)) => Ok(Ended::Gone(gone)),
            Err(error) if said.is_empty() => Err(error),
            Err(error) => Err(VmError::Protocol(format!("{error}: {said}"))),
            other => other,
        }
    }
}

impl Drop for ErlSubject {
    fn drop(&mut self) {
        self.release();
    }
}

/// The variable that a term is.
fn only(terms: &Terms, variable: TermId) -> VarId {
    terms.vars(variable).first().expect("it is a variable")
}

/// The arguments of a case as terms.
pub(crate) fn arguments(program: &Program, terms: &Terms, input: &Model, atoms: &mut Atoms) -> Vec<Term> {
    let arity = program.code.function(program.entry).arity as usize;
    let value = |argument| {
        let var = terms.find_var(&ErlSubject::input_name(argument)).expect("the inputs of a case are declared");
        input.value(terms, var)
    };
    (0..arity).map(|argument| program.universe.term(&value(argument), atoms)).collect()
}

impl Subject for ErlSubject {
    fn sites(&self) -> &Sites {
        &self.program.sites
    }

    fn identity(&self) -> String {
        let mut digest = Sha256::new();
        digest.update(format!("{:?}\n{:?}\n", self.limits, self.inputs));
        for followed in &self.program.modules.followed {
            digest.update(&followed.original);
            digest.update(&followed.copy);
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn tasks(&self) -> Vec<TaskId> {
        self.processes.tasks.ids()
    }

    fn schedule_by(&mut self, choice: DefaultChoice) {
        self.processes.choice = choice;
    }

    fn happening(&self, step: usize, task: Task) -> Option<Happening> {
        self.processes.narrate(&self.program, |narrator| narrator.next_of(task, step))?
    }

    fn run_aside(&mut self, case: &TestCase, terms: &mut Terms) -> Result<Trace, SubjectError> {
        let before = self.ran.clone();
        let trace = self.run(case, &[], terms)?;
        self.ran = before;
        for arm in &trace.covered {
            self.covered.remove(arm);
        }
        Ok(trace)
    }

    fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        if let Some(vm) = &mut self.vm {
            vm.interrupt_by(interrupt);
        }
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        let starting = profile::phase("starting");
        self.vm().map_err(|error| SubjectError::Start(error.to_string()))?;
        drop(starting);
        let program = Arc::clone(&self.program);
        let inputs = Arc::clone(&self.inputs);
        let sort = program.universe.declare(terms);
        let arity = program.code.function(program.entry).arity as usize;
        let variables: Vec<TermId> = (0..arity).map(|argument| terms.var(&ErlSubject::input_name(argument), sort)).collect();
        let values: Vec<Value> = variables.iter().map(|&variable| case.input.value(terms, only(terms, variable))).collect();
        let fit = Fit { universe: &program.universe, inputs: &inputs, atoms: &program.modules.atoms, one_zero: self.one_zero };
        let values = fit.arguments(&values);
        let mut input = Model::new();
        let mut out = Encoder::over(std::mem::take(&mut self.packet), &[0]);
        if !values.is_empty() {
            out.list(values.len());
        }
        for (&variable, value) in variables.iter().zip(&values) {
            program.universe.encode(value, &program.modules.atoms, &mut out);
            input.set(only(terms, variable), value.clone());
        }
        out.nil();
        self.packet = out.finish();
        functions::mark(&mut self.packet);
        let ended = self.execute(&case.schedule).map_err(|error| SubjectError::Protocol(error.to_string()))?;
        if ended == Ended::Gone(Gone::Interrupted) {
            return Err(SubjectError::Interrupted);
        }
        self.replay(&program, &inputs, (ended, &case.schedule), (promise, terms), (&variables, input))
    }
}

impl ErlSubject {
    fn replay(
        &mut self,
        program: &Program,
        inputs: &Inputs,
        (ended, schedule): (Ended, &Schedule),
        (promise, terms): (&[Known], &mut Terms),
        (variables, mut input): (&[TermId], Model),
    ) -> Result<Trace, SubjectError> {
        let _phase = profile::phase("decoding");
        self.heap.reset(self.base);
        let told = std::mem::take(&mut self.last.events);
        let whole = matches!(ended, Ended::Returned(_) | Ended::Raised(_));
        let events = Events::new(&told, whole);
        let others = std::mem::take(&mut self.others);
        let directed = self.processes.directed.take();
        let strands = Strands::new(directed.as_ref(), &others, program.schedule.unwrap_or(program.assumption));
        let mut rec = Recorder::new(terms, &input, promise);
        let mut domain = Domain::new(&program.universe, inputs, &program.modules.atoms, program.assumption, self.one_zero);
        domain.begin(&mut rec, variables);
        for note in &inputs.types.notes {
            rec.limit("unsupported", note, true);
        }
        let work = self.limits.steps.saturating_mul(WORK_PER_EVENT).saturating_add(1 << 16);
        let bounds = Bounds { steps: self.limits.steps, work, heap: HEAP };
        let values = (&mut self.atoms, &mut self.heap, &self.literals[..], &self.keys[..]);
        let mut machine = Machine::new(program, values, (rec, domain), (events, strands, &mut self.ran), bounds, self.one_zero);
        machine.paper = self.logging.then(Log::default);
        let args: Vec<Val> = variables.iter().map(|&variable| Val::Sym(variable)).collect();
        let end = machine.run(program.entry, &args);
        machine.drop_rows();
        self.last.result = match end {
            End::Returned(value) if self.logging => {
                let value = machine.resolved(value);
                machine.term(value)
            }
            _ => None,
        };
        self.last.paper = machine.paper.take().unwrap_or_default();
        let reported = Reported { ended: &ended, end: &end, limits: self.limits };
        let mut outcome = outcome(&mut machine, &reported);
        let steps = machine.strands.steps();
        let failing = others.iter().zip(1..).filter_map(|(other, number)| match &other.how {
            How::Raised(crash) => process_failure(crash, program, machine.atoms).map(|failure| (number, failure)),
            How::Killed => {
                machine.rec.limit("memory", "a process was killed: it used too much memory, or something else killed it", true);
                None
            }
            _ => None,
        });
        let failing = failing.collect();
        let ends_all = matches!(ended, Ended::Halted(_)) || others.iter().any(|other| other.how == How::Halted);
        if ends_all && !others.is_empty() {
            let what = "a process that ends the emulator: the others may have got further, or less far";
            machine.rec.limit("unsupported", what, true);
        }
        if directed.as_ref().is_some_and(|directed| directed.foreign) {
            machine.rec.limit("unsupported", "messages from processes that are not followed", true);
        }
        let starts_programs = machine.starts_programs;
        let passed = std::mem::take(&mut machine.covered);
        let calls = std::mem::take(&mut machine.calls);
        let mut reached = std::mem::take(&mut machine.reached);
        reached.retain(|expr| self.spots.contains(expr));
        let mut recorded = machine.rec.finish();
        self.processes.directed = directed;
        let run = (&ended, schedule);
        let concurrent = self.processes.concurrent(program, run, (steps, failing), (&mut recorded.limits, &mut outcome));
        if let Outcome::Failed(failure) = &mut outcome {
            mark(failure, &inputs.types.assumed, program, &self.atoms);
        }
        calls.changed.into_iter().for_each(|(variable, value)| input.set(variable, value));
        if calls.any {
            self.calls_input.store(true, Ordering::Relaxed);
        }
        self.last.ended = Some(ended);
        self.last.events = told;
        if let Some(vm) = self.vm.as_mut().filter(|_| starts_programs) {
            vm.sweep();
        }
        let sites = &program.sites;
        let mut covered = Vec::new();
        for arm in passed {
            if sites.get(arm.0).counts() && self.covered.insert(arm) {
                covered.push(arm);
            }
        }
        Ok(Trace {
            decisions: recorded.decisions,
            known: recorded.known,
            outcome,
            covered,
            reached,
            limits: recorded.limits,
            input,
            concurrent: concurrent.filter(|_| program.schedule.is_some()),
            segments: None,
        })
    }
}

/// The budget that a run used up, for messages.
pub(crate) fn budget_name(budget: Budget) -> &'static str {
    match budget {
        Budget::Steps => "steps",
        Budget::Time => "time",
        Budget::Memory => "memory",
        Budget::Trace => "terms and values of a replay",
    }
}
