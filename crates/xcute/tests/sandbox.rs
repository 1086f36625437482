//! Programs under test change nothing but what is theirs: files, network, signals, processes; with and without the sandbox, in campaigns and in replays.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const XCUTE: &str = env!("CARGO_BIN_EXE_xcute");

/// A directory with these files.
fn place(files: &[(&str, &str)]) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(place.path().join(name), text).unwrap();
    }
    place
}

fn xcute(place: &Path, words: &[&str]) -> Output {
    Command::new(XCUTE).args(words).current_dir(place).env("XCUTE_CACHE", place.join(".cache")).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn summary(place: &Path, words: &[&str]) -> Value {
    let (command, rest) = words.split_at(1);
    let ran = xcute(place, &[command, &["--format", "json", "--no-progress", "--time", "60s"], rest].concat());
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", said(&ran)))
}

/// What the sandbox refused, by the limits of a summary.
fn refused(summary: &Value) -> Vec<String> {
    let limits = summary["limits"].as_array().unwrap().iter().filter(|limit| limit["kind"] == "sandbox");
    limits.map(|limit| (assert_eq!(limit["incomplete"], true), limit["what"].as_str().unwrap().to_owned()).1).collect()
}

const MISDEEDS: &str = r#"#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
void f(int x) {
  int v[2];
  switch (x) {
  case 1: if (system("rm -f kept")) {} break;
  case 2: if (system("echo changed > kept2")) {} break;
  case 3: mkdir("made", 0755); break;
  case 4: socket(AF_INET, SOCK_STREAM, 0); break;
  case 5: if (socketpair(AF_UNIX, SOCK_STREAM, 0, v)) abort(); break;
  case 6: if (kill(getpid(), 0)) abort(); break;
#ifdef BOLD
  case 7: kill(getppid(), SIGKILL); break;
  case 8: for (;;) if (syscall(SYS_fork) == 0) for (;;) pause();
#endif
  }
}
"#;

#[test]
fn a_function_that_misbehaves_is_explored_to_its_end_and_harms_nobody() {
    let place = place(&[("f.c", MISDEEDS), ("kept", "precious"), ("kept2", "precious")]);
    let here = place.path().canonicalize().unwrap();
    let found = summary(&here, &["c", "f.c", "--entry", "f", "--", "-DBOLD"]);
    assert_eq!(found["complete"], false);
    let refused = refused(&found);
    let wanted = [
        format!("delete {}/kept", here.display()),
        format!("open for writing {}/kept2", here.display()),
        format!("make the directory {}/made", here.display()),
        "open a socket (AF_INET)".to_owned(),
        "send a signal to xcute".to_owned(),
    ];
    for what in &wanted {
        assert!(refused.contains(&format!("refused: {what} (--no-sandbox allows it)")), "{what}: {refused:?}");
    }
    assert_eq!(refused.len(), wanted.len(), "{refused:?}");
    assert!(["kept", "kept2"].iter().all(|name| fs::read_to_string(here.join(name)).unwrap() == "precious"));
    assert!(!here.join("made").exists());
    // Processes without end are a hang, and nothing is left of them.
    let kinds: Vec<&str> = found["failures"].as_array().unwrap().iter().map(|f| f["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["hang"], "{found}");
}

#[test]
fn without_the_sandbox_writes_happen() {
    let place = place(&[("f.c", MISDEEDS), ("kept", "precious"), ("kept2", "precious")]);
    let found = summary(place.path(), &["c", "f.c", "--entry", "f", "--no-sandbox"]);
    assert!(refused(&found).is_empty());
    assert!(!place.path().join("kept").exists() && place.path().join("made").exists());
    assert_eq!(fs::read_to_string(place.path().join("kept2")).unwrap(), "changed\n");
}

#[test]
fn a_confirming_run_writes_to_copies_and_temporary_files() {
    let text = r#"#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void use(FILE *file) { assert(file); fputs("x", file); rewind(file); assert(fgetc(file) == 'x'); fclose(file); }
void f(int x) {
  if (x != 77) return;
  char name[] = "/tmp/xcute-test-XXXXXX";
  use(fopen("kept", "w+"));
  use(fopen("new", "w+"));
  use(tmpfile());
  use(fdopen(mkstemp(name), "w+"));
  assert(unlink(name) == 0 && unlink("kept") == 0);
  abort();
}
"#;
    let place = place(&[("f.c", text), ("kept", "precious")]);
    let found = summary(place.path(), &["c", "f.c", "--entry", "f"]);
    assert_eq!(found["failures"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!((found["failures"][0]["kind"].as_str(), refused(&found).len()), (Some("abort"), 0), "{found}");
    assert_eq!(fs::read_to_string(place.path().join("kept")).unwrap(), "precious");
    assert!(!place.path().join("new").exists());
    let again = xcute(place.path(), &["replay", "xcute-out/failures/f1.json"]);
    assert_eq!(again.status.code(), Some(1), "{}", said(&again));
    assert_eq!(fs::read_to_string(place.path().join("kept")).unwrap(), "precious");
    let bold = xcute(place.path(), &["replay", "xcute-out/failures/f1.json", "--no-sandbox"]);
    assert_eq!((bold.status.code(), place.path().join("kept").exists()), (Some(1), false), "{}", said(&bold));
}

#[test]
fn what_the_sandbox_had_a_hand_in_is_not_confirmed() {
    let elsewhere = place(&[("log", "old\n")]);
    let log = elsewhere.path().canonicalize().unwrap().join("log");
    let text = format!(
        "#include <stdio.h>\n#include <stdlib.h>\nvoid f(int x) {{ FILE *log = fopen({log:?}, \"a\"); if (!log) abort(); fputs(\"x\", log); fclose(log); if (x == 7) abort(); }}\n"
    );
    let place = place(&[("f.c", &text)]);
    let found = summary(place.path(), &["c", "f.c", "--entry", "f"]);
    assert_eq!((found["failures"].as_array().unwrap().len(), found["unconfirmed"].as_array().unwrap().len()), (0, 1), "{found}");
    let why = found["unconfirmed"][0]["why"].as_str().unwrap();
    assert!(why.contains(&format!("the sandbox refused: open for writing {}", log.display())), "{why}");
    let again = said(&xcute(place.path(), &["replay", "xcute-out/failures/u1.json"]));
    assert!(again.contains(&format!("the sandbox refused: open for writing {}", log.display())), "{again}");
    assert_eq!(fs::read_to_string(&log).unwrap(), "old\n");
    let bold = summary(place.path(), &["c", "f.c", "--entry", "f", "--no-sandbox"]);
    assert_eq!((bold["failures"].as_array().unwrap().len(), bold["unconfirmed"].as_array().unwrap().len()), (1, 0), "{bold}");
    assert!(fs::read_to_string(&log).unwrap().len() > 4);
}

const PROGRAM: &str = r#"#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  if (argc != 3) return 2;
  if (system("echo mine > here")) abort();
  if (argv[2][0] == 'd') { unlink(argv[1]); rmdir(argv[1]); if (system("rm -rf /nowhere/*")) {} }
  if (argv[2][0] == 'w') { char text[300]; snprintf(text, sizeof text, "echo changed > %s/kept", argv[1]); if (system(text)) {} abort(); }
  return 0;
}
"#;

#[test]
fn a_whole_program_writes_to_its_copy_only() {
    let elsewhere = place(&[("kept", "precious")]);
    let there = elsewhere.path().canonicalize().unwrap();
    let place = place(&[("main.c", PROGRAM)]);
    let built = xcute(place.path(), &["cc", "-g", "-o", "prog", "main.c"]);
    assert!(built.status.success(), "{}", said(&built));
    let words = ["run", "--sym-args", "1x1", "./prog", there.to_str().unwrap()];
    let options = ["--format", "json", "--no-progress", "--time", "60s"];
    let run = |more: &[&str]| {
        let ran = xcute(place.path(), &[&words[..1], &options, more, &words[1..]].concat());
        serde_json::from_slice::<Value>(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", said(&ran)))
    };
    let found = run(&[]);
    assert_eq!(refused(&found), [format!("refused: open for writing {}/kept (--no-sandbox allows it)", there.display())]);
    assert_eq!((found["failures"].as_array().unwrap().len(), found["unconfirmed"].as_array().unwrap().len()), (0, 1), "{found}");
    assert_eq!(fs::read_to_string(there.join("kept")).unwrap(), "precious");
    assert!(!place.path().join("here").exists());
    let bold = run(&["--no-sandbox"]);
    assert_eq!(bold["failures"].as_array().unwrap().len(), 1, "{bold}");
    assert_eq!(fs::read_to_string(there.join("kept")).unwrap(), "changed\n");
}

#[test]
fn cases_are_data() {
    let place = place(&[("f.c", "#include <stdlib.h>\nvoid f(int x) { if (x == 3) abort(); }\n"), ("evil", "-o\nout\n")]);
    summary(place.path(), &["c", "f.c", "--entry", "f"]);
    let case = place.path().join("xcute-out/failures/f1.json");
    let text = fs::read_to_string(&case).unwrap();
    for flag in ["-fplugin=./evil.so", "-oout", "@evil", "-B.", "-Wl,-Map,out", "-Xclang"] {
        let flags = format!("\"flags\": [\"-O1\", {flag:?}]");
        fs::write(&case, text.replace("\"flags\": []", &flags)).unwrap();
        let ran = xcute(place.path(), &["replay", "xcute-out/failures/f1.json"]);
        assert_eq!(ran.status.code(), Some(2), "{flag}: {}", said(&ran));
        let line = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(line.lines().count() == 1 && line.contains(&format!("{flag:?}")) && line.contains("--trust"), "{line}");
        assert!(!place.path().join("out").exists());
    }
    fs::write(&case, text.replace("\"flags\": []", "\"flags\": [\"-Wl,-Map,out\"]")).unwrap();
    let trusted = xcute(place.path(), &["replay", "--trust", "xcute-out/failures/f1.json"]);
    assert_eq!((trusted.status.code(), place.path().join("out").exists()), (Some(1), true), "{}", said(&trusted));
}

#[test]
fn nothing_that_a_program_says_is_obeyed_by_the_terminal() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nvoid f(int x) { fputs(\"\\033[2J\\033]0;title\\007\\r\\n\", stderr); if (x == 3) abort(); }\n";
    let place = place(&[("f\u{1b}[31m.c", text)]);
    let ran = xcute(place.path(), &["c", "f\u{1b}[31m.c", "--entry", "f", "--no-progress"]);
    let again = xcute(place.path(), &["replay", "xcute-out/failures/f1.json"]);
    assert_eq!((ran.status.code(), again.status.code()), (Some(1), Some(1)), "{} {}", said(&ran), said(&again));
    for all in [said(&ran), said(&again)] {
        assert!(all.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{all:?}");
    }
    assert!(said(&again).contains("\\u001b[2J"), "{}", said(&again));
}
