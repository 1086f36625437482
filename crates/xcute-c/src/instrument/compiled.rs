//! The instrumented program, as all that comes after the compiler knows it, and why there may be none.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use xcute_trace::{SiteId, Sites};

use crate::tools::language::Language;
use crate::tools::toolchain::ToolchainError;

/// The instrumented program and what is known of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Compiled {
    /// The executable.
    pub exe: PathBuf,
    /// C++ if some of its sources are.
    pub language: Language,
    /// The files that it was compiled from.
    #[serde(default)]
    pub sources: Vec<String>,
    /// Whether no other object calls into it, so that what the entry cannot reach need not be there.
    pub closed: bool,
    /// Whether it is linked with code that is neither instrumented nor a library of its language: that may use its variables by name.
    #[serde(default)]
    pub linked: bool,
    /// Whether it can create threads: then it reports accesses to memory to the runtime, whose functions of `pthread.h` it is linked with, and
    /// the last of its sites is the choice of which thread runs next.
    #[serde(default)]
    pub threads: bool,
    /// Whether nothing in it can fail, as far as its text says.
    #[serde(default)]
    pub harmless: bool,
    /// Its sites.
    pub sites: Sites,
    /// The case values of each arm but the default's, for switches.
    pub switches: BTreeMap<SiteId, Vec<Vec<u64>>>,
    /// What each byte of the coverage map stands for.
    pub coverage: Vec<CoverageItem>,
    /// The `xcute_input` calls, by key.
    pub input_keys: Vec<InputKey>,
    /// Functions that are called but not instrumented.
    pub foreign: Vec<String>,
    /// Calls of such functions; `XC_EV_FOREIGN` names their index.
    #[serde(default)]
    pub departures: Vec<Departure>,
    /// Constructs that are not modelled; `XC_EV_UNSUPPORTED` names their index.
    pub unsupported: Vec<String>,
    /// Locals and globals, as the runtime numbers them in its reports of memory errors.
    pub objects: Vec<ObjectName>,
    /// Whether some foreign function may keep state in a library.
    pub snapshot_libc: bool,
    /// The instrumented functions.
    pub functions: Vec<FunctionInfo>,
    /// The source files that [`CoverageItem::lines`] names.
    pub files: Vec<String>,
    /// How many instructions its functions had before they were instrumented.
    #[serde(default)]
    pub instructions: usize,
    /// Its texts.
    #[serde(default)]
    pub vocabulary: Vec<String>,
    /// The compiler's warnings.
    pub warnings: String,
    /// What it was made of, if that is kept.
    #[serde(default)]
    pub made_of: Option<MadeOf>,
}

/// The parts of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeOf {
    /// Its modules, by the names of their sources.
    pub bitcode: Vec<(String, PathBuf)>,
    /// The user's flags for the linker.
    pub flags: Vec<String>,
    /// Where more can be built.
    pub dir: PathBuf,
}

/// What an object on the stack or of static storage is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectName {
    /// LLVM's name of it, which begins with that of the source.
    pub name: String,
    /// The function that a local belongs to; empty for globals.
    pub function: String,
}

/// What a byte of the coverage map stands for: code that runs as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageItem {
    /// The function, by its place in [`Compiled::functions`].
    pub function: u32,
    /// Whether it is the function's entry.
    pub entry: bool,
    /// The arms that were taken if the byte is set.
    pub arms: Vec<(SiteId, u32)>,
    /// The lines that ran if the byte is set, as (index in [`Compiled::files`], line).
    pub lines: Vec<(u32, u32)>,
}

/// A call of `xcute_input`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputKey {
    /// The file.
    pub file: String,
    /// The function it stands in.
    pub function: String,
    /// `N`: the local variable `xcute_input_N` of that function points to what becomes an input.
    pub number: u32,
    /// What it calls the input; ends in `[]` for `xcute_input_array`.
    pub name: String,
    /// The line.
    pub line: u32,
}

/// A call of code that is not instrumented.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departure {
    /// What is called.
    pub function: String,
    /// The file of the call; empty where it is not known.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// An instrumented function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionInfo {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// The line of its definition.
    pub line: u32,
    /// The functions that it calls by name, by their places in [`Compiled::functions`].
    #[serde(default)]
    pub calls: Vec<u32>,
    /// Whether something else than a function of the program may call it: the harness, a model of the library, a pointer, other objects.
    #[serde(default = "unknown")]
    pub outside: bool,
}

/// Of what was kept by an earlier xcute it is not known.
fn unknown() -> bool {
    true
}

/// Why there is no executable.
#[derive(Debug, Error)]
pub enum CompileError {
    /// The compiler is missing or refused the program.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// A file could not be written or read.
    #[error("cannot write {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// LLVM refused the module: a bug of ours, or bitcode of another version.
    #[error("cannot instrument {what}: {message}")]
    Llvm {
        /// The step.
        what: String,
        /// What LLVM said.
        message: String,
    },
    /// It is compiled for another machine.
    #[error("cannot instrument a program for {triple}: only programs for {ours} can be tested (leave out -m32, --target and their like)")]
    Target {
        /// What it is compiled for.
        triple: String,
        /// What can be tested.
        ours: String,
    },
    /// There is no room for its variables.
    #[error("the program has {mebibytes} MiB of static data, and at most {most} MiB can be tested: make {name} smaller, or allocate it")]
    TooMuchData {
        /// The largest variable.
        name: String,
        /// How much it is.
        mebibytes: u64,
        /// How much it may be.
        most: u64,
    },
    /// A program shall be instrumented again.
    #[error("the parts of the program no longer exist")]
    NotKept,
}
