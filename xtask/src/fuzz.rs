//! `./x fuzz TARGET [COUNT] [SEED]`: any number of generated programs against brute force.
//!
//! `c`: C programs, eight to a file; arguments after `--` go to xcute. `threads`: programs of the model language of `xcute-race`.

use anyhow::{Result, bail};

use crate::{setup, shell};

const TARGETS: &[&str] = &["c", "threads"];

/// Files of C programs to compare if nobody says how many.
const DEFAULT_COUNT: &str = "100";

/// Programs with threads to compare if nobody says how many: they are small.
const DEFAULT_THREADS: &str = "10000";

/// Runs the named fuzz target.
pub fn run(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else { bail!("which target? There is: {}", TARGETS.join(", ")) };
    if !TARGETS.contains(&name.as_str()) {
        bail!("there is no fuzz target `{name}`. There is: {}", TARGETS.join(", "));
    }
    setup::run()?;
    if name == "threads" {
        return threads(rest);
    }
    shell::run(&mut shell::cargo(&["build", "--quiet", "--release", "--package", "xcute", "--package", "xcute-oracle"]))?;
    let mut command = shell::command(&shell::release("xcute-oracle"), &[&shell::release("xcute")]);
    if rest.first().is_none_or(|word| word == "--") {
        command.arg(DEFAULT_COUNT);
    }
    shell::run(command.args(rest))
}

/// The random programs of the test suite, but more of them.
fn threads(rest: &[String]) -> Result<()> {
    let mut command = shell::cargo(&["test", "--quiet", "--release", "--package", "xcute-race", "--test", "threads", "random_programs"]);
    command.env("XCUTE_RACE_PROGRAMS", rest.first().map_or(DEFAULT_THREADS, String::as_str));
    if let Some(seed) = rest.get(1) {
        command.env("XCUTE_RACE_SEED", seed);
    }
    shell::run(&mut command)
}
