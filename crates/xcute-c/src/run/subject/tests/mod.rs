//! Subjects that are not instrumented, linked with the runtime: they report to it by hand what happens.

mod conformance;
mod fast;
mod glance;
mod graph;
mod interleavings;
mod misdeeds;
mod real;
mod threads;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use tempfile::TempDir;

use super::{CSubject, RunOptions};
use crate::build::compile::RUNTIME as RUNTIME_OBJECTS;
use crate::prepare::{COptions, prepare};
use crate::types::inputs::Lengths;

const RUNTIME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtimes/c");
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/run/subject/tests/fixtures");

fn clang(arguments: &[&str]) {
    let program = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".into());
    let output = Command::new(program).args(arguments).output().expect("clang runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn object(source: &Path, to: &Path, more: &[&str]) {
    let (source, to) = (source.to_str().unwrap(), to.to_str().unwrap());
    let fixed =
        ["-c", "-I", RUNTIME, "-fno-pie", "-fno-builtin", "-fno-strict-aliasing", "-fno-omit-frame-pointer", "-w", source, "-o", to];
    clang(&[&fixed, more].concat());
}

/// The objects of the runtime, in a directory that stays for all tests.
fn runtime() -> &'static (TempDir, Vec<PathBuf>) {
    static BUILT: OnceLock<(TempDir, Vec<PathBuf>)> = OnceLock::new();
    BUILT.get_or_init(|| {
        let dir = TempDir::new().unwrap();
        let written = RUNTIME_OBJECTS.iter().map(|(name, bytes)| {
            let to = dir.path().join(format!("{name}.o"));
            std::fs::write(&to, bytes).unwrap();
            to
        });
        let objects = written.collect();
        (dir, objects)
    })
}

/// A program in this directory that is instrumented, and runs within these budgets.
pub(super) fn prepared(source: PathBuf, entry: &str, run: RunOptions, dir: &Path) -> CSubject {
    let (sources, entry, flags) = (vec![source], Some(entry.to_owned()), vec!["-w".to_owned()]);
    let (lengths, dir) = (Lengths::default(), dir.to_owned());
    prepare(&COptions { sources, entry, calls: None, pre: None, flags, undefined: false, lengths, bytes: 16, run, dir }).unwrap().subject
}

/// The same, of a text.
pub(super) fn of_text(text: &str, entry: &str, run: RunOptions, dir: &Path) -> CSubject {
    let source = dir.join("program.c");
    std::fs::write(&source, text).unwrap();
    prepared(source, entry, run, dir)
}

/// The executable of a fixture; its object file is next to it.
fn fixture(name: &str) -> PathBuf {
    static BUILT: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap();
    built
        .entry(name.to_owned())
        .or_insert_with(|| {
            let (dir, runtime) = runtime();
            let (compiled, exe) = (dir.path().join(format!("fixture-{name}.o")), dir.path().join(name));
            object(&Path::new(FIXTURES).join(format!("{name}.c")), &compiled, &["-O1", "-g"]);
            let mut arguments = vec!["-no-pie", "-Wl,-z,now", "-o", exe.to_str().unwrap(), compiled.to_str().unwrap(), "-lm"];
            arguments.extend(runtime.iter().map(|o| o.to_str().unwrap()));
            clang(&arguments);
            exe
        })
        .clone()
}
