//! The programs of `subjects/clp` and what their first lines expect.

use xcute_clp::machine::Bounds;
use xcute_clp::subject::ClpSubject;
use xcute_clp::syntax::Program;

use super::{Outcome, explore, lenient};

/// What is expected of one call.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    pub args: String,
    pub paths: Option<u64>,
    pub complete: bool,
    pub failures: Vec<String>,
}

/// Names and texts, by name.
pub fn all() -> Vec<(String, String)> {
    let directory = format!("{}/../../subjects/clp", env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{directory}: {error}")) {
        let path = entry.expect("a readable directory").path();
        if path.extension().is_some_and(|extension| extension == "pl") {
            let name = path.file_stem().expect("it has an extension").to_string_lossy().into_owned();
            found.push((name, std::fs::read_to_string(&path).expect("a readable file")));
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

/// The lines `%@` of a program.
pub fn expectations(text: &str) -> Vec<Expected> {
    let mut all: Vec<Expected> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("%@ ")) {
        let (key, value) = line.split_once(": ").expect("key: value");
        if key == "args" {
            all.push(Expected { args: value.to_owned(), ..Expected::default() });
            continue;
        }
        let last = all.last_mut().expect("args come first");
        match key {
            "paths" => last.paths = Some(value.parse().expect("a number")),
            "complete" => last.complete = value == "yes",
            "failure" => last.failures.push(value.to_owned()),
            other => panic!("what is {other}?"),
        }
    }
    all
}

/// Searches as the arguments say, to the end.
pub fn run(text: &str, args: &str) -> Outcome {
    let (program, mut subject) = subject_of(text, args);
    explore(&program, &mut subject, xcute_engine::Options { runs: 3_000, ..xcute_engine::Options::default() })
}

/// A subject as the arguments say.
pub fn subject_of(text: &str, args: &str) -> (Program, ClpSubject) {
    let (mut goal, mut ground, mut term_depth, mut bounds) = ("", None, None, Bounds::default());
    let mut words = args.split_whitespace();
    while let (Some(option), Some(value)) = (words.next(), words.next()) {
        match option {
            "--goal" => goal = value,
            "--ground" => ground = Some(value.split(',').map(|n| n.parse().expect("a number")).collect::<Vec<u32>>()),
            "--term-depth" => term_depth = Some(value.parse().expect("a number")),
            "--solutions" => bounds.solutions = if value == "all" { u64::MAX } else { value.parse().expect("a number") },
            other => panic!("what is {other}?"),
        }
    }
    lenient(text, goal, ground.as_deref(), term_depth, bounds)
}
