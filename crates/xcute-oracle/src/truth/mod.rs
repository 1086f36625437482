//! Truth: programs whose values leave what is followed and come back, against brute force over their inputs.
//!
//! What xcute cannot follow it may leave open, but it has to say so. **The rule.** If brute force finds a failure that xcute does not report, xcute must not say
//! complete; and what xcute reports, brute force finds.

mod channels;
mod generate;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::check::{self, Disagreement, Tools};
use crate::made::{compile, directory, output};
use generate::File;
pub use generate::PROGRAMS;

/// How the search is made, by turns.
const WAYS: &[&[&str]] = &[
    &["--prune", "off"],
    &["--prune", "auto"],
    &["--prune", "interpolation"],
    &["--prune", "auto", "--strategy", "dfs"],
    &["--prune", "interpolation", "--horizon", "20"],
    &["--strategy", "generational", "--isolation", "fork"],
];

/// A search may take this long: it need not be complete.
const TIME: [&str; 2] = ["--time", "20s"];

/// What came out where both sides agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// Failures that brute force found.
    pub failures: u64,
    /// Whether xcute said complete.
    pub complete: bool,
}

/// The file of a seed, as xcute tests it.
#[must_use]
pub fn source(seed: u64) -> String {
    File::new(seed).plain()
}

/// Compares xcute with brute force on the file of a seed.
///
/// # Errors
/// Where one of the two cannot be run.
pub fn check(tools: &Tools, seed: u64) -> Result<std::result::Result<Agreed, Box<Disagreement>>> {
    let file = File::new(seed);
    let dir = directory("truth", seed, &tools.arguments)?;
    let truth = brute_force(tools, &file, seed, dir.path())?;
    let source = dir.path().join("generated.c");
    std::fs::write(&source, file.plain())?;
    let way = WAYS[usize::try_from(seed % WAYS.len() as u64)?];
    let mut tools = tools.clone();
    tools.arguments = way.iter().chain(&TIME).map(|word| (*word).to_owned()).chain(tools.arguments).collect();
    let found = check::xcute(&tools, &source, dir.path())?;
    let lines: BTreeSet<u64> = found.verdict.failures.iter().map(|(_, line)| *line).collect();
    let doubted = found.json["unconfirmed"].as_array().into_iter().flatten().filter_map(|failure| failure["line"].as_u64());
    let mut what = String::new();
    let missed: Vec<u64> = truth.difference(&lines).copied().collect();
    if found.complete && !missed.is_empty() {
        what += &format!("xcute says complete, and misses the failures in lines {missed:?}\n");
    }
    let false_alarms: Vec<u64> = lines.iter().copied().chain(doubted).filter(|line| !truth.contains(line)).collect();
    if !false_alarms.is_empty() {
        what += &format!("xcute reports failures in lines {false_alarms:?}, which brute force does not find\n");
    }
    if what.is_empty() {
        return Ok(Ok(Agreed { failures: truth.len() as u64, complete: found.complete }));
    }
    what += &format!("with {way:?}: {}\n", found.limits);
    Ok(Err(Box::new(Disagreement { seed, what, source: file.plain() })))
}

/// The lines that fail for some input.
fn brute_force(tools: &Tools, file: &File, seed: u64, dir: &Path) -> Result<BTreeSet<u64>> {
    let (source, exe) = (dir.join("brute.c"), dir.join("brute"));
    std::fs::write(&source, file.brute())?;
    compile(&tools.cc, &["-O0", "-w"], &source, &exe)?;
    let ran = output(Command::new(&exe).stdin(Stdio::null()).current_dir(dir))?;
    if !ran.status.success() {
        bail!("the brute force of seed {seed} failed: {}", ran.status);
    }
    std::str::from_utf8(&ran.stdout)?
        .lines()
        .map(|line| line.parse().with_context(|| format!("the brute force printed {line:?}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::channels::CHANNELS;
    use super::generate::PRELUDE;
    use super::*;

    #[test]
    fn every_channel_is_the_identity() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut text = format!("{PRELUDE}#define FAIL() abort()\n");
        let mut main = String::from("int main(void) {\n");
        for (nth, channel) in CHANNELS.iter().enumerate() {
            let _ = writeln!(text, "{}", channel.replace("NAME", &format!("c{nth}")));
            let _ = writeln!(main, "  for (int x = 0; x < 16; x++) if (c{nth}(x) != x) return {};", nth + 1);
        }
        let (source, exe) = (dir.path().join("all.c"), dir.path().join("all"));
        std::fs::write(&source, format!("{text}{main}  return 0;\n}}\n")).expect("a file");
        let built = Command::new("clang-19").args(["-O0", "-w", "-o"]).arg(&exe).arg(&source).arg("-lm").output().expect("clang");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(&exe).status().expect("it runs");
        assert_eq!(ran.code(), Some(0), "the number of the first channel that is not");
    }
}
