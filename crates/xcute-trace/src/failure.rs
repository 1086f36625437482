//! Failures: what went wrong in a run, and where.

use serde::{Deserialize, Serialize};

use crate::kind::FailureKind;

/// One frame of a stack, innermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Frame {
    /// The function.
    pub function: String,
    /// Its file; empty where unknown.
    pub file: String,
    /// The line; 0 where unknown.
    pub line: u32,
    /// The column; 0 where unknown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub column: u32,
    /// Which of several operations that stand there: a macro is one place, whatever it does.
    #[serde(skip)]
    pub nth: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(column: &u32) -> bool {
    *column == 0
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

/// What a variable held where a program failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The variable, in the language of the subject.
    pub name: String,
    /// Its value, likewise.
    pub value: String,
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
    /// What variables in scope held at the first frame, as far as it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Held>,
}

impl Failure {
    /// What makes two failures the same: kind, place, and the calls that lead there; for a data race both places, in any order, and the variable if it has a
    /// name.
    #[must_use]
    pub fn key(&self) -> FailureKey {
        let other = self.notes.first().filter(|_| self.kind == FailureKind::DataRace).map(|note| &note.at);
        let Some(other) = other else { return FailureKey::of(self.kind, normal(&self.stack).cloned().collect()) };
        let lines = [self.stack.first(), Some(other)].into_iter().flatten();
        let mut places: Vec<Frame> = lines.map(|frame| Frame { column: 0, nth: 0, ..frame.clone() }).collect();
        places.sort();
        let variable = self.message.strip_prefix('`').and_then(|rest| rest.split(['`', '[', '+']).next());
        FailureKey { variable: variable.unwrap_or_default().to_owned(), ..FailureKey::of(self.kind, places) }
    }
}

/// Tells failures apart.
///
/// The calls that lead to a place belong to it: a helper that checks something fails for whoever called it with something wrong. Of a recursion only the way
/// in and the way out count, so that there are as many keys as ways through the calls, however deep it goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FailureKey {
    kind: FailureKind,
    places: Vec<Frame>,
    /// That of a data race; empty if it has no name.
    variable: String,
}

impl FailureKey {
    fn of(kind: FailureKind, places: Vec<Frame>) -> FailureKey {
        FailureKey { kind, places, variable: String::new() }
    }

    /// The same without what only an instrumented program says of a place.
    #[must_use]
    pub fn plain(&self) -> FailureKey {
        let places = self.places.iter().map(|frame| Frame { nth: 0, ..frame.clone() }).collect();
        FailureKey { places, ..self.clone() }
    }
}

/// Failures are distinguished by this many calls, the innermost ones.
const CALLS: usize = 16;

/// A stack without its cycles: where a function calls itself, in whatever way, its innermost call stands for all.
fn normal(stack: &[Frame]) -> impl Iterator<Item = &Frame> {
    let same = |a: &Frame, b: &Frame| a.function == b.function && a.file == b.file;
    let mut at = 0;
    let next = move || {
        let frame = stack.get(at)?;
        at = stack.iter().rposition(|other| same(other, frame)).unwrap_or(at) + 1;
        Some(frame)
    };
    std::iter::from_fn(next).take(CALLS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Vec<Frame> {
        let frame = |(function, line): (&str, &str)| Frame { function: function.into(), line: line.parse().unwrap(), ..Frame::default() };
        text.split_whitespace().map(|word| frame(word.split_once(':').unwrap())).collect()
    }

    fn key(text: &str) -> FailureKey {
        let (message, notes) = (String::new(), Vec::new());
        Failure { kind: FailureKind::Assertion, message, stack: frames(text), notes, interleaving: Vec::new(), values: Vec::new() }.key()
    }

    #[test]
    fn callers_tell_failures_apart_and_depth_does_not() {
        assert_ne!(key("check:1 f:5 main:9"), key("check:1 f:6 main:9"));
        assert_eq!(key("f:5 f:7 main:9"), key("f:5 f:7 f:8 f:7 main:9"));
        assert_eq!(key("g:1 f:7 h:2 main:9"), key("g:1 f:7 h:2 f:9 h:2 main:9"));
        assert_ne!(key("f:5 f:7 main:9"), key("f:5 f:7 main:10"));
        let (mut a, mut b) = (frames("f:5"), frames("f:5"));
        (a[0].column, b[0].column, b[0].nth) = (3, 3, 1);
        let of = |stack| Failure {
            kind: FailureKind::Abort,
            message: String::new(),
            stack,
            notes: Vec::new(),
            interleaving: Vec::new(),
            values: Vec::new(),
        };
        assert_ne!(of(a.clone()).key(), of(b.clone()).key());
        assert_eq!(of(a).key(), of(b).key().plain());
    }

    #[test]
    fn the_places_of_a_data_race_have_no_order() {
        let of = |a: &str, b: &str, message: &str| {
            let notes = vec![Note { what: String::new(), at: frames(b)[0].clone() }];
            Failure {
                kind: FailureKind::DataRace,
                message: message.into(),
                stack: frames(a),
                notes,
                interleaving: Vec::new(),
                values: Vec::new(),
            }
            .key()
        };
        let race = |a: &str, b: &str| of(a, b, "");
        assert_eq!(race("f:1 main:2", "g:2"), race("g:2 h:3", "f:1"));
        assert_ne!(race("f:1", "g:2"), race("f:1", "g:3"));
        // Two variables at the same places; two elements of one, of which either is written.
        let to = |message| of("f:1", "g:2", message);
        assert_ne!(to("`List.size` is read"), to("`List.count` is read"));
        assert_eq!(to("`all[1]` is read"), to("`all[2]` is written"));
        assert_eq!(to("the memory at f.c:1 is read"), to("the memory at f.c:2 is read"));
    }
}
