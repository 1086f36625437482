//! Failures that people look at as one: the same kind at the same line, reached in several ways.
//!
//! A helper that checks something fails for each of its callers: each is a failure of its own, with its own case, but one of them explains the others.
//!
//! **Invariant.** Every failure is in exactly one group, and is named there.

use std::collections::BTreeMap;

use xcute_trace::{FailureKind, Frame};

use crate::summary::{Failure, Summary};

/// Failures at one place, in the order of discovery.
pub(crate) struct Group<'a> {
    /// The first, which is shown in full.
    pub(crate) first: &'a Failure,
    /// The others.
    pub(crate) more: Vec<&'a Failure>,
}

/// The groups, in the order of their first failures.
pub(crate) fn groups(failures: &[Failure]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for failure in failures {
        // A data race is identified by both its places.
        let other = failure.notes.first().filter(|_| failure.kind == FailureKind::DataRace).map(|note| &note.at);
        let alone = failure.file.is_empty().then_some(&failure.id);
        // Of an exception it matters which one it is.
        let exception = if failure.kind == FailureKind::UncaughtException { name_of(&failure.message) } else { "" };
        let place = (failure.kind, exception, &failure.file, failure.line, &failure.function, other, alone);
        match known.get(&place) {
            Some(&at) => groups[at].more.push(failure),
            None => {
                known.insert(place, groups.len());
                groups.push(Group { first: failure, more: Vec::new() });
            }
        }
    }
    groups
}

/// What of a message says which exception it is: all before the first value.
fn name_of(message: &str) -> &str {
    message.split(|c: char| c.is_ascii_digit() || "([{\"'".contains(c)).next().unwrap_or_default()
}

/// How a failure differs from the first of its group, after its name.
pub(crate) fn way(first: &Failure, other: &Failure) -> String {
    let place = |frame: &Frame| (frame.function.clone(), frame.file.clone(), frame.line, frame.column);
    let differs = |(at, frame): &(usize, &Frame)| first.stack.get(*at).is_none_or(|same| place(same) != place(frame));
    match other.stack.iter().enumerate().find(differs) {
        Some((0, frame)) => format!("at column {}", frame.column),
        Some((_, frame)) => format!("called by {} ({}:{})", frame.function, frame.file, frame.line),
        None => "by another operation of the same line".to_owned(),
    }
}

/// What was found, in a few words: how many failures, in how many ways, and how many of them nobody could confirm.
pub(crate) fn counted(summary: &Summary) -> String {
    let (all, groups, open) = (summary.failures.len(), groups(&summary.failures).len(), summary.unconfirmed.len());
    let failures = |n: usize| format!("{n} failure{}", if n == 1 { "" } else { "s" });
    let ways = if all > groups { format!(" (reached in {all} ways)") } else { String::new() };
    match (groups, open) {
        (0, 0) => "no failure".to_owned(),
        (0, 1) => "1 unconfirmed failure".to_owned(),
        (0, open) => format!("{open} unconfirmed failures"),
        (groups, 0) => format!("{}{ways}", failures(groups)),
        (groups, open) => format!("{}{ways} and {open} unconfirmed", failures(groups)),
    }
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn exceptions_have_names() {
        assert_eq!(name_of("exception error: no function clause matching m:f(3)"), "exception error: no function clause matching m:f");
        assert_eq!(name_of("exception error: bad argument"), "exception error: bad argument");
        assert_eq!(name_of("java.lang.ArithmeticException: / by zero"), "java.lang.ArithmeticException: / by zero");
    }
}
