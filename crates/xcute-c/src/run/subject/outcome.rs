//! From how a run ended to an outcome.
//!
//! **Invariant.** Only what the subject did is a failure; what we or the machine did not allow it is a budget.

use xcute_trace::{Budget, Failure, FailureKind, Outcome};

use super::memory_error;
use crate::build::words;
use crate::instrument::compiled::ObjectName;
use crate::run::process::{Death, Ended};
use crate::run::symbolize::Symbols;
use crate::wire::{OPEN_END, XcControl, check, outcome};

/// Addresses below this are reached by arithmetic on NULL.
const NULL_PAGES: u64 = 1 << 16;

/// How the runtime ends the process after a fault outside of runs.
const RUNTIME_FAULT: Death = Death::Exit(70);

/// The outcome of a run, from the wait for it and the head of the block.
pub(super) fn of(ended: Ended, head: &XcControl, symbols: &mut Symbols, objects: &[ObjectName]) -> Outcome {
    match (ended, head.outcome) {
        (Ended::NotBegun, _) => failed(FailureKind::Signal, "its process ends before it begins".into(), head, symbols),
        (Ended::Waited, _) => Outcome::OutOfBudget(Budget::Time),
        (Ended::Hung, _) => failed(FailureKind::Hang, "the run does not end".into(), head, symbols),
        (Ended::Died(death), outcome::RUNNING) => died(death, head, symbols),
        (Ended::Died(RUNTIME_FAULT), outcome::RETURNED | outcome::EXITED) => scribbled(),
        (_, outcome::RETURNED | outcome::EXITED) => Outcome::Passed,
        (_, outcome::REJECTED) => Outcome::Rejected,
        (_, outcome::OUT_OF_MEMORY) => Outcome::OutOfBudget(Budget::Memory),
        (_, outcome::OUT_OF_TRACE) => Outcome::OutOfBudget(Budget::Trace),
        (_, outcome::CHECK_FAILED) if memory_error::is_one(head) => {
            let (kind, message) = memory_error::told(head, objects);
            let failed = failed(kind, message, head, symbols);
            memory_error::with_notes(failed, head, symbols)
        }
        (_, other) => {
            let (kind, message) = failure(other, head);
            by_convention(failed(kind, message, head, symbols))
        }
    }
}

/// What `abort` means in the functions that programs for SV-COMP define by custom.
fn by_convention(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Failed(f) if f.kind == FailureKind::Abort && words::is_assumption(&f.stack) => Outcome::Rejected,
        Outcome::Failed(f) if f.kind == FailureKind::Abort && words::is_error(&f.stack) => {
            let message = format!("assertion failed: {} is reached", f.stack[0].function);
            Outcome::Failed(Failure { kind: FailureKind::Assertion, message, ..f })
        }
        other => other,
    }
}

/// The outcome of a run after which the shared memory is not what the runtime leaves.
pub(super) fn scribbled() -> Outcome {
    let message = "a wild write hit the memory of xcute's runtime".into();
    Outcome::Failed(Failure {
        kind: FailureKind::WildAccess,
        message,
        stack: Vec::new(),
        notes: Vec::new(),
        interleaving: Vec::new(),
        values: Vec::new(),
    })
}

fn failed(kind: FailureKind, message: String, head: &XcControl, symbols: &mut Symbols) -> Outcome {
    let frames = &head.frames[..(head.n_frames as usize).min(head.frames.len())];
    Outcome::Failed(Failure {
        kind,
        message,
        stack: symbols.stack(head.pc, frames),
        notes: Vec::new(),
        interleaving: Vec::new(),
        values: Vec::new(),
    })
}

/// The process is gone and reported nothing: it was killed, replaced itself (exec), or left by a system call of its own.
fn died(death: Death, head: &XcControl, symbols: &mut Symbols) -> Outcome {
    match death {
        Death::Signal(signal) => {
            let head = XcControl { signal: signal.unsigned_abs(), fault_address: u64::MAX, n_frames: 0, pc: 0, status: 0, ..*head };
            let (kind, message) = signalled(&head);
            failed(kind, message, &head, symbols)
        }
        RUNTIME_FAULT => scribbled(),
        Death::Exit(_) => Outcome::Passed,
    }
}

