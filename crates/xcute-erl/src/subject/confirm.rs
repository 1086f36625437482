//! Repeating cases on the original program: not instrumented, on an emulator of its own.
//!
//! **Invariant.** What is reported as confirmed happened here: the same class and reason, or the same kind of end.

use std::ops::Range;
use std::sync::Arc;

use xcute_term::{Interrupt, Model, Terms};
use xcute_trace::{Failure, FailureKind};

use super::arguments;
use super::outcome::{broken, failure, gone_message, process_failure, rejects};
use crate::etf::{Atoms, Term, encode_list};
use crate::program::Program;
use crate::universe::functions;
use crate::vm::{Ended, How, Lead, Limits, Tell, Vm, VmError};

/// How often a program with processes is run, each time with other processes that are held back: all sets of the first four, for a moment and for longer.
const TRIALS: u32 = 32;

/// After this many of them come as many with modules in which processes pause after each message, then the others.
const FEW: u32 = 8;

/// The program as it is.
pub struct Original {
    program: Arc<Program>,
    limits: Limits,
    vm: Option<Vm>,
    atoms: Atoms,
    interrupt: Interrupt,
    /// Which processes are held back for a moment, where there are some.
    trial: u32,
    /// Whether processes pause after each message.
    pauses: bool,
    /// Whether a case may have ended the emulator, which takes a moment.
    ending: bool,
}

/// What came of repeating a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// How it ended.
    pub ended: Ended,
    /// The failure that this is, if it is one: class, reason and stack as the shell prints them.
    pub failure: Option<Failure>,
    /// The failures of other processes.
    pub others: Vec<Failure>,
}

impl Original {
    /// The original of a program. Steps do not count there, so the time should be long.
    #[must_use]
    pub fn new(program: Arc<Program>, limits: Limits) -> Original {
        let atoms = program.modules.atoms.clone();
        Original { program, limits, vm: None, atoms, interrupt: Interrupt::never().clone(), trial: 0, pauses: false, ending: false }
    }

