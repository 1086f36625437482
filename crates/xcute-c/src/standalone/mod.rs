//! The standalone test: one readable C file that fails as the case did.
//!
//! The subject's source is pasted (`paste`), the objects of the case are built with `calloc` and assignments (`objects`, `place`), the
//! values of `xcute_input` calls are kept as bytes (`records`), and `main` calls the entry with the case's arguments.
//!
//! **Invariant.** gcc alone compiles the file: nothing of xcute is needed, its headers are inside.

mod calls;
mod objects;
mod paste;
mod place;
mod records;
mod threads;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use xcute_trace::{Failure, FailureKind};

use crate::dwarf::{Function, Program};
use crate::graph::{InputGraph, LeafValue};
use crate::harness::{self, Sequence};
use crate::headers::HEADERS;
use crate::inputs::TypeTable;
use crate::language::Language;
use crate::words::Words;

pub use paste::{PasteError, absolute_flags};

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
    /// The source that defines it.
    pub source: &'a Path,
    /// The other sources.
    pub others: &'a [PathBuf],
    /// The words of other tools that they leave undefined.
    pub words: &'a Words,
    /// The user's flags for the compiler; relative paths in them are meant in `directory`.
    pub flags: &'a [String],
    /// The directory of the user's paths.
    pub directory: &'a Path,
    /// What goes wrong, if anything does.
    pub failure: Option<&'a Failure>,
    /// The name that the file will have.
    pub file: &'a str,
}

impl Standalone<'_> {
    /// The text of the file.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn text(&self) -> Result<String, PasteError> {
        let mut out = self.header();
        let directories = paste::include_directories(self.flags, self.directory);
        // A program that says nothing to xcute needs none of this.
        let mut used: BTreeSet<usize> = paste::headers(self.source, &directories);
        used.extend(self.others.iter().flat_map(|other| paste::headers(other, &directories)));
        let speaks = !used.is_empty() || !self.words.is_empty();
        if speaks {
            // All other headers need the first.
            used.insert(0);
            out += "\n#ifndef XCUTE\n#define XCUTE 1\n#endif\n";
            out.extend(used.iter().map(|&header| HEADERS[header].1));
        }
        if !self.undefined() {
            out += WRAPS;
        }
        out += "\n/* ---- the program under test ---- */\n#undef main\n";
        let _ = writeln!(out, "#define main {}", harness::MAIN);
        out += &paste::paste(self.source, &directories)?;
        let _ = writeln!(out, "\n#undef main\n#line {} {}", out.lines().count() + 4, harness::c_string(self.file.as_bytes()));
        out += "\n/* ---- the test ---- */\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n";
        let names = objects::Names::new(self);
        if self.program.cxx {
            out += ANY;
        }
        if speaks {
            out += WORDS;
            out += &records::text(self);
            if !self.words.is_empty() {
                let _ = write!(out, "\n/* What the program declares only. */\n{}", self.words.text_in(Language::of(self.source)));
            }
            out.push('\n');
        }
        out += &self.prototypes();
        out += &self.sequence.map(|sequence| calls::prelude(self, sequence)).unwrap_or_default();
        if self.failure.is_some_and(|f| f.kind == FailureKind::Leak) {
            out += LEAKS;
        }
        out += "int main(void) {\n";
        out += &objects::text(self, &names);
        out += &records::pointers(self, &names);
        let _ = match self.sequence {
            Some(sequence) => write!(out, "{}", calls::text(self, &names, sequence)),
            None => writeln!(out, "{}", self.call(&names)),
        };
        if self.failure.is_some_and(|f| f.kind == FailureKind::Leak) {
            // Here the test's own objects are still in reach.
            out += "  xcute_scrub();\n  if (__lsan_do_leak_check) __lsan_do_leak_check();\n";
        }
        out += "  return 0;\n}\n";
        Ok(out)
    }

    /// The calls of a sequence, for people; empty for an entry.
    #[must_use]
    pub fn statements(&self) -> Vec<String> {
        self.sequence.map(|sequence| calls::statements(self, sequence)).unwrap_or_default()
    }

    /// Declarations of functions that pointers lead to and that are defined in other files.
    fn prototypes(&self) -> String {
        let leaves = self.graph.roots.iter().flat_map(|r| &r.leaves).chain(self.graph.objects.iter().flat_map(|o| &o.leaves));
        let named = leaves.filter_map(|l| if let LeafValue::Function(name) = &l.value { Some(name.as_str()) } else { None });
        let foreign: BTreeSet<&str> = named.collect();
        let functions = foreign.into_iter().filter_map(|name| self.program.function(name)).filter(|f| Path::new(&f.file) != self.source);
        functions.filter_map(|f| harness::prototype(self.program, f)).map(|p| format!("{p};\n")).collect()
    }

    /// Files that have to stand beside the test, because other sources include them: their names and texts.
    #[must_use]
    pub fn beside(&self) -> Vec<(&'static str, &'static str)> {
        let directories = paste::include_directories(self.flags, self.directory);
        let mut used: BTreeSet<usize> = self.others.iter().flat_map(|other| paste::headers(other, &directories)).collect();
        used.extend((!used.is_empty()).then_some(0));
        used.into_iter().map(|header| HEADERS[header]).collect()
    }

    fn call(&self, names: &objects::Names) -> String {
        let arguments: Vec<String> = (0..self.entry.params.len()).map(|k| objects::argument(self, names, k)).collect();
        // The parentheses that the harness needs are only in the way of a reader here.
        let call = harness::call(self.entry, &arguments.join(", "));
        let call = call.replacen(&format!("({})(", self.entry.name), &format!("{}(", self.entry.name), 1);
        if self.failure.is_some_and(|f| f.kind == FailureKind::Leak) { harness::kept(self.program, self.entry, &call) } else { call }
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
        let compiler = Language::of_all(self.others.iter().map(PathBuf::as_path).chain([self.source])).gnu();
        let command = safe(&format!("{} && ./t", self.command(compiler)));
        let mut out = format!("/* {}\n *\n * Made by xcute. Compile and run:\n *   {command}\n * {}", safe(&what), safe(expected));
        for line in threads::comment(self.failure, self.file).lines() {
            let _ = write!(out, "\n * {}", safe(line)).map(|()| out.truncate(out.trim_end().len()));
        }
        out + " */\n"
    }

    /// Whether the failure is behaviour that the language leaves undefined, which only checks of the compiler show.
    fn undefined(&self) -> bool {
        self.failure.is_some_and(|f| is_undefined(f.kind))
    }

    /// The command that compiles the file.
    #[must_use]
    pub fn command(&self, compiler: &str) -> String {
        let mut words = vec![compiler.to_owned(), "-g".to_owned(), "-o".to_owned(), "t".to_owned(), self.file.to_owned()];
        if let Some(sanitizer) = self.failure.and_then(|f| sanitizer(f.kind)) {
            words.insert(2, sanitizer.to_owned());
        }
        if self.failure.is_some_and(threads::has_several) {
            words.insert(2, "-pthread".to_owned());
        }
        if self.undefined() {
            words.splice(2..2, ["-fsanitize=undefined,float-cast-overflow".to_owned(), "-fno-sanitize-recover=all".to_owned()]);
        } else if !self.others.is_empty() {
            words.push("-fwrapv".to_owned());
        }
        if !self.others.is_empty() {
            words.extend(["-DXCUTE=1".to_owned(), format!("-Dmain={}", harness::MAIN)]);
            if !self.beside().is_empty() {
                words.push("-I.".to_owned());
            }
            // g++ would take C for C++.
            let mixed = compiler == Language::Cxx.gnu() && self.others.iter().any(|o| Language::of(o) == Language::C);
            for other in self.others {
                words.extend(Language::source(other).iter().filter(|_| mixed).map(|&w| w.to_owned()));
                words.push(other.to_string_lossy().into_owned());
            }
            words.extend(Language::any().iter().filter(|_| mixed).map(|&w| w.to_owned()));
        }
        words.extend(absolute_flags(self.flags, self.directory));
        words.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(" ")
    }
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Whether a test of a failure of this kind, of a sequence of calls or not, has other statements than one of any other failure.
pub(crate) fn depends_on(kind: FailureKind, sequence: bool) -> bool {
    kind == FailureKind::Leak || is_undefined(kind) || (sequence && kind == FailureKind::Assertion)
}

