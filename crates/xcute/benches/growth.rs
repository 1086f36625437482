//! `./x bench growth [PROGRAMS]`: how time and memory grow with the number of inputs, decisions and failures of a program.
//!
//! Each program is made for sizes that grow tenfold and searched for the same number of runs; the last columns say by how much more time and memory the search takes
//! than for a tenth of the size. What grows as n log n stays below twelve; the square would be a hundred.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// More than this for ten times the size is not n log n.
const GOAL: f64 = 12.0;
/// Less time than this says nothing.
const SHORT: f64 = 0.2;

struct Program {
    name: &'static str,
    sizes: &'static [usize],
    runs: u64,
    text: fn(usize) -> String,
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\n";

const PROGRAMS: &[Program] = &[
    // Inputs that nothing depends on but their number.
    Program { name: "inputs", sizes: &[1_000, 10_000, 100_000, 1_000_000], runs: 5, text: |n| looping(n, "last = x;", "last == 7") },
    // A term over all inputs.
    Program { name: "sum", sizes: &[1_000, 10_000, 100_000], runs: 5, text: |n| looping(n, "last += 2 * x;", "last == 6 && x == 9") },
    // A decision for each input.
    Program {
        name: "decisions",
        sizes: &[1_000, 10_000, 100_000, 1_000_000],
        runs: 20,
        text: |n| looping(n, "if (x == i + 1) last++;", "last == 1"),
    },
    // Decisions on terms over ever more inputs.
    Program {
        name: "sums",
        sizes: &[1_000, 10_000, 100_000],
        runs: 20,
        text: |n| looping(n, "last += x; if (last > 1000 + i) return 1;", "last == 1"),
    },
    // Inputs in another order in every second run.
    Program { name: "order", sizes: &[1_000, 10_000, 100_000], runs: 5, text: order },
    Program { name: "pointers", sizes: &[100, 1_000, 10_000], runs: 5, text: pointers },
    Program { name: "failures", sizes: &[10, 100, 1_000], runs: 2_000, text: failures },
];

fn looping(n: usize, turn: &str, last: &str) -> String {
    format!(
        "{HEAD}int main(void) {{\n  int last = 0, x = 0;\n  for (int i = 0; i < {n}; i++) {{ x = __VERIFIER_nondet_int(); {turn} }}\n  if ({last}) return 2;\n  return 0;\n}}\n"
    )
}

fn order(n: usize) -> String {
    let read = |name: &str| format!("static int {name}(void) {{ int x; xcute_input(x); return x; }}\n");
    let all = |name: &str| format!("for (int i = 0; i < {n}; i++) last = {name}();");
    let (a, b) = (all("a"), all("b"));
    format!(
        "#include <xcute.h>\n{}{}int main(void) {{\n  int back, last = 0;\n  xcute_input(back);\n  if (back) {{ {b} {a} }} else {{ {a} {b} }}\n  return last == 3;\n}}\n",
        read("a"),
        read("b")
    )
}

fn pointers(n: usize) -> String {
    format!(
        "#include <xcute.h>\nstruct node {{ int value; }};\nint main(void) {{\n  static struct node *a[{n}];\n  xcute_input_array(a, {n});\n  int count = 0;\n  for (int i = 0; i < {n}; i++) if (a[i]) count++;\n  return count;\n}}\n"
    )
}

fn failures(n: usize) -> String {
    let mut text = format!("{HEAD}#include <assert.h>\nint main(void) {{\n  int x = __VERIFIER_nondet_int();\n");
    for i in 0..n {
        writeln!(text, "  if (x == {}) assert(x == 0);", 3 * i + 1).unwrap();
    }
    text + "  return 0;\n}\n"
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    println!("| program | size | runs | seconds | MiB | time, of a tenth | memory, of a tenth |\n|---|---:|---:|---:|---:|---:|---:|");
    let mut worst: f64 = 0.0;
    for program in PROGRAMS.iter().filter(|p| chosen.is_empty() || chosen.iter().any(|name| name == p.name)) {
        let mut before: Option<(f64, f64)> = None;
        for &size in program.sizes {
            let place = tempfile::tempdir().unwrap();
            fs::write(place.path().join("grows.c"), (program.text)(size)).unwrap();
            let (runs, seconds, memory) = search(place.path(), program.runs);
            let growth = before.map(|(s, m)| (seconds / s.max(SHORT), memory / m));
            worst = worst.max(growth.map_or(0.0, |(time, _)| time));
            let shown = growth.map_or(("".into(), "".into()), |(t, m)| (format!("{t:.1}"), format!("{m:.1}")));
            println!("| {} | {size} | {runs} | {seconds:.2} | {memory:.0} | {} | {} |", program.name, shown.0, shown.1);
            before = Some((seconds, memory));
        }
    }
    println!("\ntime for ten times the size, at most: {worst:.1} times (goal: {GOAL})");
}

/// Runs, seconds of the search, and the largest memory of the process.
fn search(place: &Path, runs: u64) -> (u64, f64, f64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place).args(["c", "grows.c", "--format", "json", "--no-progress", "--prune", "off", "--keep-cases", "none"]);
    command.args(["--steps", "1000000000", "--time", "10m", "--runs", &runs.to_string()]);
    let out = place.join("summary");
    let mut child = command.stdout(fs::File::create(&out).unwrap()).stderr(Stdio::null()).spawn().unwrap();
    let (mut most, begun) = (0.0f64, Instant::now());
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        most = most.max(peak.unwrap_or(0.0) / 1024.0);
        std::thread::sleep(Duration::from_millis(5));
    }
    let all = begun.elapsed().as_secs_f64();
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&out).unwrap()).unwrap_or_default();
    (json["runs"].as_u64().unwrap_or(0), json["seconds"]["total"].as_f64().unwrap_or(all), most)
}
