//! `./x check`: formatting, lints, documentation and tidiness, all with warnings as errors.

use anyhow::{Result, bail};

use crate::{docs, setup, shell, tidy};

/// Runs all checks, the quick ones first.
pub fn run() -> Result<()> {
    setup::run()?;
    setup::rust_component("fmt", "rustfmt")?;
    setup::rust_component("clippy", "clippy")?;
    step("tidy");
    tidy()?;
    step("rustfmt");
    shell::run(&mut shell::cargo(&["fmt", "--all", "--check"]))?;
    step("clippy");
    shell::run(&mut shell::cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    step("rustdoc");
    docs::build()?;
    shell::say("x: all checks passed");
    Ok(())
}

/// Runs only the tidiness checks, which need nothing but the sources.
pub fn tidy() -> Result<()> {
    let findings = tidy::check(&shell::root())?;
    if findings.is_empty() {
        return Ok(());
    }
    bail!("not tidy\n  {}", findings.join("\n  "));
}

fn step(name: &str) {
    shell::say(&format!("x: {name}"));
}
