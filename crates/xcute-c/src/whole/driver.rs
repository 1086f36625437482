//! `xcute cc` and `xcute c++`: clang, and then what it made is given its bitcode.
//!
//! Clang runs with exactly the words it was given: its messages, files and exit code are the user's. What it would do is asked with `-###`
//! beforehand; each source that becomes an object is compiled a second time to bitcode, at the same time, and the bitcode is added to
//! the object, or to the executable where both are made at once.
//!
//! Our headers are the last place where both look for files. A program that is built with clang's checks of undefined behaviour is
//! explored with ours.
//!
//! **Invariant.** Whatever goes wrong with the bitcode is not a failure of the compiler: the object then carries itself and is foreign.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::carried::{self, Head, Kind, Record};
use super::{cache, words};
use crate::build::compile;
use crate::tools::headers;
use crate::tools::toolchain::{Toolchain, ToolchainError};

/// What clang is going to make.
#[derive(Debug, Default, PartialEq, Eq)]
struct Intent {
    /// Sources that become objects: language as clang calls it (`None`: assembly), file, object.
    objects: Vec<(Option<String>, String, String)>,
    /// What the linker makes.
    linked: Option<String>,
}

/// Runs the compiler; the result is its exit code.
///
/// # Errors
/// If there is no compiler, or it cannot be started.
pub fn run(cxx: bool, given: &[OsString]) -> Result<i32, ToolchainError> {
    let tools = Toolchain::find()?;
    let scratch = tempfile::tempdir().map_err(|error| ToolchainError::Start { path: tools.clang().to_owned(), error })?;
    let driver = Driver { tools, cxx, given, include: include(scratch.path()) };
    let intent = driver.intent(&words::expanded(given))?;
    if intent == Intent::default() {
        return driver.clang(&[]).map(|mut c| wait(&mut c)).and_then(|code| code.map_err(|e| driver.start(e)));
    }
    let mut native = driver.clang(if driver.has_lto() { &["-fno-lto"] } else { &[] })?;
    let bitcode = driver.bitcode(&intent, scratch.path());
    let code = wait(&mut native).map_err(|e| driver.start(e))?;
    if code == 0 {
        driver.embed(&intent, bitcode, scratch.path());
    } else {
        bitcode.into_iter().flatten().for_each(|(mut job, _)| drop((job.kill(), job.wait())));
    }
    Ok(code)
}

/// A second compilation that is under way, and its result.
type Second = Option<(std::process::Child, PathBuf)>;

struct Driver<'a> {
    tools: Toolchain,
    cxx: bool,
    given: &'a [OsString],
    include: PathBuf,
}

/// Our headers: where the files that list dependencies may name them, else in the scratch directory.
fn include(scratch: &Path) -> PathBuf {
    cache::headers().unwrap_or_else(|| {
        let include = scratch.join("include");
        let _ = headers::keep(&include);
        include
    })
}

impl Driver<'_> {
    fn start(&self, error: std::io::Error) -> ToolchainError {
        ToolchainError::Start { path: self.tools.clang().to_owned(), error }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.tools.clang());
        if self.cxx {
            command.arg("--driver-mode=g++");
        }
        // Without a word where nothing is compiled.
        command.args(["--start-no-unused-arguments", "-idirafter"]).arg(&self.include).arg("--end-no-unused-arguments");
        command
    }

    /// Objects of link-time optimisation are not objects: it is switched off.
    fn has_lto(&self) -> bool {
        self.given.iter().any(|w| w.to_string_lossy().starts_with("-flto"))
    }

    /// Clang as the user called it.
    fn clang(&self, more: &[&str]) -> Result<std::process::Child, ToolchainError> {
        self.command().args(self.given).args(more).spawn().map_err(|e| self.start(e))
    }

    /// What clang says it would do. Nothing, where it says anything else: then it is on its own.
    fn intent(&self, expanded: &[OsString]) -> Result<Intent, ToolchainError> {
        let quiet = ["-###", "-E", "-M", "-MM", "-S", "-fsyntax-only", "-", "--version", "-dumpversion", "-emit-llvm"];
        // The many small trials of configure scripts need no bitcode.
        let trial = |w: &str| Path::new(w).file_stem().is_some_and(|stem| stem == "conftest");
        let plain = |w: &OsString| w.to_str().is_none_or(|w| quiet.contains(&w) || w.starts_with("-print-") || trial(w));
        if expanded.is_empty() || expanded.iter().any(plain) {
            return Ok(Intent::default());
        }
        let mut command = self.command();
        command.arg("-###").args(self.given).args(if self.has_lto() { &["-fno-lto"][..] } else { &[] });
        let output = command.stdin(Stdio::null()).output().map_err(|e| self.start(e))?;
        Ok(if output.status.success() { intent(&String::from_utf8_lossy(&output.stderr)) } else { Intent::default() })
    }

    /// Starts the second compilation of every source.
    fn bitcode(&self, intent: &Intent, scratch: &Path) -> Vec<Second> {
        let files: Vec<String> = intent.objects.iter().map(|(_, source, _)| source.clone()).collect();
        let kept = words::for_bitcode(&words::expanded(self.given), &files);
        let start = |(n, (language, source, _)): (usize, &(Option<String>, String, String))| {
            let to = scratch.join(format!("{n}.bc"));
            let mut command = self.command();
            command.args(&kept);
            if language.as_ref().is_some_and(|l| l.starts_with("c++")) {
                let (name, text) = headers::CXX_H;
                let _ = std::fs::write(scratch.join(name), text);
                command.args(["-fdebug-info-for-profiling", "-include"]).arg(scratch.join(name));
            }
            match language {
                Some(language) => {
                    command.args(compile::BITCODE).args(compile::LIBRARY_DEFINES);
                    command.args(if words::checks_undefined(self.given) { compile::UNDEFINED } else { &[] }).args(["-w", "-x", language])
                }
                None => command.arg("-c").arg("-w"),
            };
            let files = [source.as_ref(), std::ffi::OsStr::new("-o"), to.as_os_str()];
            command.args(files).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().ok().map(|child| (child, to))
        };
        // An assembled source that clang keeps need not be assembled again.
        let needed = |object: &(Option<String>, String, String)| object.0.is_some() || intent.linked.is_some();
        intent.objects.iter().enumerate().map(|(n, o)| if needed(o) { start((n, o)) } else { None }).collect()
    }

    /// Adds the records to what clang made. Whatever is not there or cannot be changed (`-o /dev/null`) stays as it is.
    fn embed(&self, intent: &Intent, bitcode: Vec<Second>, scratch: &Path) {
        let mut linked: Vec<u8> = Vec::new();
        for ((language, source, object), second) in intent.objects.iter().zip(bitcode) {
            let made =
                second.and_then(|(mut job, path)| wait(&mut job).ok().filter(|&code| code == 0).and_then(|_| std::fs::read(path).ok()));
            let (kind, payload) = match (made, language) {
                (Some(made), Some(_)) => (Kind::Bitcode, Some(made)),
                (Some(made), None) => (Kind::Object, Some(made)),
                (None, _) => (Kind::Object, std::fs::read(object).ok()),
            };
            let Some(payload) = payload else { continue };
            let record = Record { head: self.head(kind, source), payload }.bytes();
            if intent.linked.is_some() {
                linked.extend(record);
            } else {
                add(carried::OBJECTS, &record, Path::new(object), scratch);
            }
        }
        if let Some(to) = &intent.linked {
            linked.extend(Record { head: self.head(Kind::Link, to), payload: Vec::new() }.bytes());
            add(carried::LINK, &linked, Path::new(to), scratch);
        }
    }

    fn head(&self, kind: Kind, source: &str) -> Head {
        let directory = std::env::current_dir().unwrap_or_default();
        let source = directory.join(source);
        Head { kind, source, directory, words: words::text(&words::expanded(self.given)), cxx: self.cxx }
    }
}

