//! `./x bench clp`: choices among overlapping clauses, and classic programs, measured, with what must hold checked.
//!
//! Arguments choose rows by name. Each is run three times, and the fastest counts: the first pays for what the others find ready.

#![allow(clippy::print_stdout, missing_docs, reason = "a measuring program; its output is its purpose")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use support::{Outcome, search, subjects};

/// Clauses that match lists with at least this many elements: each subset that is feasible is a prefix.
fn chain(clauses: usize) -> String {
    let mut text = String::new();
    for i in 1..=clauses {
        writeln!(text, "p([{}|_]).", vec!["_"; i].join(",")).expect("a string");
    }
    text
}

/// Clauses for one of some constants each, a quarter as many, and as many for any: every constant is another subset.
fn overlapping(clauses: usize) -> String {
    let mut text = String::new();
    for i in 0..clauses {
        match i % 4 {
            0 => writeln!(text, "p(f(X)) :- q{i}(X).\nq{i}(_)."),
            1 => writeln!(text, "p(f(c{i}))."),
            2 => writeln!(text, "p(g(_, c{i}))."),
            _ => writeln!(text, "p(g(c{i}, _))."),
        }
        .expect("a string");
    }
    text
}

fn row(name: &str, outcome: &Outcome, time: Duration) {
    let (r, seconds) = (&outcome.results, time.as_secs_f64());
    let (sat, unsat, unknown) = r.queries;
    println!(
        "{name:<28} {:>6} cases {:>7} queries {:>9.1} ms {:>9.0} cases/s  {}",
        r.paths,
        sat + unsat + unknown,
        seconds * 1e3,
        r.paths as f64 / seconds,
        if r.complete { "complete" } else { "not complete" }
    );
}

/// The fastest of three runs.
fn fastest(run: impl Fn() -> Outcome) -> (Outcome, Duration) {
    let timed = || {
        let start = Instant::now();
        (run(), start.elapsed())
    };
    [timed(), timed(), timed()].into_iter().min_by_key(|(_, time)| *time).expect("there are three")
}

fn main() -> ExitCode {
    // cargo adds `--bench` to the arguments.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let mut wrong = Vec::new();
    for clauses in [4, 10, 20, 40] {
        for (kind, text, feasible) in [("chain", chain(clauses), Some(clauses as u64 + 1)), ("overlapping", overlapping(clauses), None)] {
            let name = format!("{kind} of {clauses}");
            if !chosen(&name) {
                continue;
            }
            let (outcome, time) = fastest(|| search(&text, "p/1", None, None));
            row(&name, &outcome, time);
            let (sat, unsat, _) = outcome.results.queries;
            if feasible.is_some_and(|feasible| outcome.results.paths != feasible) {
                wrong.push(format!("{name}: {} subsets", outcome.results.paths));
            }
            // One query for each subset that is found, at most one refutation for each clause besides.
            if sat + unsat > outcome.results.paths + clauses as u64 {
                wrong.push(format!("{name}: {} queries for {} subsets", sat + unsat, outcome.results.paths));
            }
        }
    }
    for (name, text) in subjects::all() {
        for expected in subjects::expectations(&text) {
            let name = format!("{name} {}", expected.args.split_whitespace().nth(1).unwrap_or_default());
            if !chosen(&name) {
                continue;
            }
            let (outcome, time) = fastest(|| subjects::run(&text, &expected.args));
            row(&name, &outcome, time);
            if expected.paths.is_some_and(|paths| paths != outcome.results.paths) {
                wrong.push(format!("{name}: {} paths", outcome.results.paths));
            }
            if name.starts_with("kind_of_day") && time > Duration::from_millis(50) {
                wrong.push(format!("{name}: {time:?} for twelve facts"));
            }
        }
    }
    for line in &wrong {
        println!("WRONG {line}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
