//! Budgets hold whatever the search is doing (a question that takes for ever, a run without end, more memory than is allowed), and are used well.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn place(source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("subject.c"), source).unwrap();
    place
}

fn command(place: &TempDir, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(words.split_whitespace()).args(["--format", "json", "--no-progress"]);
    command
}

fn xcute(place: &TempDir, words: &str) -> Output {
    command(place, words).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", stderr(output)))
}

/// A search that ended by itself and did not have to be given up.
fn ended(output: &Output, why: &str) -> Value {
    let told = summary(output);
    assert_eq!((&told["stop"], &told["complete"]), (&why.into(), &false.into()), "{}", stderr(output));
    assert!(!stderr(output).contains("given up"), "{}", stderr(output));
    told
}

/// The factors of a number of 80 bits: our own SAT solver would need more than a day.
const WORDS: &str = "#include <stdlib.h>\nint f(unsigned long x, unsigned long y) {\n  if (x < 2 || y < 2 || x >> 40 || y >> 40) return 1;\n  if (x * y == 1099511627689ul * 1099511627563ul) abort();\n  return 0;\n}\n";

/// Equations over floats, which go to Z3.
const FLOATS: &str = "#include <stdlib.h>\nint f(double x, double y) {\n  double z = x * y + x / y - y * x * x;\n  if (z * z * x + y * y * z == 1234567.25 && x / z == y / 3.75 && x != y) abort();\n  return 0;\n}\n";

/// Every turn is another input, and no turn is the last.
const INPUTS: &str =
    "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  while (1)\n    if (__VERIFIER_nondet_int() == 2) return 0;\n}\n";

/// More paths than anybody can run.
const PATHS: &str = "#include <xcute.h>\nint main(void) {\n  int above = 0;\n  for (int i = 0; i < 48; i++) {\n    unsigned char c;\n    xcute_input(c);\n    if (c > i) above++;\n  }\n  return above;\n}\n";

#[test]
fn the_time_ends_a_question_to_any_solver() {
    for source in [WORDS, FLOATS] {
        let place = place(source);
        let ran = xcute(&place, "c subject.c --entry f --time 2s --solver-effort 1000000000000");
        let told = ended(&ran, "time");
        assert!(told["arms"]["open"].as_u64() > Some(0), "what was broken off stays open: {}", told["arms"]);
        assert_eq!(told["arms"]["unknown"], 0);
        assert!(place.path().join("xcute-out/index.html").exists());
    }
}

#[test]
fn a_signal_ends_a_question_to_the_solver() {
    let place = place(WORDS);
    let words = "c subject.c --entry f --time 1h --solver-effort 1000000000000";
    let child = command(&place, words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = place.path().join("xcute-out/journal");
    while !journal.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    ended(&child.wait_with_output().unwrap(), "interrupted");
}

/// The uninstrumented program would not end for an hour: what there was no time for is named, and what was confirmed is reported.
#[test]
fn the_time_ends_confirming() {
    let place = place("#include <stdlib.h>\nint f(int x) {\n  if (x == 7) abort();\n  while (x == 9)\n    ;\n  return x;\n}\n");
    let told = ended(&xcute(&place, "c subject.c --entry f --time 4s --hang 1h"), "time");
    let failures = told["failures"].as_array().unwrap();
    assert_eq!((failures.len(), &failures[0]["kind"]), (1, &"abort".into()), "{told:#}");
    let limits = told["limits"].to_string();
    assert!(limits.contains("subject.c:4: the time was up before it could be repeated"), "{limits}");
}

#[test]
fn the_time_ends_runs_with_ever_more_inputs() {
    let place = place(INPUTS);
    ended(&xcute(&place, "c subject.c --time 2s"), "time");
}

#[test]
fn memory_ends_a_campaign_and_another_goes_on_with_more() {
    let place = place(PATHS);
    let full = xcute(&place, "c subject.c --memory 1M");
    let told = ended(&full, "memory");
    let mut runs = told["runs"].as_u64().unwrap();
    if runs > 0 {
        // The earlier runs alone need more than is allowed; on a busy machine some more are made before that is noticed.
        let again = xcute(&place, "resume xcute-out");
        let refused = stderr(&again).contains("need more than 1 MiB of memory") && again.status.code() == Some(2);
        if !refused {
            let told = ended(&again, "memory");
            runs = told["runs"].as_u64().unwrap();
        }
    }
    let most = runs + 20;
    let more = summary(&xcute(&place, &format!("resume xcute-out --memory none --runs {most}")));
    assert_eq!((&more["stop"], &more["runs"]), (&"runs".into(), &most.into()));
}

/// Each sum is over one input more than the one before it: a list of its variables for each of them would take gigabytes.
#[test]
fn a_long_sum_over_inputs_fits_into_the_memory() {
    let place = place(
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  unsigned y = 0;\n  for (int i = 0; i < 24000; i++) y += 2 * (unsigned)__VERIFIER_nondet_int();\n  return y == 1;\n}\n",
    );
    let told = ended(&xcute(&place, "c subject.c --memory 1G --runs 1"), "runs");
    assert_eq!(told["runs"], 1);
}

