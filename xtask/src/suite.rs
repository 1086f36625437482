//! `./x test`: all tests of the workspace.
//!
//! nextest runs them where it is installed (faster, one process per test), `cargo test` elsewhere. The runner's own summary is
//! the last thing printed.

use anyhow::Result;

use crate::{setup, shell};

/// Runs the tests; further arguments go to the runner.
pub fn run(arguments: &[String]) -> Result<()> {
    setup::run()?;
    let rest: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if shell::succeeds("cargo", &["nextest", "--version"]) {
        // nextest does not run the examples in doc comments; they go first, so that its summary comes last.
        if rest.is_empty() {
            shell::run(&mut shell::cargo(&["test", "--quiet", "--workspace", "--doc"]))?;
        }
        shell::run(shell::cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]).args(rest))
    } else {
        shell::run(shell::cargo(&["test", "--workspace", "--no-fail-fast"]).args(rest))
    }
}
