//! Why there is no subject: what can go wrong from the sources to the first run.

use std::path::PathBuf;

use thiserror::Error;
use xcute_trace::SubjectError;

use crate::build::harness::HarnessError;
use crate::build::wrap::WrapError;
use crate::cases::casefile::CaseError;
use crate::instrument::compiled::CompileError;
use crate::tools::files::Unwritable;
use crate::tools::toolchain::ToolchainError;
use crate::types::dwarf::DwarfError;

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
