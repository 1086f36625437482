//! What programs with threads say of themselves, and whether it is so.
//!
//! The first lines of each say what is expected of each `method`: `paths`, `complete`, and a comment `//! kind` at each line where something fails, with
//! `if METHOD|METHOD` where it does so only there. All of it shows on the
//! original classes, with their threads held to the order of the case, but for what `unconfirmed` says.

#![allow(clippy::print_stdout, reason = "what a test prints says what it found")]

use std::path::Path;

use xcute_engine::{Options, Scheduling};
use xcute_java::{JavaSubject, Jdk};

use super::{program, search};

/// Searches a method of a program; what is not as the program says.
fn check(jdk: &Jdk, (classes, name, method): (&Path, &str, &str), text: &str, expected: &[&str]) -> Option<String> {
    let mut subject =
        JavaSubject::start(program(jdk, classes, name, method), jdk, xcute_java::Options::default()).expect("a subject is as it should be");
    let scheduling: Scheduling = "dpor".parse().expect("a subject is as it should be");
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
    if std::env::var_os("VERBOSE").is_some() {
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

/// Checks all methods of a program.
pub fn check_all(file: &Path, classes: &Path, jdk: &Jdk) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a subject is as it should be");
    let name = file.file_stem().expect("a subject is as it should be").to_str().expect("a subject is as it should be");
    let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//@ ")).collect();
    let methods = lines.iter().filter_map(|line| line.strip_prefix("method: "));
    let groups = lines.split(|line| line.starts_with("method: ")).skip(1).zip(methods);
    groups.filter_map(|(expected, method)| check(jdk, (&classes.join(name), name, method), &text, expected)).collect()
}
