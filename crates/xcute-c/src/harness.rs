//! The harness: C text that asks for the inputs and calls the entry function.
//!
//! The harness includes the source that defines the entry, so static functions, structures by value and the like need nothing special:
//! the compiler does the work. `main` is renamed in all files, because the runtime has its own.
//!
//! **Invariant.** The harness makes no decision of its own (an assumption is one comparison), and uses no `__COUNTER__` before the source.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::dwarf::{Encoding, Function, Program, Type, TypeId, Undeclarable};
use crate::inputs::{ArrayLength, Lengths, all_candidates};
use crate::precondition::{self, PreconditionError};

/// The function that the runtime calls.
pub const HARNESS: &str = "xcute_harness";
/// The entry that fuzzers call with some bytes and their number.
pub const FUZZED: &str = "LLVMFuzzerTestOneInput";
/// What `main` is called in subjects.
pub const MAIN: &str = "xcute_subject_main";

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
        Some(similar) => format!(" (did you mean {similar}?)"),
        None if candidates.is_empty() => String::new(),
        None => format!(" (there are {})", candidates.join(", ")),
    }
}

/// Finds the entry: the function that was asked for; else that of fuzzers; else `main`; else the only function that other files see.
///
/// # Errors
/// If there is no such function, or several and nobody said which.
pub fn choose<'a>(program: &'a Program, sources: &[PathBuf], wanted: Option<&str>) -> Result<&'a Function, HarnessError> {
    let ours: Vec<&Function> = program.functions.iter().filter(|f| sources.iter().any(|s| s.as_path() == Path::new(&f.file))).collect();
    let names = |functions: &[&Function]| -> Vec<String> { functions.iter().map(|f| shown(&f.name).to_owned()).collect() };
    if let Some(name) = wanted {
        let real = if name == "main" { MAIN } else { name };
        let found = ours.iter().find(|f| f.name == real && f.external).or_else(|| ours.iter().find(|f| f.name == real));
        return found.copied().or_else(|| program.function(real)).ok_or_else(|| {
            let candidates = names(&ours);
            HarnessError::Unknown { name: name.to_owned(), similar: most_similar(name, &candidates), candidates }
        });
    }
    if let Some(main) = ours.iter().find(|f| f.name == FUZZED).or_else(|| ours.iter().find(|f| f.name == MAIN)) {
        return Ok(main);
    }
    let visible: Vec<&Function> = ours.iter().copied().filter(|f| f.external).collect();
    match (&visible[..], &ours[..]) {
        ([only], _) | ([], [only]) => Ok(only),
        ([], []) => Err(HarnessError::Empty),
        ([], all) => Err(HarnessError::Ambiguous { candidates: names(all) }),
        (several, _) => Err(HarnessError::Ambiguous { candidates: names(several) }),
    }
}

/// The name of a function as the user wrote it.
#[must_use]
pub fn shown(name: &str) -> &str {
    if name == MAIN { "main" } else { name }
}

fn most_similar(name: &str, candidates: &[String]) -> Option<String> {
    let close = |c: &&String| distance(name, c) <= 1 + name.chars().count() / 3;
    candidates.iter().filter(close).min_by_key(|c| distance(name, c)).cloned()
}

/// Levenshtein's edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A parameter of the entry as a local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name for people.
    pub name: String,
    /// Its type, without qualifiers.
    pub of: TypeId,
    /// What has to be written before it in the call: a cast where the type has no name.
    pub cast: &'static str,
}

/// The arguments of an entry that become inputs; `main` has none.
///
/// # Errors
/// If the function is variadic.
pub fn arguments(program: &Program, entry: &Function) -> Result<Vec<Argument>, HarnessError> {
    if entry.name == MAIN {
        return Ok(Vec::new());
    }
    if entry.variadic && entry.params.iter().any(|p| p.name.is_some()) {
        return Err(HarnessError::Variadic { name: entry.name.clone() });
    }
    let argument = |(k, p): (usize, &crate::dwarf::Parameter)| {
        let of = program.unqualified(p.of);
        let anonymous = program.declare(of, "x").is_ok_and(|text| text.contains('{'));
        let pointer = matches!(program.get(program.strip(of)), Type::Pointer { .. });
        Argument {
            name: p.name.clone().unwrap_or_else(|| format!("arg{}", k + 1)),
            of,
            cast: if anonymous && pointer { "(void *)" } else { "" },
        }
    };
    Ok(entry.params.iter().enumerate().map(argument).collect())
}

