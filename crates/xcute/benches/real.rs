//! `./x bench real [--time SECONDS] [--bytes N] [PACKAGES]`: code that nobody here wrote, beside AFL++.
//!
//! The sources are Debian's, fetched once into `target/real` and never part of this repository. Each package is built, untouched, three
//! times: with `xcute cc`, with AFL++'s compiler, and with clang to count branches. Both tools search for the same time on the same
//! number of processors, from the same seed, with inputs of the same length; the branches that their inputs take are counted
//! on the third build.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a measuring program; its output is its purpose")]

mod real {
    pub mod build;
    pub mod measure;
    pub mod packages;
}

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use real::build::{build, fetch};
use real::measure::{Budget, Search, afl, branches, xcute};
use real::packages::{PACKAGES, Package};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let after = |option: &str| words.iter().position(|w| w == option).and_then(|at| words.get(at + 1)?.parse().ok());
    let budget = Budget { seconds: after("--time").unwrap_or(60), bytes: after("--bytes").unwrap_or(24) as u32 };
    let known = |name: &str| PACKAGES.iter().any(|p| p.name == name);
    let chosen: Vec<&String> = words.iter().filter(|w| known(w)).collect();
    println!("{} s for each search, inputs of up to {} bytes\n", budget.seconds, budget.bytes);
    println!("{:<10}{:>10}{:>18}{:>18}{:>12}{:>12}{:>10}", "package", "branches", "xcute", "AFL++", "runs", "runs", "failures");
    let mut failed = false;
    for package in PACKAGES.iter().filter(|p| chosen.is_empty() || chosen.iter().any(|name| *name == p.name)) {
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

fn measured(package: &Package, budget: Budget) -> Result<String, String> {
    let real = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../real");
    std::fs::create_dir_all(&real).map_err(|e| e.to_string())?;
    let real = real.canonicalize().map_err(|e| e.to_string())?;
    let archive = fetch(package.name, &real)?;
    let at = |part: &str| -> PathBuf { real.join(package.name).join(part) };
    let ours = build(package, &archive, &at("xcute"), concat!(env!("CARGO_BIN_EXE_xcute"), " cc"))?;
    let theirs = build(package, &archive, &at("afl"), "afl-clang-fast")?;
    let counted = build(package, &archive, &at("counted"), "clang-19 -fprofile-instr-generate -fcoverage-mapping")?;
    let seeds = at("seeds");
    std::fs::create_dir_all(&seeds).and_then(|()| std::fs::write(seeds.join("seed"), package.seed)).map_err(|e| e.to_string())?;
    let (first, second) = (xcute(&ours, &seeds, &at(""), budget)?, afl(&theirs, &seeds, &at(""), budget)?);
    let covered = |search: &Search| branches(&counted, &search.inputs, &at(""));
    let ((x, total), (a, _)) = (covered(&first)?, covered(&second)?);
    let share = |n: u64| format!("{n} ({:.0} %)", 100.0 * n as f64 / total.max(1) as f64);
    let Search { runs, failures, .. } = &first;
    let both = format!("{failures} / {}", second.failures);
    Ok(format!("{:<10}{total:>10}{:>18}{:>18}{runs:>12}{:>12}{both:>10}", package.name, share(x), share(a), second.runs))
}
