//! Programs with threads, with the numbers of paths that there are and what must be found: `subjects/java/threads`.
//!
//! The first lines of each say what is expected of each `method`: `paths`, `complete`, and a comment `//! kind` at each line where something fails, with
//! `if METHOD|METHOD` where it does so only there. All of it shows on the
//! original classes, with their threads held to the order of the case, but for what `unconfirmed` says.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly, and print what they are asked for")]

mod support;

use std::path::Path;

use support::*;
use xcute_engine::{Options, Scheduling};
use xcute_java::{JavaSubject, Jdk};

/// The programs are shared out among this many tests.
const TESTS: usize = 6;

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
fn still_others_do_so() {
    run(3);
}

#[test]
fn and_more_of_them() {
    run(4);
}

#[test]
fn and_the_rest() {
    run(5);
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
    compile_apart(&jdk, &files, out.path(), &["-cp", &api]);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let classes = out.path().join(name);
        let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//@ ")).collect();
        for group in lines.split(|line| line.starts_with("method: ")).skip(1).zip(lines.iter().filter_map(|l| l.strip_prefix("method: "))) {
            wrong.extend(check(&jdk, (&classes, name, group.1), &text, group.0));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Searches a method of a program; what is not as the program says.
fn check(jdk: &Jdk, (classes, name, method): (&Path, &str, &str), text: &str, expected: &[&str]) -> Option<String> {
    let mut subject = JavaSubject::start(program(jdk, classes, name, method), jdk, xcute_java::Options::default()).unwrap();
    let scheduling: Scheduling = "dpor".parse().unwrap();
    let (results, lines) = search(&mut subject, jdk, Options { scheduling, runs: 5000, confirmations: 3, ..Options::default() });
    let said = |key: &str| expected.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    let place = |f: &xcute_engine::Found| (f.failure.stack.first().map_or(0, |at| at.line as usize), f.failure.kind.name().to_owned());
    let mut found: Vec<(usize, String)> = results.failures.iter().map(place).collect();
    found.sort();
    found.dedup();
    let here = |mark: &&str| mark.split_once(" if ").is_none_or(|(_, methods)| methods.split('|').any(|other| other == method));
    let marks = (1..).zip(text.lines()).flat_map(|(line, text)| {
        let marks: Vec<&str> = text.split_once("//! ").map(|(_, marks)| marks.split(", ").filter(here).collect()).unwrap_or_default();
        marks.into_iter().map(move |mark| (line, mark.split(" if ").next().unwrap_or_default().to_owned()))
    });
    let marks: Vec<(usize, String)> = marks.collect();
    let (paths, complete) = (results.paths.to_string(), if results.complete { "yes" } else { "no" });
    let fits = |key: &str, value: &str| said(key).is_none_or(|said| said == value);
    let doubts: Vec<_> = results.failures.iter().filter(|f| !f.confirmed).map(|f| (&f.failure.message, &f.doubt)).collect();
    // Which of several threads goes on first may be the JVM's choice, and another one the next time.
    let doubtful = said("unconfirmed").is_some_and(|said| said == "some") || doubts.len().to_string() == said("unconfirmed").unwrap_or("0");
    println!("{name}.{method}: {paths} paths in {} runs", results.runs);
    if std::env::var_os("SUBJECT").is_some() {
        println!(
            "{name}.{method}: {paths} paths in {} runs, complete {complete}\n{}\n{:?}",
            results.runs,
            lines.join("\n"),
            results.limits
        );
        for failure in &results.failures {
            println!("{:#?}", failure.failure);
        }
    }
    let right = fits("paths", &paths) && fits("complete", complete) && found == marks && doubtful;
    (!right).then(|| format!("{name}.{method}: {paths} paths, complete {complete}, {found:?}\n  {:?}\n  {doubts:?}", results.limits))
}
