//! The logic programs of `subjects/clp` have the paths that their first lines say, and SWI-Prolog passes their tests. Each is a test of its own, named by its file:
//! `cargo nextest run --test clp_gallery append`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use xcute_clp::swipl::plunit;

/// A program, and a search of it: what its first lines say, from `args` to `complete`.
struct Entry {
    name: String,
    text: String,
    said: Vec<(String, String)>,
}

fn entries() -> Vec<Entry> {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/clp");
    let mut files: Vec<PathBuf> = fs::read_dir(gallery).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pl"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let pair = |line: &str| line.strip_prefix("%@ ")?.split_once(": ").map(|(what, value)| (what.to_owned(), value.to_owned()));
        let said: Vec<(String, String)> = text.lines().filter_map(pair).collect();
        for (number, group) in (1..).zip(said.split_inclusive(|(what, _)| what == "complete")) {
            let name = format!("{}_{number}", file.file_stem().unwrap().to_string_lossy());
            all.push(Entry { name, text: text.clone(), said: group.to_vec() });
        }
    }
    all
}

fn check(entry: &Entry) -> Result<(), Failed> {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("prog.pl"), &entry.text).unwrap();
    let options = &entry.said.iter().find(|(what, _)| what == "args").ok_or("no args are said")?.1;
    let words = ["clp", "prog.pl", "--format", "json"].into_iter().chain(options.split_whitespace());
    let output = Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(words).output().unwrap();
    let what = format!("{options}: {}", String::from_utf8_lossy(&output.stderr));
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|error| Failed::from(format!("{error}: {what}")))?;
    for (key, wanted) in &entry.said {
        match key.as_str() {
            "paths" => assert_eq!(summary["paths"].to_string(), *wanted, "{what}"),
            "complete" => assert_eq!(summary["complete"], *wanted == "yes", "{what}"),
            "failure" => {
                assert!(summary["failures"].as_array().unwrap().iter().any(|failure| failure["kind"] == **wanted), "{what}");
            }
            _ => {}
        }
    }
    assert!(!what.contains("disagrees"), "{what}");
    let suite = place.path().join("xcute-out/prog.plt");
    let verdict = plunit(&suite, None, Duration::from_secs(120)).unwrap();
    assert!(verdict.passed, "{}\n{}", verdict.output, fs::read_to_string(&suite).unwrap());
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let entries = entries();
    assert!(entries.len() >= 15, "only {} entries of the gallery", entries.len());
    let tests = entries.into_iter().map(|entry| Trial::test(entry.name.clone(), move || check(&entry))).collect();
    libtest_mimic::run(&arguments, tests).exit_code()
}
