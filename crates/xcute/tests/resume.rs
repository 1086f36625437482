//! `xcute resume`: whatever ends a campaign, another one goes on with it, and in the end everything is found once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// 2^13 paths through a list that grows on the way, with failures.
const SOURCE: &str = r#"
#include <assert.h>
struct node { short v; struct node *next; };
int sum(struct node *list, int a, int b) {
  int n = 0, turns = 0;
  for (; list && turns < 3; list = list->next, turns++)
    if (list->v > 10 * turns) n++;
  for (int i = 0; i < 8; i++) {
    if (a > 100 * i) n++;
    if (a * 3 == b + i) n += 2;
  }
  assert(n != 9);
  assert(turns < 3 || n != 4);
  return n;
}
"#;

fn place(source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("subject.c"), source).unwrap();
    place
}

fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    command(place, arguments).output().unwrap()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&output.stderr)))
}

/// What must not depend on what happened on the way.
fn found(summary: &Value) -> Vec<Value> {
    let mut failures: Vec<_> = summary["failures"].as_array().unwrap().iter().map(|f| f["line"].as_u64().unwrap()).collect();
    failures.sort_unstable();
    let mut all: Vec<Value> = ["paths", "complete", "arms", "coverage", "stop"].iter().map(|field| summary[field].clone()).collect();
    all.push(failures.into());
    all
}

