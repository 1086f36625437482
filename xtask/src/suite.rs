//! `./x test`: all tests of the workspace.
//!
//! nextest runs them where it is installed (faster, one process per test), `cargo test` elsewhere. In the end comes where the time went.

use anyhow::Result;

use crate::stopwatch::Stopwatch;
use crate::{setup, shell, slowest};

/// Runs the tests; further arguments go to the runner.
pub fn run(arguments: &[String]) -> Result<()> {
    setup::run()?;
    let rest: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if !shell::succeeds("cargo", &["nextest", "--version"]) {
        return shell::run(shell::cargo(&["test", "--workspace", "--no-fail-fast"]).args(rest));
    }
    let mut watch = Stopwatch::new();
    watch.step("build", || shell::run(&mut shell::cargo(&["nextest", "run", "--workspace", "--no-run"])))?;
    // nextest does not run the examples in doc comments; they go first, so that its summary comes last.
    if rest.is_empty() {
        watch.step("examples", || shell::run(&mut shell::cargo(&["test", "--quiet", "--workspace", "--doc"])))?;
    }
    let tests = watch.step("tests", || shell::run(shell::cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]).args(rest)));
    if let Ok(junit) = std::fs::read_to_string(shell::target().join("nextest/default/junit.xml")) {
        shell::say(&format!("x: the slowest tests\n{}", slowest::lines(&junit).join("\n")));
    }
    shell::say(&format!("x: {}", watch.summary()));
    tests
}
