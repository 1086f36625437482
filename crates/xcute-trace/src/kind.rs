//! Kinds of failures: those that several languages have in common, and any others that a front end names.
//!
//! **Invariant.** A kind is its name: what is written in results and case files is read as the same kind, by every language.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The kind of a failure; printed in kebab case in every output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// What is freed is not the start of a heap object.
    InvalidFree,
    /// An uninitialised value decides a branch or an address.
    Uninitialised,
    /// Heap memory that nothing points to any longer was not freed.
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
    /// Tasks wait for each other, or for something that can no longer happen.
    Deadlock,
    /// Every task that is left waits for a signal that no task can give any longer.
    LostWakeup,
    /// Tasks run for ever without getting anywhere.
    Livelock,
    /// A lock is released by a task that does not have it.
    BadUnlock,
    /// A lock or condition is destroyed while it is in use, or used after that.
    DestroyedInUse,
    /// A task is waited for twice, or by itself, or was detached.
    BadJoin,
    /// A kind that one language has. Its front end names it, by [`FailureKind::own`].
    Own(OwnKind),
}

/// The name of a kind that one language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnKind(&'static str);

/// The kinds that have no name of their own here, and their names.
const SHARED: &[(FailureKind, &str)] = &[
    (FailureKind::Assertion, "assertion"),
    (FailureKind::Abort, "abort"),
    (FailureKind::DivisionByZero, "division-by-zero"),
    (FailureKind::NullAccess, "null-access"),
    (FailureKind::WildAccess, "wild-access"),
    (FailureKind::OutOfBounds, "out-of-bounds"),
    (FailureKind::UseAfterFree, "use-after-free"),
    (FailureKind::UseAfterReturn, "use-after-return"),
    (FailureKind::DoubleFree, "double-free"),
    (FailureKind::InvalidFree, "invalid-free"),
    (FailureKind::Uninitialised, "uninitialised"),
    (FailureKind::Leak, "leak"),
    (FailureKind::Trap, "trap"),
    (FailureKind::StackOverflow, "stack-overflow"),
    (FailureKind::Hang, "hang"),
    (FailureKind::UncaughtException, "uncaught-exception"),
    (FailureKind::Signal, "signal"),
    (FailureKind::SignedOverflow, "signed-overflow"),
    (FailureKind::BadShift, "bad-shift"),
    (FailureKind::MisalignedAccess, "misaligned-access"),
    (FailureKind::UndefinedBehaviour, "undefined-behaviour"),
    (FailureKind::DataRace, "data-race"),
    (FailureKind::Deadlock, "deadlock"),
    (FailureKind::LostWakeup, "lost-wakeup"),
    (FailureKind::Livelock, "livelock"),
    (FailureKind::BadUnlock, "bad-unlock"),
    (FailureKind::DestroyedInUse, "destroyed-in-use"),
    (FailureKind::BadJoin, "bad-join"),
];

/// No name is longer.
const LONGEST: usize = 40;

impl FailureKind {
    /// A kind of a front end's own: a few words in lower case, with hyphens between them.
    ///
    /// # Panics
    /// For a name that is not of this form, or that kinds here have. A constant does not compile then.
    #[must_use]
    pub const fn own(name: &'static str) -> FailureKind {
        assert!(is_name(name), "a kind is called by a few words in lower case, with hyphens between them");
        let mut at = 0;
        while at < SHARED.len() {
            assert!(!same(SHARED[at].1, name), "languages have this kind in common");
            at += 1;
        }
        FailureKind::Own(OwnKind(name))
    }

    /// The kinds that languages have in common.
    pub fn shared() -> impl Iterator<Item = FailureKind> {
        SHARED.iter().map(|(kind, _)| *kind)
    }

    /// The name in outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Own(OwnKind(name)) => name,
            shared => SHARED.iter().find(|(kind, _)| *kind == shared).expect("each kind is in the table").1,
        }
    }
}

const fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !(bytes[at].is_ascii_lowercase() || bytes[at] == b'-') {
            return false;
        }
        at += 1;
    }
    !bytes.is_empty() && bytes.len() <= LONGEST
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

impl Serialize for FailureKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for FailureKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FailureKind, D::Error> {
        let name = String::deserialize(deserializer)?;
        if let Some((kind, _)) = SHARED.iter().find(|(_, shared)| *shared == name) {
            return Ok(*kind);
        }
        if !is_name(&name) {
            return Err(D::Error::custom(format_args!("`{}` is not a kind of failure", name.escape_debug())));
        }
        // Kept for good: a kind is a constant everywhere else. Files hold few of them, and they are short.
        Ok(FailureKind::Own(OwnKind(name.leak())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_as_they_are_written() {
        const OWN: FailureKind = FailureKind::own("bad-tea");
        for kind in SHARED.iter().map(|(kind, _)| *kind).chain([OWN]) {
            let text = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<FailureKind>(&text).unwrap(), kind, "{text}");
        }
        assert_eq!(serde_json::to_string(&FailureKind::UseAfterFree).unwrap(), "\"use-after-free\"");
        assert!(matches!(serde_json::from_str::<FailureKind>("\"bad-tea\"").unwrap(), OWN));
        for wrong in ["", "Bad Tea", "a\\u0000", &"a".repeat(LONGEST + 1)] {
            assert!(serde_json::from_str::<FailureKind>(&format!("\"{wrong}\"")).is_err(), "{wrong}");
        }
    }

    #[test]
    #[should_panic(expected = "in common")]
    fn a_shared_kind_is_nobodys_own() {
        let _ = FailureKind::own("abort");
    }
}
