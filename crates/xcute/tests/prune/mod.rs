//! Pruning on random C programs: 576 programs with assertions here, any number with `./x fuzz prune`.
//!
//! With pruning the same failures are found as without, and the same arms are covered, for every order, with and without greedy confirmation. by two workers, within a horizon, and with
//! interpolants that must be small. Stronger: no failing path of the plain search
//! passes a full node, for a path that is run by luck hides a wrong interpolant. The crate itself asserts that each node's own state implies its
//! interpolant.
//!
//! `XCUTE_PRUNE_FILES` asks for another number of files of each population, `XCUTE_PRUNE_SEED` for others.

mod campaigns;
mod mutants;

use campaigns::{Sums, check};
use xcute_oracle::prune::{Population, file};

/// Programs that share a file.
const PROGRAMS: u32 = 12;
/// Files of each population.
const FILES: u64 = 6;
/// Files with more paths are left out.
const RUNS: u64 = 300;

/// Holds the files of a population against the plain search.
fn agree(population: Population) {
    let number = |name: &str, default| std::env::var(name).map_or(default, |text| text.parse().expect("a number"));
    let (files, first) = (number("XCUTE_PRUNE_FILES", FILES), number("XCUTE_PRUNE_SEED", 1));
    let mut sums = Sums::default();
    let mut wrong = Vec::new();
    for seed in first.. {
        if sums.files + wrong.len() as u64 == files {
            break;
        }
        let text = file(population, seed, PROGRAMS);
        match check(&text, seed, RUNS) {
            Ok(more) => sums.add(more.unwrap_or_default()),
            Err(what) => {
                let kept = std::env::temp_dir().join(format!("xcute-prune-{population:?}-{seed}.c"));
                std::fs::write(&kept, &text).expect("a file for who looks into it");
                wrong.push(format!("{population:?}, seed {seed} ({}): {what}", kept.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {files} files:\n{}", wrong.len(), wrong.join("\n"));
    assert!(sums.failing_paths > 0 && sums.skipped > 0 && sums.runs < sums.plain, "nothing was pruned, or nothing fails: {sums:?}");
}

#[test]
fn counters() {
    agree(Population::Counters);
}

#[test]
fn addresses() {
    agree(Population::Addresses);
}

#[test]
fn records() {
    agree(Population::Records);
}

#[test]
fn heap() {
    agree(Population::Heap);
}

#[test]
fn calls() {
    agree(Population::Calls);
}

#[test]
fn loops() {
    agree(Population::Loops);
}

#[test]
fn shapes() {
    agree(Population::Shapes);
}

#[test]
fn mixed() {
    agree(Population::Mixed);
}
