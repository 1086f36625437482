//! One campaign, measured.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Program, root};

/// The figures of one campaign.
pub struct Measured {
    pub summary: Value,
    pub wall: f64,
    /// Processor time of engine, subject and compiler together.
    pub cpu: f64,
    /// Peak memory of the engine process in KiB, and of one that made a single run.
    pub memory: (u64, u64),
}

/// Runs xcute on a program.
pub fn run(program: &Program) -> Measured {
    let (_, _, little) = campaign(program, &["--runs", "1"]);
    let before = children();
    let (summary, wall, memory) = campaign(program, &[]);
    Measured { summary, wall, cpu: children() - before, memory: (memory, little) }
}

/// Processor seconds of all children that have ended (fields 16 and 17 of proc(5)'s stat, in hundredths).
fn children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn campaign(program: &Program, more: &[&str]) -> (Value, f64, u64) {
    let out = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(root())
        .arg("c")
        .arg(format!("benches/c/{}.c", program.name))
        .args(["--format", "json", "--stop-at", "complete", "--time", "600s", "--keep-cases", "none", "--prune", "off", "--out"])
        .arg(out.path().join("out"))
        .args(program.arguments)
        .args(more)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let memory = peak(&mut child);
    let wall = start.elapsed().as_secs_f64();
    let summary = fs::read_to_string(out.path().join("out/summary.json")).unwrap_or_default();
    (serde_json::from_str(&summary).unwrap_or_default(), wall, memory)
}

/// Waits for a process and returns the most memory it had, in KiB, as the kernel counts it.
fn peak(child: &mut Child) -> u64 {
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(most);
        sleep(Duration::from_millis(10));
    }
    most
}

impl Measured {
    pub fn header() -> String {
        format!(
            "{:<14} {:>8} {:>8} {:>8} {:>7} {:>7} {:>9} {:>9} {:>8} {:>9} {:>8} {:>10}",
            "program", "runs", "paths", "failures", "s", "cpu s", "runs/s", "paths/s", "solver", "us/run*", "MiB", "bytes/path"
        )
    }

    pub fn row(&self, name: &str) -> String {
        let (runs, total, solver) = (self.number("runs"), self.seconds("total"), self.seconds("solver"));
        let outside = if runs > 0.0 { (total - solver) / runs * 1e6 } else { 0.0 };
        let paths = self.number("paths");
        let per_path = self.bytes_per_path();
        format!(
            "{name:<14} {runs:>8} {paths:>8} {:>8} {:>7.2} {:>7.2} {:>9.0} {:>9.0} {:>6.0} % {outside:>9.1} {:>8} {:>10}",
            self.summary["failures"].as_array().map_or(0, Vec::len),
            self.wall,
            self.cpu,
            runs / total.max(1e-9),
            self.paths_per_second(),
            solver / total.max(1e-9) * 100.0,
            self.memory.0 / 1024,
            if paths > 1000.0 { format!("{per_path:.0}") } else { "-".into() }
        )
    }

    pub fn paths_per_second(&self) -> f64 {
        self.number("paths") / self.seconds("total").max(1e-9)
    }

    /// Memory of the engine for each path beyond that of the first.
    fn bytes_per_path(&self) -> f64 {
        (self.memory.0.saturating_sub(self.memory.1) * 1024) as f64 / self.number("paths").max(1.0)
    }

    /// What does not hold.
    pub fn wrong(&self, program: &Program) -> Vec<String> {
        let mut wrong = Vec::new();
        let name = program.name;
        let fails = self.summary["failures"].as_array().is_some_and(|failures| !failures.is_empty());
        if fails != program.fails {
            wrong.push(format!("{name}: {}", if fails { "a failure where there is none" } else { "the failure was not found" }));
        }
        if self.summary["complete"] != true {
            wrong.push(format!("{name}: not complete: {}", self.summary["limits"]));
        }
        if let Some(paths) = program.paths
            && self.summary["paths"].as_u64() != Some(paths)
        {
            wrong.push(format!("{name}: {} paths, there are {paths}", self.summary["paths"]));
        }
        if self.number("paths") > 1000.0 && self.bytes_per_path() > 1024.0 {
            wrong.push(format!("{name}: {:.0} bytes of memory for each path, at most 1024", self.bytes_per_path()));
        }
        wrong
    }

    fn number(&self, field: &str) -> f64 {
        self.summary[field].as_f64().unwrap_or(0.0)
    }

    fn seconds(&self, field: &str) -> f64 {
        self.summary["seconds"][field].as_f64().unwrap_or(0.0)
    }
}
