//! Programs that do everything to the process they run in, and circumstances that make work impossible: the campaign survives, findings are
//! kept, the message is one clear line, and exit codes are as documented.
//!
//! Each program is a `switch` of misdeeds, each of which is one path of one campaign, followed by an assertion that fails for one value:
//! it must be found whatever happened in the runs before. `//! kind` at the end of a line announces a failure there, `//? kind` one whose
//! place is not known, because the process was gone.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod large;

mod threads;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const HEAD: &str = r#"#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
"#;

fn xcute(place: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(["c", "subject.c", "--format", "json", "--no-progress"]).args(arguments).output().unwrap()
}

fn told(output: &Output) -> Value {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(errors, "", "a campaign that survives has nothing to say");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("no JSON object ({error})"))
}

/// Runs a `switch` of misdeeds; every failure that is announced, and no other, must be found, the assertion at the end among them.
fn survives(helpers: &str, misdeeds: &str) -> Value {
    let place = tempfile::tempdir().unwrap();
    let source = format!(
        "{HEAD}{helpers}\nint f(int x, int y) {{\n  switch (x) {{\n{misdeeds}\n  }}\n  if (x == 5000) assert(y != 600); //! assertion\n  return 0;\n}}\n"
    );
    fs::write(place.path().join("subject.c"), &source).unwrap();
    let output = xcute(&place, &["--entry", "f", "--steps", "200000", "--", "-w"]);
    let summary = told(&output);
    assert_eq!(output.status.code(), Some(1));
    let found: BTreeSet<(String, u64)> = summary["failures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| (f["kind"].as_str().unwrap().to_owned(), f["line"].as_u64().unwrap()))
        .collect();
    let mut expected = BTreeSet::new();
    for (line, text) in (1..).zip(source.lines()) {
        expected.extend(text.split_once("//! ").map(|(_, kind)| (kind.to_owned(), line)));
        expected.extend(text.split_once("//? ").map(|(_, kind)| (kind.to_owned(), 0)));
    }
    let cases = misdeeds.matches("  case ").count() as u64;
    assert_eq!(found, expected, "{}", summary["limits"]);
    assert!(summary["runs"].as_u64() >= Some(cases + 3), "each misdeed is a run: {summary}");
    for file in ["index.html", "coverage.lcov", "summary.json"] {
        assert!(place.path().join("xcute-out").join(file).exists(), "{file}");
    }
    summary
}

#[test]
fn memory() {
    survives(
        "static int deep(int n) { volatile char pad[100]; pad[n % 100] = 1; return deep(n + 1) + pad[n % 100]; } //! stack-overflow
",
        r"  case 1: { volatile char *p = (char *)0x10000000ul; for (long i = 0; i < 1 << 16; i++) p[i] = 0x41; break; } //? wild-access
  case 2: { volatile char *p = (char *)0x60000000ul; for (long i = 0; i < 1 << 16; i++) p[i] = 0x41; break; } //? wild-access
  case 3: { unsigned long s = 7; for (;;) { s = s * 6364136223846793005ul + 1; *(volatile char *)(s >> 20) = 1; } } //! wild-access
  case 4: *(volatile char *)(void *)f = 0x41; break; //! wild-access
  case 5: ((void (*)(void))0x41414141)(); break; //! wild-access
  case 6: return deep(0);
  case 7: munmap((void *)4096, 0x7ffffffff000 - 8192); break; //? wild-access
  case 8: mprotect((void *)((unsigned long)f & -4096ul), 4096, PROT_NONE); return 0; //! wild-access",
    );
}

#[test]
fn processes() {
    survives(
        "static void again(void) { exit(1); }\n",
        r#"  case 1: if (fork() == 0) for (;;) pause(); break;
  case 2: for (int i = 0; i < 100; i++) if (fork() == 0) sleep(100); break;
  case 3: fork(); break;
  case 4: if (fork() == 0) { setsid(); for (;;) pause(); } break;
  case 5: execl("/bin/true", "true", (char *)0); break;
  case 6: if (vfork() == 0) _exit(1); wait(0); break;
  case 7: system("kill -9 $$"); break;
  case 8: fread(malloc(10), 1, 10, popen("yes", "r")); break;
  case 9: syscall(231, 3); break;
  case 10: atexit(again); exit(0);
  case 11: kill(getpid(), SIGKILL); break; //? signal
  case 12: prctl(PR_SET_SECCOMP, 1); return 0;
  case 13: kill(0, SIGTERM); break; //! signal
  case 14: { char b[500]; int n = readlink("/proc/self/exe", b, 499); b[n > 0 ? n : 0] = 0; unlink(b); break; }"#,
    );
}

#[test]
fn signals() {
    survives(
        "static jmp_buf wild;\n",
        r"  case 1: signal(SIGSEGV, SIG_IGN); *(volatile int *)8 = 1; break; //? wild-access
  case 2: signal(SIGALRM, SIG_IGN); alarm(1); break;
  case 3: { stack_t none = {.ss_flags = SS_DISABLE}; sigaltstack(&none, 0); break; }
  case 4: { sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, 0); abort(); } //! abort
  case 5: { sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, 0); *(volatile int *)8 = 1; break; }
  case 6: for (int i = 1; i < 65; i++) raise(i); break; //! signal
  case 7: raise(SIGABRT); break; //! abort
  case 8: memset(wild, 0x41, sizeof wild); longjmp(wild, 1);
  case 9: for (int i = 1; i < 65; i++) signal(i, SIG_IGN); break;
  case 10: raise(SIGTRAP); break; //! trap",
    );
}

