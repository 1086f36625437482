//! The subjects: programs that say in their first lines what must be found in them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use support::*;
use xcute_engine::{Options, Results};
use xcute_java::{JavaSubject, Jdk};

/// What a subject says of one search.
#[derive(Debug, Default)]
struct Expected {
    method: String,
    paths: Option<u64>,
    runs: Option<u64>,
    complete: Option<bool>,
    limits: Vec<String>,
    depth: Option<u32>,
    budget: Option<u64>,
    longest: Option<u32>,
}

fn expectations(text: &str) -> Vec<Expected> {
    let mut all: Vec<Expected> = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = line.strip_prefix("//@ ").and_then(|rest| rest.split_once(": ")) else { continue };
        if key == "method" {
            all.push(Expected { method: value.to_owned(), ..Expected::default() });
            continue;
        }
        let last = all.last_mut().expect("a method comes first");
        match key {
            "paths" => last.paths = Some(value.parse().expect("a number")),
            "runs" => last.runs = Some(value.parse().expect("a number")),
            "complete" => last.complete = Some(value == "yes"),
            "limit" => last.limits.push(value.to_owned()),
            "depth" => last.depth = Some(value.parse().expect("a number")),
            "budget" => last.budget = Some(value.parse().expect("a number")),
            "longest" => last.longest = Some(value.parse().expect("a number")),
            other => panic!("what is `{other}`?"),
        }
    }
    all
}

/// The failures announced at the ends of lines, for one method: `//! null-access` or `//! null-access if method`.
fn announced(text: &str, method: &str) -> BTreeSet<(u32, String)> {
    let mut all = BTreeSet::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        for part in line.split("//! ").skip(1) {
            let (kind, only) = part.trim().split_once(" if ").map_or((part.trim(), None), |(kind, only)| (kind, Some(only)));
            if only.is_none_or(|only| only.split(" or ").any(|name| name == method)) {
                // A line of its own is for failures that have no place.
                let number = if line.starts_with("//!") { 0 } else { number };
                all.insert((number, kind.to_owned()));
            }
        }
    }
    all
}

fn found(results: &Results, file: &str) -> BTreeSet<(u32, String)> {
    let place = |stack: &[xcute_trace::Frame]| stack.iter().find(|frame| frame.file == file).map_or(0, |frame| frame.line);
    results.failures.iter().map(|f| (place(&f.failure.stack), f.failure.kind.name().to_owned())).collect()
}

fn check(jdk: &Jdk, file: &Path, classes: &Path, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let name = file.file_name().expect("a file").to_string_lossy().into_owned();
    let class = name.trim_end_matches(".java");
    for expected in expectations(text) {
        let began = std::time::Instant::now();
        let program = program(jdk, classes, class, &expected.method);
        let mut options = xcute_java::Options::default();
        if let Some(longest) = expected.longest {
            options.longest = longest;
        }
        let mut subject = JavaSubject::start(program, jdk, options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let depth = expected.depth.unwrap_or(u32::MAX);
        let (results, log) = search(&mut subject, jdk, Options { depth, runs: expected.budget.unwrap_or(5000), ..Options::default() });
        let what = format!("{name} {}", expected.method);
        let mut complain = |text: String| complaints.push(format!("{what}: {text}"));
        let announced = announced(text, expected.method.split('(').next().expect("a name"));
        let found = found(&results, &name);
        if announced != found {
            complain(format!("announced {announced:?}, found {found:?}"));
        }
        if expected.paths.is_some_and(|paths| paths != results.paths) {
            complain(format!("{} paths", results.paths));
        }
        if expected.runs.is_some_and(|runs| runs < results.runs) {
            complain(format!("{} runs", results.runs));
        }
        if expected.complete.is_some_and(|complete| complete != results.complete) {
            complain(format!("complete {}, {:?}", results.complete, results.arms));
        }
        let limits: BTreeSet<&str> = results.limits.keys().map(|limit| limit.kind.as_str()).collect();
        for limit in &expected.limits {
            if !limits.contains(limit.as_str()) {
                complain(format!("no limit {limit}"));
            }
        }
        for limit in results.limits.keys().filter(|l| !expected.limits.contains(&l.kind)) {
            complain(format!("{limit:?}"));
        }
        if std::env::var_os("SUBJECT").is_some() || std::env::var_os("VERBOSE").is_some() {
            println!(
                "{what}: {:?}, {} runs, {} paths, {:?}, {:?}, {:?}",
                began.elapsed(),
                results.runs,
                results.paths,
                results.arms,
                results.queries,
                results.limits
            );
            println!("{}", log.join("\n"));
            for found in &results.failures {
                println!("{:?}", found.failure);
            }
        }
    }
    complaints
}

#[test]
fn subjects_find_what_they_announce() {
    let jdk = Jdk::find().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java");
    let wanted = std::env::var("SUBJECT").ok();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "java"));
    files.retain(|file| wanted.as_ref().is_none_or(|wanted| file.to_string_lossy().contains(wanted.as_str())));
    files.sort();
    assert!(!files.is_empty(), "no subject is called {wanted:?}");
    let scratch = tempfile::tempdir().unwrap();
    let all = scratch.path().join("all");
    let api = scratch.path().join("api");
    xcute_java::write_api(&api).unwrap();
    compile(&jdk, &files, &all, &["-cp", api.to_str().unwrap()]);
    let mut complaints = Vec::new();
    for file in &files {
        let class = file.file_stem().unwrap().to_string_lossy().into_owned();
        let own = scratch.path().join(&class);
        std::fs::create_dir(&own).unwrap();
        for entry in std::fs::read_dir(&all).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_string_lossy().into_owned();
            if name == format!("{class}.class") || name.starts_with(&format!("{class}$")) {
                std::fs::copy(&entry, own.join(&name)).unwrap();
            }
        }
        complaints.extend(check(&jdk, file, &own, &std::fs::read_to_string(file).unwrap()));
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}