/// Lets xcute work until the journal has grown by this many bytes, then kills it. Whether it was still at work.
fn kill(place: &Path, arguments: &[&str], bytes: u64) -> bool {
    let size = || fs::metadata(place.join("xcute-out/journal")).map_or(0, |file| file.len());
    let begin = if arguments[0] == "c" { 8 } else { size() };
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
fn killed_again_and_again() {
    let uninterrupted = place(SOURCE);
    let begin = ["c", "subject.c", "--entry", "sum", "--format", "json", "--stop-at", "complete", "--keep-cases", "none"];
    let whole = summary(&xcute(uninterrupted.path(), &begin));
    assert_eq!(whole["complete"], true, "{whole}");
    assert!(whole["failures"].as_array().unwrap().len() == 2, "{whole}");
    for jobs in ["1", "2"] {
        let place = place(SOURCE);
        let more = [&begin[..], &["--jobs", jobs]].concat();
        let mut kills = u32::from(kill(place.path(), &more, 1));
        for bytes in [1, 500, 3000] {
            kills += u32::from(kill(place.path(), &["resume", "xcute-out", "--format", "json"], bytes));
        }
        assert!(kills >= 2, "it is too fast to be killed");
        let other = if jobs == "1" { "3" } else { "1" };
        let rest = summary(&xcute(place.path(), &["resume", "--format", "json", "--jobs", other]));
        assert_eq!(found(&rest), found(&whole), "with {jobs} jobs");
        let size = fs::metadata(place.path().join("xcute-out/journal")).unwrap().len();
        let paths = rest["paths"].as_u64().unwrap();
        assert!(size < 40 * paths + 20_000, "{size} bytes for {paths} paths");
        let again = xcute(place.path(), &["c", "--resume", "xcute-out", "--format", "json"]);
        assert!(String::from_utf8_lossy(&again.stderr).contains("already complete"));
        assert_eq!(summary(&again)["paths"], whole["paths"]);
    }
}

#[test]
fn budgets_end_a_campaign_and_another_goes_on() {
    let place = place(SOURCE);
    let begin = ["c", "subject.c", "--entry", "sum", "--format", "json", "--runs", "50"];
    assert_eq!(summary(&xcute(place.path(), &begin))["runs"], 50);
    let given = ["c", "subject.c", "--entry", "sum", "--format", "json", "--runs", "120", "--resume", "xcute-out"];
    let more = summary(&xcute(place.path(), &given));
    assert_eq!((&more["runs"], &more["stop"]), (&120.into(), &"runs".into()));
    let more = summary(&xcute(place.path(), &["resume", "--runs", "200", "--format", "json"]));
    assert_eq!(more["runs"], 200);
}

/// Runs are long: after some of them the program is compiled again, and the search goes on with that.
const LONG: &str = r#"
#include <assert.h>
int f(unsigned n, unsigned char *s) {
  unsigned h = 0, k = 1;
  for (unsigned i = 0; i < 300000; i++) k = k * 31 + i;
  for (unsigned i = 0; i < 100; i++) h = h * 31 + (i ^ n % 7);
  int c = 0;
  for (int i = 0; i < 6; i++)
    if (s[i] > 'a' + i) c++;
  assert(c != 2 || n != 12);
  if (c == 5) assert(n != 77);
  return (h & 1) + (k & 1);
}
"#;

#[test]
fn what_is_compiled_again_in_the_middle_is_one_campaign() {
    let place = place(LONG);
    let told = xcute(place.path(), &["c", "subject.c", "--entry", "f", "--array", "s=6", "--profile"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let searching = told.lines().find(|line| line.starts_with("searching ")).and_then(|line| line.split_whitespace().last());
    assert_eq!(searching, Some("2"), "it searches before and after: {told}");
    let begin = ["c", "subject.c", "--entry", "f", "--array", "s=6", "--format", "json", "--keep-cases", "all", "--jobs"];
    for jobs in ["1", "3"] {
        let whole = summary(&xcute(place.path(), &[&begin[..], &[jobs]].concat()));
        assert_eq!((&whole["complete"], &whole["paths"]), (&true.into(), &85.into()), "{whole}");
        assert_eq!(found(&whole)[5], Value::from(vec![10, 11]));
        assert!(whole["failures"].as_array().unwrap().iter().all(|failure| failure["replayed"] == true));
        let cases = fs::read_dir(place.path().join("xcute-out/cases")).unwrap().count();
        assert_eq!(cases as u64, whole["runs"].as_u64().unwrap(), "each run is kept once");
    }
    // Whatever runs an interrupted campaign had made of either code, another one goes on.
    for runs in ["5", "30"] {
        summary(&xcute(place.path(), &[&begin[..], &["1", "--runs", runs]].concat()));
        let rest = summary(&xcute(place.path(), &["resume", "--runs", "1000", "--format", "json"]));
        assert_eq!((&rest["complete"], &rest["paths"]), (&true.into(), &85.into()), "{rest}");
    }
}

#[test]
fn another_program_is_refused() {
    let place = place(SOURCE);
    let begin = ["c", "subject.c", "--entry", "sum", "--format", "json", "--runs", "50"];
    summary(&xcute(place.path(), &begin));
    let journal = fs::read(place.path().join("xcute-out/journal")).unwrap();
    fs::write(place.path().join("subject.c"), SOURCE.replace("n != 9", "n != 8")).unwrap();
    for arguments in [&["resume"][..], &["c", "subject.c", "--entry", "sum", "--resume", "xcute-out"]] {
        let ran = xcute(place.path(), arguments);
        let told = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!((ran.status.code(), told.lines().count()), (Some(2), 1), "{told}");
        assert!(told.contains("changed since the campaign began"), "{told}");
    }
    assert_eq!(fs::read(place.path().join("xcute-out/journal")).unwrap(), journal);
    let ran = xcute(place.path(), &["resume", "nowhere"]);
    assert!(String::from_utf8_lossy(&ran.stderr).starts_with("xcute: cannot read nowhere"));
}

/// The example's data alone decides what is feasible.
const DATA: &str = "#include <stdlib.h>
int lo = 5, hi = 5;
int f(int a, int b, int c) {
  if (b > 7) return 1;
  if (c > 7) return 2;
  if (a > lo)
    if (a < hi)
      abort();
  return 0;
}
";

#[test]
fn changed_data_is_a_changed_program() {
    let place = place(DATA);
    xcute(place.path(), &["c", "subject.c", "--entry", "f", "--runs", "3", "--strategy", "dfs"]);
    let same = xcute(place.path(), &["resume", "--runs", "4"]);
    assert_eq!(same.status.code(), Some(0), "{}", String::from_utf8_lossy(&same.stderr));
    fs::write(place.path().join("subject.c"), DATA.replace("lo = 5", "lo = 2")).unwrap();
    for arguments in [&["resume", "--runs", "2000"][..], &["explain", "xcute-out"]] {
        let ran = xcute(place.path(), arguments);
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("changed since the campaign began"), "{arguments:?}");
    }
}

#[test]
fn a_changed_library_is_a_changed_program() {
    let source = DATA.replace("int lo = 5, hi = 5;", "int lo(void);\nint hi = 5;").replace("a > lo", "a > lo()");
    let place = place(&source);
    let library = |lo: &str| {
        fs::write(place.path().join("own.c"), format!("int lo(void) {{ return {lo}; }}\n")).unwrap();
        let words = ["-shared", "-fPIC", "own.c", "-o", "libown.so"];
        assert!(Command::new("clang-19").current_dir(place.path()).args(words).status().unwrap().success());
    };
    library("5");
    let here = place.path().display();
    let link = ["--", &format!("-L{here}"), "-lown", &format!("-Wl,-rpath,{here}")];
    let begin = [&["c", "subject.c", "--entry", "f", "--if-changed"][..], &link].concat();
    assert_eq!(xcute(place.path(), &begin).status.code(), Some(0));
    // It is built again from the same text.
    library("5");
    let same = xcute(place.path(), &begin);
    assert_eq!(same.status.code(), Some(0));
    let said = String::from_utf8_lossy(&same.stderr).into_owned();
    assert!(said.contains("nothing changed"), "{said}");
    library("2");
    for arguments in [&["resume", "--runs", "2000"][..], &["explain", "xcute-out"]] {
        let ran = xcute(place.path(), arguments);
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("changed since the campaign began"), "{arguments:?}");
    }
    assert_eq!(xcute(place.path(), &begin).status.code(), Some(1));
    fs::remove_file(place.path().join("libown.so")).unwrap();
    let lost = xcute(place.path(), &["resume"]);
    assert_eq!(lost.status.code(), Some(2));
}

#[test]
fn no_stale_verdict_is_shown() {
    let source = "#include <stdlib.h>\nint g(int a) { if (a > 3) return 1; return 0; }\n";
    let place = place(source);
    xcute(place.path(), &["c", "subject.c", "--entry", "g"]);
    let again = xcute(place.path(), &["resume", "-q"]);
    assert_eq!(String::from_utf8_lossy(&again.stdout), "no failure in g; every feasible path was run\n");
    assert!(String::from_utf8_lossy(&again.stderr).contains("is already complete"));
    fs::write(place.path().join("subject.c"), source.replace("return 1", "abort()")).unwrap();
    let changed = xcute(place.path(), &["resume", "-q"]);
    assert_eq!((changed.status.code(), changed.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&changed.stderr).contains("changed since the campaign began"));
}

#[test]
fn every_language_goes_on_by_its_own_option() {
    let place = place("int g(int a, int b) { if (a > 3) return 1; return b > 2; }\n");
    fs::write(place.path().join("m.pl"), "p(1).\np(2).\np(3).\n").unwrap();
    fs::write(place.path().join("m.erl"), "-module(m).\n-export([f/1]).\nf(1) -> a;\nf(2) -> b;\nf(3) -> c.\n").unwrap();
    for (begin, own) in
        [(&["c", "subject.c", "--entry", "g"][..], "c"), (&["clp", "m.pl", "--goal", "p/1"], "clp"), (&["erl", "m.erl", "f/1"], "erl")]
    {
        xcute(place.path(), &[begin, &["--runs", "1", "--out", own]].concat());
        let more = summary(&xcute(place.path(), &[own, "--resume", own, "--runs", "100", "--format", "json"]));
        assert_eq!((more["language"].as_str(), more["complete"].as_bool()), (Some(own), Some(true)), "{more}");
        assert!(more["runs"].as_u64().unwrap() > 1);
    }
}

/// In every language a program that changed is refused, by `resume` and by the language's own option, and nothing of the earlier campaign is touched.
#[test]
fn a_changed_program_is_refused_in_every_language() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
    let build = |make: &[&str]| {
        if !make.is_empty() {
            let built = xcute(place.path(), make);
            assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        }
    };
    let lamp = "protocol Switch {\n    in set(`int`);\n};\ncapsule Lamp {\n    service behavior port s : Switch;\n    statemachine {\n        state Off;\n        state On;\n        initial -> Off;\n        on: Off -> On on s.set when `*rtdata > 3`;\n    };\n};\n";
    let main = "#include <stdlib.h>\nint main(int argc, char **argv) { if (argc > 1 && argv[1][0] > 'd') return 3; return argc > 1 && argv[1][1] == 'x'; }\n";
    for (file, text, (old, new), make, begin) in [
        (
            "a.c",
            "int g(int a, int b) { if (a > 3) return 1; return b > 2; }\n",
            ("a > 3", "a > 4"),
            &[][..],
            &["c", "a.c", "--entry", "g"][..],
        ),
        ("a.pl", "p(1).\np(2).\np(3).\n", ("p(3)", "p(4)"), &[], &["clp", "a.pl", "--goal", "p/1"]),
        ("m.erl", "-module(m).\n-export([f/1]).\nf(1) -> a;\nf(2) -> b;\nf(3) -> c.\n", ("f(3)", "f(4)"), &[], &["erl", "m.erl", "f/1"]),
        (
            "A.java",
            "class A { static int f(int a, int b) { if (a > 3) return 1; return b > 2 ? 2 : 3; } }\n",
            ("a > 3", "a > 4"),
            &[],
            &["java", "A.java", "--method", "f"],
        ),
        ("lamp.art", lamp, ("> 3", "> 4"), &[], &["model", "lamp.art", "--capsule", "Lamp", "--length", "2"]),
        ("main.c", main, ("'d'", "'e'"), &["cc", "main.c", "-o", "main"], &["run", "--sym-args", "1x2", "./main"]),
    ] {
        let own = begin[0];
        let out = format!("out-{own}");
        write(file, text);
        build(make);
        let began = xcute(place.path(), &[begin, &["--runs", "1", "--out", &out]].concat());
        assert!(matches!(began.status.code(), Some(0 | 1)), "{own}: {}", String::from_utf8_lossy(&began.stderr));
        let journal = || fs::read(place.path().join(&out).join("journal")).unwrap();
        let before = journal();
        let changed = text.replace(old, new);
        assert_ne!(changed, text);
        write(file, &changed);
        build(make);
        for words in [&["resume", &out][..], &[own, "--resume", &out]] {
            let ran = xcute(place.path(), words);
            let said = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert_eq!((ran.status.code(), ran.stdout.len()), (Some(2), 0), "{own}: {said}");
            assert!(said.contains("changed since the campaign began"), "{own}: {said}");
        }
        assert_eq!(journal(), before, "{own}");
        // What is as it was goes on.
        write(file, text);
        build(make);
        let rest = summary(&xcute(place.path(), &["resume", &out, "--runs", "100", "--format", "json"]));
        assert!(rest["runs"].as_u64().unwrap() > 1, "{own}: {rest}");
    }
}
