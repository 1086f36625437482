//! `./x bench real [--compare strategies|prune|fuzz] [--time SECONDS] [--bytes N] [PACKAGES]`: code that nobody here wrote, beside AFL++, or beside itself.
//!
//! The sources are Debian's, fetched once into `target/real` and never part of this repository. Each package is built, untouched, three
//! times: with `xcute cc`, with AFL++'s compiler, and with clang to count branches. Both tools search for the same time on the same
//! number of processors, from the same seed, with inputs of the same length; the branches that their inputs take are counted
//! on the third build. With `--compare` the searches are our own, with each strategy or with each way of pruning or fuzzing, and the first is the default.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a measuring program; its output is its purpose")]

mod real {
    pub mod build;
    pub mod compare;
    pub mod measure;
    pub mod packages;
}

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use real::build::{build, fetch};
use real::compare::Compared;
use real::measure::{Budget, Search, afl, branches, xcute};
use real::packages::{PACKAGES, Package};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let after = |option: &str| after_word(&words, option).and_then(|word| word.parse().ok());
    let budget = Budget { seconds: after("--time").unwrap_or(60), bytes: after("--bytes").unwrap_or(24) as u32 };
    let known = |name: &str| PACKAGES.iter().any(|p| p.name == name);
    let chosen: Vec<&String> = words.iter().filter(|w| known(w)).collect();
    let compared: Option<Compared> = after_word(&words, "--compare").map(|word| word.parse().expect("strategies, prune or fuzz"));
    println!("{} s for each search, inputs of up to {} bytes\n", budget.seconds, budget.bytes);
    let chosen = PACKAGES.iter().filter(|p| chosen.is_empty() || chosen.iter().any(|name| *name == p.name));
    if let Some(compared) = compared {
        return real::compare::table(compared, chosen, budget);
    }
    println!("{:<10}{:>10}{:>18}{:>18}{:>12}{:>12}{:>10}", "package", "branches", "xcute", "AFL++", "runs", "runs", "failures");
    let mut failed = false;
    for package in chosen {
        match measured(package, budget) {
            Ok(line) => println!("{line}"),
            Err(why) => {
                println!("{:<10}cannot be measured: {}", package.name, why.trim());
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The word after an option.
fn after_word<'a>(words: &'a [String], option: &str) -> Option<&'a str> {
    words.iter().position(|w| w == option).and_then(|at| words.get(at + 1)).map(String::as_str)
}

/// Where the builds and results of all packages are.
fn workshop() -> Result<PathBuf, String> {
    let real = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../real");
    std::fs::create_dir_all(&real).and_then(|()| real.canonicalize()).map_err(|e| e.to_string())
}

/// A package built for xcute and to count branches, with the seeds of its searches and a place for their results.
struct Prepared {
    archive: PathBuf,
    ours: PathBuf,
    counted: PathBuf,
    seeds: PathBuf,
    at: PathBuf,
}

fn prepare(package: &Package) -> Result<Prepared, String> {
    let real = workshop()?;
    let archive = fetch(package.name, &real)?;
    let at = real.join(package.name);
    let ours = build(package, &archive, &at.join("xcute"), concat!(env!("CARGO_BIN_EXE_xcute"), " cc"))?;
    let counted = build(package, &archive, &at.join("counted"), "clang-19 -fprofile-instr-generate -fcoverage-mapping")?;
    let seeds = at.join("seeds");
    std::fs::create_dir_all(&seeds).and_then(|()| std::fs::write(seeds.join("seed"), package.seed)).map_err(|e| e.to_string())?;
    Ok(Prepared { archive, ours, counted, seeds, at })
}

fn measured(package: &Package, budget: Budget) -> Result<String, String> {
    let Prepared { archive, ours, counted, seeds, at } = prepare(package)?;
    let theirs = build(package, &archive, &at.join("afl"), "afl-clang-fast")?;
    let (first, second) = (xcute(&ours, &seeds, &at, budget, &[])?, afl(&theirs, &seeds, &at, budget)?);
    let covered = |search: &Search| branches(&counted, &search.inputs, &at);
    let ((x, total), (a, _)) = (covered(&first)?, covered(&second)?);
    let share = |n: u64| format!("{n} ({:.0} %)", 100.0 * n as f64 / total.max(1) as f64);
    let Search { runs, failures, .. } = &first;
    let both = format!("{failures} / {}", second.failures);
    Ok(format!("{:<10}{total:>10}{:>18}{:>18}{runs:>12}{:>12}{both:>10}", package.name, share(x), share(a), second.runs))
}
