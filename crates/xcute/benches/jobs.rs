//! `./x bench jobs`: paths per second with one worker and with two, on subjects whose time is the solver's.
//!
//! Both are run in turns, five times, and the median of the ratios counts: absolute times mean little on a shared machine.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 5;

/// `n` branches on products of six inputs: each is a question that takes the solver milliseconds.
fn products(n: usize) -> String {
    let mut text = String::from("int products(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned f) {\n  int n = 0;\n");
    let inputs = ["a", "b", "c", "d", "e", "f"];
    let pairs = (0..inputs.len()).flat_map(|i| (i + 1..inputs.len()).map(move |j| (i, j)));
    for (k, (i, j)) in (1..).zip(pairs).take(n) {
        let (x, y, z) = (inputs[i], inputs[j], inputs[(i + j) % inputs.len()]);
        writeln!(text, "  if ({x} * {y} + {z} == {}u) n++;", k * 12_345).unwrap();
    }
    text + "  return n;\n}\n"
}

fn main() {
    println!(
        "| subject | paths | failures | solver's share of one worker in % | 2 workers : 1 worker, paths per second |\n|---|---:|---:|---:|---:|"
    );
    for n in [8, 10] {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("subject.c"), products(n)).unwrap();
        let mut ratios: Vec<f64> = Vec::new();
        let mut last = serde_json::Value::Null;
        for _ in 0..ROUNDS {
            let [one, two] = ["1", "2"].map(|jobs| search(place.path(), jobs));
            assert_eq!((&one["paths"], &one["complete"]), (&two["paths"], &two["complete"]), "the same paths");
            ratios.push(seconds(&one, "total") / seconds(&two, "total"));
            last = one;
        }
        ratios.sort_by(f64::total_cmp);
        let share = 100.0 * seconds(&last, "solver") / seconds(&last, "total");
        let failures = last["failures"].as_array().unwrap().len();
        println!(
            "| {n} products | {} | {failures} | {share:.0} | {:.2} ({:.2} to {:.2}) |",
            last["paths"],
            ratios[ROUNDS / 2],
            ratios[0],
            ratios[ROUNDS - 1]
        );
    }
}

fn search(place: &Path, jobs: &str) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    let words = ["c", "subject.c", "--entry", "products", "--format", "json", "--no-progress", "--prune", "off", "--jobs", jobs];
    let output = command.current_dir(place).args(words).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn seconds(summary: &serde_json::Value, of: &str) -> f64 {
    summary["seconds"][of].as_f64().unwrap()
}
