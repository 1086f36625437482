//! What happens when something goes wrong: one clear line or a report, nothing lost, exit codes as documented.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A directory with one C file, `subject.c`.
fn place(source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("subject.c"), source).unwrap();
    place
}

fn command(place: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).arg("c").arg("subject.c").args(arguments);
    command
}

fn xcute(place: &TempDir, arguments: &[&str]) -> Output {
    command(place, arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("stdout is not one JSON object ({error}): {}", stderr(output)))
}

/// xcute must end with 2, say one line that holds all of `words`, and print nothing to stdout.
fn cannot(output: &Output, words: &[&str]) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.starts_with("xcute: "), "{told}");
    for word in words {
        assert!(told.contains(word), "no `{word}` in {told}");
    }
}

/// Somebody who looks sees how far the search is: `script` is a terminal for it.
#[test]
fn progress_is_shown_on_a_terminal() {
    let place = tempfile::tempdir().unwrap();
    let source = "int f(unsigned char *a, int n) { int s = 0; for (int i = 0; i < 40; i++) if (a[i % 64] > n) s++; return s; }\n";
    std::fs::write(place.path().join("a.c"), source).unwrap();
    let line = format!("{} c a.c --entry f --array a=64 --prune off --time 4s", env!("CARGO_BIN_EXE_xcute"));
    let seen = Command::new("script")
        .current_dir(place.path())
        .args(["-qefc", &line, "/dev/null"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let seen = String::from_utf8_lossy(&seen.stdout).into_owned();
    for part in ["building the program", "of 4 s, no failure, ", "/s), branches ", "open arms "] {
        assert!(seen.contains(part), "{part} in {seen}");
    }
}

/// It says what is done besides searching, and with which failure: `script` is a terminal for it.
#[test]
fn phases_are_shown_on_a_terminal() {
    let seen = |words: &str, place: &TempDir| {
        let line = format!("{} {words}", env!("CARGO_BIN_EXE_xcute"));
        let mut script = Command::new("script");
        // What was made before must not make it too fast to be seen.
        script.current_dir(place.path()).env("XCUTE_CACHE", "").args(["-qefc", &line, "/dev/null"]).stdin(Stdio::null());
        String::from_utf8_lossy(&script.output().unwrap().stdout).into_owned()
    };
    let c =
        place("#include <stdlib.h>\nvoid f(int x, int y) {\n  if (x * 3 == 51 && y > x) abort();\n  if (y == 4) exit(1 / (x - 5));\n}\n");
    let text = seen("c subject.c --entry f", &c);
    for part in ["building the program", "minimising f1", "confirming f1 on", "confirming f2 on", "writing results"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    fs::write(c.path().join("a.erl"), "-module(a).\n-export([f/1]).\nf(X) when X > 3 -> 1 div (X - 9);\nf(_) -> 0.\n").unwrap();
    let text = seen("erl a.erl f/1", &c);
    assert!(text.contains("confirming f1 on") && text.contains("writing tests"), "{text}");
}

#[test]
fn unknown_entry() {
    let place = place("int f(int x) { return x; }\nint g(int x) { return x; }\n");
    cannot(&xcute(&place, &["--entry", "h", "--format", "json"]), &["no function is called h (there are f, g)"]);
}

#[test]
fn no_entry_and_no_main() {
    let place = place("int f(int x) { return x; }\nint g(int x) { return x; }\n");
    cannot(&xcute(&place, &[]), &["main"]);
}

#[test]
fn unparsable_c() {
    let place = place("int f(int x) {\n  return x +;\n}\n");
    let ran = xcute(&place, &["--entry", "f"]);
    assert_eq!(ran.status.code(), Some(2));
    let told = stderr(&ran);
    assert!(told.contains("subject.c:2"), "{told}");
    assert!(ran.stdout.is_empty());
}

#[test]
fn missing_clang() {
    let place = place("int f(int x) { return x; }\n");
    let ran = command(&place, &["--entry", "f"]).env("XCUTE_CLANG", "/nowhere/clang-19").output().unwrap();
    cannot(&ran, &["clang", "XCUTE_CLANG"]);
}

#[test]
fn unknown_array() {
    let place = place("int f(int *p) { return p ? *p : 0; }\n");
    cannot(&xcute(&place, &["--entry", "f", "--array", "q=3"]), &["q"]);
}

#[test]
fn checkers_that_cannot_be_called() {
    let place = place("int f(int *p) { return p ? *p : 0; }\nint ok(double d) { return d > 0; }\nvoid silent(int *p) { (void)p; }\n");
    cannot(&xcute(&place, &["--entry", "f", "--pre", "nope"]), &["--pre nope", "no such function"]);
    cannot(&xcute(&place, &["--entry", "f", "--pre", "ok"]), &["--pre ok", "parameter d"]);
    cannot(&xcute(&place, &["--entry", "f", "--pre", "silent"]), &["--pre silent", "returns nothing"]);
}

#[test]
fn a_directory_that_is_not_ours() {
    let place = place("int f(int x) { return x; }\n");
    fs::create_dir(place.path().join("precious")).unwrap();
    fs::write(place.path().join("precious/data"), "kept").unwrap();
    cannot(&xcute(&place, &["--entry", "f", "--out", "precious"]), &["precious", "--out"]);
    assert!(place.path().join("precious/data").exists());
}

#[test]
fn a_crash_on_every_run() {
    let place = place("#include <stdlib.h>\nvoid f(int x) {\n  if (x > 3) abort();\n  abort();\n}\n");
    let ran = xcute(&place, &["--entry", "f", "--format", "json"]);
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    let summary = summary(&ran);
    assert_eq!((&summary["complete"], &summary["paths"]), (&true.into(), &2.into()), "{summary}");
    assert_eq!(summary["failures"].as_array().unwrap().len(), 2, "{summary}");
}

#[test]
fn a_program_that_never_returns() {
    let place = place("int f(int x) {\n  for (;;)\n    x++;\n}\n");
    let ran = xcute(&place, &["--entry", "f", "--format", "json", "--steps", "10000"]);
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    assert_eq!(summary(&ran)["failures"][0]["kind"], "hang");
}

#[test]
fn a_program_that_exits() {
    let place = place("#include <stdlib.h>\nvoid f(int x) {\n  if (x == 9)\n    exit(3);\n  exit(0);\n}\n");
    let ran = xcute(&place, &["--entry", "f", "--format", "json"]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    let summary = summary(&ran);
    assert_eq!((&summary["complete"], &summary["paths"]), (&true.into(), &2.into()), "{summary}");
}

#[test]
fn a_program_that_prints() {
    let place =
        place("#include <stdio.h>\nvoid f(int x) {\n  if (x == 9)\n    puts(\"nine\");\n  else\n    fprintf(stderr, \"not\\n\");\n}\n");
    let ran = xcute(&place, &["--entry", "f", "--format", "json"]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert_eq!(summary(&ran)["paths"], 2);
    assert_eq!(stderr(&ran), "");
}

#[test]
fn the_same_seed_gives_the_same_campaign() {
    let place = place("int f(int a, int b, int c) { return (a > 3) + (b > a ? c > 7 : c < 2) + (a == c * 2); }\n");
    for strategy in ["coverage", "dfs", "bfs", "random", "cfg", "generational"] {
        let run = || {
            let ran = xcute(&place, &["--entry", "f", "--format", "json", "--strategy", strategy, "--seed", "7", "--keep-cases", "all"]);
            let mut summary = summary(&ran);
            summary["seconds"] = Value::Null;
            summary["solver"]["seconds"] = Value::Null;
            for moment in summary["timeline"].as_array_mut().unwrap() {
                moment["seconds"] = Value::Null;
            }
            (summary, cases(place.path()))
        };
        let first = run();
        assert_eq!(first.0["complete"], true, "{strategy}: {}", first.0);
        assert_eq!(first, run(), "{strategy}");
    }
}

/// The names and texts of the case files.
fn cases(place: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(place.join("xcute-out/cases")).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<_> = entries.map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap())).collect();
    cases.sort();
    cases
}

#[test]
fn budgets_are_kept() {
    let place = place(ENDLESS);
    let ran = xcute(&place, &["--format", "json", "--runs", "20"]);
    let told = summary(&ran);
    assert_eq!((&told["runs"], &told["stop"], &told["complete"]), (&20.into(), &"runs".into(), &false.into()));
    let start = Instant::now();
    let ran = xcute(&place, &["--format", "json", "--time", "300ms"]);
    assert_eq!(summary(&ran)["stop"], "time");
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// More paths than anybody can run.
const ENDLESS: &str = "#include <xcute.h>\nint main(void) {\n  int above = 0;\n  for (int i = 0; i < 48; i++) {\n    unsigned char c;\n    xcute_input(c);\n    if (c > i)\n      above++;\n  }\n  return above;\n}\n";

#[test]
fn an_interrupt_leaves_a_valid_results_directory() {
    let place = place(ENDLESS);
    let mut child = command(&place, &["--format", "json", "--time", "600s", "--keep-cases", "all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !place.path().join("xcute-out/cases/000005.json").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no run in a minute");
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(3), "{}", stderr(&ran));
    let told = summary(&ran);
    assert_eq!(told["stop"], "interrupted");
    let written: Value = serde_json::from_str(&fs::read_to_string(place.path().join("xcute-out/summary.json")).unwrap()).unwrap();
    assert_eq!(written, told);
    for file in ["index.html", "coverage.lcov", "cases/000005.json"] {
        assert!(place.path().join("xcute-out").join(file).exists(), "{file}");
    }
    let parts = fs::read_dir(place.path().join("xcute-out"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|end| end == "part"));
    assert_eq!(parts.count(), 0, "a half-written file was left");
}
