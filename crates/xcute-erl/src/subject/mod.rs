//! Erlang functions as subjects of the engine.
//!
//! A run calls the instrumented function on the emulator, in a process of its own, and replays what it told. Several subjects of one program have an emulator
//! each.
//!
//! **Invariant.** Whatever the program does, also to its emulator, is an outcome; an emulator that is gone is replaced before the next run.

mod confirm;
mod outcome;

pub use confirm::{Original, Verdict};

use std::sync::Arc;

use rustc_hash::FxHashSet;
use xcute_match::Recorder;
use xcute_term::{Interrupt, Model, TermId, Terms, Value, VarId};
use xcute_trace::{Budget, Known, SiteId, Sites, Subject, SubjectError, TestCase, Trace};

use crate::etf::{Atoms, Encoder, Term, read};
use crate::paper::Log;
use crate::program::Program;
use crate::replay::{Bounds, End, Events, Heap, Machine, Mark, Val};
use crate::types::fit::Fit;
use crate::types::{Domain, Inputs};
use crate::vm::{Ended, Gone, Limits, Tell, Vm, VmError};
use outcome::{Reported, outcome};

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
    packet: Vec<u8>,
    interrupt: Interrupt,
    /// Whether the paper's events of the next runs are wanted.
    logging: bool,
    /// Whether the value of each run is compared with that of its replay.
    comparing: bool,
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
        let mut heap = Heap::default();
        let literals: Vec<Val> = program.code.literals.iter().map(|term| heap.literal(term)).collect();
        let keys: Vec<Val> = program.universe.keys().iter().map(|term| heap.literal(term)).collect();
        let (atoms, base) = (program.modules.atoms.clone(), heap.mark());
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
            packet: Vec::new(),
            interrupt: Interrupt::never().clone(),
            logging: false,
            comparing: false,
            last: Last::default(),
        }
    }

    /// Another subject for the same program.
    #[must_use]
    pub fn another(&self) -> ErlSubject {
        ErlSubject::new(Arc::clone(&self.program), Arc::clone(&self.inputs), self.limits)
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
            (self.comparing, self.vm) = (on, None);
        }
    }

    /// The arms that runs of this subject passed.
    pub fn covered(&self) -> impl Iterator<Item = (SiteId, u32)> + '_ {
        self.covered.iter().copied()
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

    /// The emulator, started if there is none.
    fn vm(&mut self) -> Result<&mut Vm, VmError> {
        if self.vm.is_none() {
            let mut vm = Vm::start(&self.program.modules.home)?;
            self.program.modules.install(&mut vm, true)?;
            let copy = self.program.modules.linkage.copy(self.program.call.0).expect("the entry is followed");
            let tell = if self.comparing { Tell::Both } else { Tell::Events };
            vm.set_up((copy, self.program.call.1), tell, self.limits, &mut self.atoms)?;
            self.one_zero = vm.one_zero();
            vm.interrupt_by(&self.interrupt);
            self.vm = Some(vm);
        }
        Ok(self.vm.as_mut().expect("just started"))
    }

    /// Runs the packet: how it ended, and the events, which are kept in `last`.
    fn execute(&mut self) -> Result<Ended, VmError> {
        let packet = std::mem::take(&mut self.packet);
        let mut atoms = std::mem::take(&mut self.atoms);
        let mut events = std::mem::take(&mut self.last.events);
        events.clear();
        let vm = self.vm.as_mut().expect("it was started");
        let ended = vm.run(&packet, &mut atoms).map(|(ended, told)| {
            events.extend_from_slice(told);
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

    fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        if let Some(vm) = &mut self.vm {
            vm.interrupt_by(interrupt);
        }
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        self.vm().map_err(|error| SubjectError::Start(error.to_string()))?;
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
        let ended = self.execute().map_err(|error| SubjectError::Protocol(error.to_string()))?;
        if ended == Ended::Gone(Gone::Interrupted) {
            return Err(SubjectError::Interrupted);
        }
        self.replay(&program, &inputs, ended, (promise, terms), (&variables, input))
    }
}

impl ErlSubject {
    fn replay(
        &mut self,
        program: &Program,
        inputs: &Inputs,
        ended: Ended,
        (promise, terms): (&[Known], &mut Terms),
        (variables, input): (&[TermId], Model),
    ) -> Result<Trace, SubjectError> {
        self.heap.reset(self.base);
        let told = std::mem::take(&mut self.last.events);
        let whole = matches!(ended, Ended::Returned(_) | Ended::Raised(_));
        let events = Events::new(&told, whole);
        let mut rec = Recorder::new(terms, &input, promise);
        let mut domain = Domain::new(&program.universe, inputs, &program.modules.atoms, program.assumption, self.one_zero);
        domain.begin(&mut rec, variables);
        for note in &inputs.types.notes {
            rec.limit("unsupported", note, true);
        }
        let work = self.limits.steps.saturating_mul(WORK_PER_EVENT).saturating_add(1 << 16);
        let bounds = Bounds { steps: self.limits.steps, work, heap: HEAP };
        let values = (&mut self.atoms, &mut self.heap, &self.literals[..], &self.keys[..]);
        let mut machine = Machine::new(program, values, (rec, domain), events, bounds, self.one_zero);
        machine.paper = self.logging.then(Log::default);
        let args: Vec<Val> = variables.iter().map(|&variable| Val::Sym(variable)).collect();
        let end = machine.run(program.entry, &args);
        self.last.result = match end {
            End::Returned(value) if self.logging => {
                let value = machine.resolved(value);
                machine.term(value)
            }
            _ => None,
        };
        self.last.paper = machine.paper.take().unwrap_or_default();
        let reported = Reported { ended: &ended, end: &end, limits: self.limits };
        let outcome = outcome(&mut machine, &reported);
        let passed = std::mem::take(&mut machine.covered);
        let recorded = machine.rec.finish();
        self.last.ended = Some(ended);
        self.last.events = told;
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
            limits: recorded.limits,
            input,
            concurrent: None,
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
