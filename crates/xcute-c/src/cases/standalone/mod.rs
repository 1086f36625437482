//! The standalone test: one readable C file that, with the program, fails as the case did.
//!
//! It is a file of its own: the program is compiled next to it, as its author does. Types are written from the debugging information (`functions`), the objects
//! of the case are built with `calloc` and assignments (`objects`, `place`), the
//! values of `xcute_input` calls are kept as bytes (`records`), and `main` calls the entry with the case's arguments; `command` compiles it all.
//!
//! **Invariant.** gcc alone compiles the file with the command in it: nothing of xcute is needed but what is written next to it.

mod calls;
mod command;
mod functions;
mod objects;
mod place;
mod records;
mod threads;

use std::fmt::Write as _;
use std::path::Path;

use xcute_trace::{Failure, FailureKind};

use crate::build::harness::{self, Sequence};
use crate::build::spoken::Spoken;
use crate::build::unit::Unit;
use crate::build::words::Words;
use crate::cases::graph::InputGraph;
use crate::tools::headers::HEADERS;
use crate::types::dwarf::{Function, Program};
use crate::types::inputs::TypeTable;
use functions::Declared;

pub use command::relative;

/// A case of a program, to be written as a C file.
#[derive(Clone, Copy, Debug)]
pub struct Standalone<'a> {
    /// The types.
    pub program: &'a Program,
    /// The type table.
    pub table: &'a TypeTable,
    /// The inputs.
    pub graph: &'a InputGraph,
    /// The entry.
    pub entry: &'a Function,
    /// The plan of call sequences, if the entry stands for one.
    pub sequence: Option<&'a Sequence>,
    /// The sources.
    pub units: &'a [Unit],
    /// The words of other tools that they leave undefined.
    pub words: &'a Words,
    /// What they say to xcute.
    pub spoken: &'a Spoken,
    /// The user's flags for the compiler; relative paths in them are meant in `directory`.
    pub flags: &'a [String],
    /// Flags without which the unoptimised program does not link.
    pub inline: &'a [&'a str],
    /// The directory of the user's paths, where the test is compiled.
    pub directory: &'a Path,
    /// What goes wrong, if anything does.
    pub failure: Option<&'a Failure>,
    /// Where the file will be, in `directory` if that is not said.
    pub file: &'a Path,
}

/// A file that belongs to tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub contents: Vec<u8>,
}

impl Standalone<'_> {
    /// The text of the file, and of one with the values of inputs where there are too many for it.
    #[must_use]
    pub fn text(&self) -> (String, Option<String>) {
        let mut declared = Declared::new(self);
        let names = objects::Names::new(self);
        let leaks = self.failure.is_some_and(|f| f.kind == FailureKind::Leak);
        let mut body = objects::text(self, &names, &mut declared);
        body += &records::pointers(self, &names, &mut declared);
        match self.sequence {
            Some(sequence) => body += &calls::text(self, &names, sequence, &mut declared),
            None => {
                let arguments: Vec<String> =
                    (0..self.entry.params.len()).map(|k| objects::argument(self, &names, &mut declared, k)).collect();
                let call = harness::call(self.entry, &declared.name(self.entry), &arguments.join(", "));
                let _ = writeln!(body, "{}", if leaks { harness::kept(self.program, self.entry, &call) } else { call });
            }
        }
        if leaks {
            // Here the test's own objects are still in reach.
            body += "  xcute_scrub();\n  if (__lsan_do_leak_check) __lsan_do_leak_check();\n";
        }
        let (recorded, values) = records::text(self);
        let mut out = self.header();
        let _ = write!(out, "\n/* ---- the program under test ---- */\n{}", declared.text());
        out += "\n/* ---- the test ---- */\n";
        if self.sequence.is_some_and(|sequence| sequence.post.is_some()) {
            out += "#include <assert.h>\n";
        }
        out += LIBRARY;
        if self.speaks() {
            out += WORDS;
            out += &recorded;
            if !self.words.is_empty() {
                let _ = write!(
                    out,
                    "\n/* What the program declares only. */\n#ifndef XCUTE\n#define XCUTE 1\n#endif\n#include \"xcute.h\"\n{}",
                    self.words.text()
                );
            }
        }
        if leaks {
            out += LEAKS;
        }
        if self.has_main() {
            out += "\n/* The program has its own. */\nint main(void) __asm__(\"__wrap_main\");";
        }
        let _ = write!(out, "\nint main(void) {{\n{body}  return 0;\n}}\n");
        (out, values.filter(|_| self.speaks()))
    }

    /// The calls of a sequence, for people; empty for an entry.
    #[must_use]
    pub fn statements(&self) -> Vec<String> {
        self.sequence.map(|sequence| calls::statements(self, sequence)).unwrap_or_default()
    }

    /// Files that have to stand next to the tests, because sources include them, or because they stand for sources.
    #[must_use]
    pub fn beside(&self) -> Vec<Beside> {
        let mut headers = self.spoken.headers.clone();
        headers.extend((!self.words.is_empty()).then_some(0));
        let headers = headers.into_iter().map(|header| HEADERS[header]);
        let mut out: Vec<Beside> =
            headers.map(|(name, text)| Beside { name: name.to_owned(), contents: text.as_bytes().to_vec() }).collect();
        let place = self.directory.join(self.file.parent().unwrap_or(Path::new("")));
        for (n, unit) in self.units.iter().enumerate() {
            let contents = unit.text(&relative(&place, &unit.source));
            out.extend(contents.map(|contents| Beside { name: unit_name(n, unit), contents }));
        }
        out
    }

    /// Whether the program needs what xcute has for it.
    fn speaks(&self) -> bool {
        self.spoken.calls || !self.words.is_empty()
    }

    /// Whether the program has a `main`.
    fn has_main(&self) -> bool {
        self.program.functions.iter().any(|f| f.name == harness::MAIN)
    }

    fn header(&self) -> String {
        let what = match self.failure {
            Some(failure) => {
                let place = failure
                    .stack
                    .first()
                    .map_or_else(String::new, |f| format!(" in {} ({}:{})", harness::shown(&f.function), f.file, f.line));
                format!("{}{place}: {}", failure.kind.name(), failure.message)
            }
            None => "a case that passes".to_owned(),
        };
        let expected = self.failure.map_or("It returns 0.", |f| expected(f.kind));
        // A comment must not end early.
        let safe = |text: &str| text.replace("*/", "* /").replace('\n', " ");
        let command = safe(&format!("{} && ./t", self.command()));
        let mut out = format!(
            "/* {}\n *\n * Made by xcute. Compile and run, where xcute was started:\n *   {command}\n * {}",
            safe(&what),
            safe(expected)
        );
        for line in threads::comment(self.failure, self.file).lines() {
            let _ = write!(out, "\n * {}", safe(line)).map(|()| out.truncate(out.trim_end().len()));
        }
        out + " */\n"
    }
}

