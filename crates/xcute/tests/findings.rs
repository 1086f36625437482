//! What was found is shown, whatever the program looks like, wherever it lies, and however the campaign ends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place).args(arguments);
    command
}

fn xcute(place: &Path, arguments: &[&str]) -> Output {
    command(place, arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no JSON ({error}): {}", stderr(output)))
}

fn sh(place: &Path, text: &str) -> Output {
    Command::new("sh").args(["-c", text]).current_dir(place).output().unwrap()
}

/// The kinds and lines of failures.
fn found(summary: &Value) -> Vec<(String, u64)> {
    let failures = summary["failures"].as_array().unwrap().iter();
    failures.map(|f| (f["kind"].as_str().unwrap().to_owned(), f["line"].as_u64().unwrap())).collect()
}

/// The standalone test compiles with the command in it, and ends with SIGABRT.
fn fails_alone(place: &Path, test: &str) {
    let text = fs::read_to_string(place.join(test)).unwrap();
    let command = text.lines().find_map(|line| line.strip_prefix(" *   ")).unwrap();
    let compile = command.strip_suffix(" && ./t").unwrap();
    let built = sh(place, compile);
    assert!(built.status.success(), "{compile}: {}", stderr(&built));
    let status = sh(place, "./t").status;
    assert!(status.code() == Some(128 + 6) || status.signal() == Some(6), "{compile}: {status}");
}

#[test]
fn a_failure_that_cannot_be_repeated_is_shown() {
    let place = tempfile::tempdir().unwrap();
    // The instrumented program is not where executables usually are.
    let source = "#include <stdlib.h>\nint here;\nvoid f(int x) {\n  if (x == 5 && (unsigned long)&here < 0x400000000000ul) abort();\n}\n";
    fs::write(place.path().join("a.c"), source).unwrap();
    let ran = xcute(place.path(), &["c", "a.c", "--entry", "f", "--format", "json"]);
    let json = summary(&ran);
    assert_eq!((ran.status.code(), &json["complete"]), (Some(1), &false.into()), "{json:#}");
    assert_eq!(found(&json), []);
    let [one] = &json["unconfirmed"].as_array().unwrap()[..] else { panic!("{json:#}") };
    assert_eq!((&one["id"], &one["kind"], &one["line"], &one["replayed"]), (&"u1".into(), &"abort".into(), &4.into(), &false.into()));
    assert_eq!(one["why"], "the uninstrumented program returns instead");
    assert!(place.path().join("xcute-out/failures/u1.json").exists());
    let text = String::from_utf8(xcute(place.path(), &["report"]).stdout).unwrap();
    assert!(text.starts_with("1 unconfirmed failure in f;"), "{text}");
    assert!(text.contains("not confirmed: the uninstrumented program returns instead"), "{text}");
    let page = fs::read_to_string(place.path().join("xcute-out/index.html")).unwrap();
    assert!(page.contains("1 unconfirmed failure;") && page.contains("Not confirmed: "), "{page}");
    assert_eq!(xcute(place.path(), &["report", "--ignore-unconfirmed"]).status.code(), Some(0));
}

#[test]
fn what_the_uninstrumented_program_does_instead_is_a_failure() {
    let place = tempfile::tempdir().unwrap();
    let source = "#include <stdlib.h>\nint here;\nvoid f(int x, int zero) {\n  if (x != 5) return;\n  if ((unsigned long)&here < 0x400000000000ul) abort();\n  \
                  volatile int none = 0;\n  here = x / none;\n}\n";
    fs::write(place.path().join("a.c"), source).unwrap();
    let json = summary(&xcute(place.path(), &["c", "a.c", "--entry", "f", "--format", "json"]));
    assert_eq!(found(&json), [("division-by-zero".to_owned(), 7)], "{json:#}");
    assert_eq!((&json["failures"][0]["replayed"], &json["unconfirmed"]), (&true.into(), &Value::Array(Vec::new())), "{json:#}");
    assert_eq!(json["complete"], false);
}

#[test]
fn preprocessed_sources_are_like_any_other() {
    let place = tempfile::tempdir().unwrap();
    let body = "void f(int x, size_t n) {\n  void *none = NULL;\n  assert(x != 7 || n != 3 || none);\n}\n";
    for (from, to) in [("a.c", "a.i"), ("b.cpp", "b.ii")] {
        let entry = if from == "a.c" { "static " } else { "" };
        fs::write(
            place.path().join(from),
            format!("#include <assert.h>\n#include <stddef.h>\n{entry}{body}int main(void) {{ f(1, 2); return 0; }}\n"),
        )
        .unwrap();
        assert!(sh(place.path(), &format!("clang-19 -E {from} -o {to} && rm {from}")).status.success());
        let ran = xcute(place.path(), &["c", to, "--entry", "f", "--format", "json"]);
        let json = summary(&ran);
        assert_eq!(found(&json), [("assertion".to_owned(), 5)], "{to}: {json:#}");
        fails_alone(place.path(), "xcute-out/failures/f1.c");
    }
}

#[test]
fn odd_names_of_files() {
    for name in ["with space", "ünï", "quo\"te", "back\\slash", "it's", "two\nlines"] {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path().join(name);
        fs::create_dir(&dir).unwrap();
        let file = format!("{name}.c");
        fs::write(dir.join(&file), "#include <stdlib.h>\nstatic void f(int x) {\n  if (x == 9) abort();\n}\nvoid (*used)(int) = f;\n")
            .unwrap();
        let ran = xcute(&dir, &["c", &file, "--entry", "f", "--format", "json"]);
        assert_eq!(found(&summary(&ran)), [("abort".to_owned(), 3)], "{name}");
        assert_eq!(xcute(&dir, &["replay", "xcute-out/failures/f1.json"]).status.code(), Some(1), "{name}");
    }
}

#[test]
fn several_files_with_flags_and_results_that_move() {
    let place = tempfile::tempdir().unwrap();
    let project = place.path().join("project");
    fs::create_dir_all(project.join("include")).unwrap();
    fs::write(project.join("include/limit.h"), "#ifndef LIMIT\n#error no limit\n#endif\nint twice(int x);\n").unwrap();
    fs::write(project.join("a.c"), "#include \"limit.h\"\nstatic int local = 1;\nint twice(int x) { return x * 2 * local; }\n").unwrap();
    let b = "#include <assert.h>\n#include <limit.h>\nstatic int local = LIMIT;\nstruct s { int v; };\nvoid f(struct s *s) {\n  if (s) assert(twice(s->v) != local);\n}\n";
    fs::write(project.join("b.c"), b).unwrap();
    let json = summary(&xcute(&project, &["c", "a.c", "b.c", "--entry", "f", "--format", "json", "--", "-Iinclude", "-DLIMIT=84"]));
    assert_eq!(found(&json), [("assertion".to_owned(), 6)], "{json:#}");
    fails_alone(&project, "xcute-out/failures/f1.c");
    let moved = place.path().join("elsewhere");
    fs::rename(&project, &moved).unwrap();
    let again = xcute(&moved, &["replay", "xcute-out/failures/f1.json"]);
    assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
    fails_alone(&moved, "xcute-out/failures/f1.c");
}

/// A campaign that fails in its first run, and has more paths than anybody can run.
const ENDLESS: &str = "#include <assert.h>\n#include <xcute.h>\nint main(void) {\n  int above = 0;\n  for (int i = 0; i < 48; i++) {\n    unsigned char c;\n    \
                  xcute_input(c);\n    if (c > i) above++;\n  }\n  assert(above);\n  return 0;\n}\n";
const ENDLESS_WORDS: [&str; 8] = ["c", "a.c", "--format", "json", "--time", "600s", "--keep-cases", "all"];

/// Starts it, and waits until it has made some runs.
fn begun(place: &Path, command: &mut Command) -> Child {
    fs::write(place.join("a.c"), ENDLESS).unwrap();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !place.join("xcute-out/cases/000005.json").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no run in a minute");
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn a_disk_that_fills_up_leaves_the_findings_printed() {
    let place = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    shell.current_dir(place.path()).args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_xcute")]).args(ENDLESS_WORDS);
    let child = begun(place.path(), &mut shell);
    // No file can grow from here on.
    let limited = Command::new("prlimit").args(["--fsize=0", "--pid", &child.id().to_string()]).status().unwrap();
    assert!(limited.success());
    let ran = child.wait_with_output().unwrap();
    let (json, told) = (summary(&ran), stderr(&ran));
    assert_eq!((ran.status.code(), told.lines().count(), &json["stop"]), (Some(2), 1, &"unwritten".into()), "{told}");
    assert!(told.contains("not all results could be written"), "{told}");
    assert_eq!(found(&json).len() + json["unconfirmed"].as_array().unwrap().len(), 1, "{json:#}");
}

#[test]
fn one_campaign_at_a_time_and_a_closed_terminal() {
    let place = tempfile::tempdir().unwrap();
    let first = begun(place.path(), &mut command(place.path(), &ENDLESS_WORDS));
    let words = ENDLESS_WORDS;
    let second = xcute(place.path(), &words);
    let told = stderr(&second);
    assert_eq!((second.status.code(), told.lines().count()), (Some(2), 1), "{told}");
    assert!(told.contains("another campaign is writing there"), "{told}");
    assert!(Command::new("kill").args(["-HUP", &first.id().to_string()]).status().unwrap().success());
    let ran = first.wait_with_output().unwrap();
    let json = summary(&ran);
    assert_eq!((ran.status.code(), &json["stop"]), (Some(1), &"interrupted".into()), "{json:#}");
    let written = fs::read_to_string(place.path().join("xcute-out/summary.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), json);
    assert_eq!(found(&json).len() + json["unconfirmed"].as_array().unwrap().len(), 1, "{json:#}");
}

/// The thread waits in the library, so the failure has no line of its own.
#[test]
fn a_notification_that_is_missing_is_found() {
    let place = tempfile::tempdir().unwrap();
    let subject = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/cpp/threads/notify.cpp");
    let json = summary(&xcute(place.path(), &["c", subject.to_str().unwrap(), "--entry", "main", "--format", "json", "--", "-std=c++20"]));
    let [one] = &json["failures"].as_array().unwrap()[..] else { panic!("{json:#}") };
    assert_eq!((&one["kind"], &one["replayed"], &json["complete"]), (&"lost-wakeup".into(), &true.into(), &true.into()), "{json:#}");
}

#[test]
fn a_suite_is_whole_after_going_on() {
    let source = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = 0;\n  for (int i = 0; i < 4; i++)\n    if (__VERIFIER_nondet_int() > i) n++;\n  return n;\n}\n";
    let tests = |place: &Path| fs::read_dir(place.join("suite")).unwrap().count();
    let words = ["c", "a.c", "--format", "json", "--keep-cases", "all", "--testcomp", "suite"];
    let (whole, halves) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for place in [&whole, &halves] {
        fs::write(place.path().join("a.c"), source).unwrap();
    }
    summary(&xcute(whole.path(), &words));
    summary(&xcute(halves.path(), &[&words[..], &["--runs", "1"]].concat()));
    assert!(tests(halves.path()) < tests(whole.path()));
    let json = summary(&xcute(halves.path(), &["resume", "--runs", "1000", "--format", "json"]));
    assert_eq!(json["complete"], true, "{json:#}");
    assert_eq!(tests(halves.path()), tests(whole.path()));
}