#[test]
fn confirmation_runs_that_are_cut_keep_a_search_from_being_complete() {
    let place = place(
        "#include <xcute.h>\nint main(void) {\n  int i = 0;\n  unsigned char n;\n  xcute_input(n);\n  while (i < n) i++;\n  xcute_assert(i != 50);\n}\n",
    );
    for strategy in ["cfg", "coverage", "dfs"] {
        for greedy in ["on", "off"] {
            let ran = xcute(
                &place,
                &format!("c subject.c --prune interpolation --horizon 12 --greedy {greedy} --strategy {strategy} --time 60s"),
            );
            let told = summary(&ran);
            assert_eq!(told["complete"], false, "{strategy}, greedy {greedy}: 50 turns are beyond the horizon");
            let limits = told["limits"].as_array().unwrap();
            assert!(limits.iter().any(|limit| limit["kind"] == "depth" && limit["incomplete"] == true), "{strategy}: {limits:?}");
        }
    }
}

/// A check that fails at first, or a few turns of a loop later, and beyond it what has to be found; the loop has more paths than anybody can run, and leads to branches that no input takes.
#[test]
fn the_default_strategy_tries_everything_some_day() {
    let head = "#include <xcute.h>\nstatic int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};\nint main(void) {\n  unsigned char s[24];\n  int at, v, n = 0, never = 0;\n  xcute_input_array(s, 24);\n  xcute_input(at);\n";
    let look = "  v = table[at + 8];\n";
    let turns = "  for (int i = 0; i < 24; i++) {\n    if (s[i] > 100 + i) n++;\n    if (n > i) never = 1;\n    if (never && n == 60) return 3;\n    if (never && s[0] < 90) return 5;\n  }\n";
    for parts in [[look, turns], [turns, look]] {
        let place = place(&format!("{head}{}  if (v == 5) xcute_assert(n != 2);\n  return n;\n}}\n", parts.concat()));
        let told = summary(&xcute(&place, "c subject.c --runs 3000 --prune off"));
        let kinds: Vec<&Value> = told["failures"].as_array().unwrap().iter().map(|failure| &failure["kind"]).collect();
        assert!(kinds.contains(&&"out-of-bounds".into()) && kinds.contains(&&"assertion".into()), "{parts:?}: {kinds:?}");
    }
}

/// Each turn of these loops leaves interpolants at the same points, more than a point keeps.
#[test]
fn long_loops_are_pruned_to_the_end() {
    let programs = [
        ("a counter", 120, "if (x) c++;", "c > 120"),
        ("a sum", 20, "if (x < 0 || x > 10) return 0; if (x > 5) c += x;", "c > 200"),
        (
            "a machine",
            40,
            "switch (c) { case 0: c = x ? 1 : 0; break; case 1: c = x > 3 ? 2 : 0; break; case 2: c = x == 7 ? 3 : 1; break; case 3: c = 0; break; }",
            "c > 3",
        ),
    ];
    for (what, turns, turn, wrong) in programs {
        let place = place(&format!(
            "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int c = 0;\n  for (int i = 0; i < {turns}; i++) {{\n    int x = __VERIFIER_nondet_int();\n    {turn}\n  }}\n  if ({wrong}) abort();\n  return 0;\n}}\n"
        ));
        let told = summary(&xcute(&place, "c subject.c --prune interpolation --time 10m"));
        assert_eq!((&told["complete"], &told["failures"]), (&true.into(), &Value::Array(Vec::new())), "{what}");
        let runs = told["runs"].as_u64().unwrap() + told["pruning"]["confirmations"].as_u64().unwrap();
        assert!(runs <= 8 * turns, "{what}: {runs} runs for {turns} turns");
    }
}
