//! What xcute says where a program is unusual: one clear line, the user's names and places, and figures that mean what they say.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod broken;
mod every;
mod refused;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A directory with one file.
fn place(name: &str, source: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(name), source).unwrap();
    place
}

fn xcute(place: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place).args(words).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn json(place: &Path, words: &[&str]) -> Value {
    let ran = xcute(place, &[&words[..1], &["--format", "json", "--no-progress"], &words[1..]].concat());
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", stderr(&ran)))
}

/// It must end with 2 and say one line that holds the words.
fn refuses(output: &Output, words: &[&str]) {
    let told = stderr(output);
    assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{:?}: {told}", output.status);
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
}

#[test]
fn programs_for_other_machines() {
    let place = place("a.c", "int f(int x) { return x > 3; }\n");
    for flag in ["-m32", "-mx32", "--target=aarch64-linux-gnu"] {
        refuses(&xcute(place.path(), &["c", "a.c", "--entry", "f", "--", flag]), &["only programs for x86_64", "leave out -m32"]);
    }
}

#[test]
fn more_static_data_than_there_is_room_for() {
    for bytes in ["300000000", "3000000000ul", "60000000000ul"] {
        let source =
            format!("static char small[9];\nstatic char table[{bytes}];\nint f(int x) {{ return table[x & 7] + small[x & 3]; }}\n");
        let place = place("a.c", &source);
        refuses(&xcute(place.path(), &["c", "a.c", "--entry", "f"]), &["MiB of static data", "make table smaller"]);
    }
    let place = place("a.c", "static char table[200000000];\nint f(int x) { return table[x & 1]; }\n");
    assert_eq!(json(place.path(), &["c", "a.c", "--entry", "f"])["complete"], true);
}

#[test]
fn little_address_space() {
    let place = place("a.c", "int f(int x) { return x > 3; }\n");
    for kilobytes in ["2000000", "20000000"] {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" c a.c --entry f");
        let ran = Command::new("sh").current_dir(place.path()).args(["-c", &script, env!("CARGO_BIN_EXE_xcute")]).output().unwrap();
        refuses(&ran, &["cannot map its memory", "ulimit -v"]);
    }
}

#[test]
fn numbers_of_any_width() {
    let source = "#include <stdlib.h>\nvoid f(int x) {\n  _BitInt(37) wide = x;\n  if (wide * wide == (_BitInt(37))1521) abort();\n}\nint g(_BitInt(20) x) { return x > 3; }\n";
    let place = place("a.c", source);
    let found = json(place.path(), &["c", "a.c", "--entry", "f"]);
    assert_eq!((&found["failures"][0]["line"], &found["complete"]), (&4.into(), &true.into()), "{found:#}");
    refuses(&xcute(place.path(), &["c", "a.c", "--entry", "g"]), &["parameter x of g", "_BitInt", "let the entry take another type"]);
}

#[test]
fn a_program_that_ends_before_its_entry() {
    let place = place(
        "a.c",
        "#include <stdlib.h>\n__attribute__((constructor)) static void ends(void) { exit(9); }\nint f(int x) { return x > 3; }\n",
    );
    refuses(&xcute(place.path(), &["c", "a.c", "--entry", "f"]), &["exit code 9", "constructor"]);
}

/// Arms that no input takes are not called missed once the search is complete.
#[test]
fn infeasible_arms_are_not_missed() {
    let source = "int f(int x, int y) {\n  if (y > 3) y = 4;\n  if (x > 5)\n    if (x < 3)\n      return 1;\n  return y;\n}\nint g(int x) { return x ? 1 : 2; }\n";
    let place = place("a.c", source);
    let summary = json(place.path(), &["c", "a.c", "--entry", "f"]);
    let branches = &summary["coverage"]["branches"];
    assert_eq!((&branches["covered"], &branches["total"], &summary["coverage"]["infeasible"]), (&5.into(), &8.into(), &1.into()));
    let text = String::from_utf8(xcute(place.path(), &["report"]).stdout).unwrap();
    assert!(text.contains("branches 5/8 (1 infeasible, 71 % of the others)"), "{text}");
    let page = fs::read_to_string(place.path().join("xcute-out/index.html")).unwrap();
    assert!(page.contains("5 of 7 feasible branches; 1 proved unreachable"));
    let cut = json(place.path(), &["c", "a.c", "--entry", "f", "--runs", "2"]);
    assert_eq!((&cut["complete"], &cut["coverage"]["infeasible"]), (&false.into(), &Value::Null));
    let page = fs::read_to_string(place.path().join("xcute-out/index.html")).unwrap();
    assert!(
        page.contains("<p class=\"verdict open\">No failure; the search is not complete: it stopped after 2 runs"),
        "what is not complete is not shown as good"
    );
}

