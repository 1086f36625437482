//! Repeating cases on the original program: not instrumented, on an emulator of its own.
//!
//! **Invariant.** What is reported as confirmed happened here: the same class and reason, or the same kind of end.

use std::sync::Arc;

use xcute_term::{Interrupt, Model, Terms};
use xcute_trace::{Failure, FailureKind};

use super::arguments;
use super::outcome::{failure, gone_message};
use crate::etf::{Atoms, Term, encode_list};
use crate::program::Program;
use crate::vm::{Ended, Limits, Tell, Vm, VmError};

/// The program as it is.
pub struct Original {
    program: Arc<Program>,
    limits: Limits,
    vm: Option<Vm>,
    atoms: Atoms,
    interrupt: Interrupt,
}

/// What came of repeating a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// How it ended.
    pub ended: Ended,
    /// The failure that this is, if it is one: class, reason and stack as the shell prints them.
    pub failure: Option<Failure>,
}

impl Original {
    /// The original of a program. Steps do not count there, so the time should be long.
    #[must_use]
    pub fn new(program: Arc<Program>, limits: Limits) -> Original {
        let atoms = program.modules.atoms.clone();
        Original { program, limits, vm: None, atoms, interrupt: Interrupt::never().clone() }
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
        let packet = [&[0], arguments].concat();
        if self.vm.is_none() {
            let mut vm = Vm::start(&self.program.modules.home)?;
            self.program.modules.install(&mut vm, false)?;
            vm.set_up(self.program.call, Tell::Value, self.limits, &mut self.atoms)?;
            self.vm = Some(vm);
        }
        let vm = self.vm.as_mut().expect("just started");
        vm.interrupt_by(&self.interrupt);
        let (ended, _) = vm.run(&packet, &mut self.atoms)?;
        if matches!(ended, Ended::Gone(_)) {
            self.vm = None;
        }
        let failure = match &ended {
            Ended::Raised(crash) | Ended::Exited(crash) => failure(crash, &self.program, &self.atoms),
            _ => None,
        };
        Ok(Verdict { ended, failure })
    }
}

impl Verdict {
    /// Whether this is the failure that a run of the instrumented program showed; if not, why not, in one line.
    ///
    /// # Errors
    /// Where it is another one, or none.
    pub fn confirms(&self, shown: &Failure) -> Result<(), String> {
        match (&self.ended, &self.failure, shown.kind) {
            (_, Some(own), _) if own.kind == shown.kind && what(&own.message) == what(&shown.message) => Ok(()),
            (_, Some(own), _) => Err(format!("the original program fails with {}", own.message)),
            (Ended::Time, None, FailureKind::Hang) => Ok(()),
            (Ended::Halted(_), None, FailureKind::Abort) => Ok(()),
            (Ended::Gone(gone), None, FailureKind::Abort) if gone_message(*gone).is_some() => Ok(()),
            (Ended::Killed, None, _) => Err("the original program uses too much memory".to_owned()),
            (Ended::Time, None, _) => Err("the original program does not end in time".to_owned()),
            _ => Err("the original program does not fail".to_owned()),
        }
    }
}

/// What a message says without the name of a function: one that the compiler made of a fun may be called otherwise in another version of the module.
fn what(message: &str) -> &str {
    let clause = "no function clause matching ";
    message.find(clause).map_or(message, |at| &message[..at + clause.len()])
}
