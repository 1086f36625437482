//! `xcute java` from the command line: the gallery, JUnit tests, replay, resume, explain, and what is said when something is wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const ACCOUNT: &str = include_str!("../../../subjects/java/Account.java");

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("stdout is not one JSON object ({error}): {}", stderr(output)))
}

fn javac(arguments: &[&str], files: &[PathBuf]) {
    let all = ["-g", "-nowarn"].iter().chain(arguments).map(OsString::from).chain(files.iter().map(OsString::from));
    let output = xcute_java::javac(&xcute_java::Jdk::find().unwrap(), all).unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A folder with the source and the classes of the account.
fn account() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("Account.java");
    fs::write(&source, ACCOUNT).unwrap();
    javac(&["-d", place.path().join("classes").to_str().unwrap()], &[source]);
    place
}

/// What a subject says of one search.
#[derive(Default)]
struct Expected {
    method: String,
    arguments: Vec<String>,
    paths: Option<u64>,
    runs: Option<u64>,
    complete: Option<bool>,
    limits: BTreeSet<String>,
}

fn expectations(text: &str) -> Vec<Expected> {
    let mut all: Vec<Expected> = Vec::new();
    for line in text.lines() {
        let Some((key, value)) = line.strip_prefix("//@ ").and_then(|rest| rest.split_once(": ")) else { continue };
        if key == "method" {
            all.push(Expected { method: value.to_owned(), ..Expected::default() });
            continue;
        }
        if key == "calls" {
            all.push(Expected { method: format!("calls {value}"), ..Expected::default() });
            continue;
        }
        let last = all.last_mut().expect("a method comes first");
        match key {
            "args" => last.arguments.extend(value.split(' ').map(str::to_owned)),
            "paths" => last.paths = Some(value.parse().unwrap()),
            "runs" => last.runs = Some(value.parse().unwrap()),
            "complete" => last.complete = Some(value == "yes"),
            "limit" => {
                last.limits.insert(value.to_owned());
            }
            other => panic!("what is `{other}`?"),
        }
    }
    all
}

/// The failures announced at the ends of lines, for one method: `//! null-access` or `//! null-access if method or other`.
fn announced(text: &str, method: &str) -> BTreeSet<(u64, String)> {
    let mut all = BTreeSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        for part in line.split("//! ").skip(1) {
            let (kind, only) = part.trim().split_once(" if ").map_or((part.trim(), None), |(kind, only)| (kind, Some(only)));
            if only.is_none_or(|only| only.split(" or ").any(|name| name == method)) {
                // A line of its own is for failures that have no place.
                all.insert((if line.starts_with("//!") { 0 } else { number }, kind.to_owned()));
            }
        }
    }
    all
}

fn check(file: &Path, classes: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let mut complaints = Vec::new();
    for expected in expectations(&text) {
        let method = format!("{}.{}", file.file_stem().unwrap().to_str().unwrap(), expected.method);
        let place = tempfile::tempdir().unwrap();
        let what = expected.method.strip_prefix("calls ").map_or(["--method", &method], |calls| ["--calls", calls]);
        let mut arguments = vec!["java", classes.to_str().unwrap(), what[0], what[1], "--tests", "0", "--format", "json", "--time", "60s"];
        arguments.extend(expected.arguments.iter().map(String::as_str));
        let output = xcute(place.path(), &arguments);
        let summary = summary(&output);
        let mut complain = |text: String| complaints.push(format!("{method}: {text}"));
        // Only frames of the subject itself count.
        let line = |failure: &Value| {
            let own = failure["stack"].as_array()?.iter().find(|frame| frame["file"].as_str().is_some_and(|file| file.ends_with(name)))?;
            own["line"].as_u64()
        };
        let failures = summary["failures"].as_array().unwrap();
        let found: BTreeSet<(u64, String)> =
            failures.iter().map(|failure| (line(failure).unwrap_or(0), failure["kind"].as_str().unwrap().to_owned())).collect();
        let announced = announced(&text, expected.method.split('(').next().unwrap());
        if announced != found || !summary["unconfirmed"].as_array().unwrap().is_empty() {
            complain(format!("announced {announced:?}, found {found:?}, unconfirmed {}", summary["unconfirmed"]));
        }
        let wrong = |wanted: Option<u64>, key: &str| wanted.is_some_and(|wanted| summary[key] != wanted);
        if wrong(expected.paths, "paths") || expected.runs.is_some_and(|most| summary["runs"].as_u64().unwrap() > most) {
            complain(format!("{} paths, {} runs", summary["paths"], summary["runs"]));
        }
        let limits: BTreeSet<String> =
            summary["limits"].as_array().unwrap().iter().map(|limit| limit["kind"].as_str().unwrap().to_owned()).collect();
        if expected.complete.is_some_and(|complete| summary["complete"] != complete) || limits != expected.limits {
            complain(format!("complete {}, limits {}", summary["complete"], summary["limits"]));
        }
        if output.status.code() != Some(i32::from(!found.is_empty())) {
            complain(format!("{:?} {}", output.status, stderr(&output)));
        }
    }
    complaints
}

