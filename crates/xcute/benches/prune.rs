//! `./x bench prune [--file F.c] [FAMILY…]`: what pruning by interpolation is worth (Jaffar, Murali & Navas, section 6).
//!
//! The counter family, up to 60 conditions; drivers, to the end, with and without pruning; and the curves of Figs. 5 and 6: the time to come to a number of
//! paths, and the share of them that are subsumed. For the curves nothing is skipped (`--prune measure`), and the time of runs that were subsumed is left out, as in
//! the paper. They are written to `target/bench-prune/`.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

#[path = "prune/drivers.rs"]
mod drivers;
#[path = "prune/plot.rs"]
mod plot;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use drivers::{DRIVERS, counter};
use plot::Curve;
use serde_json::Value;

const ORDERS: [&str; 3] = ["dfs", "random", "cfg"];
/// A search without pruning may take so long.
const TIME: &str = "60s";
/// Paths at which curves are measured.
const PATHS: [u64; 6] = [50, 100, 200, 400, 800, 1600];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [flag, file] = words.as_slice()
        && flag == "--file"
    {
        let path = PathBuf::from(file);
        let name = path.file_stem().map_or("program".into(), |stem| stem.to_string_lossy().into_owned());
        heading();
        verify(&name, &path);
        curves(&name, &path);
        return;
    }
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    let place = tempfile::tempdir().unwrap();
    if wanted("counter") {
        counters(place.path());
    }
    heading();
    for driver in DRIVERS.iter().filter(|driver| wanted("drivers") || words.iter().any(|word| word == driver.name)) {
        let path = place.path().join(format!("{}.c", driver.name));
        fs::write(&path, driver.source()).unwrap();
        verify(driver.name, &path);
        curves(driver.name, &path);
    }
}

/// The counter family: runs grow with n, not with 2^n.
fn counters(place: &Path) {
    println!("| conditions | plain: runs | dfs: runs | cfg with greedy confirmation: runs | seconds |\n|---:|---:|---:|---:|---:|");
    for n in [4, 8, 12, 20, 40, 60] {
        let path = place.join(format!("counter{n}.c"));
        fs::write(&path, counter(n)).unwrap();
        let plain = if n <= 12 { search(&path, &["--strategy", "dfs", "--prune", "off"])["runs"].to_string() } else { format!("2^{n}") };
        let dfs = search(&path, &["--strategy", "dfs", "--prune", "interpolation"]);
        let cfg = search(&path, &["--strategy", "cfg", "--prune", "interpolation"]);
        assert!(dfs["complete"] == true && cfg["complete"] == true, "{n}: {dfs}");
        let greedy = format!("{} + {}", cfg["runs"], cfg["pruning"]["confirmations"]);
        println!("| {n} | {plain} | {} | {greedy} | {:.2} |", dfs["runs"], seconds(&dfs));
    }
    println!();
}

fn heading() {
    println!(
        "| program | lines | search | pruning | runs | of greedy confirmation | complete | failures | seconds | fewer runs | faster |"
    );
    println!("|---|---:|---|---|---:|---:|---|---:|---:|---:|---:|");
}

/// To the end, with and without.
fn verify(name: &str, path: &Path) {
    let lines = fs::read_to_string(path).unwrap().lines().count();
    for order in ORDERS {
        let plain = search(path, &["--strategy", order, "--prune", "off", "--time", TIME]);
        row(name, lines, order, "off", &plain, None);
        for (what, greedy) in [("without greedy confirmation", "off"), ("with it", "on")] {
            let pruned = search(path, &["--strategy", order, "--prune", "interpolation", "--greedy", greedy, "--time", TIME]);
            if plain["complete"] == true && pruned["complete"] == true {
                assert_eq!(places(&pruned), places(&plain), "{name}, {order}: pruning changes no failure");
            }
            row(name, lines, order, what, &pruned, Some(&plain));
        }
    }
}

