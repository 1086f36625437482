//! Projects with real build systems: built with `CC="xcute cc"`, untouched, then explored.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A copy of a project of ours.
fn project(name: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/projects").join(name);
    for entry in fs::read_dir(&from).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), place.path().join(entry.file_name())).unwrap();
    }
    place
}

fn sh(place: &Path, command: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_xcute")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    Command::new("sh")
        .args(["-c", command])
        .current_dir(place)
        .env("PATH", path)
        .env_remove("MAKEFLAGS")
        .env("XCUTE_CACHE", "")
        .output()
        .unwrap()
}

fn must(place: &Path, command: &str) -> String {
    let ran = sh(place, command);
    let talk = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{command}: {talk}");
    talk
}

/// The one failure that exploring finds: its kind, function and line.
fn found(place: &Path, words: &str) -> (String, String, u64) {
    let ran = sh(place, &format!("xcute run --format json --no-progress --stop-at first-failure --time 60s {words}"));
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&ran.stderr)));
    let failures = json["failures"].as_array().unwrap();
    assert_eq!(failures.len(), 1, "{json:#}");
    assert_eq!(failures[0]["replayed"], true);
    let text = |key: &str| failures[0][key].as_str().unwrap().to_owned();
    (text("kind"), text("function"), failures[0]["line"].as_u64().unwrap())
}

#[test]
fn autoconf_automake_libtool() {
    let place = project("autoconf");
    let place = place.path();
    must(place, "autoreconf -i");
    must(place, "./configure CC='xcute cc' && make");
    assert_eq!(must(place, "printf 'a b\\nc d\\n' | ./tally"), "2 words in a line\n");
    let expected = ("division-by-zero".to_owned(), "tally_mean".to_owned(), 17);
    // The program that libtool makes is a script beside the real one, which is linked with the shared library.
    assert_eq!(found(place, "--sym-stdin 6 ./tally"), expected);
    must(place, "make clean && ./configure CC='xcute cc' --disable-shared && make");
    assert_eq!(found(place, "--sym-stdin 6 ./tally"), expected);
}

#[test]
fn cmake() {
    let place = project("cmake");
    let place = place.path();
    must(place, "CC='xcute cc' cmake -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build");
    assert_eq!(must(place, "build/colour RED"), "15 0 0\n");
    assert_eq!(found(place, "--sym-args 1x5 build/colour"), ("assertion".to_owned(), "main".to_owned(), 10));
}

#[test]
fn make_archive_partial_link_and_assembly() {
    let place = project("make");
    let place = place.path();
    must(place, "make CC='xcute cc'");
    must(place, "printf 'n=7\\n' > settings.ini && ./ini && make clean && make CC='xcute cc' CFLAGS=-O0");
    assert_eq!(found(place, "--sym-file settings.ini:6 ./ini"), ("null-access".to_owned(), "main".to_owned(), 17));
    let talk = String::from_utf8_lossy(&sh(place, "xcute run --sym-args 1x1 --runs 1 ./ini").stderr).into_owned();
    assert!(
        talk.contains("these parts carry no bitcode and run as they are: ") && talk.contains("checksum.S") && !talk.contains("parse.c"),
        "{talk}"
    );
}
