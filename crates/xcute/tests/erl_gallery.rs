//! The gallery of Erlang: each program says in its first lines what must come out, and each is a test of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// What a search with some arguments must come to: lines up to `complete`.
struct Entry {
    file: PathBuf,
    said: Vec<(String, String)>,
}

impl Entry {
    fn said(&self, what: &str) -> Option<&str> {
        self.said.iter().find(|(name, _)| name == what).map(|(_, wanted)| wanted.as_str())
    }

    fn name(&self) -> String {
        format!("{} {}", self.file.file_name().unwrap().to_str().unwrap(), self.said("args").unwrap())
    }
}

/// All entries of the gallery.
fn entries() -> Vec<Entry> {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/erl");
    let mut files: Vec<PathBuf> = fs::read_dir(gallery).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
    files.sort();
    let mut entries = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let said: Vec<(String, String)> = text
            .lines()
            .filter_map(|line| line.strip_prefix("%@ ")?.split_once(": "))
            .map(|(what, wanted)| (what.to_owned(), wanted.to_owned()))
            .collect();
        let groups = said.split_inclusive(|(what, _)| what == "complete");
        entries.extend(groups.map(|group| Entry { file: file.clone(), said: group.to_vec() }));
    }
    entries
}

fn check(entry: &Entry) -> Result<(), Failed> {
    let place = tempfile::tempdir().unwrap();
    let name = entry.file.file_name().unwrap();
    fs::copy(&entry.file, place.path().join(name)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .arg("erl")
        .arg(name)
        // What is complete does not depend on how busy the machine is.
        .args(["--format", "json", "--time", "5m"])
        .args(entry.said("args").unwrap().split_whitespace())
        .output()
        .unwrap();
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let told = format!("{error} {out}");
    let summary: Value = serde_json::from_slice(&output.stdout).map_err(|error| Failed::from(format!("{error}: {told}")))?;
    let failures = summary["failures"].as_array().unwrap();
    if let Some(paths) = entry.said("paths") {
        assert_eq!(summary["paths"].to_string(), paths, "{told}");
    }
    assert_eq!(summary["complete"], entry.said("complete").unwrap() == "yes", "{told}");
    let wanted: Vec<&String> = entry.said.iter().filter(|(what, _)| what == "failure").map(|(_, kind)| kind).collect();
    for kind in &wanted {
        assert!(failures.iter().any(|failure| failure["kind"] == **kind), "{told}");
    }
    assert_eq!(output.status.code(), Some(i32::from(!wanted.is_empty())), "{told}");
    // What several processes do may be something else the next time.
    let several = failures.iter().any(|failure| failure["interleaving"].as_array().is_some_and(|steps| !steps.is_empty()));
    assert!(several || error.contains("EUnit passes"), "{told}");
    Ok(())
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let entries = entries();
    assert!(entries.len() >= 5, "only {} entries", entries.len());
    let tests = entries.into_iter().map(|entry| Trial::test(entry.name(), move || check(&entry))).collect();
    libtest_mimic::run(&arguments, tests).exit_code()
}
