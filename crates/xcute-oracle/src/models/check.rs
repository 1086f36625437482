//! Runs both sides on one model and compares them.

use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::generate::{MACHINES, Model, STEPS};
use crate::check::{Disagreement, Tools};
use crate::made::{directory, made, output};

/// What both sides agree on.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Agreed {
    /// Kind and line of each failure.
    pub failures: BTreeSet<(String, u64)>,
    /// How many states were entered, transitions taken, and outcomes of guards seen.
    pub elements: [u64; 3],
    /// The branches that were run.
    pub arms: BTreeSet<u64>,
}

/// Compares xcute with brute force on the model of a seed.
///
/// # Errors
/// Where one of the two cannot be run.
pub fn check(tools: &Tools, seed: u64) -> Result<std::result::Result<Agreed, Box<Disagreement>>> {
    let (model, dir) = (Model::new(seed), directory("models", seed, &tools.arguments)?);
    std::fs::write(dir.path().join("random.art"), &model.text)?;
    let truth = brute_force(tools, &model, dir.path())?;
    let (found, complete) = xcute(tools, &model, dir.path())?;
    let mut what = String::new();
    if !complete {
        what += "xcute did not complete\n";
    }
    if found != truth {
        what += &format!("brute force {truth:?}\nxcute       {found:?}\n");
    }
    if what.is_empty() {
        return Ok(Ok(found));
    }
    Ok(Err(Box::new(Disagreement { seed, what, source: model.text })))
}

/// All sequences: a machine is selected, and then gets every message in every step.
fn sequences() -> Vec<Vec<Value>> {
    let toggles = [true, false].map(|on| json!({"send": "p.toggle", "args": [on]}));
    let levels = ["LOW", "MID", "HIGH"].map(|level| json!({"send": "p.level", "args": [level]}));
    let steps: Vec<Value> = toggles.into_iter().chain(levels).collect();
    let pick = |machine: usize| json!({"send": "p.pick", "args": [format!("W{machine}")]});
    let mut all: Vec<Vec<Value>> = vec![vec![steps[0].clone()]];
    for machine in 0..MACHINES {
        all.push(vec![pick(machine), pick(0)]);
        let mut begun = vec![vec![pick(machine)]];
        for _ in 0..STEPS {
            begun = begun.iter().flat_map(|before| steps.iter().map(|step| [&before[..], std::slice::from_ref(step)].concat())).collect();
        }
        all.extend(begun);
    }
    all
}

/// All files in a directory and below it.
fn below(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            below(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn brute_force(tools: &Tools, model: &Model, dir: &Path) -> Result<Agreed> {
    let written = Command::new(&tools.xcute).current_dir(dir).args(["model", "random.art", "--cpp", "gen"]).output()?;
    if !written.status.success() {
        bail!("the model is refused: {}", String::from_utf8_lossy(&written.stderr));
    }
    let flags = ["--driver-mode=g++", "-std=c++17", "-O0", "-w", "-I", "gen", "gen/model.cpp", "-o", "gen/model"];
    let mut paths = Vec::new();
    below(&dir.join("gen"), &mut paths)?;
    paths.sort();
    let files = paths.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>()?;
    let parts: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    made(&tools.cc.to_string_lossy(), &parts, &dir.join("gen/model"), || {
        let built = Command::new(&tools.cc).current_dir(dir).args(flags).output().context("cannot run the C compiler")?;
        if !built.status.success() {
            bail!("the model does not compile: {}", String::from_utf8_lossy(&built.stderr));
        }
        Ok(())
    })?;
    let (mut agreed, mut seen) = (Agreed::default(), [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()]);
    for steps in sequences() {
        std::fs::write(dir.join("sequence.json"), json!({"capsule": "All", "steps": steps}).to_string())?;
        let run = output(Command::new(dir.join("gen/model")).arg(dir.join("sequence.json")))?;
        let (mut last, mut unexpected) = (String::new(), false);
        for event in String::from_utf8_lossy(&run.stdout).lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
            match event["event"].as_str() {
                Some("unexpected") => {
                    let line = model.states.get(&text("state")).with_context(|| format!("there is no state {}", text("state")))?;
                    agreed.failures.insert(("assertion".to_owned(), *line));
                    unexpected = true;
                    break;
                }
                Some("enter") => drop(seen[0].insert(text("state"))),
                Some("transition") => {
                    last = text("name");
                    seen[1].insert(last.clone());
                }
                Some("guard") => drop(seen[2].insert(format!("{} {}", text("transition"), event["holds"]))),
                Some("send") => drop(event["args"][0].as_u64().map(|line| agreed.arms.insert(line))),
                _ => {}
            }
        }
        if !unexpected && run.status.signal() == Some(8) {
            let name = last.rsplit('.').next().unwrap_or_default();
            let line = model.divisions.get(name).with_context(|| format!("the transition {last} does not divide"))?;
            agreed.failures.insert(("division-by-zero".to_owned(), *line));
        } else if !unexpected && !run.status.success() {
            bail!("the model ended with {}: {}", run.status, String::from_utf8_lossy(&run.stderr));
        }
    }
    agreed.elements = seen.map(|all| all.len() as u64);
    Ok(agreed)
}

fn xcute(tools: &Tools, model: &Model, dir: &Path) -> Result<(Agreed, bool)> {
    let length = (STEPS + 1).to_string();
    let ran = Command::new(&tools.xcute)
        .current_dir(dir)
        .args(["model", "random.art", "--capsule", "All", "--format", "json", "--no-progress", "--out", "out", "--length", &length])
        .args(&tools.arguments)
        .output()
        .with_context(|| format!("cannot run {}", tools.xcute.display()))?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let json: Value = serde_json::from_str(&text)
        .with_context(|| format!("xcute printed no JSON object: {text}{}", String::from_utf8_lossy(&ran.stderr)))?;
    let mut found = Agreed::default();
    for failure in ["failures", "unconfirmed"].iter().flat_map(|list| json[list].as_array().into_iter().flatten()) {
        found.failures.insert((failure["kind"].as_str().unwrap_or("?").to_owned(), failure["line"].as_u64().unwrap_or_default()));
    }
    let machine = &json["coverage"]["machine"];
    found.elements = ["states", "transitions", "guards"].map(|kind| machine[kind]["covered"].as_u64().unwrap_or(u64::MAX));
    let lcov = std::fs::read_to_string(dir.join("out/coverage.lcov")).context("there is no coverage.lcov")?;
    for (line, hits) in lcov.lines().filter_map(|line| line.strip_prefix("DA:")?.split_once(',')) {
        if let Some(line) = line.parse().ok().filter(|line| hits != "0" && model.arms.contains(line)) {
            found.arms.insert(line);
        }
    }
    Ok((found, json["complete"] == true))
}
