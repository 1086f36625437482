//! `./x check`: formatting, lints, documentation and tidiness, all with warnings as errors.

use anyhow::{Result, bail};

use crate::stopwatch::Stopwatch;
use crate::{docs, gallery, setup, shell, tidy};

/// Runs all checks, the quick ones first.
pub fn run() -> Result<()> {
    setup::run()?;
    setup::rust_component("fmt", "rustfmt")?;
    setup::rust_component("clippy", "clippy")?;
    let mut watch = Stopwatch::new();
    watch.step("tidy", tidy)?;
    watch.step("rustfmt", || shell::run(&mut shell::cargo(&["fmt", "--all", "--check"])))?;
    let clippy = &["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"];
    watch.step("clippy", || shell::run(&mut shell::cargo(clippy)))?;
    watch.step("rustdoc", docs::build)?;
    if shell::succeeds("cargo", &["deny", "--version"]) {
        watch.step("deny", || shell::run(&mut shell::cargo(&["deny", "--offline", "check", "bans", "licenses", "sources"])))?;
    }
    shell::say(&format!("x: all checks passed ({})", watch.summary()));
    Ok(())
}

/// Runs only the tidiness checks, which need nothing but the sources.
pub fn tidy() -> Result<()> {
    let mut findings = tidy::check(&shell::root())?;
    findings.extend(gallery::check(&shell::root())?);
    if findings.is_empty() {
        return Ok(());
    }
    bail!("not tidy\n  {}", findings.join("\n  "));
}
