//! From sources to a subject that runs: compile natively for the types, write the harness, compile it instrumented, start.
//!
//! **Invariant.** Every mistake of the user is found here, before the first run, and is one message that says what to do.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use xcute_trace::SubjectError;

use crate::compile::{self, CompileError, CompileRequest, Compiled};
use crate::dwarf::{DwarfError, Function, Program};
use crate::harness::{self, HarnessError};
use crate::inputs::{Builder, InputCall, Lengths, TypeTable, addresses};
use crate::subject::{CSubject, RunOptions};
use crate::toolchain::{Toolchain, ToolchainError, XCUTE_H};

/// What to test, and how inputs are made.
#[derive(Clone, Debug)]
pub struct COptions {
    /// The C files.
    pub sources: Vec<PathBuf>,
    /// The function to call; `None`: `main`, or the only one.
    pub entry: Option<String>,
    /// The user's flags for clang.
    pub flags: Vec<String>,
    /// Sizes of arrays and strings.
    pub lengths: Lengths,
    /// Budgets of a run.
    pub run: RunOptions,
    /// Where to build.
    pub dir: PathBuf,
}

/// A program made ready.
pub struct Prepared {
    /// What runs the cases.
    pub subject: CSubject,
    /// The program as its debugging information tells it.
    pub program: Program,
    /// The function that is called.
    pub entry: Function,
    /// The file that defines it.
    pub source: PathBuf,
    /// The tools that built it.
    pub tools: Toolchain,
}

/// Why there is no subject.
#[derive(Debug, Error)]
pub enum CError {
    /// A file is missing or cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Source {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// The build directory cannot be used.
    #[error("cannot write {}: {why} (choose another directory with --out)", path.display())]
    Directory {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// Clang is missing, or refused a file.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The same, for the instrumented program.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The debugging information cannot be read.
    #[error(transparent)]
    Dwarf(#[from] DwarfError),
    /// There is no such entry, or it cannot be called.
    #[error(transparent)]
    Harness(#[from] HarnessError),
    /// `--array` names nothing.
    #[error("--array {0}: no pointer that is an input has this name")]
    Array(String),
    /// An `xcute_input` call whose type is not known.
    #[error("cannot find the type of the input number {number} in {function}: is it called by the macro of xcute.h?")]
    Input {
        /// The function it stands in.
        function: String,
        /// Its number.
        number: u32,
    },
    /// The subject does not start.
    #[error(transparent)]
    Subject(#[from] SubjectError),
}

/// Makes a program ready.
///
/// # Errors
/// Where a file, the compiler, the entry or an option is not as it should be.
pub fn prepare(options: &COptions) -> Result<Prepared, CError> {
    let tools = Toolchain::find()?;
    let sources = options.sources.iter().map(|s| absolute(s)).collect::<Result<Vec<_>, _>>()?;
    let include = options.dir.join("include");
    make(&include)?;
    write(&include.join("xcute.h"), XCUTE_H)?;
    let program = Program::read(&native(&tools, options, &sources)?)?;
    let entry = harness::choose(&program, &sources, options.entry.as_deref())?.clone();
    let defining = |s: &&PathBuf| s.as_path() == Path::new(&entry.file);
    let source = sources.iter().find(defining).unwrap_or(&sources[0]).clone();
    let others: Vec<PathBuf> = sources.iter().filter(|s| **s != source).cloned().collect();

    let path = options.dir.join("harness.c");
    write(&path, &harness::text(&program, &entry, &source, &options.lengths)?)?;
    let request = CompileRequest { harness: &path, others: &others, flags: &options.flags, dir: &options.dir };
    let (compiled, typed) = std::thread::scope(|scope| {
        let compiled = scope.spawn(|| compile::compile(&tools, &request));
        let typed = with_harness(&tools, options, &path, &others);
        (compiled.join().expect("compiling does not panic"), typed)
    });
    let (compiled, program) = (compiled?, typed?);
    let types = type_table(&program, &compiled, &entry, &options.lengths)?;
    let subject = CSubject::start(Arc::new(compiled), types, options.run.clone())?;
    Ok(Prepared { subject, program, entry, source, tools })
}

/// Compiles the sources without instrumentation, for their debugging information.
fn native(tools: &Toolchain, options: &COptions, sources: &[PathBuf]) -> Result<Vec<PathBuf>, CError> {
    let dir = options.dir.join("native");
    make(&dir)?;
    let mut jobs = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        let object = dir.join(format!("{n}.o"));
        let mut args: Vec<std::ffi::OsString> = ["-g", "-O0", "-fwrapv", "-w", "-c", "-I"].iter().map(Into::into).collect();
        args.push(options.dir.join("include").into());
        args.extend(compile::DEFINES.iter().map(Into::into));
        args.extend(options.flags.iter().filter(|f| !compile::is_link_flag(f)).map(Into::into));
        args.extend([source.into(), "-o".into(), object.clone().into()]);
        jobs.push((source, object, tools.spawn(args)?));
    }
    let mut objects = Vec::new();
    for (source, object, job) in jobs {
        job.wait(&source.display().to_string())?;
        objects.push(object);
    }
    Ok(objects)
}

/// The program with the harness in it: its inputs are variables of `xcute_harness`.
fn with_harness(tools: &Toolchain, options: &COptions, harness: &Path, others: &[PathBuf]) -> Result<Program, CError> {
    let files: Vec<PathBuf> = std::iter::once(harness.to_owned()).chain(others.iter().cloned()).collect();
    let inner = COptions { dir: options.dir.join("typed"), ..options.clone() };
    make(&inner.dir.join("include"))?;
    write(&inner.dir.join("include/xcute.h"), XCUTE_H)?;
    Ok(Program::read(&native(tools, &inner, &files)?)?)
}

fn type_table(program: &Program, compiled: &Compiled, entry: &Function, lengths: &Lengths) -> Result<TypeTable, CError> {
    let excluded = [entry.name.as_str(), harness::HARNESS];
    let mut builder = Builder::new(program, lengths, &excluded);
    for key in &compiled.input_keys {
        let unknown = || CError::Input { function: key.function.clone(), number: key.number };
        let variable = program.input(&key.function, u64::from(key.number)).ok_or_else(unknown)?;
        let call = InputCall { name: &key.name, function: &key.function, number: key.number, line: key.line };
        builder.input(call, variable.of);
    }
    if let Some(name) = builder.unmet() {
        return Err(CError::Array(name.to_owned()));
    }
    let mut table = builder.finish();
    let known = addresses(&compiled.exe)?;
    table.bind(|name| known.get(name).copied());
    Ok(table)
}

fn absolute(path: &Path) -> Result<PathBuf, CError> {
    path.canonicalize().map_err(|why| CError::Source { path: path.to_owned(), why })
}

fn make(dir: &Path) -> Result<(), CError> {
    std::fs::create_dir_all(dir).map_err(|why| CError::Directory { path: dir.to_owned(), why })
}

fn write(path: &Path, text: &str) -> Result<(), CError> {
    std::fs::write(path, text).map_err(|why| CError::Directory { path: path.to_owned(), why })
}
