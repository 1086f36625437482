//! Compiles a lowered model and runs it on sequences.
//!
//! The compiler is given by its path: finding it is the business of whoever calls.

use std::fmt;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

use crate::lower::{BodyInfo, Lowered, MAIN, RUNTIME, real};
use crate::sequence::Sequence;
use crate::trace::Trace;

/// Why a model could not be compiled or run.
#[derive(Debug, Error)]
pub enum RunError {
    /// A file could not be written or read, or a program not started.
    #[error("cannot {what}: {error}")]
    System {
        /// What was tried.
        what: String,
        /// The system's reason.
        error: std::io::Error,
    },
    /// The action code does not compile.
    #[error("{}", shown(.0))]
    Refused(Vec<CompileError>),
}

fn shown(errors: &[CompileError]) -> String {
    match errors {
        [] => "the compiler does not say why it refuses the model".to_owned(),
        [only] => only.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}

/// An error of the compiler, at the model element it is in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CompileError {
    /// The file: of the model, or of the generated code if the error is not in the modeller's text.
    pub file: String,
    /// The line in it.
    pub line: u32,
    /// The column in it.
    pub column: u32,
    /// What the compiler says.
    pub message: String,
    /// Kind and path of the element, and the line of its code; none for declarations.
    pub element: Option<(String, u32)>,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)?;
        self.element.as_ref().map_or(Ok(()), |(element, line)| write!(f, " (line {line} of the {element})"))
    }
}

/// An executable model.
#[derive(Debug)]
pub struct Program {
    directory: PathBuf,
}

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happened.
    pub trace: Trace,
    /// How it ended.
    pub end: End,
    /// What the model printed itself.
    pub output: String,
    /// And to its error stream.
    pub errors: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum End {
    /// The sequence came to its end, or the model stopped itself.
    Ended,
    /// The model left with this status; 2 is also what a sequence gets that does not fit the model.
    Left(i32),
    /// It was ended by a signal.
    Signal(i32),
    /// It took too long.
    Time,
}

/// The signal that ends a run that takes too long.
const ALARM: i32 = 14;

/// How long a run may take, in seconds of the process.
const LIMIT: u32 = 20;

impl Program {
    /// Writes a model into a directory and compiles it there. `include` are directories for headers of the modeller's own.
    ///
    /// # Errors
    /// [`RunError::Refused`] with the compiler's errors, at the elements they are in.
    pub fn build(lowered: &Lowered, directory: &Path, clang: &Path, include: &[PathBuf]) -> Result<Program, RunError> {
        write(lowered, directory)?;
        let mut command = compiler(clang, directory, include);
        command.arg(directory.join(MAIN)).arg("-o").arg(directory.join("model"));
        let output = command.stdin(Stdio::null()).output().map_err(|error| system(&format!("start {}", clang.display()), error))?;
        if output.status.success() {
            return Ok(Program { directory: directory.to_owned() });
        }
        Err(RunError::Refused(errors(&String::from_utf8_lossy(&output.stderr), &lowered.bodies)))
    }

