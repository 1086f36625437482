//! What xcute refuses, in one line each: mistakes of command lines, sources and results directories.

use std::fs;
use std::process::Command;

use super::{place, refuses, xcute};

const F: &str = "int f(int *a, int n) { return n > 1 && a[0] > 3; }\n";

#[test]
fn options_that_cannot_be() {
    let place = place("a.c", F);
    let many = (0..300).map(|at| format!("f{at}")).collect::<Vec<_>>().join(",");
    let cases: &[(&[&str], &[&str])] = &[
        (&["c", "a.c", "--entry", "f", "--prune", "interpolation", "--horizon", "0"], &["--horizon 0 leaves nothing to explore"]),
        (&["c", "a.c", "--entry", "f", "--array", "a=2", "--array", "a=3"], &["cannot give the array a two lengths", "use --array once"]),
        (&["c", "a.c", "--calls", &many], &["--calls takes at most"]),
        (&["run", "/bin/true"], &["nothing is symbolic: there is one path only", "--sym-args 1x8"]),
        (&["run", "--sym-args", "1x2", "/bin/true"], &["cannot explore ", "carries no bitcode", "xcute cc"]),
        (&["man", "--out", "a.c/pages"], &["cannot create a.c/pages"]),
        (&["c", "a.c", "--time", "3 weeks"], &["unknown unit of time ` weeks` (use ms, s, m or h, as in 60s)"]),
        (&["c", "a.c", "--memory", "3Q"], &["`Q` is not a unit of memory (use K, M or G, as in 4G)"]),
    ];
    for (words, told) in cases {
        refuses(&xcute(place.path(), words), told);
    }
}

#[test]
fn entries_of_classes_that_cannot_be_called() {
    let source = "class C {\n  int x = 0;\n  int hidden(int y);\npublic:\n  int seen(int y) { return hidden(y); }\n};\nint C::hidden(int y) { return x + y; }\nint use(int y) { C c; return c.seen(y); }\n";
    let place = place("a.cpp", source);
    refuses(
        &xcute(place.path(), &["c", "a.cpp", "--entry", "C::hidden"]),
        &["C::hidden is private or protected", "make a public method the entry"],
    );
}

#[test]
fn mistakes_in_prolog() {
    let cases: &[(&str, &[&str])] = &[
        ("p(X) :- X = \"\\x110000\\\".\n", &["no character has this code"]),
        ("p(X) :- X = 0'", &["a character is missing after 0'"]),
        ("p(X) :- X = \u{1}.\n", &["unexpected character"]),
        ("p(X) :- X = (a].\n", &["( is closed by ]"]),
        ("p(X) :- X = [a|b, c].\n", &["the tail of a list is one term"]),
        ("p --> 3.\n", &["cannot expand this grammar rule: a number is not a grammar body"]),
        ("p(1).\n:- endif.\n", &["endif without :- if"]),
        (":- if(true).\np(1).\n", &[":- if without :- endif"]),
        ("% nothing\n", &["has no predicate to test"]),
    ];
    for (source, told) in cases {
        let place = place("a.pl", source);
        // The place in the source has lines of its own.
        let output = xcute(place.path(), &["clp", "a.pl"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && told.iter().all(|told| said.contains(told)), "{said}");
    }
    let place = place("a.pl", ":- module(a, [p/1]).\np(1).\n");
    fs::write(place.path().join("a.plt"), ":- begin_tests(mine).\n:- end_tests(mine).\n").unwrap();
    refuses(&xcute(place.path(), &["clp", "a.pl", "--beside"]), &["cannot write tests to a.plt", "leave out --beside"]);
}

#[test]
fn mistakes_in_java() {
    let source = "public class A {\n  static int f(int x) { return x; }\n  static int f(long x) { return 1; }\n}\n";
    let place = place("A.java", source);
    let cases: &[(&[&str], &[&str])] =
        &[(&["--method", "A.f"], &["is not one method: it can be"]), (&["--calls", ","], &["--calls names no method"])];
    for (words, told) in cases {
        refuses(&xcute(place.path(), &[&["java", "A.java"], *words].concat()), told);
    }
    let home = place.path().join("jdk");
    fs::create_dir_all(home.join("bin")).unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"11.0.2\"\n").unwrap();
    let java = home.join("bin/java");
    let script = format!("#!/bin/sh\necho '    java.home = {}' >&2\necho '    java.specification.version = 11' >&2\n", home.display());
    fs::write(&java, script).unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&java).status().unwrap().success());
    let ran = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .env("JAVA_HOME", &home)
        .args(["java", "A.java", "--method", "A.g"])
        .output();
    refuses(&ran.unwrap(), &["is Java 11", "17 or later is needed"]);
}

#[test]
fn directories_that_hold_no_results() {
    let place = place("a.c", "int f(int x) { return x > 3; }\n");
    let at = place.path();
    let search = || assert_eq!(xcute(at, &["c", "a.c", "--entry", "f", "-q"]).status.code(), Some(0));
    search();
    refuses(&xcute(at, &["explain", "xcute-out", "schedule:9"]), &["no run had a choice between threads"]);
    fs::remove_file(at.join("xcute-out/summary.json")).unwrap();
    refuses(
        &xcute(at, &["report", "--format", "sarif"]),
        &["cannot report xcute-out: its campaign has not ended", "xcute resume xcute-out"],
    );
    fs::remove_file(at.join("xcute-out/journal")).unwrap();
    refuses(&xcute(at, &["resume"]), &["it holds no campaign"]);
    search();
    let origin = at.join("xcute-out/campaign.json");
    let text = fs::read_to_string(&origin).unwrap().replace(&at.canonicalize().unwrap().display().to_string(), "/nowhere/at/all");
    fs::write(&origin, text).unwrap();
    refuses(&xcute(at, &["resume"]), &["cannot go to /nowhere/at/all"]);
}

#[test]
fn threads_that_made_no_such_run() {
    let source = "#include <pthread.h>\nstatic int x;\nstatic void *g(void *p) { x = 1; return p; }\nint f(int y) { pthread_t t; pthread_create(&t, 0, g, 0); x = y; return pthread_join(t, 0); }\n";
    let place = place("a.c", source);
    xcute(place.path(), &["c", "a.c", "--entry", "f", "-q", "--", "-pthread"]);
    refuses(&xcute(place.path(), &["explain", "xcute-out", "schedule:9999"]), &["there was no run 9999"]);
}
