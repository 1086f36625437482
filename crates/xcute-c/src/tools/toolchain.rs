//! The compiler: where it is and how it is called.
//!
//! **Invariant.** Every run of the compiler goes through [`Toolchain::run`], so that its messages reach the user and a missing compiler
//! is reported in one line that says what to do.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::fork_server;
use super::job::{Job, Work};
use super::made::Call;
pub use super::toolchain_error::ToolchainError;

/// A clang that was found.
#[derive(Clone, Debug)]
pub struct Toolchain {
    clang: PathBuf,
    /// The directory that is ours, where what it makes may be kept.
    scratch: Option<PathBuf>,
}

impl Toolchain {
    /// Finds clang: `XCUTE_CLANG` if set, else `clang-19` on the path, else in its usual directory.
    ///
    /// # Errors
    /// `ToolchainError::Missing`, or `ToolchainError::Machine` where programs cannot be tested at all.
    pub fn find() -> Result<Toolchain, ToolchainError> {
        supported(std::env::consts::ARCH)?;
        if let Some(path) = std::env::var_os("XCUTE_CLANG") {
            return Toolchain::at(Path::new(&path));
        }
        Toolchain::at(Path::new("clang-19")).or_else(|_| Toolchain::at(Path::new("/usr/lib/llvm-19/bin/clang")))
    }

    /// The compiler at this path, or with this name on the path. It is not started: that alone takes as long as compiling a small file.
    ///
    /// # Errors
    /// `ToolchainError::Missing` if there is no such program.
    pub fn at(path: &Path) -> Result<Toolchain, ToolchainError> {
        which::which(path).map(|clang| Toolchain { clang, scratch: None }).map_err(|_| ToolchainError::Missing)
    }

    /// The same, which keeps what it makes in a directory where everything is ours. What it makes does not depend on where that is.
    #[must_use]
    pub fn working_in(self, scratch: &Path) -> Toolchain {
        Toolchain { scratch: scratch.is_absolute().then(|| scratch.to_owned()), ..self }
    }

    /// The compiler's path.
    #[must_use]
    pub fn clang(&self) -> &Path {
        &self.clang
    }

    /// Starts the compiler; several may work at once.
    ///
    /// # Errors
    /// `ToolchainError::Start`.
    pub fn spawn<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Result<Job, ToolchainError> {
        let mut args: Vec<OsString> = args.into_iter().map(|arg| arg.as_ref().to_owned()).collect();
        let mut call = None;
        if let Some(scratch) = &self.scratch {
            call = Call::of(&self.clang, scratch, &args);
            if let Some(messages) = call.as_ref().and_then(Call::find) {
                return Ok(Job { work: Work::Done(messages), call: None });
            }
            args.extend(call.iter().flat_map(Call::more));
            if args.iter().any(|arg| arg == "-c") {
                args.insert(0, [OsStr::new("-ffile-prefix-map="), scratch.as_os_str(), OsStr::new("=/xcute")].join(OsStr::new("")));
            }
        }
        let mut command = Command::new(&self.clang);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        if let Some(served) = fork_server::spawn(&command) {
            return Ok(Job { work: Work::Served(served), call });
        }
        match command.spawn() {
            Ok(child) => Ok(Job { work: Work::Child(child), call }),
            Err(error) => Err(ToolchainError::Start { path: self.clang.clone(), error }),
        }
    }

    /// Runs the compiler and returns its warnings.
    ///
    /// # Errors
    /// `ToolchainError::Refused` with its messages.
    pub fn run<S: AsRef<OsStr>>(&self, what: &str, args: impl IntoIterator<Item = S>) -> Result<String, ToolchainError> {
        self.spawn(args)?.wait(what)
    }
}

/// Whether programs can be tested on a machine of this kind.
fn supported(machine: &'static str) -> Result<(), ToolchainError> {
    if machine == "x86_64" { Ok(()) } else { Err(ToolchainError::Machine { machine }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_are_named() {
        let error = supported("aarch64").unwrap_err().to_string();
        assert!(error.starts_with("cannot test programs of C, C++ or UML-RT on aarch64: ") && supported("x86_64").is_ok(), "{error}");
    }

    #[test]
    fn a_missing_compiler_is_told_in_one_line() {
        let error = Toolchain::at(Path::new("/nowhere/clang")).unwrap_err().to_string();
        assert!(error.contains("XCUTE_CLANG") && !error.contains('\n'), "{error}");
    }

    #[test]
    fn an_unparsable_file_is_refused_with_the_compilers_words() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("bad.c");
        std::fs::write(&file, "int f( {").unwrap();
        let error = Toolchain::find().unwrap().run("bad.c", ["-fsyntax-only".as_ref(), file.as_os_str()]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("bad.c:1:8: error") && text.ends_with("more)") && !text.contains('\n'), "{text}");
    }
}
