//! `--jobs`: several workers find together what one finds alone, and budgets hold for all of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn subject(name: &str) -> (PathBuf, Vec<String>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/c").join(name);
    let text = std::fs::read_to_string(&file).unwrap();
    let arguments = text.lines().find_map(|line| line.strip_prefix("//@ args: ")).unwrap_or_default();
    (file, arguments.split_whitespace().map(str::to_owned).collect())
}

fn xcute(name: &str, more: &[&str]) -> Value {
    let (file, arguments) = subject(name);
    let out = tempfile::tempdir().unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .args(["c", "--format", "json", "--keep-cases", "none", "--time", "300s", "--out"])
        .arg(out.path())
        .args(arguments)
        .args(more)
        .arg(file)
        .output()
        .unwrap();
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
}

/// What must not depend on the number of workers.
fn found(summary: &Value) -> (BTreeSet<(String, u64)>, Vec<Value>) {
    let failures = summary["failures"].as_array().unwrap().iter();
    let failures = failures.map(|f| (f["kind"].as_str().unwrap().to_owned(), f["line"].as_u64().unwrap())).collect();
    let same = ["paths", "runs", "complete", "arms", "coverage", "limits", "stop"];
    (failures, same.iter().map(|field| summary[field].clone()).collect())
}

#[test]
fn workers_find_the_same_paths_and_failures() {
    // Shapes of pointers, whose objects each worker meets in another order; strings; failures; recursion.
    for name in ["lists.c", "search_tree.c", "sorted_insert.c", "library_find.c", "roman.c"] {
        let alone = xcute(name, &[]);
        for more in [&["--jobs", "2"][..], &["-j", "4", "--strategy", "random", "--seed", "3"]] {
            let together = xcute(name, more);
            assert_eq!(found(&together), found(&alone), "{name} {more:?}");
        }
    }
}

#[test]
fn budgets_hold_for_all_workers() {
    let summary = xcute("roman.c", &["--jobs", "3", "--runs", "40"]);
    assert_eq!((&summary["runs"], &summary["stop"], &summary["jobs"]), (&40.into(), &"runs".into(), &3.into()));
    let summary = xcute("lists.c", &["--jobs", "3", "--stop-at", "first-failure"]);
    assert_eq!((summary["failures"].as_array().unwrap().len(), &summary["stop"]), (1, &"first-failure".into()));
}
