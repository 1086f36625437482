//! `./x bench torture`: how long programs of unusual size take from their text to the failure that is in them.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

#[path = "../tests/torture/large.rs"]
mod large;

use std::fs;
use std::process::Command;
use std::time::Instant;

fn main() {
    let programs = [
        ("10 MB of source, 10,000 branches", large::program(200, 50, 10_000_000)),
        ("a function of 20,000 lines", large::function(20_000)),
        ("50,000 branches", large::program(50, 1000, 0)),
    ];
    println!("| program | bytes | seconds | branches | failure |\n|---|---:|---:|---:|---|");
    for (name, source) in programs {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("subject.c"), &source).unwrap();
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
        let output =
            command.current_dir(place.path()).args(["c", "subject.c", "--entry", "f", "--format", "json", "--", "-w"]).output().unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let (total, kind) = (&summary["coverage"]["branches"]["total"], &summary["failures"][0]["kind"]);
        println!("| {name} | {} | {seconds:.1} | {total} | {} |", source.len(), kind.as_str().unwrap_or("not found"));
    }
}