/// The gallery says in its first lines what must come out. `SUBJECT=name` chooses files.
#[test]
fn subjects_have_what_they_announce() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java");
    let wanted = std::env::var("SUBJECT").unwrap_or_default();
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "java") && file.to_str().unwrap().contains(&wanted));
    files.sort();
    let place = tempfile::tempdir().unwrap();
    let (api, all) = (place.path().join("api"), place.path().join("all"));
    let interface = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtimes/java/api");
    let sources =
        ["cute/Cute", "cute/Input", "org/sosy_lab/sv_benchmarks/Verifier", "xcute/Inputs", "xcute/Plan", "xcute/Replay", "xcute/Tables"];
    let sources: Vec<PathBuf> = sources.iter().map(|source| interface.join(format!("{source}.java"))).collect();
    javac(&["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-d", api.to_str().unwrap()], &sources);
    javac(&["-cp", api.to_str().unwrap(), "-d", all.to_str().unwrap()], &files);
    let mut complaints = Vec::new();
    for file in &files {
        // Each subject has its own classes: an input may be of any class there is.
        let class = file.file_stem().unwrap().to_str().unwrap();
        let own = place.path().join(class);
        fs::create_dir(&own).unwrap();
        for entry in fs::read_dir(&all).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_str().unwrap();
            if name == format!("{class}.class") || name.starts_with(&format!("{class}$")) {
                fs::copy(&entry, own.join(name)).unwrap();
            }
        }
        complaints.extend(check(file, &own));
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// What is made of inputs is made in the replay and in the tests, too.
#[test]
fn collections_are_made_for_replays_and_tests() {
    let place = tempfile::tempdir().unwrap();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/Baskets.java"), place.path().join("Baskets.java")).unwrap();
    let output = xcute(place.path(), &["java", "Baskets.java", "--method", "total", "--elements", "1", "--junit", "4"]);
    let text = stdout(&output);
    assert!(text.contains("= LinkedHashMap of new java.lang.String[1]"), "{text}{}", stderr(&output));
    let case = text.lines().filter_map(|line| line.split_once("xcute replay ")).next_back().expect("a failure").1;
    let replayed = xcute(place.path(), &["replay", case]);
    assert!(stdout(&replayed).contains("/ by zero"), "{}{}", stdout(&replayed), stderr(&replayed));
    let test = fs::read_to_string(place.path().join("xcute-out/Baskets_total_Test.java")).unwrap();
    assert!(test.contains("linkedHashMapOf(o"), "{test}");
    // JUnit itself is not needed to see that it compiles.
    fs::create_dir_all(place.path().join("org/junit")).unwrap();
    let annotation = place.path().join("org/junit/Test.java");
    fs::write(&annotation, "package org.junit;\npublic @interface Test {}\n").unwrap();
    let file = place.path().join("xcute-out/Baskets_total_Test.java");
    javac(&["-nowarn", "-d", place.path().join("all").to_str().unwrap()], &[annotation, place.path().join("Baskets.java"), file]);
}

