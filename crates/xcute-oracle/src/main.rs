//! `xcute-oracle XCUTE c|prune|threads|truth|model COUNT [SEED] [-- ARGUMENTS]`: compares xcute with brute force on COUNT files of several programs each. Called
//! by `./x fuzz`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of its own")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use xcute_oracle::{Disagreement, Tools, check, models, prune, threads, truth};

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("xcute-oracle: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Gives back the number of files on which the two sides disagree.
fn run() -> Result<usize> {
    let mut words = std::env::args().skip(1);
    let usage = "usage: xcute-oracle XCUTE c|prune|threads|truth|model COUNT [SEED] [-- ARGUMENTS]";
    let xcute = words.next().context(usage)?;
    let target = words.next().context(usage)?;
    if !["c", "prune", "threads", "truth", "model"].contains(&target.as_str()) {
        bail!(usage);
    }
    let count: u64 = words.next().context(usage)?.parse().context(usage)?;
    let rest: Vec<String> = words.collect();
    let (numbers, arguments) = rest.split_at(rest.iter().position(|w| w == "--").unwrap_or(rest.len()));
    let seed: u64 = numbers.first().map_or(Ok(0), |s| s.parse()).context(usage)?;
    let arguments = arguments.iter().skip(1).cloned().collect();
    let tools = Tools { xcute: xcute.into(), cc: "clang-19".into(), arguments };
    let (next, agreed, paths, wrong) = (AtomicU64::new(seed), AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= seed + count {
                return Ok(());
            }
            let verdict = match target.as_str() {
                "threads" => {
                    let kinds = [threads::Kind::Usual, threads::Kind::Waiting, threads::Kind::Usual, threads::Kind::Racing];
                    let kind = kinds[(at % 4) as usize];
                    threads::check(&tools, at, threads::PROGRAMS, kind, &threads::ALGORITHMS)?.map(|checked| checked.paths)
                }
                // Every fourth file is run as a whole, whatever could be skipped.
                "prune" => {
                    prune::check(&tools, at, if at % 4 == 3 { "measure" } else { "interpolation" }, &prune::WAYS)?.map(|saved| saved.run)
                }
                "truth" => match truth::check(&tools, at) {
                    Ok(verdict) => verdict.map(|agreed| u64::from(agreed.complete)),
                    // A crash is a finding as well.
                    Err(error) => Err(Box::new(Disagreement { seed: at, what: format!("{error:#}"), source: truth::source(at) })),
                },
                "model" => models::check(&tools, at)?.map(|agreed| agreed.failures.len() as u64),
                _ => check(&tools, at)?.map(|verdict| verdict.paths),
            };
            match verdict {
                Ok(found) => {
                    agreed.fetch_add(1, Ordering::Relaxed);
                    paths.fetch_add(found, Ordering::Relaxed);
                }
                Err(disagreement) => report(&wrong, *disagreement)?,
            }
        }
    };
    std::thread::scope(|scope| -> Result<()> {
        let threads: Vec<_> = (0..std::thread::available_parallelism().map_or(1, usize::from)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|t| t.join().expect("a worker does not panic"))
    })?;
    let wrong = wrong.into_inner().expect("no worker panics");
    let what = match target.as_str() {
        "truth" => "complete",
        "model" => "failures",
        _ => "paths",
    };
    println!("{} files of programs agree with brute force ({} {what}), {} do not", agreed.into_inner(), paths.into_inner(), wrong.len());
    Ok(wrong.len())
}

fn report(wrong: &Mutex<Vec<u64>>, d: Disagreement) -> Result<()> {
    let file = std::env::temp_dir().join(format!("xcute-oracle-{}.c", d.seed));
    std::fs::write(&file, &d.source)?;
    eprintln!("seed {} ({}):\n{}", d.seed, file.display(), d.what);
    wrong.lock().expect("no worker panics").push(d.seed);
    Ok(())
}
