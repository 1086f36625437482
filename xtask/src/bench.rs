//! `./x bench`: measurements. Each is a bench target of the binary's crate, or of the front end that it measures; this file only knows their names.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::{setup, shell};

const TARGETS: &[&str] = &["c", "jobs", "table5", "sglib", "threads", "prune", "torture", "real", "growth", "clp", "java", "erl", "sat"];

/// Runs the named bench; further arguments choose programs.
pub fn run(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else { bail!("which bench? There is: {}", TARGETS.join(", ")) };
    if !TARGETS.contains(&name.as_str()) {
        bail!("there is no bench `{name}`. There is: {}", TARGETS.join(", "));
    }
    setup::run()?;
    if name == "real" && !rest.iter().any(|word| word == "--compare") {
        setup::program("afl-fuzz", "afl++")?;
    }
    if name == "sat" {
        return sat(rest);
    }
    let package = match name.as_str() {
        "clp" => "xcute-clp",
        "java" => "xcute-java",
        "erl" => "xcute-erl",
        _ => "xcute",
    };
    shell::run(shell::cargo(&["bench", "--quiet", "--package", package, "--bench", name, "--"]).args(rest))
}

/// Programs of `benches/c` whose queries are recorded, unless the arguments choose others.
const RECORDED: &[&str] = &["quicksort", "calculator", "list_shapes", "products", "slots", "square", "bytes", "mixing"];

/// Records the queries of campaigns, and lets SAT solvers answer them.
fn sat(programs: &[String]) -> Result<()> {
    shell::run(&mut shell::cargo(&["build", "--quiet", "--release", "--package", "xcute"]))?;
    let programs = if programs.is_empty() { RECORDED.iter().map(|name| (*name).to_owned()).collect() } else { programs.to_vec() };
    let dir = shell::root().join("target/sat");
    let mut files: Vec<PathBuf> = Vec::new();
    for program in programs {
        let own = dir.join(&program);
        // What an earlier measurement left.
        let _ = fs::remove_dir_all(&own);
        fs::create_dir_all(&own).with_context(|| format!("cannot create {}", own.display()))?;
        let (source, results) = (format!("benches/c/{program}.c"), own.join("results").display().to_string());
        let options = ["c", &source, "--runs", "2000", "--time", "15s", "--prune", "off", "--quiet", "--no-progress", "--out", &results];
        let mut campaign = shell::command(&shell::release("xcute"), &options);
        // Programs fail, and xcute says so by its exit code.
        let _ = campaign.env("XCUTE_RECORD_SAT", &own).stdout(std::process::Stdio::null()).status()?;
        for entry in fs::read_dir(&own)? {
            let path = entry?.path();
            if path.extension().is_some_and(|end| end == "icnf") && path.metadata()?.len() > 0 {
                let named = dir.join(format!("{program}.icnf"));
                fs::rename(&path, &named)?;
                files.push(named);
            }
        }
    }
    let mut bench = shell::cargo(&["bench", "--quiet", "--package", "xcute-solver-bits", "--bench", "sat", "--"]);
    shell::run(bench.args(files))
}
