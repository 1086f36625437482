//! Searches of Java programs by several workers, interrupted ones, their small inputs, and what `explain` says: with inputs alone, and with threads.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const MANY: &str = r#"
class Many {
    int value;
    Many next;

    static int sum(int a, int b, String s, int[] c, long d, Many list) {
        if (a > 1000 && s != null && s.startsWith("xy")) throw new IllegalStateException("found");
        if (c != null && c.length > 2 && c[1] == 7 && list != null && list.next == list) throw new IllegalArgumentException("circle");
        int score = 0;
        if (d < 0) score++;
        if (a == b) score++;
        if (list != null && list.next != null && list.value > list.next.value) score++;
        return 10 / (score - 2);
    }

    static int shared;

    static void race(int a, int b) throws InterruptedException {
        shared = 0;
        Thread one = new Thread(() -> add(a > 5)), two = new Thread(() -> add(b == 3)), three = new Thread(() -> add(a == b));
        Thread[] all = {one, two, three};
        for (Thread thread : all) thread.start();
        for (Thread thread : all) thread.join();
        assert !(a > 5 && b == 3) || shared == 2;
    }

    static void add(boolean adds) {
        if (adds) shared = shared + 1;
    }
}
"#;

fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("Many.java"), MANY).unwrap();
    place
}

fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place).args(arguments);
    command
}

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    command(place, arguments).output().unwrap()
}

fn summary(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("stdout is not one JSON object ({error}): {said}"))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A search of a method, which keeps all its cases.
fn searched(place: &Path, method: &str, more: &[&str]) -> Value {
    let all = ["java", "Many.java", "--method", method, "--elements", "3", "--keep-cases", "all", "--tests", "0", "--format", "json"];
    summary(&xcute(place, &[&all[..], more].concat()))
}

/// What does not depend on who did it, and in which order.
fn found(summary: &Value) -> (Vec<Value>, BTreeSet<String>) {
    let said = ["complete", "stop", "paths", "inputs", "bounds"].map(|field| summary[field].clone()).to_vec();
    let failure = |f: &Value| {
        format!("{} {} {} {}", f["kind"], f["file"], f["line"], f["message"].as_str().unwrap().split('`').nth(1).unwrap_or_default())
    };
    (said, summary["failures"].as_array().unwrap().iter().map(failure).collect())
}

/// The cases of a search, without what names them.
fn cases(folder: &Path) -> usize {
    fs::read_dir(folder.join("cases"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "json"))
        .count()
}

#[test]
fn workers_find_what_one_finds() {
    let place = place();
    for method in ["sum", "race"] {
        let one = searched(place.path(), method, &["--out", "one", "--jobs", "1"]);
        assert_eq!((&one["complete"], one["failures"].as_array().unwrap().len() >= 2), (&true.into(), true), "{one}");
        for more in [&["--jobs", "2"][..], &["--jobs", "4", "--strategy", "random", "--seed", "5"]] {
            let several = searched(place.path(), method, &[more, &["--out", "several"]].concat());
            assert_eq!(found(&several), found(&one), "{method} {more:?}");
            let kept = ["one", "several"].map(|folder| cases(&place.path().join(folder)));
            // Runs that were made before it was known what the threads share are kept as well.
            let paths = usize::try_from(one["paths"].as_u64().unwrap()).unwrap();
            assert!(kept[0] == kept[1] || method == "race" && kept.iter().all(|kept| *kept >= paths), "{method} {more:?}: {kept:?}");
            fs::remove_dir_all(place.path().join("several")).unwrap();
        }
        fs::remove_dir_all(place.path().join("one")).unwrap();
    }
}

/// What the path of a failure does not need is zero, null or empty.
#[test]
fn inputs_of_failures_are_small() {
    let place = place();
    let shown =
        text(&xcute(place.path(), &["java", "Many.java", "--method", "sum", "--elements", "3", "--strategy", "random", "--seed", "9"]));
    let failure = |message: &str| {
        let (_, after) = shown.split_once(message).unwrap_or_else(|| panic!("{message}: {shown}"));
        let (_, values) = after.split_once("  with ").unwrap();
        let values = values.split("  replay:").next().unwrap();
        let lines = values.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(failure("IllegalStateException: found"), ["a = 1001", "b = 0", "s = \"xy\"", "c = null", "d = 0", "list = null"]);
    let circle = failure("IllegalArgumentException: circle");
    for needed in ["b = 0", "c = new int[] {0, 7, 0}", "d = 0", "list = new Many", "list.next = list"] {
        assert!(circle.iter().any(|line| line == needed), "{needed}: {circle:?}");
    }
}

/// Lets a search work until its journal has grown by this many bytes, then kills it. Whether it was still at work.
fn kill(place: &Path, arguments: &[&str], bytes: u64) -> bool {
    let size = || fs::metadata(place.join("xcute-out/journal")).map_or(0, |file| file.len());
    let begin = if arguments[0] == "java" { 8 } else { size() };
    let mut child = command(place, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while size() < begin + bytes {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "nothing is written");
        sleep(Duration::from_millis(2));
    }
    // SIGKILL: nothing can be put in order.
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

#[test]
fn a_search_that_was_killed_goes_on() {
    for method in ["sum", "race"] {
        let place = place();
        let whole = searched(place.path(), method, &["--out", "whole"]);
        let begin = ["java", "Many.java", "--method", method, "--elements", "3", "--tests", "0", "--format", "json"];
        let mut kills = u32::from(kill(place.path(), &begin, 1));
        kills += u32::from(kill(place.path(), &["resume", "xcute-out", "--format", "json"], 200));
        assert!(kills >= 1, "it is too fast to be killed");
        let rest = summary(&xcute(place.path(), &["resume", "xcute-out", "--format", "json", "--jobs", "2"]));
        assert_eq!(found(&rest), found(&whole), "{method}");
    }
}

#[test]
fn branches_and_schedules_are_explained() {
    let place = place();
    searched(place.path(), "sum", &[]);
    let branches = text(&xcute(place.path(), &["explain", "xcute-out"]));
    assert!(branches.contains("no run came to this part of Many.add"), "{branches}");
    searched(place.path(), "race", &["--out", "threads"]);
    let all = text(&xcute(place.path(), &["explain", "threads"]));
    assert!(all.contains("schedule arms were asked for"), "{all}");
    let why = text(&xcute(place.path(), &["explain", "threads", "schedule"]));
    assert!(why.contains("Many.shared") && why.contains("1.1") && why.contains("1.2"), "{why}");
}

/// Branches are counted, as lines are, of the files that runs came to: of a library, only a part is tested.
#[test]
fn files_that_no_run_came_to_are_not_counted() {
    let place = place();
    let other = "class Other { static int f(int x) { if (x > 1) return 1; if (x > 2) return 2; if (x > 3) return 3; return 4; } }";
    fs::write(place.path().join("Other.java"), other).unwrap();
    let alone = searched(place.path(), "sum", &["--out", "alone"]);
    let all = ["java", "Many.java", "Other.java", "--method", "sum", "--elements", "3", "--tests", "0", "--format", "json"];
    let both = summary(&xcute(place.path(), &all));
    assert_eq!(both["coverage"]["branches"], alone["coverage"]["branches"]);
    assert!(both["coverage"]["branches"]["covered"].as_u64().unwrap() > 0, "{both}");
}
