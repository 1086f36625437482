//! `./x bench clp real`: predicates of SWI-Prolog's own library, as it is installed: how many are searched to their end at term depth 2, what fails, and whether
//! SWI-Prolog passes the tests.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

/// Modules whose predicates are tested, in this order, until there are enough.
const MODULES: &[&str] = &[
    "lists",
    "pairs",
    "ordsets",
    "ugraphs",
    "assoc",
    "apply",
    "option",
    "heaps",
    "occurs",
    "terms",
    "varnumbers",
    "rbtrees",
    "nb_set",
    "oset",
];
/// At most this many predicates.
const MOST: usize = 100;
/// For each predicate, on the average of its module.
const SECONDS: usize = 5;

/// What became of all predicates.
#[derive(Default)]
struct Total {
    searched: usize,
    complete: usize,
    failing: usize,
    disagreeing: usize,
    suites: usize,
    passed: usize,
}

fn main() -> ExitCode {
    let Some(library) = library() else {
        println!("clp_real: SWI-Prolog is not installed (apt-get install swi-prolog-nox)");
        return ExitCode::FAILURE;
    };
    let place = tempfile::tempdir().expect("a directory");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--") && word != "real").collect();
    let mut total = Total::default();
    println!("{:<34} {:>6} {:>9}  what", "predicate", "paths", "complete");
    for module in MODULES.iter().filter(|module| wanted.is_empty() || wanted.iter().any(|name| name == *module)) {
        if total.searched >= MOST {
            break;
        }
        one(&library.join(format!("{module}.pl")), module, place.path(), &mut total);
    }
    let Total { searched, complete, failing, disagreeing, suites, passed } = total;
    println!(
        "\n{searched} predicates searched, {complete} complete at term depth 2, {failing} can fail, {disagreeing} disagree with SWI-Prolog"
    );
    println!("{passed} of {suites} suites pass on SWI-Prolog");
    ExitCode::SUCCESS
}

/// Where SWI-Prolog keeps its library.
fn library() -> Option<PathBuf> {
    let output = Command::new("swipl").arg("--dump-runtime-variables").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let base = text.lines().find_map(|line| line.strip_prefix("PLBASE=\""))?;
    Some(Path::new(base.trim_end_matches([';', '"'])).join("library"))
}

/// Searches all predicates of a module.
fn one(file: &Path, module: &str, place: &Path, total: &mut Total) {
    let Ok(text) = fs::read(file) else { return };
    let copy = place.join(format!("{module}.pl"));
    fs::write(&copy, &text).expect("it can be written");
    let count = String::from_utf8_lossy(&text).matches("%!").count().max(4);
    let (out, time) = (place.join(module), format!("{}s", SECONDS * count));
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place).arg("clp").arg(&copy).args(["--term-depth", "2", "--time", &time, "--out"]).arg(&out);
    let output = command.output().expect("xcute starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(2) {
        println!("{module:<34} {:>6} {:>9}  {}", "-", "refused", said.lines().last().unwrap_or_default());
        return;
    }
    total.suites += said.lines().filter(|line| line.contains(": SWI-Prolog ")).count();
    total.passed += said.lines().filter(|line| line.contains(": SWI-Prolog passes")).count();
    let mut parts: Vec<PathBuf> = fs::read_dir(&out).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    parts.sort();
    for part in parts {
        let summary = fs::read_to_string(part.join("summary.json")).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        if let Some(summary) = summary.filter(|_| total.searched < MOST) {
            row(module, &summary, total);
        }
    }
}

fn row(module: &str, summary: &Value, total: &mut Total) {
    let complete = summary["complete"] == true;
    let failures: Vec<&Value> = summary["failures"].as_array().into_iter().flatten().collect();
    let disagrees = summary["limits"].as_array().into_iter().flatten().any(|limit| limit["kind"] == "disagreement");
    let (disagreements, own): (Vec<&Value>, Vec<&Value>) =
        failures.into_iter().partition(|failure| failure["id"].as_str().unwrap_or("").starts_with('s'));
    total.searched += 1;
    total.complete += usize::from(complete);
    total.failing += usize::from(!own.is_empty());
    total.disagreeing += usize::from(disagrees);
    let first = disagreements.first().or(own.first()).and_then(|failure| failure["message"].as_str()).unwrap_or_default();
    let cut = summary["limits"].as_array().into_iter().flatten().find(|limit| limit["incomplete"] == true);
    let cut =
        cut.map(|limit| format!("{}: {}", limit["kind"].as_str().unwrap_or(""), limit["what"].as_str().unwrap_or(""))).unwrap_or_default();
    let what = if first.is_empty() { cut } else { first.to_owned() };
    let name = format!("{module}:{}", summary["subject"].as_str().unwrap_or("?"));
    let stop = summary["stop"].as_str().unwrap_or_default();
    println!(
        "{name:<34} {:>6} {:>9}  {}",
        summary["paths"],
        if complete { "yes" } else { stop },
        what.chars().take(110).collect::<String>()
    );
}
