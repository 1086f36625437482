//! `./x bench`: measurements. Each is a bench target of the binary's crate, or of the front end that it measures; this file only knows their names.

use anyhow::{Result, bail};

use crate::{recordings, setup, shell};

const TARGETS: &[&str] =
    &["c", "jobs", "table5", "sglib", "threads", "prune", "torture", "real", "growth", "clp", "java", "erl", "model", "page", "sat"];

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
        return recordings::measure(rest);
    }
    if name == "clp" && rest.first().is_some_and(|word| word == "real") {
        return shell::run(shell::cargo(&["bench", "--quiet", "--package", "xcute", "--bench", "clp_real", "--"]).args(rest));
    }
    let package = match name.as_str() {
        "clp" => "xcute-clp",
        "java" => "xcute-java",
        "erl" => "xcute-erl",
        "page" => "xcute-report",
        _ => "xcute",
    };
    shell::run(shell::cargo(&["bench", "--quiet", "--package", package, "--bench", name, "--"]).args(rest))
}
