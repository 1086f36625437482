//! Pruning against brute force: the same failures, however paths are skipped.
//!
//! The programs are those of [`crate::check()`]. Paths that cannot fail need not be run, so only failures are compared, and whether the search is complete. Where
//! everything is run all the same (`measure`), a run that fails after it passed a node from which nothing should fail keeps the search from being complete.
//!
//! **Invariant.** Every way is compared with the same brute force.

mod generate;

use anyhow::{Context, Result};

use crate::check::{Disagreement, Tools, brute_force, xcute};
use crate::made::directory;
use crate::program::File;

pub use generate::{Population, file};

/// Search orders, with and without greedy confirmation.
pub const WAYS: [[&str; 4]; 6] = [
    ["--strategy", "dfs", "--greedy", "off"],
    ["--strategy", "dfs", "--greedy", "on"],
    ["--strategy", "random", "--greedy", "off"],
    ["--strategy", "random", "--greedy", "on"],
    ["--strategy", "cfg", "--greedy", "off"],
    ["--strategy", "cfg", "--greedy", "on"],
];

/// What came of all ways together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Paths that there are.
    pub paths: u64,
    /// Paths that were run.
    pub run: u64,
    /// Arms that were skipped.
    pub skipped: u64,
}

/// Compares xcute with brute force on the file of a seed, pruning in each of these ways; `how` is what `--prune` is given.
///
/// # Errors
/// Where one of the two cannot be run.
pub fn check(tools: &Tools, seed: u64, how: &str, ways: &[[&str; 4]]) -> Result<std::result::Result<Saved, Box<Disagreement>>> {
    let file = File::new(seed);
    let dir = directory("prune", seed, &[tools.arguments.clone(), vec![how.to_owned()]].concat())?;
    let truth = brute_force(tools, &file, dir.path())?;
    let source = dir.path().join("generated.c");
    std::fs::write(&source, file.plain())?;
    let mut saved = Saved::default();
    for way in ways {
        let words = ["--prune", how].into_iter().chain(*way).map(str::to_owned);
        let tools = Tools { arguments: tools.arguments.iter().cloned().chain(words).collect(), ..tools.clone() };
        let found = xcute(&tools, &source, dir.path())?;
        let mut what = String::new();
        if !found.complete {
            what += &format!("xcute did not complete: {}\n", found.limits);
        }
        if found.verdict.failures != truth.failures {
            what += &format!("failures: brute force {:?}, xcute {:?}\n", truth.failures, found.verdict.failures);
        }
        if !what.is_empty() {
            let what = format!("--prune {how} {}: {what}", way.join(" "));
            return Ok(Err(Box::new(Disagreement { seed, what, source: file.plain() })));
        }
        saved.paths += truth.paths;
        saved.run += found.verdict.paths;
        saved.skipped += found.json["pruning"]["skipped"].as_u64().context("a search that prunes says what it skipped")?;
    }
    Ok(Ok(saved))
}
