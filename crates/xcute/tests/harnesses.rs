//! Harnesses that people already have: corpora of fuzzers go in and out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place)
        .args(["c", "subject.c", "--format", "json", "--no-progress"])
        .args(arguments)
        .output()
        .unwrap()
}

fn summary(output: &Output) -> Value {
    let told = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no JSON object ({error}): {told}"))
}

/// The names of the files in a directory.
fn names(directory: &Path) -> BTreeSet<String> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Three bytes decide nothing that a solver could not find; their place behind a checksum does.
const FUZZED: &str = r#"#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 20) return 0;
  if (data[0] == 'a' && data[19] == 'z') {
    if (data[7] > 200) abort();
    if (data[8] == 3) return 1;
  }
  return 0;
}
"#;

#[test]
fn a_corpus_goes_in() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), FUZZED).unwrap();
    fs::create_dir_all(place.join("seeds/more")).unwrap();
    fs::write(place.join("seeds/one"), b"short").unwrap();
    fs::write(place.join("seeds/more/two"), b"a234567890123456789z").unwrap();
    // The default case and the two files; the second file is the first that is long enough.
    let told = summary(&xcute(place, &["--corpus", "seeds", "--runs", "3", "--keep-cases", "all"]));
    assert_eq!((&told["runs"], &told["coverage"]["branches"]["covered"]), (&3.into(), &6.into()), "{told}");
    let case: Value = serde_json::from_str(&fs::read_to_string(place.join("xcute-out/cases/000002.json")).unwrap()).unwrap();
    let inputs = case["inputs"].as_array().unwrap();
    assert!(inputs.iter().any(|i| i["name"] == "data[19]" && i["value"].as_str().unwrap().contains("122")), "{case}");
    assert!(inputs.iter().any(|i| i["name"] == "size" && i["value"] == "20"), "{case}");
    // Without it the entry gets too few bytes.
    let told = summary(&xcute(place, &[]));
    assert_eq!((&told["complete"], &told["failures"].as_array().unwrap().len()), (&true.into(), &0), "{told}");
    // With it the search goes on from there.
    let told = summary(&xcute(place, &["--corpus", "seeds"]));
    assert_eq!((&told["complete"], &told["failures"].as_array().unwrap().len()), (&true.into(), &1), "{told}");
    let cut = xcute(place, &["--corpus", "seeds", "--bytes", "4"]);
    assert_eq!(cut.status.code(), Some(0));
    let said = String::from_utf8_lossy(&cut.stderr).into_owned();
    assert!(said.contains("only the first 4 bytes of 2 of the corpus's files"), "{said}");
}

#[test]
fn a_corpus_comes_out() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), FUZZED).unwrap();
    let told = summary(&xcute(place, &["--bytes", "20", "--export-corpus", "corpus"]));
    assert_eq!(told["complete"], true, "{told}");
    let first = names(&place.join("corpus"));
    assert!(first.iter().all(|name| name.len() == 40 && name.chars().all(|c| c.is_ascii_hexdigit())), "{first:?}");
    assert!(first.contains("da39a3ee5e6b4b0d3255bfef95601890afd80709"), "the empty input covers something: {first:?}");
    // As inputs of a campaign that goes no further, they cover what the first one covered with cases that pass.
    let runs = (first.len() + 1).to_string();
    let again = summary(&xcute(place, &["--corpus", "corpus", "--runs", &runs, "--export-corpus", "corpus"]));
    assert_eq!(again["coverage"]["branches"]["covered"], told["coverage"]["branches"]["total"].as_u64().unwrap() - 1, "{again}");
    assert_eq!(names(&place.join("corpus")), first);
}

#[test]
fn corpora_are_for_entries_of_fuzzers() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("subject.c"), "int f(int x) { return x > 3; }\n").unwrap();
    fs::create_dir(place.join("seeds")).unwrap();
    for (arguments, words) in [
        (["--corpus", "seeds"], ["--corpus", "the entry is f", "LLVMFuzzerTestOneInput"]),
        (["--export-corpus", "seeds"], ["--export-corpus", "the entry is f", "LLVMFuzzerTestOneInput"]),
        (["--corpus", "nowhere"], ["cannot read the corpus nowhere", "", ""]),
    ] {
        let output = xcute(place, &arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    }
}
