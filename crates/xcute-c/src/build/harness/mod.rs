//! The harness: C text that asks for the inputs and calls the entry function.
//!
//! It is a file of its own, in C whatever the program is written in, and includes nothing: types come from the debugging information, functions are
//! called by their symbols (`callees`). So it goes with every program, and the same text serves exploring and repeating.
//! `choose` finds the entry, `parameters` says what its inputs are, `precondition` which of them a checker gets. Harnesses of
//! call sequences are written by `calls`: `sequence` is their plan, `families` says which objects they work on, `steps` what a case does.
//!
//! **Invariant.** The harness of an entry makes no decision of its own (an assumption is one comparison).

mod callees;
pub mod calls;
mod choose;
pub mod families;
mod overloads;
mod parameters;
mod precondition;
mod request;
pub mod sequence;
pub mod steps;

use std::fmt::Write as _;

use thiserror::Error;

use crate::types::dwarf::{Function, Program, Type, Undeclarable};
use crate::types::inputs::{Lengths, all_candidates};
use callees::Callees;

use crate::names::AFTER;
pub use crate::names::{FUZZED, HARNESS, MAIN, shown};
pub use choose::choose;
pub use parameters::{Argument, arguments, fuzzed};
pub use precondition::PreconditionError;
pub use request::{Calls, SequenceError};
pub use sequence::Sequence;

/// Why there is no harness.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HarnessError {
    /// The function is not there.
    #[error("no function is called {name}{}", hint(.similar, .candidates))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The function with the most similar name.
        similar: Option<String>,
        /// All there are.
        candidates: Vec<String>,
    },
    /// Nobody said which one.
    #[error("there is no main: say --entry with one of {}", .candidates.join(", "))]
    Ambiguous {
        /// All there are.
        candidates: Vec<String>,
    },
    /// Several functions have this name.
    #[error("{name} is the name of several functions: say which, as one of {}", .candidates.iter().map(|c| format!("'{c}'")).collect::<Vec<_>>().join(", "))]
    Overloaded {
        /// What was asked for.
        name: String,
        /// All that are meant by it.
        candidates: Vec<String>,
    },
    /// There are none.
    #[error("the program defines no function")]
    Empty,
    /// A variadic function's arguments are not known.
    #[error("{name} takes a variable number of arguments: write a function that calls it, and make that the entry")]
    Variadic {
        /// The function.
        name: String,
    },
    /// A parameter's type cannot be written.
    #[error("parameter {parameter} of {name}: {why}")]
    Undeclarable {
        /// The function.
        name: String,
        /// The parameter.
        parameter: String,
        /// What cannot be written.
        why: Undeclarable,
    },
    /// There are no sequences of `--calls`.
    #[error(transparent)]
    Sequence(#[from] SequenceError),
    /// The checker of `--pre` cannot be called.
    #[error(transparent)]
    Precondition(#[from] PreconditionError),
    /// `--array p=n` where `n` is not an integer parameter.
    #[error("--array {array}={length}: {length} is not an integer parameter of {name}")]
    Length {
        /// The function.
        name: String,
        /// The pointer.
        array: String,
        /// Its length.
        length: String,
    },
}

fn hint(similar: &Option<String>, candidates: &[String]) -> String {
    match similar {
        Some(_) => xcute_suggest::hint(similar.as_ref()),
        None if candidates.is_empty() => String::new(),
        None => format!(" (there are {})", candidates.join(", ")),
    }
}

/// What the harness says to the runtime.
const RUNTIME: &str = "void __xcute_input(void *, unsigned long, const char *, int);\nvoid __xcute_bound(const void *, unsigned long);\n\
                       void __xcute_assume(int);\nvoid __xcute_assert(int, const char *, const char *, int);\n\
                       #ifndef __xcute_alive\nint __xcute_alive(const void *);\n#endif\n";

/// The text of the harness; with a checker that must accept the inputs [sen-marinov-agha-2006 §4.2.2], if there is one.
///
/// # Errors
/// If the entry is variadic, a type or a length cannot be written, or the checker cannot be called.
pub fn text_with(program: &Program, entry: &Function, lengths: &Lengths, checker: Option<&str>) -> Result<String, HarnessError> {
    let arguments = arguments(program, entry)?;
    let mut callees = Callees::new(program);
    let mut out = declarations(&mut callees, entry, &arguments)?;
    out.extend(arguments.iter().enumerate().map(|(k, argument)| ask(k, &argument.name, "  ")));
    for k in parameters::lengths(program, entry, &arguments, lengths)? {
        let _ = writeln!(out, "  __xcute_assume((unsigned long){} <= {}ul);", local(k), lengths.max);
    }
    for (array, length, size) in parameters::bounds(program, &arguments, lengths) {
        let _ = writeln!(out, "  __xcute_bound({}, (unsigned long){} * {size}ul);", local(array), local(length));
    }
    if let Some(checker) = checker {
        let (function, chosen) = precondition::arguments(program, entry, &arguments, checker)?;
        let name = callees.name(function).map_err(uncallable(function))?;
        let values: Vec<String> = chosen.into_iter().map(local).collect();
        let _ = writeln!(out, "  __xcute_assume({name}({}) != 0);", values.join(", "));
    }
    let name = callees.name(entry).map_err(uncallable(entry))?;
    let values: Vec<String> = (0..arguments.len()).map(local).collect();
    let call = kept(program, entry, &call(entry, &name, &values.join(", ")));
    let candidates = candidates(&mut callees, &all_candidates(program, entry));
    Ok(format!(
        "/* Made by xcute: asks for the inputs of {} and calls it. */\n{RUNTIME}{}\nvoid {HARNESS}(void);\nvoid {HARNESS}(void) {{\n{out}{call}\n}}\n{candidates}",
        comment(entry.shown()),
        callees.text()
    ))
}

/// The functions that a harness calls, or whose addresses it takes.
#[must_use]
pub fn called<'a>(program: &'a Program, entry: &'a Function, sequence: Option<&'a Sequence>, checker: Option<&str>) -> Vec<&'a Function> {
    let mut out: Vec<&Function> = checker.and_then(|name| program.function(name)).into_iter().collect();
    match sequence {
        Some(sequence) => out.extend(sequence.called(program)),
        None => out.push(entry),
    }
    out.extend(all_candidates(program, entry));
    out
}