/// The sizes for an entry of fuzzers: the first parameter is an array whose length is the second, at most `bytes`.
#[must_use]
pub fn fuzzed(entry: &Function, lengths: &Lengths, bytes: u32) -> Lengths {
    let names: Vec<&str> = entry.params.iter().filter_map(|p| p.name.as_deref()).collect();
    match names[..] {
        [data, size] if entry.name == FUZZED && !lengths.arrays.contains_key(data) => {
            let mut lengths = Lengths { max: bytes, ..lengths.clone() };
            lengths.arrays.insert(data.to_owned(), ArrayLength::Parameter(size.to_owned()));
            lengths
        }
        _ => lengths.clone(),
    }
}

/// The text of the harness.
///
/// # Errors
/// If the entry is variadic, or a type or a length cannot be written.
pub fn text(program: &Program, entry: &Function, source: &Path, lengths: &Lengths) -> Result<String, HarnessError> {
    text_with(program, entry, source, lengths, None)
}

/// The same, with a checker that must accept the inputs (see [`crate::precondition`]).
///
/// # Errors
/// As [`text`], or if the checker cannot be called.
pub fn text_with(
    program: &Program,
    entry: &Function,
    source: &Path,
    lengths: &Lengths,
    checker: Option<&str>,
) -> Result<String, HarnessError> {
    let arguments = arguments(program, entry)?;
    let mut out = format!(
        "/* Made by xcute: asks for the inputs of {} and calls it. */\n#include \"xcute.h\"\n#include {}\n\nvoid {HARNESS}(void);\nvoid {HARNESS}(void) {{\n",
        shown(&entry.name),
        c_string(source.to_string_lossy().as_bytes())
    );
    for (k, argument) in arguments.iter().enumerate() {
        let undeclarable = |why| HarnessError::Undeclarable { name: entry.name.clone(), parameter: argument.name.clone(), why };
        let declaration = program.declare(argument.of, &local(k)).map_err(undeclarable)?;
        let _ = writeln!(out, "  {declaration};");
    }
    for (k, argument) in arguments.iter().enumerate() {
        let (local, name) = (local(k), c_string(argument.name.as_bytes()));
        let _ = writeln!(out, "  {{ __typeof__({local}) *xcute_input_{k} = &{local};");
        let _ = writeln!(out, "    __xcute_input((void *)xcute_input_{k}, sizeof({local}), {name}, {k}); }}");
    }
    for k in length_parameters(program, entry, &arguments, lengths)? {
        let _ = writeln!(out, "  xcute_assume((unsigned long){} <= {}ul);", local(k), lengths.max);
    }
    if let Some(checker) = checker {
        let chosen = precondition::arguments(program, entry, &arguments, checker)?;
        let values: Vec<String> = chosen.iter().map(|&k| format!("{}{}", arguments[k].cast, local(k))).collect();
        let _ = writeln!(out, "  xcute_assume(({checker})({}));", values.join(", "));
    }
    let values: Vec<String> = arguments.iter().enumerate().map(|(k, a)| format!("{}{}", a.cast, local(k))).collect();
    let _ = writeln!(out, "{}\n}}", call(entry, &values.join(", ")));
    // Without their addresses taken, static functions would be dropped or called in ways of their own.
    let candidates: Vec<String> = all_candidates(program, entry).iter().map(|name| format!("(void *){name}, ")).collect();
    if !candidates.is_empty() {
        let _ =
            writeln!(out, "\n/* What function pointers may lead to. */\nvoid *const xcute_candidates[] = {{{}0}};", candidates.concat());
    }
    Ok(out)
}

/// The call of the entry, on lines of its own.
#[must_use]
pub fn call(entry: &Function, values: &str) -> String {
    if entry.name != MAIN {
        return format!("  ({})({values});", entry.name);
    }
    let actual = ["1", "xcute_argv", "xcute_argv + 1"];
    let actual = actual[..entry.params.len().min(3)].join(", ");
    format!(
        "  static char xcute_name[] = \"subject\";\n  char *xcute_argv[] = {{xcute_name, 0}};\n  (void)xcute_argv;\n  {MAIN}({actual});"
    )
}

fn local(k: usize) -> String {
    format!("xcute_arg_{k}")
}

/// The parameters that are lengths, by number, each once.
fn length_parameters(program: &Program, entry: &Function, arguments: &[Argument], lengths: &Lengths) -> Result<Vec<usize>, HarnessError> {
    let mut out = Vec::new();
    for (array, length) in &lengths.arrays {
        let ArrayLength::Parameter(length) = length else { continue };
        let integer = |of| match program.get(program.strip(of)) {
            Type::Base { encoding: Encoding::Int { .. } | Encoding::Char { .. }, size, .. } => *size <= 8,
            Type::Enum { .. } => true,
            _ => false,
        };
        let Some(k) = arguments.iter().position(|a| a.name == *length && integer(a.of)) else {
            return Err(HarnessError::Length { name: shown(&entry.name).to_owned(), array: array.clone(), length: length.clone() });
        };
        if !out.contains(&k) {
            out.push(k);
        }
    }
    Ok(out)
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
