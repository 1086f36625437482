//! Where Erlang is, and where our own modules are compiled to.
//!
//! **Invariant.** What the emulator loads of ours was compiled by that very emulator from the sources in this binary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::VmError;
use xcute_cache::Key;

/// The modules that run in the emulator, and what they include.
const RUNTIME: &[(&str, &str)] = &[
    ("xcute_drv.erl", include_str!("../../../../runtimes/erlang/xcute_drv.erl")),
    ("xcute_rt.erl", include_str!("../../../../runtimes/erlang/xcute_rt.erl")),
    ("xcute_input.erl", include_str!("../../../../runtimes/erlang/xcute_input.erl")),
    ("xcute_tasks.erl", include_str!("../../../../runtimes/erlang/xcute_tasks.erl")),
    ("xcute_sched.erl", include_str!("../../../../runtimes/erlang/xcute_sched.erl")),
    ("xcute_models.erl", include_str!("../../../../runtimes/erlang/xcute_models.erl")),
    ("xcute_sizes.hrl", include_str!("../../../../runtimes/erlang/xcute_sizes.hrl")),
    ("xcute_text.hrl", include_str!("../../../../runtimes/erlang/xcute_text.hrl")),
    ("xcute_time.hrl", include_str!("../../../../runtimes/erlang/xcute_time.hrl")),
    ("xcute_output.hrl", include_str!("../../../../runtimes/erlang/xcute_output.hrl")),
];

/// One scheduler: a run has one process, and workers have emulators of their own. No distribution.
pub const LEAN: &[&str] =
    &["+S", "1:1", "+SDcpu", "1", "+SDio", "1", "+A", "1", "+sbwt", "none", "-start_epmd", "false", FEATURES[0], FEATURES[1]];

/// Modules that use a feature of the language (`maybe`) are only loaded where it is enabled; others are compiled as before.
pub const FEATURES: [&str; 2] = ["-enable-feature", "all"];

/// Compiles its plain arguments into the current directory.
const COMPILE: &str = "Bad = [F || F <- init:get_plain_arguments(), compile:file(F, [report_errors]) =:= error], halt(length(Bad)).";

/// An Erlang installation with our modules.
#[derive(Debug)]
pub struct Home {
    erl: PathBuf,
    /// Where our modules are.
    ebin: PathBuf,
    cache: Option<PathBuf>,
    /// The directory of our modules where nothing can be kept.
    _temporary: Option<TempDir>,
}

impl Home {
    /// Finds Erlang and compiles our modules, unless that was done before.
    ///
    /// # Errors
    /// Where there is no Erlang, or it cannot compile.
    pub fn find() -> Result<Home, VmError> {
        let erl = find_erl().ok_or(VmError::Missing)?;
        let mut key = Key::new("runtime");
        key.add_file(&fs::canonicalize(&erl)?);
        for (name, text) in RUNTIME {
            key.add(name.as_bytes());
            key.add(text.as_bytes());
        }
        let cache = xcute_cache::place().map(|place| place.join("erl"));
        if let Some(place) = &cache {
            let ebin = place.join(key.name());
            if ebin.is_dir() || Home::fill(&erl, place, &ebin).is_ok() {
                return Ok(Home { erl, ebin, cache, _temporary: None });
            }
        }
        let temporary = tempfile::Builder::new().prefix("xcute-erl").tempdir()?;
        compile(&erl, temporary.path())?;
        Ok(Home { erl, ebin: temporary.path().to_owned(), cache: None, _temporary: Some(temporary) })
    }

    fn fill(erl: &Path, place: &Path, ebin: &Path) -> Result<(), VmError> {
        fs::create_dir_all(place)?;
        let new = tempfile::Builder::new().prefix(".new").tempdir_in(place)?;
        compile(erl, new.path())?;
        // Another process may have been faster; its result is the same.
        let _ = fs::rename(new.path(), ebin);
        if ebin.is_dir() { Ok(()) } else { Err(std::io::Error::other("cannot rename").into()) }
    }

    /// The program to start.
    #[must_use]
    pub fn erl(&self) -> &Path {
        &self.erl
    }

    /// Compiles a file of a directory there; whether that could be done.
    ///
    /// # Errors
    /// Where Erlang does not start.
    pub fn compile(&self, directory: &Path, file: &str) -> std::io::Result<bool> {
        compiler(&self.erl, directory).arg(file).output().map(|output| output.status.success())
    }

    /// Where our modules are, with their sources.
    #[must_use]
    pub fn ebin(&self) -> &Path {
        &self.ebin
    }

    /// A key for something that depends on this installation.
    ///
    /// # Errors
    /// Where `erl` has vanished.
    pub fn key(&self, kind: &str) -> Result<Key, VmError> {
        let mut key = Key::new(kind);
        key.add_file(&fs::canonicalize(&self.erl)?);
        RUNTIME.iter().for_each(|(_, text)| key.add(text.as_bytes()));
        Ok(key)
    }

    /// What was kept under a key.
    #[must_use]
    pub fn kept(&self, key: &Key) -> Option<Vec<u8>> {
        xcute_cache::find(self.cache.as_deref()?, key)
    }

    /// Keeps something under a key, where there is a cache.
    pub fn keep(&self, key: &Key, bytes: &[u8]) {
        if let Some(place) = &self.cache {
            xcute_cache::keep(place, key, bytes);
        }
    }
}

fn find_erl() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("XCUTE_ERL") {
        return Some(path.into()).filter(|path: &PathBuf| path.is_file());
    }
    which::which("erl").ok()
}

/// The beginning of every command that starts an emulator.
pub(super) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    // What a user sets for shells is not for this one, and a crash of the program under test leaves no dump.
    for name in ["ERL_FLAGS", "ERL_AFLAGS", "ERL_ZFLAGS", "ERL_COMPILER_OPTIONS"] {
        command.env_remove(name);
    }
    command.env("ERL_CRASH_DUMP_BYTES", "0");
    command
}

/// The command that compiles files in a directory, which are added to it.
fn compiler(erl: &Path, directory: &Path) -> Command {
    let mut compiler = command(erl);
    compiler.current_dir(directory).args(LEAN).stdin(Stdio::null());
    compiler.args(["-noinput", "-boot", "no_dot_erlang", "-eval", COMPILE, "-extra"]);
    compiler
}

fn compile(erl: &Path, directory: &Path) -> Result<(), VmError> {
    let start = |reason: String| VmError::Start { erl: erl.display().to_string(), reason };
    let mut files = Vec::new();
    for (name, text) in RUNTIME {
        fs::write(directory.join(name), text)?;
        if name.ends_with(".erl") {
            files.push(*name);
        }
    }
    let output = compiler(erl, directory).args(files).output().map_err(|error| start(error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let first = String::from_utf8_lossy(&text).lines().next().unwrap_or("it says nothing").to_owned();
    Err(start(format!("it cannot compile our own modules: {first}")))
}
