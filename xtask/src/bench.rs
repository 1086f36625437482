//! `./x bench`: measurements. Each bench is a target of a crate; this file only knows their names.

use anyhow::{Result, bail};

const TARGETS: &[&str] = &[];

/// Runs the named bench.
pub fn run(arguments: &[String]) -> Result<()> {
    let Some(name) = arguments.first() else { bail!("which bench? There are: {}", list()) };
    bail!("there is no bench `{name}`. There are: {}", list())
}

fn list() -> String {
    if TARGETS.is_empty() { "none yet".into() } else { TARGETS.join(", ") }
}
