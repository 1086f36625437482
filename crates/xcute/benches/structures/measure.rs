//! A row of the table: all campaigns over one data structure, added up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

/// A data structure and how it is tested.
pub struct Row {
    pub name: &'static str,
    /// The source, from the root of the repository.
    pub file: &'static str,
    /// The arguments of each campaign.
    pub campaigns: &'static [&'static str],
    /// Only code on lines with this word is counted as the library's; empty for all.
    pub only: &'static str,
}

/// What the campaigns of a row came to.
#[derive(Default)]
pub struct Measured {
    pub search: f64,
    pub wall: f64,
    pub runs: u64,
    pub paths: u64,
    /// Failures by kind and function.
    pub bugs: Vec<String>,
    /// Their kinds: one cause often shows in several places.
    pub kinds: BTreeSet<String>,
    /// Campaigns that were not complete.
    pub cut: Vec<String>,
    /// Every arm of a branch of the library, by line, number in the line and arm, and whether it was taken.
    branches: BTreeMap<(u32, usize, u32), bool>,
    functions: BTreeMap<String, bool>,
    queries: u64,
    opt1: u64,
    constraints: (u64, u64),
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

pub fn run(row: &Row, flags: &[String]) -> Measured {
    let mut sum = Measured::default();
    for arguments in row.campaigns {
        let out = tempfile::tempdir().unwrap();
        let (options, own) = arguments.split_once(" -- ").unwrap_or((arguments, ""));
        let start = Instant::now();
        let ran = Command::new(env!("CARGO_BIN_EXE_xcute"))
            .current_dir(root())
            .args(["c", row.file, "--strategy", "dfs", "--stop-at", "complete", "--time", "60s", "--no-progress", "-q"])
            .args(options.split_whitespace())
            .arg("--out")
            .arg(out.path())
            .arg("--")
            .args(own.split_whitespace())
            .args(flags)
            .output()
            .unwrap();
        sum.wall += start.elapsed().as_secs_f64();
        let Ok(summary) = fs::read_to_string(out.path().join("summary.json")) else {
            sum.cut.push(format!("{arguments}: {}", String::from_utf8_lossy(&ran.stderr).trim()));
            continue;
        };
        sum.add(arguments, &serde_json::from_str(&summary).unwrap());
        sum.cover(row, &fs::read_to_string(out.path().join("coverage.lcov")).unwrap_or_default());
    }
    sum
}

impl Measured {
    fn add(&mut self, arguments: &str, summary: &Value) {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        self.search += summary["seconds"]["total"].as_f64().unwrap_or(0.0);
        self.runs += number(&summary["runs"]);
        self.paths += number(&summary["paths"]);
        for failure in summary["failures"].as_array().into_iter().flatten() {
            let kind = failure["kind"].as_str().unwrap_or("?");
            let bug = format!("{kind} in {}", failure["function"].as_str().unwrap_or("?"));
            self.kinds.insert(kind.to_owned());
            if !self.bugs.contains(&bug) {
                self.bugs.push(bug);
            }
        }
        if summary["complete"] != true {
            self.cut.push(format!("{arguments}: {}, arms {}, limits {}", summary["stop"], summary["arms"], summary["limits"]));
        }
        self.queries += number(&summary["solver"]["queries"]);
        for layer in summary["solver"]["layers"].as_array().into_iter().flatten() {
            match layer["layer"].as_str() {
                Some("opt1") => self.opt1 += number(&layer["unsat"]),
                // The outer of the two gets the constraints, the inner one hands on what is left.
                Some("opt3") => self.constraints.0 += number(&layer["constraints_in"]),
                Some("opt2") => self.constraints.1 += number(&layer["constraints_out"]),
                _ => {}
            }
        }
    }

    fn cover(&mut self, row: &Row, lcov: &str) {
        let source = fs::read_to_string(root().join(row.file)).unwrap_or_default();
        let lines: Vec<&str> = source.lines().collect();
        let counts = |line: u32| lines.get(line as usize - 1).is_some_and(|text| text.contains(row.only));
        let (mut inside, mut place) = (false, BTreeMap::new());
        // The numbers of branches on each line, in their order.
        let mut numbers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for text in lcov.lines() {
            let Some((key, value)) = text.split_once(':') else { continue };
            let fields: Vec<&str> = value.split(',').collect();
            match (key, &fields[..]) {
                ("SF", [file]) => inside = file.ends_with(row.file),
                ("FN", [line, name]) => _ = place.insert((*name).to_owned(), line.parse::<u32>().unwrap_or(1)),
                ("FNDA", [hits, name]) if inside && place.get(*name).is_some_and(|&line| counts(line.max(1))) => {
                    *self.functions.entry((*name).to_owned()).or_default() |= *hits != "0";
                }
                ("BRDA", [line, branch, arm, hits]) if inside => {
                    let (line, branch, arm): (u32, u32, u32) = (line.parse().unwrap(), branch.parse().unwrap(), arm.parse().unwrap());
                    let known = numbers.entry(line).or_default();
                    let number = known.iter().position(|&n| n == branch).unwrap_or_else(|| {
                        known.push(branch);
                        known.len() - 1
                    });
                    if counts(line.max(1)) {
                        *self.branches.entry((line, number, arm)).or_default() |= *hits == "1";
                    }
                }
                _ => {}
            }
        }
    }

    pub fn header() -> String {
        "| Name | Search in s | With building in s | Runs | Paths | Branch coverage in % | Functions | OPT 1 in % | OPT 2 & 3 in % | Bugs |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
            .to_owned()
    }

    pub fn line(&self, name: &str) -> String {
        let share = |part: u64, of: u64| if of == 0 { 0.0 } else { 100.0 * part as f64 / of as f64 };
        let covered = self.branches.values().filter(|taken| **taken).count() as u64;
        let (given, left) = self.constraints;
        format!(
            "| {name} | {:.2} | {:.1} | {} | {} | {:.1} | {} | {:.1} | {:.1} | {} |",
            self.search,
            self.wall,
            self.runs,
            self.paths,
            share(covered, self.branches.len() as u64),
            self.functions.values().filter(|entered| **entered).count().max(1),
            share(self.opt1, self.queries),
            share(given.saturating_sub(left), given),
            self.kinds.len()
        )
    }
}
