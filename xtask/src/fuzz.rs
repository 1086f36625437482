//! `./x fuzz`: any number of generated programs against brute force.

use anyhow::{Result, bail};

const TARGETS: &[&str] = &[];

/// Runs the named fuzz target.
pub fn run(arguments: &[String]) -> Result<()> {
    let Some(name) = arguments.first() else { bail!("which target? There are: {}", list()) };
    bail!("there is no fuzz target `{name}`. There are: {}", list())
}

fn list() -> String {
    if TARGETS.is_empty() { "none yet".into() } else { TARGETS.join(", ") }
}
