//! From sources to a subject that runs: compile natively for the types, write the harness, compile it instrumented, start.
//!
//! **Invariant.** Every mistake of the user is found here, before the first run, and is one message that says what to do.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use xcute_trace::{Bound, SubjectError};

use crate::build::bounds;
use crate::build::compile::{self, CompileRequest};
use crate::build::compiled::{CompileError, Compiled, InputKey};
use crate::build::harness::{self, Calls, HarnessError, Sequence};
use crate::build::spoken::{self, Spoken};
use crate::build::unit::{self, Unit};
use crate::build::words::{self, Words};
use crate::build::wrap::{self, WrapError};
use crate::cases::casefile::CaseError;
use crate::run::subject::{CSubject, RunOptions};
use crate::tools::files::{self, Unwritable};
use crate::tools::headers;
use crate::tools::language::Language;
use crate::tools::toolchain::{Toolchain, ToolchainError};
use crate::types::dwarf::{DwarfError, Function, Program, TypeId};
use crate::types::inputs::{Builder, InputCall, Lengths, TypeTable, addresses};

/// What to test, and how inputs are made.
#[derive(Clone, Debug)]
pub struct COptions {
    /// The C files.
    pub sources: Vec<PathBuf>,
    /// The function to call; `None`: `main`, or the only one.
    pub entry: Option<String>,
    /// Sequences of calls instead of an entry.
    pub calls: Option<Calls>,
    /// A function that says which inputs are valid.
    pub pre: Option<String>,
    /// The user's flags for clang.
    pub flags: Vec<String>,
    /// Whether undefined behaviour is a failure.
    pub undefined: bool,
    /// Sizes of arrays and strings.
    pub lengths: Lengths,
    /// How many bytes a fuzzer's entry gets, at most.
    pub bytes: u32,
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
    /// The function that is called; of call sequences, one that stands for them.
    pub entry: Function,
    /// The plan of call sequences.
    pub sequence: Option<Sequence>,
    /// The sources, with what others need to call into them.
    pub units: Vec<Unit>,
    /// The harness, as it was compiled.
    pub harness: PathBuf,
    /// The words of other tools that it leaves undefined.
    pub words: Words,
    /// What it says to xcute.
    pub spoken: Spoken,
    /// The sizes as a case file needs them.
    pub lengths: Lengths,
    /// Up to which sizes its inputs are made.
    pub bounds: Vec<Bound>,
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
    #[error(transparent)]
    Directory(#[from] Unwritable),
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
    /// An entry of C++ cannot be called.
    #[error(transparent)]
    Wrap(#[from] WrapError),
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
    /// A case file cannot be used.
    #[error(transparent)]
    Case(#[from] CaseError),
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
    let asked = Asked {
        sources: &options.sources,
        entry: options.entry.as_deref(),
        calls: options.calls.as_ref(),
        pre: options.pre.as_deref(),
        flags: &options.flags,
        lengths: &options.lengths,
        bytes: options.bytes,
    };
    let Entered { program, entry, sequence, units, harness, lengths, bounds: built, words, spoken } = enter(&tools, &asked, &options.dir)?;
    let mut sources = unit::files(&units, &options.dir)?;
    sources.extend((!words.is_empty()).then(|| options.dir.join(words::FILE)));
    let request = CompileRequest {
        harness: &harness,
        units: &units,
        files: &sources,
        flags: &options.flags,
        undefined: options.undefined,
        dir: &options.dir,
    };
    let compiled = compile::compile(&tools, &request)?;
    let types = type_table(&program, &compiled, &entry, &lengths)?;
    let bounds = bounds::of(&options.lengths, options.bytes, &types, &entry, sequence.as_ref(), built);
    let lengths = if sequence.is_some() { options.lengths.clone() } else { lengths };
    let subject = CSubject::start(Arc::new(compiled), types, options.run.clone())?.describing(&program);
    Ok(Prepared { subject, program, entry, sequence, units, harness, words, spoken, lengths, bounds, tools })
}

/// What is to be called, and how its inputs are made.
pub(crate) struct Asked<'a> {
    pub sources: &'a [PathBuf],
    pub entry: Option<&'a str>,
    pub calls: Option<&'a Calls>,
    pub pre: Option<&'a str>,
    pub flags: &'a [String],
    pub lengths: &'a Lengths,
    pub bytes: u32,
}

/// A program with all that is needed to call into it.
pub(crate) struct Entered {
    pub program: Program,
    /// The function that is called: the entry, its wrapper, or what stands for sequences.
    pub entry: Function,
    pub sequence: Option<Sequence>,
    pub units: Vec<Unit>,
    /// The harness, written.
    pub harness: PathBuf,
    /// The sizes, with those that a wrapper or a fuzzer's entry needs; of sequences, those of all steps.
    pub lengths: Lengths,
    /// Up to which sizes a wrapper builds its arguments.
    pub bounds: Vec<Bound>,
    pub words: Words,
    pub spoken: Spoken,
}

/// Reads the types of a program, finds its entry, and writes the harness. A campaign and the replay of its cases come to the same one.
pub(crate) fn enter(tools: &Toolchain, asked: &Asked<'_>, dir: &Path) -> Result<Entered, CError> {
    let sources = asked.sources.iter().map(|s| absolute(s)).collect::<Result<Vec<_>, _>>()?;
    let units = sources.iter().cloned().map(Unit::of).collect();
    let Native { mut program, units, words, spoken } = read(tools, units, asked.flags, dir)?;
    let planned = asked.calls.map(|calls| Sequence::new(&mut program, &sources, calls, asked.lengths));
    let sequence = planned.transpose()?;
    let entry = match &sequence {
        Some(sequence) => sequence.entry.clone(),
        None => harness::choose(&program, &sources, asked.entry)?.clone(),
    };
    let wrap::Entered { native, entry, lengths, bounds } =
        wrap::enter(tools, Native { program, units, words, spoken }, entry, asked.lengths, asked.flags, dir)?;
    let Native { program, mut units, words, spoken } = native;
    let (lengths, text) = match &sequence {
        Some(sequence) => {
            let lengths = sequence.lengths(asked.lengths);
            let text = harness::calls::text(&program, sequence, &lengths)?;
            (lengths, text)
        }
        None => {
            let lengths = harness::fuzzed(&entry, &lengths, asked.bytes);
            let text = harness::text_with(&program, &entry, &lengths, asked.pre)?;
            (lengths, text)
        }
    };
    unit::export(&mut units, harness::called(&program, &entry, sequence.as_ref(), asked.pre));
    let path = dir.join("harness.c");
    files::write(&path, &text)?;
    Ok(Entered { program, entry, sequence, units, harness: path, lengths, bounds, words, spoken })
}

/// What a compilation without instrumentation tells.
pub(crate) struct Native {
    /// Types and functions.
    pub program: Program,
    /// The sources with absolute paths.
    pub units: Vec<Unit>,
    /// The words of other tools that they leave undefined; the file with them is in the build directory.
    pub words: Words,
    /// What they say to xcute.
    pub spoken: Spoken,
}

/// Compiles units without instrumentation and reads their debugging information.
pub(crate) fn read(tools: &Toolchain, units: Vec<Unit>, flags: &[String], dir: &Path) -> Result<Native, CError> {
    let compiled = unit::files(&units, dir)?.into_iter().zip(units.iter().map(Unit::flags)).collect::<Vec<_>>();
    let mut objects = native(tools, &compiled, flags, dir, "native")?;
    let sources: Vec<PathBuf> = units.iter().map(|unit| unit.source.clone()).collect();
    let spoken = Spoken::of(&objects, &dir.join("include"));
    let words = Words::needed(&objects, &sources)?;
    if !words.is_empty() {
        let file = dir.join(words::FILE);
        files::write(&file, format!("#include \"xcute.h\"\n{}", words.text()))?;
        // The user's flags may redefine what it is made of.
        objects.extend(native(tools, &[(file, &[])], &compile::calling(flags), dir, "words")?);
    }
    Ok(Native { program: Program::read(&objects)?, units, words, spoken })
}

/// Compiles files, each with flags of its own, without instrumentation into a directory in `dir`, whose `include` gets the headers.
fn native(tools: &Toolchain, sources: &[(PathBuf, &[&str])], flags: &[String], dir: &Path, into: &str) -> Result<Vec<PathBuf>, CError> {
    let (include, objects) = (dir.join("include"), dir.join(into));
    files::make(&objects)?;
    headers::write(&include).map_err(|why| Unwritable { path: include.clone(), why })?;
    let mut jobs = Vec::new();
    for (n, (source, more)) in sources.iter().enumerate() {
        let object = objects.join(format!("{n}.o"));
        // Static functions that nobody calls are emitted as well: one of them may be the entry.
        let mut args: Vec<std::ffi::OsString> =
            ["-g", "-O0", "-fwrapv", "-w", "-femit-all-decls", "-c", "-I"].iter().map(Into::into).collect();
        args.push(include.clone().into());
        args.extend(compile::DEFINES.iter().map(Into::into));
        args.extend(flags.iter().filter(|f| !compile::is_link_flag(f)).map(Into::into));
        args.extend(more.iter().map(Into::into));
        let language = Language::of(source);
        args.extend(language.described().iter().chain(Language::source(source)).map(Into::into));
        args.extend(["-MD".into(), "-MF".into(), spoken::dependencies_of(&object).into()]);
        args.extend([source.into(), "-o".into(), object.clone().into()]);
        jobs.push((source, object, tools.spawn(args)?));
    }
    let mut done = Vec::new();
    for (source, object, job) in jobs {
        job.wait(&source.display().to_string())?;
        done.push(object);
    }
    Ok(done)
}

/// The types of the inputs. Arguments of the entry are asked for by the harness, which is ours: their types are those of the parameters.
fn type_table(program: &Program, compiled: &Compiled, entry: &Function, lengths: &Lengths) -> Result<TypeTable, CError> {
    let excluded = [entry.name.as_str(), harness::HARNESS];
    let mut builder = Builder::new(program, lengths, &excluded);
    let arguments = harness::arguments(program, entry)?;
    ask(&mut builder, compiled, |key| {
        if key.function == harness::HARNESS {
            arguments.get(key.number as usize).map(|a| a.of)
        } else {
            program.input(&key.function, u64::from(key.number)).map(|v| v.of)
        }
    })?;
    if let Some(name) = builder.unmet() {
        return Err(CError::Array(name.to_owned()));
    }
    let mut table = builder.finish();
    let known = addresses(&compiled.exe)?;
    table.bind(|name| known.get(name).copied());
    Ok(table)
}

/// Tells a builder of all inputs that a program asks for; `type_of` knows their types.
pub(crate) fn ask(builder: &mut Builder<'_>, compiled: &Compiled, type_of: impl Fn(&InputKey) -> Option<TypeId>) -> Result<(), CError> {
    for key in &compiled.input_keys {
        let of = type_of(key).ok_or_else(|| CError::Input { function: key.function.clone(), number: key.number })?;
        builder.input(InputCall { name: &key.name, function: &key.function, number: key.number, line: key.line }, of);
    }
    Ok(())
}

fn absolute(path: &Path) -> Result<PathBuf, CError> {
    path.canonicalize().map_err(|why| CError::Source { path: path.to_owned(), why })
}