/// What the file is called that stands for a unit.
fn unit_name(n: usize, unit: &Unit) -> String {
    format!("unit-{n}.{}", unit.language().extension())
}

fn is_undefined(kind: FailureKind) -> bool {
    use FailureKind::{BadShift, MisalignedAccess, SignedOverflow, UndefinedBehaviour};
    matches!(kind, SignedOverflow | BadShift | MisalignedAccess | UndefinedBehaviour)
}

/// The flags without which a test of this kind may seem to pass.
fn sanitizers(kind: FailureKind) -> &'static [&'static str] {
    match kind {
        FailureKind::OutOfBounds => &["-fsanitize=address,bounds", "-fno-sanitize-recover=all"],
        FailureKind::UseAfterFree
        | FailureKind::UseAfterReturn
        | FailureKind::DoubleFree
        | FailureKind::InvalidFree
        | FailureKind::Leak => &["-fsanitize=address"],
        FailureKind::DataRace => &["-fsanitize=thread"],
        _ => &[],
    }
}

fn expected(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Assertion => "It ends with a failed assertion (signal 6, SIGABRT).",
        FailureKind::Abort => "It ends with abort (signal 6, SIGABRT).",
        FailureKind::UncaughtException => "It ends with an exception that nobody catches (signal 6, SIGABRT).",
        FailureKind::DivisionByZero => "It ends with signal 8, SIGFPE.",
        FailureKind::NullAccess | FailureKind::WildAccess | FailureKind::StackOverflow => "It ends with signal 11, SIGSEGV.",
        FailureKind::UseAfterReturn => "With ASAN_OPTIONS=detect_stack_use_after_return=1 it ends with a report of the address sanitizer.",
        FailureKind::Uninitialised => "Compile it with clang -fsanitize=memory, or run it in valgrind: the report names the branch.",
        FailureKind::DataRace => "The thread sanitizer reports a data race.",
        FailureKind::Deadlock | FailureKind::LostWakeup | FailureKind::Livelock => {
            "It does not end, if its threads come in the order below."
        }
        FailureKind::BadUnlock | FailureKind::DestroyedInUse | FailureKind::BadJoin => {
            "What is wrong may go unseen; xcute replay shows it."
        }
        kind if !sanitizers(kind).is_empty() => "It ends with a report of the address sanitizer.",
        FailureKind::Trap => "It ends with signal 4 (SIGILL) or 5 (SIGTRAP).",
        FailureKind::Hang => "It does not end.",
        kind if is_undefined(kind) => "It ends with a report of undefined behaviour.",
        _ => "It ends with a signal.",
    }
}

/// What tests use of the C library: no header of it is included, whose names might be the program's.
const LIBRARY: &str = r"#define NULL ((void *)0)
void *calloc(unsigned long, unsigned long);
void *memcpy(void *, const void *, unsigned long);
char *strcpy(char *, const char *);
";

/// The leak sanitizer's own function, where it is.
const LEAKS: &str = r"void __lsan_do_leak_check(void) __attribute__((weak));

/* What calls left on the stack does not keep memory. */
__attribute__((noinline, no_sanitize_address)) static void xcute_scrub(void) {
  volatile long room[2048], i, none = 0; /* an even number of words: no byte of the frame is left out */
  for (i = 0; i < 2048; i++) room[i] = none;
}
";

/// What the words of `xcute.h` do in a test.
const WORDS: &str = r#"int dprintf(int, const char *, ...);
void *memset(void *, int, unsigned long);
void exit(int);
void abort(void);
void __xcute_assume(int holds) {
  if (holds) return;
  dprintf(2, "xcute: an assumption does not hold\n");
  exit(3);
}
void __xcute_assert(int holds, const char *text, const char *file, int line) {
  if (holds) return;
  dprintf(2, "%s:%d: xcute_assert(%s) failed\n", file, line, text);
  abort();
}
"#;

#[cfg(test)]
mod tests;
