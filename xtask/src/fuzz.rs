//! `./x fuzz c [COUNT] [SEED] [-- ARGUMENTS]`: any number of generated programs against brute force, eight to a file.

use anyhow::{Result, bail};

use crate::{setup, shell};

const TARGETS: &[&str] = &["c"];

/// Files to compare if nobody says how many.
const DEFAULT_COUNT: &str = "100";

/// Runs the named fuzz target; arguments after `--` go to xcute.
pub fn run(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else { bail!("which target? There is: {}", TARGETS.join(", ")) };
    if !TARGETS.contains(&name.as_str()) {
        bail!("there is no fuzz target `{name}`. There is: {}", TARGETS.join(", "));
    }
    setup::run()?;
    shell::run(&mut shell::cargo(&["build", "--quiet", "--release", "--package", "xcute", "--package", "xcute-oracle"]))?;
    let mut command = shell::command(&shell::release("xcute-oracle"), &[&shell::release("xcute")]);
    if rest.first().is_none_or(|word| word == "--") {
        command.arg(DEFAULT_COUNT);
    }
    shell::run(command.args(rest))
}