#[test]
fn descriptors_and_state() {
    let summary = survives(
        "",
        r#"  case 1: for (int i = 0; i < 3000; i++) close(i); break;
  case 2: { char b[10]; if (read(0, b, 10) > 0 || getchar() != EOF) abort(); break; }
  case 3: mkdir("jail", 0700); if (chdir("jail") == 0) chroot("."); break;
  case 4: setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}); setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1}); break;
  case 5: setrlimit(RLIMIT_STACK, &(struct rlimit){4096, 4096}); setrlimit(RLIMIT_AS, &(struct rlimit){4096, 4096}); break;
  case 6: if (setgid(65534) || setuid(65534)) return 1; break;
  case 7: umask(0777); clearenv(); nice(19); break;
  case 8: { static char b[1 << 20]; for (int i = 0; i < 2000; i++) write(1, b, sizeof b); break; }
  case 9: { static char b[1 << 20]; int o = open("big", O_CREAT | O_WRONLY, 0600); while (write(o, b, sizeof b) == sizeof b) {} unlink("big"); break; }
  case 10: while (open("/dev/null", O_RDONLY) >= 0) {} break;
  case 11: { char *p; while ((p = mmap(0, 1 << 28, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != MAP_FAILED) *p = 1; break; }
  case 12: sbrk(1 << 20); break;
  case 13: { char b[4096]; if (!getcwd(b, sizeof b) || access("subject.c", R_OK)) abort(); break; }
  case 14: { struct rlimit r; getrlimit(RLIMIT_NOFILE, &r); if (r.rlim_cur == 0) abort(); break; }"#,
    );
    // What one run changed, no other run has seen.
    assert_eq!(summary["failures"].as_array().unwrap().len(), 1, "{summary}");
}

/// Every one of them costs the patience of a run, twice.
#[test]
fn endless() {
    survives(
        "static int lie(const void *a, const void *b) { return 1; }
static void forever(void) { for (;;) pause(); }
",
        r#"  case 1: kill(getpid(), SIGSTOP); break;
  case 2: for (;;) malloc(1); //! hang
  case 3: for (;;) puts("x"); //! hang
  case 4: atexit(forever); exit(0);
  case 5: execl("/bin/sleep", "sleep", "100", (char *)0); break;
  case 6: { int a[100] = {0}; qsort(a, 100, 4, lie); break; }"#,
    );
}

/// A fork bomb: its twin without instrumentation is stopped before it takes the machine.
#[test]
fn a_fork_bomb() {
    let place = tempfile::tempdir().unwrap();
    let source =
        format!("{HEAD}int f(int x, int y) {{\n  if (x == 77) for (;;) fork();\n  if (x == 5000) assert(y != 600);\n  return 0;\n}}\n");
    fs::write(place.path().join("subject.c"), source).unwrap();
    let summary = told(&xcute(&place, &["--entry", "f", "--steps", "20000", "--", "-w"]));
    let failures = summary["failures"].as_array().unwrap();
    let kinds: BTreeSet<&str> = failures.iter().filter_map(|failure| failure["kind"].as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["assertion", "hang"]), "{summary}");
}

/// Memory without end is a budget, not a failure.
#[test]
fn memory_without_end() {
    let place = tempfile::tempdir().unwrap();
    let source = format!(
        "{HEAD}int f(int x, int y) {{\n  if (x == 77) for (;;) if (!malloc(1 << 26)) abort();\n  if (x == 5000) assert(y != 600);\n  return 0;\n}}\n"
    );
    fs::write(place.path().join("subject.c"), source).unwrap();
    let summary = told(&xcute(&place, &["--entry", "f", "--", "-w"]));
    let failures = summary["failures"].as_array().unwrap();
    assert_eq!((failures.len(), &failures[0]["kind"]), (1, &"assertion".into()), "{summary}");
    assert!(summary["limits"].to_string().contains("budget of memory"), "{summary}");
}

/// xcute must end with 2 and say one line that holds the words.
fn refuses(output: &Output, words: &[&str]) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{told}");
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}

