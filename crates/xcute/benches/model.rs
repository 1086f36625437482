//! `./x bench model [--time SECONDS] [MODELS]`: concolic testing of state machines beside random testing and simple exploration, as in [ahmadi-dingel-2019 §5].
//!
//! Four ways to test the same program: systematic (SC, the default of xcute) and random (RC) selection of branches, random data for messages that the state
//! waits for (SE), and random messages (RT). Each gets the same time; the table shows what it covered and found, `target/model.svg` how coverage grew (Fig. 9).

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a measurement that cannot go on panics, and prints its table")]

#[path = "model/chart.rs"]
mod chart;
#[path = "model/machines.rs"]
mod machines;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chart::{Curve, Panel};

/// A way to test, with its options.
const WAYS: [(&str, &[&str]); 4] = [
    ("SC", &[]),
    ("RC", &["--strategy", "random"]),
    ("SE", &["--strategy", "testing"]),
    ("RT", &["--strategy", "testing", "--any-message"]),
];

struct Model {
    name: &'static str,
    file: PathBuf,
    options: Vec<String>,
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let mut time: f64 = 10.0;
    if let Some(at) = words.iter().position(|word| word == "--time") {
        time = words[at + 1].parse().unwrap();
        words.drain(at..at + 2);
    }
    let place = tempfile::tempdir().unwrap();
    let mut panels = Vec::new();
    println!("{time} s for each\n\n| model | branches | SC | RC | SE | RT | runs of SC | RC | SE | RT | failures of SC | RC | SE | RT |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for model in models(place.path()).into_iter().filter(|model| words.is_empty() || words.iter().any(|word| word == model.name)) {
        let results: Vec<serde_json::Value> = WAYS.iter().map(|(_, options)| search(&model, options, time, place.path())).collect();
        let number = |result: &serde_json::Value, path: &str| result.pointer(path).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let total = results.iter().map(|result| number(result, "/coverage/branches/total")).max().unwrap_or(0);
        let row = |path: &str| results.iter().map(|result| number(result, path).to_string()).collect::<Vec<_>>().join(" | ");
        let failures: Vec<String> = results.iter().map(|result| result["failures"].as_array().map_or(0, Vec::len).to_string()).collect();
        println!("| {} | {total} | {} | {} | {} |", model.name, row("/coverage/branches/covered"), row("/runs"), failures.join(" | "));
        let curves = WAYS.iter().zip(&results).map(|((name, _), result)| Curve { name, points: points(result, total) }).collect();
        panels.push(Panel { title: model.name.to_owned(), curves });
    }
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/model.svg");
    std::fs::write(&picture, chart::svg(&panels, time)).unwrap();
    println!("\ncoverage over time: {}", picture.canonicalize().unwrap().display());
}

/// The models: random ones of several sizes, and those of `subjects/model`.
fn models(place: &Path) -> Vec<Model> {
    let made = |name: &'static str, text: String, length: &str| {
        let dir = place.join(name);
        std::fs::create_dir_all(&dir).unwrap();
        let file = dir.join("rsm.art");
        std::fs::write(&file, text).unwrap();
        Model { name, file, options: ["--capsule", "Rsm", "--length", length].map(str::to_owned).to_vec() }
    };
    let mut all = vec![
        made("chain-10", machines::chain(10, 2, 1), "10"),
        made("chain-60", machines::chain(60, 2, 2), "60"),
        made("tangle-8", machines::tangle(8, 3), "12"),
        made("tangle-30", machines::tangle(30, 4), "30"),
    ];
    for name in ["ca", "fdm", "acc", "rover", "lift", "pbx"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../subjects/model/{name}.art"));
        let text = std::fs::read_to_string(&file).unwrap();
        let mut options: Vec<String> = Vec::new();
        for line in text.lines() {
            if let Some(args) = line.strip_prefix("//@ args: ") {
                options.extend(args.split_whitespace().map(str::to_owned));
            } else if let Some(property) = line.strip_prefix("//@ property: ") {
                options.extend(["--property".to_owned(), property.to_owned()]);
            }
        }
        options.retain(|word| word != "--allow-unexpected");
        all.push(Model { name, file, options });
    }
    all
}

/// Searches one way; the summary.
fn search(model: &Model, way: &[&str], time: f64, place: &Path) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.arg("model").arg(&model.file).args(&model.options).arg("--allow-unexpected").args(way);
    command.args(["--time", &format!("{time}s"), "--format", "json", "--quiet", "--no-progress", "--keep-cases", "none", "--prune", "off"]);
    command.arg("--out").arg(place.join("out"));
    let output = command.stderr(Stdio::inherit()).output().unwrap();
    let _ = std::fs::remove_dir_all(place.join("out"));
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// The curve of a search.
#[allow(clippy::cast_precision_loss, reason = "a picture")]
fn points(result: &serde_json::Value, total: u64) -> Vec<(f64, f64)> {
    let moments = result["timeline"].as_array().map_or(&[][..], Vec::as_slice);
    let point = |moment: &serde_json::Value| {
        (moment["seconds"].as_f64().unwrap_or(0.0), moment["branches"].as_f64().unwrap_or(0.0) / total.max(1) as f64)
    };
    moments.iter().map(point).collect()
}
