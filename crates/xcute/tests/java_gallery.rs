//! The gallery of Java: each program says in its first lines what must come out, and each method is a test of its own: `cargo nextest run --test java_gallery Strings`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

#[path = "../../xcute-java/tests/support/gallery.rs"]
mod gallery;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// What a subject says of one search.
#[derive(Default)]
struct Expected {
    method: String,
    arguments: Vec<String>,
    paths: Option<u64>,
    runs: Option<u64>,
    complete: Option<bool>,
    limits: BTreeSet<String>,
}

fn expectations(text: &str) -> Vec<Expected> {
    let mut all: Vec<Expected> = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = line.strip_prefix("//@ ").and_then(|rest| rest.split_once(": ")) else { continue };
        if key == "method" {
            all.push(Expected { method: value.to_owned(), ..Expected::default() });
            continue;
        }
        if key == "calls" {
            all.push(Expected { method: format!("calls {value}"), ..Expected::default() });
            continue;
        }
        let last = all.last_mut().expect("a method comes first");
        match key {
            "args" => last.arguments.extend(value.split(' ').map(str::to_owned)),
            "paths" => last.paths = Some(value.parse().unwrap()),
            "runs" => last.runs = Some(value.parse().unwrap()),
            "complete" => last.complete = Some(value == "yes"),
            "limit" => {
                last.limits.insert(value.to_owned());
            }
            other => panic!("what is `{other}`?"),
        }
    }
    all
}

/// The failures announced at the ends of lines, for one method: `//! null-access` or `//! null-access if method or other`.
fn announced(text: &str, method: &str) -> BTreeSet<(u64, String)> {
    let mut all = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        for part in line.split("//! ").skip(1) {
            let (kind, only) = part.trim().split_once(" if ").map_or((part.trim(), None), |(kind, only)| (kind, Some(only)));
            if only.is_none_or(|only| only.split(" or ").any(|name| name == method)) {
                // A line of its own is for failures that have no place.
                all.insert((if line.starts_with("//!") { 0 } else { number }, kind.to_owned()));
            }
        }
    }
    all
}

fn check(file: &Path, text: &str, expected: &Expected, classes: &Path) -> Result<(), Failed> {
    let (name, class) = (file.file_name().unwrap().to_str().unwrap(), file.file_stem().unwrap().to_str().unwrap());
    let method = format!("{class}.{}", expected.method);
    let place = tempfile::tempdir().unwrap();
    let what = expected.method.strip_prefix("calls ").map_or(["--method", &method], |calls| ["--calls", calls]);
    let output = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .arg("java")
        .arg(classes.join(class))
        .args([what[0], what[1], "--tests", "0", "--format", "json", "--time", "60s"])
        .args(&expected.arguments)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let summary: Value = serde_json::from_slice(&output.stdout)
        .map_err(|wrong| Failed::from(format!("stdout is not one JSON object ({wrong}): {error}")))?;
    let mut complaints = Vec::new();
    // Only frames of the subject itself count.
    let line = |failure: &Value| {
        let own = failure["stack"].as_array()?.iter().find(|frame| frame["file"].as_str().is_some_and(|file| file.ends_with(name)))?;
        own["line"].as_u64()
    };
    let failures = summary["failures"].as_array().unwrap();
    let found: BTreeSet<(u64, String)> =
        failures.iter().map(|failure| (line(failure).unwrap_or(0), failure["kind"].as_str().unwrap().to_owned())).collect();
    let announced = announced(text, expected.method.split('(').next().unwrap());
    if announced != found || !summary["unconfirmed"].as_array().unwrap().is_empty() {
        complaints.push(format!("announced {announced:?}, found {found:?}, unconfirmed {}", summary["unconfirmed"]));
    }
    let wrong = |wanted: Option<u64>, key: &str| wanted.is_some_and(|wanted| summary[key] != wanted);
    if wrong(expected.paths, "paths") || expected.runs.is_some_and(|most| summary["runs"].as_u64().unwrap() > most) {
        complaints.push(format!("{} paths, {} runs", summary["paths"], summary["runs"]));
    }
    let limits = summary["limits"].as_array().unwrap();
    let limits: BTreeSet<String> = limits.iter().map(|limit| limit["kind"].as_str().unwrap().to_owned()).collect();
    if expected.complete.is_some_and(|complete| summary["complete"] != complete) || limits != expected.limits {
        complaints.push(format!("complete {}, limits {}", summary["complete"], summary["limits"]));
    }
    if output.status.code() != Some(i32::from(!found.is_empty())) {
        complaints.push(format!("{:?} {error}", output.status));
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let files: Arc<Vec<PathBuf>> = Arc::new(gallery::sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java")));
    assert!(files.len() >= 20, "only {} programs", files.len());
    let classes = Arc::new(OnceLock::new());
    let mut tests = Vec::new();
    for file in &*files {
        let text: Arc<str> = fs::read_to_string(file).unwrap().into();
        for expected in expectations(&text) {
            let name = [&[file.file_stem().unwrap().to_str().unwrap().to_owned(), expected.method.clone()], &*expected.arguments]
                .concat()
                .join(" ");
            let (file, files, text, classes) = (file.clone(), Arc::clone(&files), Arc::clone(&text), Arc::clone(&classes));
            tests.push(Trial::test(name, move || {
                let jdk = || xcute_java::Jdk::find().expect("a JDK");
                let classes = classes.get_or_init(|| gallery::classes(&jdk(), &files, Path::new(env!("CARGO_TARGET_TMPDIR"))));
                check(&file, &text, &expected, classes)
            }));
        }
    }
    libtest_mimic::run(&arguments, tests).exit_code()
}