    /// Ends runs when this flag is raised.
    pub fn interrupt_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
    }

    /// The atoms that terms of its answers are made of.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// Runs a case.
    ///
    /// # Errors
    /// Where there is no emulator.
    pub fn run(&mut self, terms: &Terms, input: &Model) -> Result<Verdict, VmError> {
        let arguments = arguments(&self.program, terms, input, &mut self.atoms);
        self.call(&arguments)
    }

    /// Repeats a case until it fails as it is said to; a program without processes once. Processes of the original run as they like, but for some that are held
    /// back for a moment; where that does not help, all pause after each message. So a failure that needs another order of theirs may not show.
    ///
    /// # Errors
    /// Where there is no emulator.
    pub fn repeats(&mut self, terms: &Terms, input: &Model, failure: &Failure) -> Result<Result<(), String>, VmError> {
        self.ending |= failure.kind == FailureKind::Abort;
        if self.program.schedule.is_none() {
            let verdict = self.run(terms, input)?;
            let confirmed = verdict.confirms(failure);
            let runs = !matches!(verdict.ended, Ended::Gone(_));
            let late = confirmed.is_err() && runs && failure.kind == FailureKind::Abort && self.ends_later();
            return Ok(if late { Ok(()) } else { confirmed });
        }
        let mut why = String::new();
        for (trials, pauses) in [(0..FEW, false), (0..FEW, true), (FEW..TRIALS, false)] {
            let fresh = |original: &mut Original, pauses| (original.vm, original.pauses) = (None, pauses);
            if pauses {
                fresh(self, true);
            }
            let tried = self.tried(trials, terms, input, failure);
            if pauses {
                fresh(self, false);
            }
            match tried {
                Ok(None) => return Ok(Ok(())),
                // A module that does not compile in this way is not tried.
                Ok(Some(_)) | Err(_) if pauses => {}
                Ok(Some(reason)) => why = reason,
                Err(error) => return Err(error),
            }
            if self.interrupt.raised() {
                break;
            }
        }
        Ok(Err(format!("{why}, in the orders of its processes that were tried")))
    }

    /// Repeats a case in these trials; `None` if it failed as it is said to, else why not.
    fn tried(&mut self, trials: Range<u32>, terms: &Terms, input: &Model, failure: &Failure) -> Result<Option<String>, VmError> {
        let mut why = String::new();
        for trial in trials {
            self.trial = trial;
            let verdict = self.run(terms, input);
            self.trial = 0;
            let verdict = verdict?;
            match verdict.confirms(failure) {
                Ok(()) => return Ok(None),
                Err(reason) => why = reason,
            }
            if matches!(verdict.ended, Ended::Time | Ended::Gone(_)) || self.interrupt.raised() {
                break;
            }
        }
        Ok(Some(why))
    }

    /// Whether the emulator ends soon after a run: what the run did to it takes a moment.
    fn ends_later(&mut self) -> bool {
        for _ in 0..20 {
            let Some(vm) = &mut self.vm else { return true };
            if !vm.answers() {
                self.vm = None;
                return true;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        false
    }

    /// Calls the function with these arguments, which are made of its own atoms.
    ///
    /// # Errors
    /// Where there is no emulator.
    pub fn call(&mut self, arguments: &[Term]) -> Result<Verdict, VmError> {
        self.call_external(&encode_list(arguments, &self.atoms))
    }

    /// Calls the function with the list of arguments that an external term is.
    ///
    /// # Errors
    /// Where there is no emulator.
    pub fn call_external(&mut self, arguments: &[u8]) -> Result<Verdict, VmError> {
        let mut packet = [&[0], arguments].concat();
        functions::mark(&mut packet);
        if self.vm.is_none() {
            let modules = &self.program.modules;
            let mut vm = if self.pauses { modules.fresh(false)? } else { modules.original()? };
            if self.pauses {
                modules.pause(&mut vm)?;
            }
            vm.set_up(self.program.called, Tell::Value, self.limits, &mut self.atoms)?;
            self.vm = Some(vm);
        }
        let vm = self.vm.as_mut().expect("just started");
        vm.interrupt_by(&self.interrupt);
        if self.program.schedule.is_some() {
            vm.set_trial(self.trial, &mut self.atoms)?;
        }
        // Nobody leads the processes of the original: they never ask.
        let (ended, _, others) = vm.run(&packet, &mut self.atoms, &mut |_| Lead::Stop)?;
        if matches!(ended, Ended::Gone(_)) {
            self.vm = None;
        }
        let failure = match &ended {
            Ended::Raised(crash) | Ended::Exited(crash) => failure(crash, &self.program, &self.atoms),
            _ => None,
        };
        let crashes = others.iter().filter_map(|other| match &other.how {
            How::Raised(crash) => process_failure(crash, &self.program, &self.atoms),
            _ => None,
        });
        let others = crashes.collect();
        Ok(Verdict { ended, failure, others })
    }
}

impl Drop for Original {
    /// Gives the emulator to the next function of the program.
    fn drop(&mut self) {
        if let Some(mut vm) = self.vm.take().filter(|_| !self.pauses && !self.ending) {
            vm.interrupt_by(Interrupt::never());
            self.program.modules.plain.keep(vm);
        }
    }
}

impl Verdict {
    /// Whether it is about what must hold around the function, not about the function itself.
    #[must_use]
    pub fn is_contract(&self, atoms: &Atoms) -> bool {
        matches!(&self.ended, Ended::Raised(crash) if rejects(crash, atoms) || broken(crash, atoms).is_some())
    }

    /// Whether this is the failure that a run of the instrumented program showed; if not, why not, in one line.
    ///
    /// # Errors
    /// Where it is another one, or none.
    pub fn confirms(&self, shown: &Failure) -> Result<(), String> {
        let same = |own: &Failure| own.kind == shown.kind && what(&own.message) == what(&shown.message);
        if self.others.iter().any(same) {
            return Ok(());
        }
        match (&self.ended, &self.failure, shown.kind) {
            (_, Some(own), _) if same(own) => Ok(()),
            (_, Some(own), _) => Err(format!("the original program fails with {}", own.message)),
            (Ended::Time, None, FailureKind::Hang | FailureKind::Deadlock) => Ok(()),
            (Ended::Halted(_), None, FailureKind::Abort) => Ok(()),
            (Ended::Gone(gone), None, FailureKind::Abort) if gone_message(*gone).is_some() => Ok(()),
            // Killed on purpose: there nothing says so.
            (Ended::Killed, None, _) if shown.message == "exception exit: killed" => Ok(()),
            (Ended::Killed, None, _) => Err("the original program uses too much memory".to_owned()),
            (Ended::Time, None, _) => Err("the original program does not end in time".to_owned()),
            _ => Err("the original program does not fail".to_owned()),
        }
    }
}

/// What a message says without the name of a function: one that the compiler made of a fun may be called otherwise in another version of the module. The
/// reason of an exit that another process died of has its stack, which differs as well.
fn what(message: &str) -> &str {
    if message.starts_with("exception exit: ") {
        return message.split_once("[{").map_or(message, |(before, _)| before.trim_end());
    }
    let clause = "no function clause matching ";
    message.find(clause).map_or(message, |at| &message[..at + clause.len()])
}
