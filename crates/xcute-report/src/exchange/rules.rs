//! What each kind of failure means and what to do about it, for tools that explain their findings by rules.

use std::collections::BTreeMap;

use xcute_trace::FailureKind;

use super::Exchange;

/// A kind of failure, explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The kind.
    pub kind: FailureKind,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// What to do about it.
    pub help: &'static str,
}

const fn rule(kind: FailureKind, about: &'static str, help: &'static str) -> Rule {
    Rule { kind, about, help }
}

/// The kinds that languages have in common.
const SHARED: &[Rule] = &[
    rule(
        FailureKind::Assertion,
        "An assertion does not hold.",
        "Either the code breaks its promise for this input, or the promise is too strong.",
    ),
    rule(FailureKind::Abort, "The program aborts itself.", "Handle the input that leads here, or reject it earlier."),
    rule(FailureKind::DivisionByZero, "A division by zero, or a quotient that does not fit.", "Check the divisor before dividing."),
    rule(
        FailureKind::NullAccess,
        "An access through a null pointer or reference.",
        "Check for null, or make sure that it cannot be null here.",
    ),
    rule(
        FailureKind::WildAccess,
        "An access to memory that does not exist.",
        "Find out where the address comes from; it belongs to no object.",
    ),
    rule(FailureKind::OutOfBounds, "An access outside its object.", "Check the index or the size against that of the object."),
    rule(FailureKind::UseAfterFree, "An access to memory that was freed.", "Free it later, or forget all pointers to it when it is freed."),
    rule(
        FailureKind::UseAfterReturn,
        "An access to a local variable of a function that has returned.",
        "Let the caller own the memory, or allocate it.",
    ),
    rule(
        FailureKind::DoubleFree,
        "Memory is freed a second time.",
        "Decide which part of the program owns the memory, and free it only there.",
    ),
    rule(FailureKind::InvalidFree, "What is freed was not allocated, or not there.", "Free the pointer that the allocation returned."),
    rule(FailureKind::Uninitialised, "A value that was never written decides what happens.", "Initialise it on every path."),
    rule(FailureKind::Leak, "Memory is lost without having been freed.", "Free it before the last pointer to it goes away."),
    rule(FailureKind::Trap, "Code that must not be reached is reached.", "Handle the case that leads here."),
    rule(FailureKind::StackOverflow, "The stack is exhausted.", "Bound the recursion, or use a loop."),
    rule(FailureKind::Hang, "The program does not end.", "Make sure that each turn of the loop makes progress for this input."),
    rule(FailureKind::UncaughtException, "An exception that nothing catches.", "Catch it, or reject the input that causes it."),
    rule(FailureKind::Signal, "A signal ends the program.", "Repeat the case in a debugger to see what caused the signal."),
    rule(FailureKind::SignedOverflow, "A result does not fit its signed type.", "Use a wider type, or check the operands first."),
    rule(
        FailureKind::BadShift,
        "A shift by too much, by a negative number, or one that loses bits.",
        "Check the distance, and shift unsigned values.",
    ),
    rule(FailureKind::MisalignedAccess, "An access at an address that its type does not allow.", "Copy the bytes, or align the object."),
    rule(FailureKind::UndefinedBehaviour, "The language does not define what happens here.", "Avoid the construct for this input."),
    rule(
        FailureKind::DataRace,
        "Two threads access the same memory, one of them writes, and nothing orders them.",
        "Protect both accesses by one lock, or make them atomic.",
    ),
    rule(
        FailureKind::Deadlock,
        "Threads wait for each other for ever.",
        "Take locks in the same order everywhere, and never wait for what can no longer happen.",
    ),
    rule(
        FailureKind::LostWakeup,
        "All threads wait for a signal that none can give.",
        "Check the condition under the lock before each wait, and signal after each change.",
    ),
    rule(FailureKind::Livelock, "Threads run for ever without progress.", "Let one of them give way."),
    rule(FailureKind::BadUnlock, "A lock is released by a thread that does not have it.", "Release a lock where it was taken."),
    rule(
        FailureKind::DestroyedInUse,
        "A lock or condition is destroyed while it is used.",
        "Destroy it after the last thread that uses it has ended.",
    ),
    rule(FailureKind::BadJoin, "A thread is waited for twice, by itself, or after it was detached.", "Join each thread once."),
];

/// The rules that the failures of a document need, by the names of their kinds.
pub(super) fn needed(exchange: &Exchange<'_>) -> BTreeMap<&'static str, Rule> {
    let failures = exchange.campaigns.iter().flat_map(|campaign| campaign.failures());
    failures.map(|(failure, _)| (failure.kind.name(), of(failure.kind, exchange.rules))).collect()
}

fn of(kind: FailureKind, own: &[Rule]) -> Rule {
    let known = SHARED.iter().chain(own).find(|rule| rule.kind == kind).copied();
    known.unwrap_or(rule(kind, "The program fails.", "Repeat the case to see how."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_explained_once() {
        for kind in FailureKind::shared() {
            assert_eq!(SHARED.iter().filter(|rule| rule.kind == kind).count(), 1, "{}", kind.name());
        }
        const OWN: FailureKind = FailureKind::own("bad-tea");
        assert_eq!(of(OWN, &[rule(OWN, "Tea.", "Brew it.")]).help, "Brew it.");
        assert_eq!(of(OWN, &[]).about, "The program fails.");
    }
}