fn is_undefined(kind: FailureKind) -> bool {
    use FailureKind::{BadShift, MisalignedAccess, SignedOverflow, UndefinedBehaviour};
    matches!(kind, SignedOverflow | BadShift | MisalignedAccess | UndefinedBehaviour)
}

/// The flag without which a test of this kind may seem to pass.
fn sanitizer(kind: FailureKind) -> Option<&'static str> {
    match kind {
        FailureKind::OutOfBounds
        | FailureKind::UseAfterFree
        | FailureKind::UseAfterReturn
        | FailureKind::DoubleFree
        | FailureKind::InvalidFree
        | FailureKind::Leak => Some("-fsanitize=address"),
        FailureKind::DataRace => Some("-fsanitize=thread"),
        _ => None,
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
        kind if sanitizer(kind).is_some() => "It ends with a report of the address sanitizer.",
        FailureKind::Trap => "It ends with signal 4 (SIGILL) or 5 (SIGTRAP).",
        FailureKind::Hang => "It does not end.",
        kind if is_undefined(kind) => "It ends with a report of undefined behaviour.",
        _ => "It ends with a signal.",
    }
}

/// Wrap-around is what the machine does: gcc must not conclude from it, not even without optimisation.
const WRAPS: &str = "\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize (\"wrapv\")\n#endif\n";

/// The leak sanitizer's own function, where it is.
const LEAKS: &str = r#"#ifdef __cplusplus
extern "C"
#endif
void __lsan_do_leak_check(void) __attribute__((weak));

/* What calls left on the stack does not keep memory. */
__attribute__((noinline, no_sanitize_address)) static void xcute_scrub(void) {
  volatile char room[16384];
  for (unsigned i = 0; i < sizeof room; i++) room[i] = 0;
}

"#;
/// A `void *` that becomes any other pointer, as in C.
const ANY: &str = "struct xcute_any {\n  void *pointer;\n  template <class T> operator T *() const { return (T *)pointer; }\n};\n\n";

/// What the words of `xcute.h` do in a test.
const WORDS: &str = r#"void __xcute_assume(int holds) XCUTE_NOTHROW {
  if (holds) return;
  fprintf(stderr, "xcute: an assumption does not hold\n");
  exit(3);
}
void __xcute_assert(int holds, const char *text, const char *file, int line) XCUTE_NOTHROW {
  if (holds) return;
  fprintf(stderr, "%s:%d: xcute_assert(%s) failed\n", file, line, text);
  abort();
}
"#;

#[cfg(test)]
mod tests;
