//! Random state machines: 16 small ones against brute force over all sequences (any number with `./x fuzz model`), and those for measurements.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::process::Command;

use serde_json::Value;
use xcute_oracle::{Tools, each, models, wrong};

/// Models of four machines each, after a fixed first seed, so that a failure can be repeated.
const MODELS: u64 = 4;

#[test]
fn every_sequence_is_accounted_for() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let results = each(0..MODELS, 0, |seed| {
        let checked = models::check(&tools, seed);
        let failures = checked.iter().flatten().map(|agreed| agreed.failures.len()).sum::<usize>();
        (failures, wrong(&format!("seed {seed}"), checked))
    });
    let failures: usize = results.iter().map(|(failures, _)| failures).sum();
    let wrong: Vec<String> = results.into_iter().filter_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{} of {MODELS} models:\n{}", wrong.len(), wrong.join("\n"));
    // Models that cannot fail would agree as well.
    assert!(failures > 2, "{failures} failures");
}

/// What xcute says of a model.
fn xcute(text: &str, arguments: &[&str]) -> String {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("random.art"), text).unwrap();
    let ran =
        Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(["model", "random.art"]).args(arguments).output().unwrap();
    assert!(ran.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn models_for_measurements_have_the_size_that_is_asked_for() {
    for size in [10, 100, 1000] {
        // The initial transition is one more.
        assert_eq!(xcute(&models::chain(size, 1), &[]), format!("R: {} states, {} transitions\n", size + 1, size + 1));
        let told = xcute(&models::tangle(size, 1), &[]);
        let transitions: usize = told.split_whitespace().nth(3).and_then(|number| number.parse().ok()).unwrap();
        assert!(transitions.abs_diff(size) <= size / 4 + 4, "{told}");
    }
}

/// The chain of the paper: every branch is covered within a few runs for each transition.
#[test]
fn every_branch_of_a_chain_is_covered() {
    let arguments = ["--capsule", "R", "--length", "10", "--allow-unexpected", "--runs", "600", "--format", "json", "--no-progress"];
    let summary: Value = serde_json::from_str(&xcute(&models::chain(10, 1), &arguments)).unwrap();
    let branches = &summary["coverage"]["branches"];
    assert_eq!((branches["covered"].as_u64(), branches["total"].as_u64()), (Some(40), Some(40)), "{summary}");
}
