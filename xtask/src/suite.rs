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
    let threads = at_once().to_string();
    let tests = &["nextest", "run", "--workspace", "--no-fail-fast", "--test-threads", &threads];
    let tests = watch.step("tests", || shell::run(shell::cargo(tests).args(rest)));
    if let Ok(junit) = std::fs::read_to_string(shell::target().join("nextest/default/junit.xml")) {
        shell::say(&format!("x: the slowest tests\n{}", slowest::lines(&junit).join("\n")));
    }
    shell::say(&format!("x: {}", watch.summary()));
    tests
}

/// How many tests run at once: some wait for a clock or for another process, and leave a core to others.
fn at_once() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    2 * cores
}
