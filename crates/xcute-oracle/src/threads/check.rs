//! Runs xcute on a generated file and compares what it finds with what is true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Kind;
use super::explore::Group;
use super::file::{File, Program};
use crate::check::{Disagreement, Tools};
use crate::made::directory;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    /// Complete executions.
    pub paths: u64,
    /// Runs.
    pub runs: u64,
}

/// What xcute says.
struct Found {
    summary: Value,
    /// How often each line was covered.
    covered: BTreeMap<u32, u64>,
}

/// Compares xcute with brute force on the file of a seed, with each of the algorithms.
///
/// # Errors
/// Where xcute cannot be run.
pub fn check(
    tools: &Tools,
    seed: u64,
    programs: usize,
    kind: Kind,
    algorithms: &[&str],
) -> Result<std::result::Result<Checked, Box<Disagreement>>> {
    let file = File::new(seed, programs, kind);
    let dir = directory(
        "threads",
        seed,
        &algorithms.iter().chain(&[&*format!("{programs} {kind:?}")]).map(|word| (*word).to_owned()).collect::<Vec<_>>(),
    )?;
    let source = dir.path().join("generated.c");
    std::fs::write(&source, &file.source)?;
    let (mut what, mut total, mut counts) = (String::new(), Checked::default(), BTreeMap::new());
    for algorithm in algorithms {
        let found = run(tools, &source, dir.path(), algorithm)?;
        for difference in differences(&file, &found) {
            what += &format!("{algorithm}: {difference}\n");
        }
        let paths = found.summary["paths"].as_u64().unwrap_or(0);
        total.paths += paths;
        total.runs += found.summary["runs"].as_u64().unwrap_or(0);
        counts.insert(*algorithm, paths);
    }
    // Both of them run every execution that differs, and each once. What a sleeping section will access is not known: it may wake up too early.
    if let (Some(dpor), Some(sleep)) = (counts.get("dpor"), counts.get("sleep"))
        && dpor != sleep
        && kind != Kind::Waiting
    {
        what += &format!("dpor has {dpor} paths, sleep {sleep}\n");
    }
    Ok(if what.is_empty() { Ok(total) } else { Err(Box::new(Disagreement { seed, what, source: file.source })) })
}

fn run(tools: &Tools, source: &Path, dir: &Path, algorithm: &str) -> Result<Found> {
    let out = dir.join(algorithm);
    let ran = Command::new(&tools.xcute)
        .args(["c", "--entry", "main", "--format", "json", "--no-progress", "--time", "120s", "--keep-cases", "none"])
        .args(["--schedules", algorithm, "--out"])
        .arg(&out)
        .args(&tools.arguments)
        .arg(source)
        .output()
        .with_context(|| format!("cannot run {}", tools.xcute.display()))?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let summary: Value = serde_json::from_str(&text)
        .with_context(|| format!("xcute printed no JSON object: {text}{}", String::from_utf8_lossy(&ran.stderr)))?;
    let lcov = std::fs::read_to_string(out.join("coverage.lcov")).context("no coverage.lcov")?;
    let line = |line: &str| -> Option<(u32, u64)> {
        let (line, count) = line.strip_prefix("DA:")?.split_once(',')?;
        Some((line.parse().ok()?, count.parse().ok()?))
    };
    Ok(Found { summary, covered: lcov.lines().filter_map(line).collect() })
}

/// One line for everything that is not as it must be.
fn differences(file: &File, found: &Found) -> Vec<String> {
    let mut all = Vec::new();
    if found.summary["complete"] != true {
        let part = |key: &str| format!("{key} {}", found.summary[key]);
        all.push(format!("not complete: {}, {}, {}", part("stop"), part("arms"), part("limits")));
    }
    for (i, program) in file.programs.iter().enumerate() {
        compare(program, found, &mut |what| all.push(format!("program{i}: {what}")));
    }
    let empty = Vec::new();
    for failure in found.summary["failures"].as_array().unwrap_or(&empty) {
        let kind = failure["kind"].as_str().unwrap_or("?");
        if !["assertion", "deadlock", "lost-wakeup", "data-race"].contains(&kind) {
            all.push(format!("a failure of kind {kind}: {}", failure["message"]));
        }
        if failure["replayed"] != true {
            all.push(format!("{} ({kind}, line {}) was not replayed", failure["id"], failure["line"]));
        }
    }
    all
}

/// The lines of the accesses that race in a program, the lower one first.
fn pairs(summary: &Value, program: &Program) -> BTreeSet<(u32, u32)> {
    let pair = |failure: &Value| {
        let line = |at: &Value| u32::try_from(at["line"].as_u64()?).ok();
        let (a, b) = (line(failure)?, line(&failure["notes"][0]["at"])?);
        Some((a.min(b), a.max(b)))
    };
    let races = summary["failures"].as_array().into_iter().flatten().filter(|failure| failure["kind"] == "data-race");
    races.filter_map(pair).filter(|(line, _)| program.lines.contains(line)).collect()
}

fn compare(program: &Program, found: &Found, wrong: &mut dyn FnMut(String)) {
    let empty = Vec::new();
    let lines = |kind: &str| -> BTreeSet<u32> {
        let all = found.summary["failures"].as_array().unwrap_or(&empty).iter();
        let lines = all.filter(|f| f["kind"] == kind).filter_map(|f| u32::try_from(f["line"].as_u64()?).ok());
        lines.filter(|line| program.lines.contains(line)).collect()
    };
    let truth = &program.truth;
    let assertions = lines("assertion");
    if assertions != truth.failures {
        wrong(format!("assertions fail in lines {assertions:?}, by brute force in {:?}", truth.failures));
    }
    // A thread that waits for a permit that is never given has lost a wakeup.
    let deadlock = !lines("deadlock").is_empty() || !lines("lost-wakeup").is_empty();
    if deadlock != truth.deadlock {
        wrong(format!("deadlock: {deadlock}, by brute force {}", truth.deadlock));
    }
    let races = pairs(&found.summary, program);
    let groups =
        |pairs: &BTreeSet<(u32, u32)>| -> BTreeSet<Group> { pairs.iter().filter_map(|pair| truth.conflicts.get(pair)).copied().collect() };
    let (reported, real) = (groups(&races), groups(&truth.races));
    // One pair of each group is reported.
    if !reported.is_superset(&real) || reported.len() != races.len() || races.is_empty() != real.is_empty() {
        wrong(format!("data races in lines {races:?}, by brute force {:?}", truth.races));
    }
    let hit = |line: u32| found.covered.get(&line).is_some_and(|n| *n > 0);
    for (state, line) in &program.states {
        match (truth.states.contains(state), hit(*line)) {
            (true, false) => wrong(format!("final state {state} was not reached")),
            (false, true) => wrong(format!("final state {state} cannot be reached")),
            _ => {}
        }
    }
    if hit(program.other) {
        wrong("a final state was reached that is not known".to_owned());
    }
}