#[test]
fn a_failure_is_replayed_and_campaigns_are_resumed_and_explained() {
    let place = account();
    let output = xcute(place.path(), &["java", "classes", "--method", "Account.withdraw", "--runs", "3"]);
    assert!(stdout(&output).contains("it stopped after 3 runs"), "{}{}", stdout(&output), stderr(&output));
    let resumed = xcute(place.path(), &["resume", "xcute-out", "--runs", "1000", "--format", "json"]);
    let whole = summary(&resumed);
    let fresh = summary(&xcute(
        place.path(),
        &["java", "classes", "--method", "Account.withdraw", "--jobs", "2", "--format", "json", "--out", "fresh"],
    ));
    assert_eq!((&whole["complete"], &whole["paths"]), (&fresh["complete"], &fresh["paths"]), "{}", stderr(&resumed));
    assert_eq!((whole["failures"].as_array().unwrap().len(), fresh["failures"].as_array().unwrap().len()), (3, 3));
    let division = whole["failures"].as_array().unwrap().iter().find(|failure| failure["kind"] == "division-by-zero").unwrap();
    assert_eq!((division["file"].as_str(), division["line"].as_u64()), (Some("Account.java"), Some(19)));
    let replay = xcute(place.path(), &["replay", division["case"].as_str().unwrap()]);
    let told = stdout(&replay);
    assert_eq!(replay.status.code(), Some(1), "{told}{}", stderr(&replay));
    assert!(told.contains("throws java.lang.ArithmeticException: / by zero") && !told.contains("but the case"), "{told}");
    let explained = xcute(place.path(), &["explain", "xcute-out"]);
    assert!(stdout(&explained).contains("no run came to this part of Account.idle"), "{}{}", stdout(&explained), stderr(&explained));
    // Another program is not the one that was searched.
    fs::write(place.path().join("Account.java"), ACCOUNT.replace("balance - 7", "balance - 8")).unwrap();
    javac(&["-d", place.path().join("classes").to_str().unwrap()], &[place.path().join("Account.java")]);
    let refused = xcute(place.path(), &["resume", "xcute-out"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
}

#[test]
fn tests_of_all_paths_and_of_failures_are_written() {
    let place = account();
    let output = xcute(place.path(), &["java", "Account.java", "--method", "withdraw", "--junit", "4"]);
    assert!(stderr(&output).contains("tests in xcute-out/Account_withdraw_Test.java"), "{}", stderr(&output));
    let suite = fs::read_to_string(place.path().join("xcute-out/Account_withdraw_Test.java")).unwrap();
    let failing = fs::read_to_string(place.path().join("xcute-out/failures/f1.java")).unwrap();
    for text in [&suite, &failing] {
        assert!(text.contains("import org.junit.Test;") && text.contains(".withdraw("), "{text}");
    }
    assert!(suite.contains("throwing(\"java.lang.ArithmeticException\""), "{suite}");
}

#[test]
fn mistakes_are_said_in_one_line() {
    let place = account();
    fs::write(place.path().join("Bad.java"), "class Bad {").unwrap();
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::write(place.path().join("a.jar"), "no jar").unwrap();
    for (arguments, expected) in [
        (&["classes"][..], "no method is given (say which with --method CLASS.METHOD)"),
        (&["classes", "--method", "Acount.withdraw"], "did you mean Account.withdraw(int, String)?"),
        (&["classes", "--method", "twice"], "it can be Account.twice(int) or Account.twice(long)"),
        (&["gone", "--method", "f"], "cannot read gone"),
        (&["empty", "--method", "f"], "there is no class in"),
        (&["Bad.java", "--method", "f"], "javac cannot compile"),
        (&["a.jar", "--method", "f"], "cannot read"),
    ] {
        let arguments: Vec<&str> = ["java"].into_iter().chain(arguments.iter().copied()).collect();
        let output = xcute(place.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", stdout(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?} {}", stderr(&output));
    }
    assert!(stdout(&xcute(place.path(), &["java", "classes"])).contains("Account.twice(long)\n"));
    let missing = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .env("JAVA_HOME", place.path())
        .args(["java", "classes", "--method", "withdraw"])
        .output()
        .unwrap();
    assert!(stderr(&missing).contains("apt install openjdk-17-jdk-headless"), "{}", stderr(&missing));
}

/// Sequences of calls: the calls are shown, replayed, and written as tests, which fail as the case did.
#[test]
fn sequences_and_checkers_are_replayed_and_become_tests() {
    let place = tempfile::tempdir().unwrap();
    let subjects = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java");
    let at = |name: &str| subjects.join(name).to_str().unwrap().to_owned();
    let list = at("DoublyLinkedList.java");
    for (arguments, shown, test) in [
        (&["--calls", "DoublyLinkedList", "--length", "2", "--post", "repOk"][..], "  it.remove(0);", "it.remove(0);"),
        (&["--method", "remove", "--pre", "isSmall", "--post", "repOk"], "this.size", ".remove(0);"),
    ] {
        let output = xcute(place.path(), &[&["java", &list], arguments].concat());
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
        assert!(text.contains("assertion: java.lang.AssertionError: repOk does not hold after DoublyLinkedList.remove"), "{text}");
        assert!(text.contains("every feasible path was run") && text.contains("in DoublyLinkedList.remove"), "{text}");
        let replay = xcute(place.path(), &["replay", "xcute-out/failures/f1.json"]);
        let told = stdout(&replay);
        assert!(replay.status.code() == Some(1) && told.contains(shown) && !told.contains("but the case"), "{told}{}", stderr(&replay));
        let failing = fs::read_to_string(place.path().join("xcute-out/failures/f1.java")).unwrap();
        let check = "holds(call(\"DoublyLinkedList\", \"repOk()Z\"";
        assert!(failing.contains(test) && failing.contains(check), "{failing}");
        fs::remove_dir_all(place.path().join("xcute-out")).unwrap();
    }
    for (arguments, expected) in [
        (&["--method", "remove", "--length", "3"][..], "--length is about sequences of calls"),
        (&["--method", "remove", "--pre", "addFirst"], "cannot be a checker"),
        (&["--calls", "add"], "there is no method add"),
        (&["--method", "remove", "--post", "repOkay"], "did you mean DoublyLinkedList.repOk()?"),
    ] {
        let output = xcute(place.path(), &[&["java", &list], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", stdout(&output));
        assert!(stderr(&output).contains(expected), "{arguments:?} {}", stderr(&output));
    }
}

/// Threads are searched with inputs; what needs its order is unconfirmed, and replayed in it.
#[test]
fn threads_are_searched_and_replayed_in_their_order() {
    let place = account();
    let idle = summary(&xcute(place.path(), &["java", "classes", "--method", "idle", "--format", "json", "--tests", "0"]));
    assert_eq!((&idle["complete"], idle["paths"].as_u64()), (&Value::Bool(true), Some(2)), "{idle}");
    let subject = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/java/threads/RacyCounter.java");
    let output = xcute(place.path(), &["java", subject.to_str().unwrap(), "--method", "main", "--out", "racy"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("data-race: `RacyCounter.count` is") && text.contains("paths     4 in"), "{text}");
    let case = fs::read_dir(place.path().join("racy/failures")).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<PathBuf> = case.filter(|file| file.extension().is_some_and(|end| end == "json")).collect();
    cases.sort();
    assert!(!cases.is_empty(), "{text}");
    for case in cases {
        let replayed = xcute(place.path(), &["replay", case.to_str().unwrap()]);
        let told = stdout(&replayed);
        assert!(replayed.status.code() == Some(1) && !told.contains("but the case"), "{told}{}", stderr(&replayed));
    }
}
