//! Failures of several threads are repeated by real threads, every time; correct programs never fail.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Explores `main` of a program; its failures as (kind, case file).
fn failures(place: &Path, name: &str, source: &str) -> Vec<(String, String)> {
    fs::write(place.join(name), source).unwrap();
    let output = xcute(place, &["c", name, "--entry", "main", "--format", "json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output)));
    assert_eq!(summary["complete"], true, "{}", text(&output));
    let failures = summary["failures"].as_array().unwrap();
    failures.iter().map(|f| (f["kind"].as_str().unwrap().to_owned(), f["case"].as_str().unwrap().to_owned())).collect()
}

/// The case of the first failure of this kind.
fn case_of(failures: &[(String, String)], kind: &str) -> String {
    failures.iter().find(|(k, _)| k == kind).unwrap_or_else(|| panic!("no {kind} in {failures:?}")).1.clone()
}

fn replays(place: &Path, case: &str, times: usize, says: &[&str]) {
    for _ in 0..times {
        let output = xcute(place, &["replay", case]);
        let told = text(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        says.iter().for_each(|words| assert!(told.contains(words), "no `{words}` in {told}"));
    }
}

const START: &str =
    "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n";
const MAIN: &str = "
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  check();
  return 0;
}
";

#[test]
fn a_lost_update() {
    let place = tempfile::tempdir().unwrap();
    let program = "int counter;
void *f(void *x) { counter++; return x; }
void *g(void *x) { return f(x); }
void check(void) { assert(counter == 2); }";
    let found = failures(place.path(), "lost.c", &format!("{START}{program}{MAIN}"));
    let case = case_of(&found, "assertion");
    replays(
        place.path(),
        &case,
        20,
        &["assertion: ", "ends with signal 6 (SIGABRT), with its threads in the recorded order", "thread 1.1"],
    );
    replays(place.path(), &case_of(&found, "data-race"), 1, &["stand right before their accesses", "writes `counter`"]);
    let test = fs::read_to_string(place.path().join(case.replace(".json", ".c"))).unwrap();
    assert!(test.contains("-pthread") && test.contains("xcute replay xcute-out/failures/f") && test.contains(" *   thread 1.2 "), "{test}");
    let schedule: Value = serde_json::from_str(&fs::read_to_string(place.path().join(case)).unwrap()).unwrap();
    assert!(schedule["schedule"]["choices"].as_array().is_some_and(|all| !all.is_empty()), "{schedule}");
    // The standalone test compiles, as its comment says.
    let command = test.lines().find_map(|line| line.strip_prefix(" *   ")).unwrap().strip_suffix(" && ./t").unwrap();
    let gcc = Command::new("sh").current_dir(place.path()).args(["-c", command]).status().unwrap();
    assert!(gcc.success());
}

#[test]
fn a_deadlock() {
    let place = tempfile::tempdir().unwrap();
    let program =
        "void *f(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return x; }
void *g(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return x; }
void check(void) {}";
    let found = failures(place.path(), "deadlock.c", &format!("{START}{program}{MAIN}"));
    assert_eq!(found.len(), 1, "{found:?}");
    replays(place.path(), &case_of(&found, "deadlock"), 5, &["deadlock: ", "does not end, with its threads in the recorded order"]);
}

#[test]
fn an_atomicity_violation_that_needs_one_preemption() {
    let place = tempfile::tempdir().unwrap();
    let program = "int balance = 100;
void *f(void *x) {
  pthread_mutex_lock(&a);
  int seen = balance;
  pthread_mutex_unlock(&a);
  if (seen >= 100) {
    pthread_mutex_lock(&a);
    balance -= 100;
    pthread_mutex_unlock(&a);
  }
  return x;
}
void *g(void *x) { return f(x); }
void check(void) { assert(balance >= 0); }";
    let found = failures(place.path(), "bank.c", &format!("{START}{program}{MAIN}"));
    assert_eq!(found.len(), 1, "{found:?}");
    replays(place.path(), &case_of(&found, "assertion"), 20, &["assertion: ", "with its threads in the recorded order"]);
}

#[test]
fn a_correct_program_has_cases_that_pass() {
    let place = tempfile::tempdir().unwrap();
    let program = "int counter;
void *f(void *x) { pthread_mutex_lock(&a); counter++; pthread_mutex_unlock(&a); return x; }
void *g(void *x) { return f(x); }
void check(void) { assert(counter == 2); }";
    assert_eq!(failures(place.path(), "fine.c", &format!("{START}{program}{MAIN}")), []);
    for entry in fs::read_dir(place.path().join("xcute-out/cases")).unwrap() {
        let case = entry.unwrap().path();
        let output = xcute(place.path(), &["replay", case.to_str().unwrap()]);
        let told = text(&output);
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(told.contains("the uninstrumented program returns, with its threads in the recorded order"), "{told}");
    }
}

/// What variables held where it failed is that of the place where an exception was thrown first, in the innermost of its calls.
#[test]
fn values_are_shown_where_it_failed() {
    let java = "public class V {\n  static int f(int x, int[] a) {\n    int half = x / 2;\n    String s = \"n\" + 1;\n    try {\n      if (x == 7 && a != null && a.length == 2) throw new IllegalStateException(\"seven\");\n    } finally {\n      half = 100;\n    }\n    return half;\n  }\n  static int g(int n) {\n    int before = n + 1;\n    if (n <= 0 || n > 3) return 10 / (n > 3 ? 1 : n - n);\n    return g(n - 1) + before;\n  }\n}\n";
    let prolog = "p(X) :- integer(X), catch(q(X, _), never, true).\nq(X, Z) :- Y is X + 1, Y =:= 5, atom_length(Z, Y).\n";
    let c = "#include <assert.h>\nvoid f(int x) {\n  int half = x / 2;\n  assert(half != 21);\n}\n";
    let erlang = "-module(e).\n-export([f/1]).\n-spec f(integer()) -> integer().\nf(X) when X > 41, X < 43 -> 1 div (X - X);\nf(X) -> X.\n";
    let place = tempfile::tempdir().unwrap();
    for (name, text) in [("V.java", java), ("p.pl", prolog), ("c.c", c), ("e.erl", erlang)] {
        fs::write(place.path().join(name), text).unwrap();
    }
    let searches: [(&[&str], &str); 5] = [
        (&["java", "V.java", "--method", "V.f"], "values there: x = 7, a = int[2] {0, 0}, half = 3, s = \"n1\"\n"),
        (&["java", "V.java", "--method", "V.g"], "values there: n = 0, before = 1\n"),
        (&["clp", "p.pl", "--goal", "p/1"], "values there: X = 4\n"),
        (&["c", "c.c", "--entry", "f"], ", half = 21\n"),
        (&["erl", "e.erl", "f/1"], "values there: argument 1 = 42\n"),
    ];
    for (words, held) in searches {
        let searched = xcute(place.path(), &[words, &["--out", "out", "-q"]].concat());
        assert_eq!(searched.status.code(), Some(1), "{}", text(&searched));
        replays(place.path(), "out/failures/f1.json", 1, &[held]);
    }
}
