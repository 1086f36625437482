//! Our own searches beside each other: the default, and every other way of the same option.

use std::process::ExitCode;
use std::str::FromStr;

use super::measure::{Budget, branches, xcute};
use super::packages::Package;
use crate::{Prepared, prepare};

/// What is compared.
#[derive(Clone, Copy)]
pub enum Compared {
    Strategies,
    Prune,
    Fuzz,
}

impl FromStr for Compared {
    type Err = String;

    fn from_str(word: &str) -> Result<Compared, String> {
        match word {
            "strategies" => Ok(Compared::Strategies),
            "prune" => Ok(Compared::Prune),
            "fuzz" => Ok(Compared::Fuzz),
            _ => Err(format!("`{word}` cannot be compared")),
        }
    }
}

impl Compared {
    /// The option, and its values; the default comes first.
    fn ways(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Compared::Strategies => ("--strategy", &["coverage", "dfs", "bfs", "random", "cfg", "generational"]),
            Compared::Prune => ("--prune", &["auto", "off"]),
            Compared::Fuzz => ("--fuzz", &["auto", "off", "only"]),
        }
    }
}

/// Prints branches covered, runs and failures of each way on each package, and last the share that the default covers of the best.
pub fn table<'a>(compared: Compared, packages: impl Iterator<Item = &'a Package>, budget: Budget) -> ExitCode {
    let (option, ways) = compared.ways();
    println!("branches covered / runs / failures; the last column is what the default covers of the best\n");
    print!("{:<10}", "package");
    ways.iter().for_each(|way| print!("{way:>22}"));
    println!("{:>8}", "share");
    let mut failed = false;
    for package in packages {
        print!("{:<10}", package.name);
        match line(option, ways, package, budget) {
            Ok(share) => println!("{:>7.0} %", 100.0 * share),
            Err(why) => {
                println!(" cannot be measured: {}", why.trim());
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The share of the best that the first covers.
fn line(option: &str, ways: &[&str], package: &Package, budget: Budget) -> Result<f64, String> {
    let Prepared { ours, counted, seeds, at, .. } = prepare(package)?;
    let mut covered = Vec::new();
    for way in ways {
        let search = xcute(&ours, &seeds, &at, budget, &[option, way])?;
        let (taken, _) = branches(&counted, &search.inputs, &at)?;
        print!("{:>22}", format!("{taken} / {} / {}", search.runs, search.failures));
        covered.push(taken);
    }
    let best = covered.iter().copied().max().unwrap_or(0);
    Ok(covered[0] as f64 / best.max(1) as f64)
}
