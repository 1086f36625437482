//! `--isolation fork`: a library that remembers something in memory of its own tells one run from the next, unless each has its own process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A library whose memory no snapshot of its data holds.
const LIBRARY: &str = "#include <sys/mman.h>
static int *counter;
__attribute__((constructor)) static void begin(void) {
  counter = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
int ticket(void) { return ++*counter; }
";

const PROGRAM: &str = "#include <stdlib.h>
int ticket(void);
int serve(int x) {
  int number = ticket();
  if (x == 5 && number > 1) abort();
  if (x == 6 && number == 1) abort();
  if (x == 7) *(volatile char *)1 = 0;
  return x == 8 ? 1 / (x - 8) : 0;
}
";

fn build(dir: &Path) {
    std::fs::write(dir.join("ticket.c"), LIBRARY).unwrap();
    std::fs::write(dir.join("serve.c"), PROGRAM).unwrap();
    let built = Command::new("gcc").args(["-shared", "-fPIC", "-o", "libticket.so", "ticket.c"]).current_dir(dir).status().unwrap();
    assert!(built.success());
}

fn xcute(dir: &Path, more: &[&str]) -> Output {
    let (search, find) = (format!("-L{}", dir.display()), format!("-Wl,-rpath,{}", dir.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.args(["c", "serve.c", "--entry", "serve", "--format", "json", "--no-progress"]).args(more);
    command.args(["--", &search, "-lticket", &find]).current_dir(dir).output().unwrap()
}

/// The lines of the failures, and whether the search was complete.
fn found(output: &Output) -> (Vec<u64>, bool) {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    let mut lines: Vec<u64> = json["failures"].as_array().unwrap().iter().map(|f| f["line"].as_u64().unwrap()).collect();
    lines.sort_unstable();
    (lines, json["complete"].as_bool().unwrap())
}

#[test]
fn a_library_with_a_memory_is_as_new_in_each_run() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path());
    let shared = xcute(dir.path(), &[]);
    let (lines, complete) = found(&shared);
    assert!(!lines.contains(&6) && !complete, "the library remembers: {lines:?}");
    assert!(String::from_utf8_lossy(&shared.stderr).contains("--isolation fork"), "{}", String::from_utf8_lossy(&shared.stderr));
    let isolated = xcute(dir.path(), &["--isolation", "fork"]);
    assert_eq!(found(&isolated), (vec![6, 7, 8], true));
    assert!(!String::from_utf8_lossy(&isolated.stderr).contains("--isolation"));
}

#[test]
fn runs_that_hang_die_or_fork_are_survived() {
    let dir = tempfile::tempdir().unwrap();
    let program = "#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int serve(int x) {
  if (x == 1) for (;;) usleep(1000);
  if (x == 2) kill(getpid(), SIGKILL);
  if (x == 3) { if (!fork()) _exit(3); int status; wait(&status); if (WEXITSTATUS(status) == 3) abort(); }
  if (x == 4) raise(SIGABRT);
  if (x == 5) abort();
  return 0;
}
";
    std::fs::write(dir.path().join("serve.c"), program).unwrap();
    let run = |isolation: &str| {
        let args = ["c", "serve.c", "--entry", "serve", "--format", "json", "--no-progress", "--isolation", isolation];
        let output = Command::new(env!("CARGO_BIN_EXE_xcute")).args(args).current_dir(dir.path()).output().unwrap();
        found(&output).0
    };
    let isolated = run("fork");
    assert_eq!(isolated, run("process"));
    assert!(isolated.contains(&8) && isolated.contains(&10), "{isolated:?}");
}