fn row(name: &str, lines: usize, order: &str, what: &str, found: &Value, plain: Option<&Value>) {
    let runs = |of: &Value| of["runs"].as_f64().unwrap() + of["pruning"]["confirmations"].as_f64().unwrap_or(0.0);
    let (mut fewer, mut faster) = (String::new(), String::new());
    if let Some(plain) = plain {
        // A plain search that did not come to its end would have needed more.
        let least = if plain["complete"] == true { "" } else { "> " };
        fewer = format!("{least}{:.1}", runs(plain) / runs(found));
        faster = format!("{least}{:.1}", seconds(plain) / seconds(found));
    }
    let (confirmations, failures) = (found["pruning"]["confirmations"].as_u64().unwrap_or(0), found["failures"].as_array().unwrap().len());
    println!(
        "| {name} | {lines} | {order} | {what} | {} | {confirmations} | {} | {failures} | {:.2} | {fewer} | {faster} |",
        found["runs"],
        found["complete"],
        seconds(found)
    );
}

/// Figs. 5 and 6.
fn curves(name: &str, path: &Path) {
    let (mut time, mut share) = (Vec::new(), Vec::new());
    let naive = points(path, &["--strategy", "random", "--prune", "off"], seconds);
    time.push(Curve { name: "naive".into(), points: naive });
    for (order, greedy) in [("dfs", "on"), ("random", "on"), ("cfg", "on"), ("cfg", "off")] {
        let label = format!("{order} {} greedy confirmation", if greedy == "on" { "with" } else { "without" });
        let options = ["--strategy", order, "--prune", "measure", "--greedy", greedy];
        let mut shares = Vec::new();
        let times = points(path, &options, |found| {
            let (runs, covered) = (found["runs"].as_f64().unwrap(), found["pruning"]["covered"].as_f64().unwrap());
            let pruning = found["pruning"]["seconds"].as_f64().unwrap();
            shares.push((runs, 100.0 * covered / runs));
            pruning + (seconds(found) - pruning) * (1.0 - covered / runs)
        });
        time.push(Curve { name: label.clone(), points: times });
        share.push(Curve { name: label, points: shares });
    }
    let place = target().join("bench-prune");
    fs::create_dir_all(&place).unwrap();
    for (what, curves, y) in [("time", time, "seconds"), ("subsumed", share, "% of the paths subsumed")] {
        let file = place.join(format!("{name}-{what}.svg"));
        fs::write(&file, plot::svg(name, "paths", y, &curves)).unwrap();
        println!("{name}: {}", file.display());
    }
}

fn points(path: &Path, options: &[&str], mut y: impl FnMut(&Value) -> f64) -> Vec<(f64, f64)> {
    let mut points = vec![(0.0, 0.0)];
    for most in PATHS {
        let most = most.to_string();
        let words: Vec<&str> = options.iter().copied().chain(["--runs", &most, "--time", TIME]).collect();
        let found = search(path, &words);
        points.push((found["runs"].as_f64().unwrap(), y(&found)));
        if found["stop"] != "runs" {
            break;
        }
    }
    points
}

fn search(path: &Path, options: &[&str]) -> Value {
    let place = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.arg("c").arg(path).args(["--format", "json", "--no-progress", "--keep-cases", "none", "--out"]).arg(place.path().join("out"));
    let output = command.args(options).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

fn places(found: &Value) -> Vec<(String, u64)> {
    let failures = found["failures"].as_array().unwrap().iter();
    let mut all: Vec<_> = failures.map(|f| (f["file"].to_string(), f["line"].as_u64().unwrap())).collect();
    all.sort();
    all
}

/// The time of the search. That of building the program, once or twice, is not in it.
fn seconds(found: &Value) -> f64 {
    let build = found["pruning"]["build_seconds"].as_f64().unwrap_or(0.0);
    (found["seconds"]["total"].as_f64().unwrap() - build).max(1e-4)
}

/// The build directory that the binary is in.
fn target() -> PathBuf {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_xcute"));
    binary.ancestors().nth(2).map_or_else(|| PathBuf::from("target"), Path::to_path_buf)
}