    /// The executable.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.directory.join("model")
    }

    /// Runs the model.
    ///
    /// # Errors
    /// [`RunError::System`].
    pub fn run(&self, sequence: &Sequence) -> Result<Run, RunError> {
        let scratch = tempfile::tempdir_in(&self.directory).map_err(|error| system("make a directory", error))?;
        let (input, trace) = (scratch.path().join("sequence.json"), scratch.path().join("trace"));
        let text = serde_json::to_string(sequence).map_err(|error| system("write the sequence", error.into()))?;
        fs::write(&input, text).map_err(|error| system("write the sequence", error))?;
        let mut command = Command::new(self.path());
        command.arg("--trace").arg(&trace).arg("--limit").arg(LIMIT.to_string()).arg(&input);
        let output = command.stdin(Stdio::null()).output().map_err(|error| system("start the model", error))?;
        let end = match (output.status.code(), output.status.signal()) {
            (Some(0), _) => End::Ended,
            (Some(code), _) => End::Left(code),
            (None, Some(ALARM)) => End::Time,
            (None, signal) => End::Signal(signal.unwrap_or_default()),
        };
        let trace = fs::read(&trace).unwrap_or_default();
        Ok(Run {
            trace: Trace::parse(&String::from_utf8_lossy(&trace)),
            end,
            output: String::from_utf8_lossy(&output.stdout).into_owned(),
            errors: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

/// Whether the compiler accepts a model that was written to a directory, with these flags of the user.
///
/// # Errors
/// [`RunError::Refused`] with the compiler's errors, at the elements they are in.
pub fn check(directory: &Path, bodies: &[BodyInfo], clang: &Path, include: &[PathBuf], flags: &[String]) -> Result<(), RunError> {
    let mut command = compiler(clang, directory, include);
    command.arg("-fsyntax-only").args(flags).arg(directory.join(MAIN));
    let output = command.stdin(Stdio::null()).output().map_err(|error| system(&format!("start {}", clang.display()), error))?;
    if output.status.success() {
        return Ok(());
    }
    Err(RunError::Refused(errors(&String::from_utf8_lossy(&output.stderr), bodies)))
}

/// The compiler, with what every compilation of a model needs.
fn compiler(clang: &Path, directory: &Path, include: &[PathBuf]) -> Command {
    let mut command = Command::new(clang);
    command.args(["--driver-mode=g++", "-std=c++17", "-O0", "-g1", "-w", "-fno-caret-diagnostics", "-fdiagnostics-color=never"]);
    command.arg("-I").arg(directory);
    for path in include {
        command.arg("-I").arg(path);
    }
    command
}

/// Writes all files of a model, and of the run-time system, into a directory.
///
/// # Errors
/// [`RunError::System`].
pub fn write(lowered: &Lowered, directory: &Path) -> Result<(), RunError> {
    fs::create_dir_all(directory.join("xm")).map_err(|error| system(&format!("make {}", directory.display()), error))?;
    let own = lowered.files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    for (name, text) in own.chain(RUNTIME.iter().copied()) {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|error| system(&format!("write {}", path.display()), error))?;
    }
    Ok(())
}

fn system(what: &str, error: std::io::Error) -> RunError {
    RunError::System { what: what.to_owned(), error }
}

/// The errors that the compiler names, at their elements.
fn errors(messages: &str, bodies: &[BodyInfo]) -> Vec<CompileError> {
    let parsed = messages.lines().filter_map(|line| {
        let (place, message) = line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
        let mut parts = place.rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some((parts.next()?.to_owned(), line, column, message.to_owned()))
    });
    let mut found: Vec<CompileError> = parsed
        .map(|(file, line, column, message)| {
            let element = element(bodies, &file, line, column);
            // The compiler has the whole path.
            let file = bodies.iter().map(|body| &body.place.file).find(|own| real(own) == file).map_or(file, |own| own.to_string());
            CompileError { file, line, column, message, element }
        })
        .collect();
    if found.is_empty()
        && let Some(first) = messages.lines().find(|line| line.contains("error") || line.contains("undefined reference"))
    {
        let (file, line, column) = (MAIN.to_owned(), 0, 0);
        found.push(CompileError { file, line, column, message: first.trim().to_owned(), element: None });
    }
    found
}

/// The code that a place is in: of several in one line the last that begins before it.
fn element(bodies: &[BodyInfo], file: &str, line: u32, column: u32) -> Option<(String, u32)> {
    let inside = |body: &&BodyInfo| {
        let (first, last) = (body.place.line, body.place.line + body.lines.max(1) - 1);
        (*body.place.file == *file || real(&body.place.file) == file)
            && (first..=last).contains(&line)
            && (line > first || column >= body.place.column)
    };
    let body = bodies.iter().filter(inside).max_by_key(|body| (body.place.line, body.place.column))?;
    Some((format!("{} of {}", body.kind.name(), body.element), line - body.place.line + 1))
}