/// Adds a section to a file. What is not a regular file, or not an ELF file, is left alone.
fn add(section: &str, bytes: &[u8], file: &Path, scratch: &Path) {
    if !std::fs::metadata(file).is_ok_and(|m| m.is_file()) {
        return;
    }
    let from = scratch.join("record");
    if std::fs::write(&from, bytes).is_err() {
        return;
    }
    let argument = format!("{section}={}", from.display());
    let tried = |tool: &str| {
        let mut command = Command::new(tool);
        command.args(["--add-section", &argument]).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let _ = ["llvm-objcopy-19", "/usr/lib/llvm-19/bin/llvm-objcopy", "llvm-objcopy", "objcopy"].iter().any(|tool| tried(tool));
}

/// The exit code of a process as a shell reports it.
fn wait(child: &mut std::process::Child) -> std::io::Result<i32> {
    use std::os::unix::process::ExitStatusExt as _;
    let status = child.wait()?;
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Reads what `-###` prints: one command in each line that begins with a blank and a quote.
fn intent(text: &str) -> Intent {
    let mut out = Intent::default();
    // Assembly goes through the preprocessor first.
    let mut preprocessed: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|l| l.starts_with(" \"")) {
        let command = words::split(line);
        let after = |option: &str| command.iter().rposition(|w| w == option).and_then(|at| command.get(at + 1)).cloned();
        let (Some(tool), Some(last)) = (command.get(1), command.last().cloned()) else { continue };
        match (tool.as_str(), after("-o")) {
            ("-cc1", Some(object)) if command.iter().any(|w| w == "-emit-obj") => {
                let language = after("-x").filter(|l| ["c", "c++", "cpp-output", "c++-cpp-output"].contains(&l.as_str()));
                out.objects.push((language, last, object));
            }
            ("-cc1as", Some(object)) => {
                let source = preprocessed.iter().find(|(to, _)| *to == last).map_or(last, |(_, from)| from.clone());
                out.objects.push((None, source, object));
            }
            ("-cc1", Some(to)) => preprocessed.push((to, last)),
            ("-cc1", None) => {}
            (_, Some(to)) => out.linked = Some(to).filter(|_| !command.iter().any(|w| w == "-r")),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clang_would_do() {
        let text = "clang version\n (in-process)\n \"/bin/clang\" \"-cc1\" \"-emit-obj\" \"-o\" \"/tmp/a b.o\" \"-x\" \"c\" \"a b.c\"\n \"/bin/clang\" \"-cc1as\" \"-o\" \"t.o\" \"t.s\"\n \"/usr/bin/ld\" \"-o\" \"prog\" \"/tmp/a b.o\" \"t.o\"\n";
        let c = (Some("c".to_owned()), "a b.c".to_owned(), "/tmp/a b.o".to_owned());
        let s = (None, "t.s".to_owned(), "t.o".to_owned());
        assert_eq!(intent(text), Intent { objects: vec![c, s], linked: Some("prog".into()) });
        let preprocessed = " \"/bin/clang\" \"-cc1\" \"-E\" \"-o\" \"-\" \"-x\" \"c\" \"a.c\"\n";
        assert_eq!(intent(preprocessed), Intent::default());
    }
}
