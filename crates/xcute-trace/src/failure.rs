//! Failures: what went wrong in a run, and where.

use serde::{Deserialize, Serialize};

/// The kind of a failure; printed in kebab case in every output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FailureKind {
    /// A failed assertion of the language (`assert`) or of xcute (`xcute_assert`).
    Assertion,
    /// `abort` or its like.
    Abort,
    /// Integer division by zero, or the one quotient that does not fit.
    DivisionByZero,
    /// An access through NULL or its first page.
    NullAccess,
    /// An access to memory that is not there.
    WildAccess,
    /// An access outside its object.
    OutOfBounds,
    /// An access to heap memory that was freed.
    UseAfterFree,
    /// An access to a local of a function that has returned.
    UseAfterReturn,
    /// Heap memory is freed a second time.
    DoubleFree,
    /// What is freed is no start of a heap object.
    InvalidFree,
    /// An uninitialised value decides a branch or an address.
    Uninitialised,
    /// Heap memory that nothing points to any more was not freed.
    Leak,
    /// An illegal instruction, `__builtin_trap`, unreachable code reached.
    Trap,
    /// The stack is exhausted.
    StackOverflow,
    /// The run did not end within its budget, and the uninstrumented program did not end either.
    Hang,
    /// An exception that nobody catches.
    UncaughtException,
    /// Any other fatal signal.
    Signal,
    /// Arithmetic on signed integers whose result does not fit its type.
    SignedOverflow,
    /// A shift by too much or by a negative number, or one that loses bits of a signed integer.
    BadShift,
    /// An access at an address that its type's alignment does not allow.
    MisalignedAccess,
    /// Any other behaviour that the language leaves undefined.
    UndefinedBehaviour,
    /// Two tasks access the same memory, one of them writes, and nothing orders them.
    DataRace,
    /// Tasks wait for each other, or for something that cannot happen any more.
    Deadlock,
    /// Every task that is left waits for a signal that nobody can give any more.
    LostWakeup,
    /// Tasks run for ever without getting anywhere.
    Livelock,
    /// A lock is released by a task that does not have it.
    BadUnlock,
    /// A lock or condition is destroyed while it is in use, or used after that.
    DestroyedInUse,
    /// A task is waited for twice, or by itself, or was detached.
    BadJoin,
    /// A goal that is declared to have exactly one solution, or at most one, has another number of them, or leaves choice points.
    Determinism,
}

impl FailureKind {
    /// The name in outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Assertion => "assertion",
            FailureKind::Abort => "abort",
            FailureKind::DivisionByZero => "division-by-zero",
            FailureKind::NullAccess => "null-access",
            FailureKind::WildAccess => "wild-access",
            FailureKind::OutOfBounds => "out-of-bounds",
            FailureKind::UseAfterFree => "use-after-free",
            FailureKind::UseAfterReturn => "use-after-return",
            FailureKind::DoubleFree => "double-free",
            FailureKind::InvalidFree => "invalid-free",
            FailureKind::Uninitialised => "uninitialised",
            FailureKind::Leak => "leak",
            FailureKind::Trap => "trap",
            FailureKind::StackOverflow => "stack-overflow",
            FailureKind::Hang => "hang",
            FailureKind::UncaughtException => "uncaught-exception",
            FailureKind::Signal => "signal",
            FailureKind::SignedOverflow => "signed-overflow",
            FailureKind::BadShift => "bad-shift",
            FailureKind::MisalignedAccess => "misaligned-access",
            FailureKind::UndefinedBehaviour => "undefined-behaviour",
            FailureKind::DataRace => "data-race",
            FailureKind::Deadlock => "deadlock",
            FailureKind::LostWakeup => "lost-wakeup",
            FailureKind::Livelock => "livelock",
            FailureKind::BadUnlock => "bad-unlock",
            FailureKind::DestroyedInUse => "destroyed-in-use",
            FailureKind::BadJoin => "bad-join",
            FailureKind::Determinism => "determinism",
        }
    }
}

/// One frame of a stack, innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// Its file; empty where unknown.
    pub file: String,
    /// The line; 0 where unknown.
    pub line: u32,
}

/// Another place that a failure has to do with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What happened there: "allocated", "freed".
    pub what: String,
    /// Where.
    pub at: Frame,
}

/// One step of a task on the way to a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happening {
    /// The task, by its fork path: `1` is the first, `1.2` the second that it forked.
    pub task: String,
    /// What it did: "writes `x`", "locks `m`", "waits for `c`".
    pub what: String,
    /// Where.
    pub at: Frame,
    /// Whether this step is one that the failure is about: a racing access, a lock that is waited for.
    pub marked: bool,
}

/// A failure of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// One line for a person.
    pub message: String,
    /// Where, innermost first; the first frame is in the subject's own code.
    pub stack: Vec<Frame>,
    /// Other places that matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What the tasks did, in order, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interleaving: Vec<Happening>,
}

impl Failure {
    /// What makes two failures the same: kind and place; for a data race both places, in any order.
    #[must_use]
    pub fn key(&self) -> (FailureKind, Option<&Frame>, Option<&Frame>) {
        let other = self.notes.first().filter(|_| self.kind == FailureKind::DataRace).map(|note| &note.at);
        let first = self.stack.first();
        let place = |frame: Option<&Frame>| frame.map(|f| (f.file.clone(), f.line, f.function.clone()));
        if other.is_some() && place(other) < place(first) { (self.kind, other, first) } else { (self.kind, first, other) }
    }
}