fn failure(code: u32, head: &XcControl) -> (FailureKind, String) {
    let text = head.message.split(|&b| b == 0).next().unwrap_or_default();
    let text = String::from_utf8_lossy(text).into_owned();
    match code {
        outcome::ASSERTED => (FailureKind::Assertion, format!("assertion failed: {text}")),
        outcome::ABORTED if text.is_empty() => (FailureKind::Abort, "abort was called".into()),
        outcome::ABORTED => (FailureKind::Abort, text),
        outcome::UNCAUGHT => (FailureKind::UncaughtException, format!("uncaught exception {text}")),
        outcome::OUT_OF_FUEL if head.open_end != 0 => (FailureKind::Hang, OPEN_END.into()),
        outcome::OUT_OF_FUEL => (FailureKind::Hang, "the run does not end within its steps".into()),
        outcome::TIMED_OUT => (FailureKind::Hang, "the run does not end within its time".into()),
        outcome::STACK_OVERFLOW => (FailureKind::StackOverflow, "the stack is exhausted".into()),
        outcome::CHECK_FAILED => undefined(head.check, text).unwrap_or_else(|| checked(head)),
        // The record of what they wait for is missing.
        outcome::STUCK => (FailureKind::Deadlock, "no thread can go on".into()),
        outcome::SIGNALLED => signalled(head),
        _ => (FailureKind::WildAccess, "a wild write hit the memory of xcute's runtime".into()),
    }
}

/// What C does not define (`--check ub`), and locks and threads that are misused: there is a message.
fn undefined(code: u32, message: String) -> Option<(FailureKind, String)> {
    let kind = match code {
        check::OVERFLOW => FailureKind::SignedOverflow,
        check::SHIFT => FailureKind::BadShift,
        check::ALIGNMENT => FailureKind::MisalignedAccess,
        check::INDEX => FailureKind::OutOfBounds,
        check::UNDEFINED => FailureKind::UndefinedBehaviour,
        check::UNLOCK => FailureKind::BadUnlock,
        check::DESTROYED => FailureKind::DestroyedInUse,
        check::JOIN => FailureKind::BadJoin,
        _ => return None,
    };
    Some((kind, message))
}

fn checked(head: &XcControl) -> (FailureKind, String) {
    match head.check {
        check::DIVISION => (FailureKind::DivisionByZero, "division by zero".into()),
        check::DIV_OVERFLOW => (FailureKind::DivisionByZero, "the quotient does not fit its type".into()),
        check::NULL => (FailureKind::NullAccess, "access through NULL".into()),
        _ => (FailureKind::Trap, "unreachable code is reached".into()),
    }
}

fn signalled(head: &XcControl) -> (FailureKind, String) {
    let signal = i32::try_from(head.signal).unwrap_or(0);
    let address = head.fault_address;
    let access = match head.status {
        s if s & 0x10 != 0 => "jump to",
        s if s & 2 != 0 => "write to",
        _ => "read from",
    };
    match signal {
        libc::SIGFPE => (FailureKind::DivisionByZero, "integer division by zero or a quotient that does not fit".into()),
        libc::SIGSEGV | libc::SIGBUS if address < NULL_PAGES => (FailureKind::NullAccess, format!("{access} address {address:#x}")),
        libc::SIGSEGV | libc::SIGBUS if address == u64::MAX => (FailureKind::WildAccess, "access to a wild address".into()),
        libc::SIGSEGV | libc::SIGBUS => (FailureKind::WildAccess, format!("{access} wild address {address:#x}")),
        libc::SIGILL | libc::SIGTRAP => (FailureKind::Trap, "trap".into()),
        libc::SIGABRT => (FailureKind::Abort, "abort was called".into()),
        other => (FailureKind::Signal, format!("signal {other} ({})", name(other))),
    }
}

fn name(signal: i32) -> &'static str {
    match signal {
        libc::SIGKILL => "SIGKILL: it kills itself, or the system has no memory for it",
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGSYS => "SIGSYS",
        _ => "a fatal signal",
    }
}