#[test]
fn work_that_cannot_be_done() {
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("subject.c");
    fs::write(&source, "int f( { this is not C\n").unwrap();
    refuses(&xcute(&place, &["--entry", "f"]), &["subject.c:1", "error"]);
    fs::write(&source, "int f(int x) { return g(x); }\nint g(int);\nint main(void) { return 0; }\n").unwrap();
    refuses(&xcute(&place, &["--entry", "f", "--", "-Wno-implicit-function-declaration"]), &["does not compile", "g"]);
    fs::write(&source, "int f(int x) { return x > 3; }\n").unwrap();
    refuses(&xcute(&place, &["--entry", "nobody"]), &["nobody"]);
    fs::write(place.path().join("file"), "in the way").unwrap();
    refuses(&xcute(&place, &["--entry", "f", "--out", "file/out"]), &["file/out"]);
    refuses(&xcute(&place, &["--entry", "f", "--out", "/proc/nowhere"]), &["/proc/nowhere"]);
    fs::create_dir(place.path().join("directory.c")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    refuses(&command.current_dir(place.path()).args(["c", "directory.c"]).output().unwrap(), &["directory.c"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(["c", "subject.c", "--entry", "f"]).env("TMPDIR", "/proc/nowhere");
    refuses(&command.output().unwrap(), &["build directory", "TMPDIR"]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command
        .current_dir(place.path())
        .args(["c", "subject.c", "--entry", "f"])
        .env("PATH", "/nowhere")
        .env("XCUTE_CLANG", "clang-of-nowhere");
    refuses(&command.output().unwrap(), &["clang", "XCUTE_CLANG"]);
}

/// A disk that is full is played by a limit of the size of files.
#[test]
fn a_full_disk() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("subject.c"), "int f(int x) { return x > 3; }\n").unwrap();
    let limited = |blocks: &str| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" c subject.c --entry f");
        Command::new("sh").current_dir(place.path()).args(["-c", &script, env!("CARGO_BIN_EXE_xcute")]).output().unwrap()
    };
    for blocks in ["0", "1", "40", "300"] {
        let output = limited(blocks);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && told.lines().count() == 1, "{blocks} blocks: {:?} {told}", output.status);
    }
}

/// Where the finding must be made.
fn finds_in(source: &str, most: Duration) -> Value {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("subject.c"), source).unwrap();
    let start = Instant::now();
    let summary = told(&xcute(&place, &["--entry", "f", "--", "-w"]));
    assert_eq!(summary["failures"][0]["kind"], "assertion", "{summary}");
    assert!(start.elapsed() < most, "{:?}", start.elapsed());
    summary
}

#[test]
fn large_programs() {
    // The sizes of the issue (50 functions of 1,000 branches, 10 MB, 20,000 lines) are `./x bench torture`'s.
    let summary = finds_in(&large::program(40, 50, 2_000_000), Duration::from_secs(120));
    assert_eq!(summary["coverage"]["branches"]["total"], 2 * (40 * 50 + 2), "{summary}");
}

#[test]
fn a_long_function() {
    finds_in(&large::function(2500), Duration::from_secs(120));
}

#[test]
fn many_parameters_and_deep_types() {
    let parameters: Vec<String> = (0..300).map(|i| format!("{} p{i}", ["int", "char", "double", "long"][i % 4])).collect();
    let many =
        format!("#include <assert.h>\nint f({}) {{\n  if (p4 == 5000) assert(p296 != 600);\n  return 0;\n}}\n", parameters.join(", "));
    finds_in(&many, Duration::from_secs(60));
    let mut deep = String::from("#include <assert.h>\nstruct s0 { int v; struct s0 *next; };\n");
    for i in 1..=8 {
        let _ = writeln!(
            deep,
            "struct s{i} {{ struct s{} inner, *list[2]; struct s{i} *next; union {{ int n; struct s{i} **p; }} u; }};",
            i - 1
        );
    }
    deep += "int f(struct s8 *p, int ********q) {\n  if (p && p->inner.list[1] && p->next && p->next->inner.inner.inner.inner.inner.inner.inner.inner.v == 5000) assert(!q || !*q || !**q || !***q || !****q);\n  return 0;\n}\n";
    finds_in(&deep, Duration::from_secs(60));
}

/// Nothing is left behind: neither processes nor build directories.
#[test]
fn nothing_is_left() {
    let place = tempfile::tempdir().unwrap();
    let temporary = place.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let source =
        format!("{HEAD}int f(int x) {{\n  if (x == 77 && fork() == 0) for (;;) pause();\n  if (x == 78) abort();\n  return 0;\n}}\n");
    fs::write(place.path().join("subject.c"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(["c", "subject.c", "--entry", "f", "-q"]).env("TMPDIR", &temporary);
    assert_eq!(command.status().unwrap().code(), Some(1));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    let left = fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read_link(entry.ok()?.path().join("exe")).ok());
    let left: Vec<_> = left.filter(|exe| exe.starts_with(Path::new(&temporary))).collect();
    assert!(left.is_empty(), "{left:?}");
}
