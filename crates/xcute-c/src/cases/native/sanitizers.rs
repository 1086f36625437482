//! The compiler's sanitizers: what may show a failure that a plain run does not.
//!
//! **Invariant.** Only the words of a report that fit the kind of failure count, so one mistake does not confirm another.

use xcute_trace::FailureKind;

use super::run::{End, Run};

/// A way to compile a test so that it stops where it fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sanitizer {
    /// Its name for people.
    pub(crate) name: &'static str,
    /// Flags of clang.
    pub(crate) clang: &'static [&'static str],
    /// Flags of gcc, for where clang has no such sanitizer.
    pub(crate) gcc: &'static [&'static str],
    /// What its report says, one of these; without any, it stops with the trap instruction.
    says: &'static [&'static str],
    /// Whether a segmentation fault says it as well.
    faults: bool,
}

impl Sanitizer {
    /// The attribute of functions that it looks after; `None` if it works on source text only.
    pub(crate) fn attribute(&self) -> Option<&'static str> {
        match self.clang.first() {
            Some(&ADDRESS) => Some("sanitize_address"),
            Some(&MEMORY) => Some("sanitize_memory"),
            Some(&THREAD) => Some("sanitize_thread"),
            _ => None,
        }
    }

    /// Whether it stopped this run.
    pub(crate) fn caught(&self, seen: &Run) -> bool {
        match seen.end {
            End::Signalled(libc::SIGILL | libc::SIGTRAP) if self.says.is_empty() => true,
            End::Signalled(libc::SIGSEGV | libc::SIGBUS) if self.faults => true,
            _ => self.says.iter().any(|words| seen.errors.contains(words)),
        }
    }
}

const fn traps(name: &'static str, clang: &'static [&'static str]) -> Sanitizer {
    Sanitizer { name, clang, gcc: &[], says: &[], faults: false }
}

const fn address(says: &'static [&'static str], faults: bool) -> Sanitizer {
    let flags = &[ADDRESS];
    Sanitizer { name: "address sanitizer", clang: flags, gcc: flags, says, faults }
}

/// The flag of the address sanitizer.
pub(crate) const ADDRESS: &str = "-fsanitize=address";
/// The flag of the memory sanitizer, which knows what is uninitialised.
pub(crate) const MEMORY: &str = "-fsanitize=memory";
/// The flag of the thread sanitizer.
pub(crate) const THREAD: &str = "-fsanitize=thread";
const TRAP: &str = "-fsanitize-trap=all";
const UNDEFINED: &str = "-fsanitize=vla-bound,float-cast-overflow,bool,nonnull-attribute,returns-nonnull-attribute,builtin";
const OUTSIDE: &[&str] = &[
    "AddressSanitizer: heap-buffer-overflow",
    "AddressSanitizer: stack-buffer-overflow",
    "AddressSanitizer: stack-buffer-underflow",
    "AddressSanitizer: dynamic-stack-buffer-overflow",
    "AddressSanitizer: global-buffer-overflow",
    "AddressSanitizer: stack-overflow",
    "AddressSanitizer: unknown-crash",
    "AddressSanitizer: SEGV",
    "AddressSanitizer: BUS",
    "AddressSanitizer: negative-size-param",
    "AddressSanitizer: stack-use-after",
    "AddressSanitizer: heap-use-after-free",
    "-param-overlap",
];

/// The sanitizers that may show a failure of this kind.
pub(crate) fn of(kind: FailureKind) -> &'static [Sanitizer] {
    const FREED: &[Sanitizer] = &[address(&["AddressSanitizer: heap-use-after-free", "AddressSanitizer: SEGV"], true)];
    const LEFT: &[Sanitizer] =
        &[address(&["AddressSanitizer: stack-use-after", "AddressSanitizer: stack-buffer", "AddressSanitizer: SEGV"], true)];
    match kind {
        FailureKind::OutOfBounds | FailureKind::WildAccess | FailureKind::NullAccess => {
            const { &[address(OUTSIDE, true), traps("check of array bounds", &["-fsanitize=bounds", "-fsanitize-trap=bounds"])] }
        }
        FailureKind::UseAfterFree => FREED,
        FailureKind::UseAfterReturn => LEFT,
        FailureKind::DoubleFree => const { &[address(&["attempting double-free"], false)] },
        FailureKind::InvalidFree => const { &[address(&["attempting free on address which was not malloc", "bad-free"], true)] },
        FailureKind::Uninitialised => {
            const INITIALISED: Sanitizer = Sanitizer {
                name: "memory sanitizer",
                clang: &[MEMORY, "-fno-sanitize-recover=memory", "-fno-sanitize-memory-param-retval"],
                gcc: &[],
                says: &["MemorySanitizer: use-of-uninitialized-value"],
                faults: false,
            };
            const { &[INITIALISED] }
        }
        FailureKind::DataRace => {
            const RACES: Sanitizer =
                Sanitizer { name: "thread sanitizer", clang: &[THREAD], gcc: &[], says: &["ThreadSanitizer: data race"], faults: false };
            const { &[RACES] }
        }
        FailureKind::Leak => const { &[address(&["LeakSanitizer: detected memory leaks"], false)] },
        FailureKind::DivisionByZero => const { &[traps("check of divisions", &["-fsanitize=integer-divide-by-zero", TRAP])] },
        FailureKind::Trap => const { &[traps("check of unreachable code", &["-fsanitize=unreachable,return", TRAP])] },
        FailureKind::SignedOverflow => {
            const { &[traps("check of signed overflow", &["-fno-wrapv", "-fsanitize=signed-integer-overflow", TRAP])] }
        }
        FailureKind::BadShift => const { &[traps("check of shifts", &["-fno-wrapv", "-fsanitize=shift", TRAP])] },
        FailureKind::MisalignedAccess => const { &[traps("check of alignment", &["-fsanitize=alignment", TRAP])] },
        FailureKind::UndefinedBehaviour => const { &[traps("check of undefined behaviour", &["-fno-wrapv", UNDEFINED, TRAP])] },
        _ => &[],
    }
}

/// Whether a program that was built with checks of undefined behaviour reported a failure of this kind.
pub(crate) fn reported(kind: FailureKind, seen: &Run) -> bool {
    let says = |what: &str| seen.errors.lines().any(|line| line.split_once("runtime error: ").is_some_and(|(_, said)| said.contains(what)));
    match kind {
        FailureKind::SignedOverflow => says("signed integer overflow") || says("negation of"),
        FailureKind::BadShift => says("shift"),
        FailureKind::MisalignedAccess => says("misaligned"),
        FailureKind::UndefinedBehaviour => says(""),
        _ => false,
    }
}
