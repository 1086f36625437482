//! Programs with threads, with the numbers of paths that there are and what must be found: `subjects/java/threads`.
//!
//! The first lines of each say what is expected: `paths`, `complete`, and a comment `//! kind` at each line where something fails. All of it shows on the
//! original classes, with their threads held to the order of the case, but for what `unconfirmed` says.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

mod support;

use std::path::Path;

use support::*;
use xcute_engine::{Options, Scheduling};
use xcute_java::{JavaSubject, Jdk};

/// The programs are shared out among this many tests.
const TESTS: usize = 4;

#[test]
fn programs_with_threads_have_the_executions_that_they_have() {
    run(0);
}

#[test]
fn others_do_so_too() {
    run(1);
}

#[test]
fn so_do_further_ones() {
    run(2);
}

#[test]
fn and_the_rest() {
    run(3);
}

fn run(which: usize) {
    let jdk = Jdk::find().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/threads");
    let only = std::env::var("SUBJECT").ok();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let out = tempfile::tempdir().unwrap();
    std::fs::create_dir(out.path().join("api")).unwrap();
    xcute_java::write_api(&out.path().join("api")).unwrap();
    let api = out.path().join("api").display().to_string();
    let mut wrong = Vec::new();
    let files: Vec<_> = files.into_iter().enumerate().filter(|(number, _)| number % TESTS == which).map(|(_, file)| file).collect();
    let files: Vec<_> =
        files.into_iter().filter(|file| only.as_ref().is_none_or(|only| file.display().to_string().contains(only))).collect();
    // One call of the compiler is quicker than many.
    let all = out.path().join("all");
    if !files.is_empty() {
        compile(&jdk, &files, &all, &["-cp", &api]);
    }
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let classes = out.path().join(name);
        std::fs::create_dir(&classes).unwrap();
        for class in std::fs::read_dir(&all).unwrap().map(|entry| entry.unwrap()) {
            let of = class.file_name().to_str().unwrap().split(['.', '$']).next().unwrap().to_owned();
            if of == name {
                std::fs::rename(class.path(), classes.join(class.file_name())).unwrap();
            }
        }
        let program = program(&jdk, &classes, name, "main");
        let mut subject = JavaSubject::start(program, &jdk, xcute_java::Options::default()).unwrap();
        let scheduling: Scheduling = "dpor".parse().unwrap();
        let (results, lines) = search(&mut subject, &jdk, Options { scheduling, runs: 5000, confirmations: 1, ..Options::default() });
        let said = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("//@ {key}: ")));
        let mut found: Vec<(usize, String)> = results
            .failures
            .iter()
            .map(|f| (f.failure.stack.first().map_or(0, |at| at.line as usize), f.failure.kind.name().to_owned()))
            .collect();
        found.sort();
        found.dedup();
        let expected: Vec<(usize, String)> = (1..)
            .zip(text.lines())
            .flat_map(|(line, text)| {
                text.split_once("//! ").into_iter().flat_map(move |(_, kinds)| kinds.split(", ").map(move |kind| (line, kind.to_owned())))
            })
            .collect();
        let (paths, complete) = (results.paths.to_string(), if results.complete { "yes" } else { "no" });
        let fits = |key: &str, value: &str| said(key).is_none_or(|said| said == value);
        let doubts: Vec<_> = results.failures.iter().filter(|f| !f.confirmed).map(|f| (&f.failure.message, &f.doubt)).collect();
        let doubtful = doubts.len().to_string();
        if !fits("paths", &paths) || !fits("complete", complete) || found != expected || doubtful != said("unconfirmed").unwrap_or("0") {
            wrong.push(format!("{name}: {paths} paths, complete {complete}, {found:?}\n  {:?}\n  {doubts:?}", results.limits));
        }
        if only.is_some() {
            println!("{name}: {paths} paths in {} runs, complete {complete}\n{}\n{:?}", results.runs, lines.join("\n"), results.limits);
            for failure in &results.failures {
                println!("{:#?}", failure.failure);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