/// Limits name the user's functions and places, also where a model of the library met them.
#[test]
fn every_limit_has_a_place_and_no_name_of_ours() {
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f(char *s, long double d) {\n  if (!s) return 0;\n  if (strtold(s, 0) == 7)\n    return 1;\n  char t[8];\n  snprintf(t, sizeof t, \"%Lf\", d);\n  long double n;\n  if (sscanf(s, \"%Lf\", &n) == 1 && n == 3)\n    return 2;\n  strfmon(t, sizeof t, \"%n\", atof(s));\n  return 3;\n}\n";
    let place = place("a.c", &source.replace("#include <stdio.h>", "#include <monetary.h>\n#include <stdio.h>"));
    let summary = json(place.path(), &["c", "a.c", "--entry", "f", "--string", "2"]);
    let limits = summary["limits"].as_array().unwrap();
    assert!(
        limits.iter().any(|limit| limit["what"].as_str().is_some_and(|what| what.starts_with("strtold at ") && what.ends_with("a.c:7"))),
        "{limits:#?}"
    );
    for limit in limits {
        let (kind, what) = (limit["kind"].as_str().unwrap(), limit["what"].as_str().unwrap());
        assert!(!what.contains(":0") && !what.contains("xcm_") && !what.contains("xcute_") && !what.contains("xch_"), "{kind}: {what}");
        assert!(kind != "uninstrumented" || what.contains(" at "), "{kind}: {what}");
    }
}

/// What cannot be said is not said; the exit code is what it would have been.
#[test]
fn a_full_disk_behind_stderr() {
    let place = place("a.c", "int f(int x) { return x > 3; }\n");
    for (words, code) in [(&["c", "gone.c"][..], 2), (&["c", "a.c", "--entry", "f"], 0)] {
        let full = fs::File::create("/dev/full").unwrap();
        let ran = Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(words).stderr(full).output().unwrap();
        assert_eq!(ran.status.code(), Some(code), "{words:?}");
    }
}

/// With bounded preemptions, choices that are equal to others are not explored twice; `explain` says so.
#[test]
fn an_arm_that_was_left_to_an_equal_choice() {
    let source = "#include <pthread.h>\nint a, b, c;\nstatic void *w1(void *x) { a = 1; b = 1; return 0; }\nstatic void *w2(void *x) { c = a; return 0; }\nint f(unsigned char x) {\n  pthread_t t, u;\n  pthread_create(&t, 0, w1, 0);\n  pthread_create(&u, 0, w2, 0);\n  int y = a + b;\n  if (x * x == 3) b = 2;\n  pthread_join(t, 0); pthread_join(u, 0);\n  return y;\n}\n";
    let place = place("a.c", source);
    let found = json(place.path(), &["c", "a.c", "--entry", "f", "--preemptions", "2", "--races", "off"]);
    assert_eq!(
        (found["complete"].as_bool(), found["arms"]["pruned"].as_u64().is_some_and(|pruned| pruned > 0)),
        (Some(true), true),
        "{found}"
    );
    let ran = xcute(place.path(), &["explain", "xcute-out", "a.c:10:7:true"]);
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains(" infeasible; on ") && said.contains(" left out: an equal choice is explored elsewhere"), "{said}");
}

/// Each query stands on its own, with our answer; a search with several workers writes one file.
#[test]
fn queries_are_written_for_other_solvers() {
    let source = "int f(unsigned a, unsigned b, unsigned c) {\n  if (a * b + c * c == 77123457u && a > 1000 && (b ^ c) == 991) return 1;\n  return (a * a + b) % 17 == 3 && (a * a & 3) == 2;\n}\n";
    let place = place("a.c", source);
    for jobs in ["1", "2"] {
        let found = json(place.path(), &["c", "a.c", "--entry", "f", "--log-queries", "q.smt2", "--jobs", jobs]);
        assert_eq!(found["complete"], true, "{found}");
        let text = fs::read_to_string(place.path().join("q.smt2")).unwrap();
        let queries: Vec<&str> = text.split_inclusive("(reset)\n").collect();
        assert!(queries.len() >= 2, "{text}");
        for (number, query) in (1..).zip(&queries) {
            let answer = query.strip_prefix(&format!("; query {number}: ")).and_then(|rest| rest.lines().next());
            assert!(matches!(answer, Some("sat" | "unsat")), "{query}");
            assert!(query.contains("(declare-const ") && query.ends_with("(check-sat)\n(reset)\n"), "{query}");
        }
        let sat = queries.iter().filter(|query| query.contains(": sat\n")).count();
        assert!(sat > 0 && sat < queries.len(), "{text}");
    }
    // Nothing is lost where the file cannot be written.
    let ran = xcute(place.path(), &["c", "a.c", "--entry", "f", "--log-queries", "no/q.smt2", "-q"]);
    assert_eq!(ran.status.code(), Some(0));
    assert!(stderr(&ran).contains("queries are no longer recorded: cannot write to no/q.smt2"), "{}", stderr(&ran));
}