/// A text that does not end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// The error of a function whose declaration cannot be written.
fn uncallable(function: &Function) -> impl Fn(Undeclarable) -> HarnessError {
    let name = function.shown().to_owned();
    move |why| HarnessError::Undeclarable { name: name.clone(), parameter: "or result".to_owned(), why }
}

/// A variable for each argument.
fn declarations(callees: &mut Callees<'_>, entry: &Function, arguments: &[Argument]) -> Result<String, HarnessError> {
    let mut out = String::new();
    for (k, argument) in arguments.iter().enumerate() {
        let undeclarable = |why| HarnessError::Undeclarable { name: entry.name.clone(), parameter: argument.name.clone(), why };
        let declaration = callees.definitions.declare(argument.of, &local(k)).map_err(undeclarable)?;
        let _ = writeln!(out, "  {declaration};");
    }
    Ok(out)
}

/// Makes the variable of an argument an input.
fn ask(k: usize, name: &str, indent: &str) -> String {
    let (local, name) = (local(k), c_string(name.as_bytes()));
    format!("{indent}__xcute_input((void *)&{local}, sizeof({local}), {name}, {k});\n")
}

/// Takes the addresses of functions: without that, static ones would be dropped or called in ways of their own.
fn candidates(callees: &mut Callees<'_>, functions: &[&Function]) -> String {
    if functions.is_empty() {
        return String::new();
    }
    let addresses: Vec<String> = functions.iter().map(|function| format!("(void *){}, ", callees.address(function))).collect();
    format!("\n/* What function pointers may lead to. */\nvoid *const xcute_candidates[] = {{{}0}};\n", addresses.concat())
}

/// The call of the entry, which has this name here, on lines of its own.
#[must_use]
pub fn call(entry: &Function, name: &str, values: &str) -> String {
    if entry.name != MAIN {
        return format!("  {name}({values});");
    }
    let actual = ["1", "xcute_argv", "xcute_argv + 1"];
    let actual = actual[..entry.params.len().min(3)].join(", ");
    format!(
        "  static char xcute_name[] = \"subject\";\n  char *xcute_argv[] = {{xcute_name, 0}};\n  (void)xcute_argv;\n  {name}({actual});"
    )
}

/// The call of the entry, whose result stays in reach if it is a pointer: what it points to is not lost.
#[must_use]
pub fn kept(program: &Program, entry: &Function, call: &str) -> String {
    let pointer = matches!(program.get(program.strip(entry.result)), Type::Pointer { .. });
    if entry.name == MAIN || !pointer {
        return call.to_owned();
    }
    let value = call.trim_start();
    format!("  static const volatile void *volatile xcute_result;\n  xcute_result = (const volatile void *){value}")
}

fn local(k: usize) -> String {
    format!("xcute_arg_{k}")
}

/// Bytes as a C string literal.
#[must_use]
pub fn c_string(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for (i, &byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => out += "\\\"",
            b'\\' => out += "\\\\",
            b'\n' => out += "\\n",
            b'\t' => out += "\\t",
            // Two question marks would start a trigraph in strict modes.
            b'?' if i > 0 && bytes[i - 1] == b'?' => out += "\\?",
            0x20..=0x7e => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests;
