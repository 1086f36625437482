//! `./x bench prune [short] [--file F.c] [FAMILY…]`: what pruning by interpolation is worth [jaffar-murali-navas-2013 §6].
//!
//! The counter family, up to 60 conditions; drivers, to the end, with and without pruning; what `--prune auto` costs where nothing can be pruned (`overhead`);
//! and the curves of Figs. 5 and 6 (`curves`): the time to come to a number of paths, and the share of them that are subsumed. For the curves nothing is skipped
//! (`--prune measure`), and the time of runs that were subsumed is left out, as in the paper. They are written to `target/bench-prune/`.
//! Without pruning a driver has the same paths in every order, so it is searched to its end once, depth first. `short` takes a minute: the smallest of each.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

#[path = "prune/drivers.rs"]
mod drivers;
#[path = "prune/overhead.rs"]
mod overhead;
#[path = "prune/plot.rs"]
mod plot;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use drivers::{DRIVERS, counter};
use plot::Curve;
use serde_json::Value;

const ORDERS: [&str; 3] = ["dfs", "random", "cfg"];
/// A search without pruning may take so long.
const TIME: &str = "600s";
/// A search for a point of a curve may take so long.
const POINT: &str = "60s";
/// Paths at which curves are measured.
const PATHS: [u64; 6] = [50, 100, 200, 400, 800, 1600];

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
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
    let short = words.iter().any(|word| word == "short");
    words.retain(|word| word != "short");
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    let place = tempfile::tempdir().unwrap();
    if wanted("counter") {
        counters(place.path(), if short { 12 } else { 60 });
    }
    if wanted("overhead") {
        overhead::measure(place.path(), short);
    }
    let named = |driver: &&drivers::Driver| wanted("drivers") || words.iter().any(|word| word == driver.name);
    let drivers: Vec<_> = DRIVERS.iter().filter(named).take(if short { 1 } else { DRIVERS.len() }).collect();
    let files: Vec<PathBuf> = drivers.iter().map(|driver| place.path().join(format!("{}.c", driver.name))).collect();
    if !drivers.is_empty() {
        heading();
    }
    for (driver, path) in drivers.iter().zip(&files) {
        fs::write(path, driver.source()).unwrap();
        verify(driver.name, path);
    }
    if !short && (words.is_empty() || words.iter().any(|word| word == "curves")) {
        drivers.iter().zip(&files).for_each(|(driver, path)| curves(driver.name, path));
    }
}

/// The counter family: runs grow with n, not with 2^n.
fn counters(place: &Path, most: usize) {
    println!("| conditions | plain: runs | dfs: runs | cfg with greedy confirmation: runs | seconds |\n|---:|---:|---:|---:|---:|");
    for n in [4, 8, 12, 20, 40, 60].into_iter().filter(|&n| n <= most) {
        let path = place.join(format!("counter{n}.c"));
        fs::write(&path, counter(n)).unwrap();
        let plain = if n <= 12 { search(&path, &["--strategy", "dfs", "--prune", "off"]).0["runs"].to_string() } else { format!("2^{n}") };
        let (dfs, _) = search(&path, &["--strategy", "dfs", "--prune", "interpolation"]);
        let (cfg, _) = search(&path, &["--strategy", "cfg", "--prune", "interpolation"]);
        assert!(dfs["complete"] == true && cfg["complete"] == true, "{n}: {dfs}");
        let greedy = format!("{} + {}", cfg["runs"], cfg["pruning"]["confirmations"]);
        println!("| {n} | {plain} | {} | {greedy} | {:.2} |", dfs["runs"], seconds(&dfs));
    }
    println!();
}

fn heading() {
    println!(
        "| program | lines | search | pruning | runs | of greedy confirmation | complete | failures | seconds | with all builds | fewer runs | faster | with the second build | with all builds |"
    );
    println!("|---|---:|---|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|");
}

/// What was found, and the time of the whole command.
type Found = (Value, f64);

/// To the end, with and without.
fn verify(name: &str, path: &Path) {
    let lines = fs::read_to_string(path).unwrap().lines().count();
    let plain = search(path, &["--strategy", "dfs", "--prune", "off", "--time", TIME]);
    row(name, lines, "dfs", "off", &plain, None);
    for order in ORDERS {
        for (what, greedy) in [("without greedy confirmation", "off"), ("with it", "on")] {
            let pruned = search(path, &["--strategy", order, "--prune", "interpolation", "--greedy", greedy, "--time", TIME]);
            if plain.0["complete"] == true && pruned.0["complete"] == true {
                assert_eq!(places(&pruned.0), places(&plain.0), "{name}, {order}: pruning changes no failure");
            }
            row(name, lines, order, what, &pruned, Some(&plain));
        }
    }
}

fn row(name: &str, lines: usize, order: &str, what: &str, (found, all): &Found, plain: Option<&Found>) {
    let runs = |of: &Value| of["runs"].as_f64().unwrap() + of["pruning"]["confirmations"].as_f64().unwrap_or(0.0);
    let mut ratios = " | | |".to_owned();
    if let Some((plain, plain_all)) = plain {
        // A plain search that did not come to its end would have needed more.
        let least = if plain["complete"] == true { "" } else { "> " };
        let build = found["pruning"]["build_seconds"].as_f64().unwrap_or(0.0);
        let faster =
            [runs(plain) / runs(found), seconds(plain) / seconds(found), seconds(plain) / (seconds(found) + build), plain_all / all];
        ratios = faster.map(|ratio| format!("{least}{ratio:.1}")).join(" | ");
    }
    let (confirmations, failures) = (found["pruning"]["confirmations"].as_u64().unwrap_or(0), found["failures"].as_array().unwrap().len());
    println!(
        "| {name} | {lines} | {order} | {what} | {} | {confirmations} | {} | {failures} | {:.2} | {all:.2} | {ratios} |",
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
        let words: Vec<&str> = options.iter().copied().chain(["--runs", &most, "--time", POINT]).collect();
        let (found, _) = search(path, &words);
        points.push((found["runs"].as_f64().unwrap(), y(&found)));
        if found["stop"] != "runs" {
            break;
        }
    }
    points
}

fn search(path: &Path, options: &[&str]) -> Found {
    let place = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.arg("c").arg(path).args(["--format", "json", "--no-progress", "--keep-cases", "none", "--out"]).arg(place.path().join("out"));
    let start = Instant::now();
    let output = command.args(options).output().unwrap();
    let all = start.elapsed().as_secs_f64();
    let found = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (found, all)
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
