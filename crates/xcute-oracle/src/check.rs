//! Runs both sides on one file and compares them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::made::{compile, directory, output};
use crate::program::File;

/// What to run.
#[derive(Clone, Debug)]
pub struct Tools {
    /// The xcute binary.
    pub xcute: PathBuf,
    /// A C compiler that knows nothing of xcute.
    pub cc: PathBuf,
    /// Further arguments for xcute: a strategy, a switched-off layer.
    pub arguments: Vec<String>,
}

/// What both sides agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Distinct paths.
    pub paths: u64,
    /// Failures: kind and line.
    pub failures: BTreeSet<(String, u64)>,
}

/// Where they do not.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The seed of the file.
    pub seed: u64,
    /// What differs, for a person.
    pub what: String,
    /// The file that xcute tested.
    pub source: String,
}

/// What is wrong with a file, in one piece of text; nothing if both sides agree.
pub fn wrong<T>(file: &str, checked: Result<std::result::Result<T, Box<Disagreement>>>) -> Option<String> {
    match checked {
        Ok(Ok(_)) => None,
        Ok(Err(disagreement)) => Some(format!("{file}: {}", disagreement.what)),
        Err(error) => Some(format!("{file}: {error:#}")),
    }
}

/// Compares xcute with brute force on the file of a seed.
///
/// # Errors
/// Where one of the two cannot be run.
pub fn check(tools: &Tools, seed: u64) -> Result<std::result::Result<Verdict, Box<Disagreement>>> {
    let file = File::new(seed);
    let dir = directory("paths", seed, &tools.arguments)?;
    let truth = brute_force(tools, &file, dir.path())?;
    let source = dir.path().join("generated.c");
    std::fs::write(&source, file.plain())?;
    let Found { verdict, complete, limits, .. } = xcute(tools, &source, dir.path())?;
    let mut what = String::new();
    if !complete {
        what += &format!("xcute did not complete: {limits}\n");
    }
    if verdict.paths != truth.paths {
        what += &format!("paths: brute force {}, xcute {}\n", truth.paths, verdict.paths);
    }
    if verdict.failures != truth.failures {
        what += &format!("failures: brute force {:?}, xcute {:?}\n", truth.failures, verdict.failures);
    }
    if what.is_empty() {
        return Ok(Ok(verdict));
    }
    Ok(Err(Box::new(Disagreement { seed, what, source: file.plain() })))
}

pub(crate) fn brute_force(tools: &Tools, file: &File, dir: &Path) -> Result<Verdict> {
    let (source, exe) = (dir.join("brute.c"), dir.join("brute"));
    std::fs::write(&source, file.brute())?;
    compile(&tools.cc, &["-O1", "-fwrapv", "-w"], &source, &exe)?;
    let ran = output(Command::new(&exe).stdin(Stdio::null()))?;
    if !ran.status.success() {
        bail!("the brute force of seed {} failed: {}", file.seed, ran.status);
    }
    let (mut paths, mut failures) = (BTreeSet::new(), BTreeSet::new());
    for line in std::str::from_utf8(&ran.stdout)?.lines() {
        // A path that fails is another path than its prefix that passes.
        paths.insert(line);
        let mut words = line.split(' ').skip(1);
        let (Some(end), Some(at)) = (words.next(), words.next()) else { bail!("the brute force printed {line:?}") };
        if end != "passed" {
            failures.insert((end.to_owned(), at.parse()?));
        }
    }
    Ok(Verdict { paths: paths.len() as u64, failures })
}

/// What xcute found.
pub(crate) struct Found {
    pub(crate) verdict: Verdict,
    pub(crate) complete: bool,
    /// What kept it from being complete, for a person.
    pub(crate) limits: String,
    /// The summary.
    pub(crate) json: Value,
}

pub(crate) fn xcute(tools: &Tools, source: &Path, dir: &Path) -> Result<Found> {
    // Paths are counted, unless it is said otherwise.
    let given = |option: &str| tools.arguments.iter().any(|word| word == option);
    let all = if given("--prune") { &[][..] } else { &["--prune", "off"] };
    let time = if given("--time") { &[][..] } else { &["--time", "120s"] };
    let ran = Command::new(&tools.xcute)
        .args(["c", "--entry", "subject", "--format", "json", "--no-progress", "--out"])
        .arg(dir.join("out"))
        .args(all)
        .args(time)
        .args(&tools.arguments)
        .arg(source)
        .output()
        .with_context(|| format!("cannot run {}", tools.xcute.display()))?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let json: Value = serde_json::from_str(&text)
        .with_context(|| format!("xcute printed no JSON object: {text}{}", String::from_utf8_lossy(&ran.stderr)))?;
    let mut failures = BTreeSet::new();
    for failure in json["failures"].as_array().into_iter().flatten() {
        let kind = failure["kind"].as_str().context("a failure has a kind")?;
        failures.insert((kind.to_owned(), failure["line"].as_u64().context("a failure has a line")?));
    }
    let doubted = json["unconfirmed"].as_array().is_some_and(|all| !all.is_empty());
    let expected = i32::from(doubted || !failures.is_empty());
    if ran.status.code() != Some(expected) {
        bail!("xcute ended with {} and {} failures", ran.status, failures.len());
    }
    let paths = json["paths"].as_u64().context("a summary has paths")?;
    let limits = format!("stop {}, arms {}, limits {}", json["stop"], json["arms"], json["limits"]);
    Ok(Found { verdict: Verdict { paths, failures }, complete: json["complete"] == true, limits, json })
}
