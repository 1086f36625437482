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
}

impl Failure {
    /// What makes two failures the same: kind and place.
    #[must_use]
    pub fn key(&self) -> (FailureKind, Option<&Frame>) {
        (self.kind, self.stack.first())
    }
}
