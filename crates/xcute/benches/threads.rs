//! `./x bench threads`: what schedules cost, and how soon each algorithm comes to a bug.
//!
//! Three tables: executions until the bug for each algorithm, all executions with schedules per second, and what the machinery costs (a
//! switch between threads, a run of two threads that count, memory for an explored schedule). Arguments choose programs by name.
//!
//! **Invariant.** Only the command line of xcute is used; times are those of whole campaigns, without compiling.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a measuring program; its output is its purpose")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const ALGORITHMS: [&str; 8] = ["dpor", "sleep", "races", "all", "walk", "pct:2", "pct:3", "pos"];

/// Programs with a bug that needs an order: name, file, flags for clang. Data races are found at once, so there are none.
const BUGS: &[(&str, &str, &str)] = &[
    ("Fig. 2", "schedules/figure2.c", "-DSHARED=_Atomic"),
    ("philosophers(3)", "threads/philosophers.c", "-DN=3"),
    ("philosophers(4)", "threads/philosophers.c", "-DN=4"),
    ("philosophers(6)", "threads/philosophers.c", "-DN=6"),
    ("bounded buffer, if", "threads/bounded_buffer.c", ""),
    ("nested monitor", "threads/nested_monitor.c", ""),
    ("lost wakeup", "threads/lost_wakeup.c", "-DSHARED=_Atomic"),
    ("bank transfer", "threads/bank.c", ""),
    ("Peterson", "threads/peterson.c", ""),
    ("Dekker", "threads/dekker.c", ""),
    ("stack, ABA", "threads/aba_stack.c", ""),
    ("Needham-Schroeder", "threads/needham_schroeder.c", ""),
    ("TMN", "threads/tmn.c", ""),
];

/// Programs that are explored to the end.
const COMPLETE: &[(&str, &str, &str)] = &[
    ("racy counter(3)", "schedules/racy_counter.c", "-DN=3 -DSHARED=_Atomic"),
    ("lastzero(3)", "schedules/last_zero.c", "-DN=3 -DSHARED=_Atomic"),
    ("lastzero(5)", "schedules/last_zero.c", "-DN=5 -DSHARED=_Atomic"),
    ("philosophers(3)", "threads/philosophers.c", "-DN=3"),
    ("buffer 2p2c", "schedules/buffer.c", "-DP=2 -DC=2"),
    ("bank transfer, corrected", "threads/bank.c", "-DFIXED"),
    ("Peterson, corrected", "threads/peterson.c", "-DFIXED"),
];

/// Runs after which a search is given up.
const MOST: &str = "100000";

struct Measured {
    summary: Value,
    seconds: f64,
    /// The most memory that xcute had, in KiB.
    memory: u64,
}

fn xcute(file: &Path, options: &[&str], flags: &str) -> Measured {
    let place = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).arg("c").arg(file).args([
        "--entry",
        "main",
        "--format",
        "json",
        "--no-progress",
        "--keep-cases",
        "none",
    ]);
    command.args(options).arg("--").args(flags.split_whitespace());
    let start = Instant::now();
    let mut child = command.stdout(fs::File::create(place.path().join("summary")).unwrap()).stderr(Stdio::null()).spawn().unwrap();
    let mut memory = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        memory = memory.max(peak.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    let summary: Value = serde_json::from_slice(&fs::read(place.path().join("summary")).unwrap()).unwrap_or_default();
    let seconds = summary["seconds"]["total"].as_f64().unwrap_or_else(|| start.elapsed().as_secs_f64());
    Measured { summary, seconds, memory }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/c").canonicalize().unwrap()
}

fn head(first: &str, others: &[&str]) {
    println!("\n| {first} | {} |\n|---|{}", others.join(" | "), "---:|".repeat(others.len()));
}

fn bugs(chosen: &dyn Fn(&str) -> bool) {
    println!("Executions until the first failure (seconds). `-`: not within {MOST} runs or 60 seconds.");
    head("program", &ALGORITHMS);
    for (name, file, flags) in BUGS.iter().filter(|row| chosen(row.0)) {
        let cell = |algorithm: &&str| {
            let m = xcute(
                &root().join(file),
                &["--schedules", algorithm, "--stop-at", "first-failure", "--runs", MOST, "--time", "60s"],
                flags,
            );
            let found = m.summary["failures"].as_array().is_some_and(|all| !all.is_empty());
            if found { format!("{} ({:.2})", m.summary["runs"], m.seconds) } else { "-".to_owned() }
        };
        println!("| {name} | {} |", ALGORITHMS.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
}

fn complete(chosen: &dyn Fn(&str) -> bool) {
    println!("\nAll executions: paths, runs per second. `*`: not complete within {MOST} runs or 60 seconds.");
    head("program", &ALGORITHMS[..4]);
    for (name, file, flags) in COMPLETE.iter().filter(|row| chosen(row.0)) {
        let cell = |algorithm: &&str| {
            let m = xcute(&root().join(file), &["--schedules", algorithm, "--runs", MOST, "--time", "60s"], flags);
            let runs = m.summary["runs"].as_f64().unwrap_or(0.0);
            let star = if m.summary["complete"] == true { "" } else { "*" };
            format!("{}{star}, {:.0}/s", m.summary["paths"], runs / m.seconds.max(1e-6))
        };
        println!("| {name} | {} |", ALGORITHMS[..4].iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
}

/// Turns of each player: their steps stay below the most that a run records.
const TURNS: u32 = 20_000;
/// How often a cost is measured: other machines share the processor.
const SEARCHES: u32 = 5;

/// Two threads that hand a turn to each other `TURNS` times each: every second step is a switch. It writes how many cycles that took.
const PING_PONG: &str = r#"#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static sem_t turn[2];
static void *player(void *number) {
  long me = (long)number;
  for (int i = 0; i < TURNS; i++) {
    sem_wait(&turn[me]);
    sem_post(&turn[1 - me]);
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  sem_init(&turn[0], 0, 1);
  sem_init(&turn[1], 0, 0);
  unsigned long long begin = __builtin_ia32_rdtsc();
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, player, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  unsigned long long end = __builtin_ia32_rdtsc();
  FILE *file = fopen(CYCLES, "a");
  fprintf(file, "%llu\n", end - begin);
  fclose(file);
  return 0;
}
"#;

/// Two threads that count in an atomic variable, reading and writing it in two steps, `TIMES` times each.
const COUNTER: &str = r"#include <pthread.h>
static _Atomic int n;
static void *count(void *unused) {
  for (int i = 0; i < TIMES; i++) n = n + 1;
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, count, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
";

/// How fast the counter of cycles counts.
#[allow(unsafe_code, reason = "reading a register")]
fn cycles_per_microsecond() -> f64 {
    // SAFETY: every x86-64 has this instruction.
    let cycles = || unsafe { std::arch::x86_64::_rdtsc() };
    let (begin, start) = (cycles(), Instant::now());
    std::thread::sleep(Duration::from_millis(200));
    (cycles() - begin) as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn costs() {
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    println!("\nCosts.\n\n| what | measured | at most, or least |\n|---|---:|---:|");
    let ping_pong = file("ping_pong.c", PING_PONG);
    let cycles = place.path().join("cycles");
    let flags = format!("-DTURNS={TURNS} -DCYCLES=\"{}\"", cycles.display());
    for _ in 0..SEARCHES {
        xcute(&ping_pong, &["--schedules", "walk", "--runs", "10"], &flags);
    }
    let told = fs::read_to_string(&cycles).unwrap_or_default();
    let fewest = told.lines().filter_map(|line| line.parse::<f64>().ok()).fold(f64::NAN, f64::min);
    let switch = fewest / cycles_per_microsecond() / f64::from(2 * TURNS);
    println!("| a switch with its two steps and their records, the best of {} runs | {switch:.3} µs | 0.3 µs |", told.lines().count());
    let counter = file("counter.c", COUNTER);
    let speed = |_| {
        let m = xcute(&counter, &["--schedules", "all", "--runs", "200000"], "-DTIMES=5");
        m.summary["runs"].as_f64().unwrap_or(0.0) / m.seconds
    };
    let speeds: Vec<f64> = (0..SEARCHES).map(speed).collect();
    let [slowest, fastest] = [f64::min, f64::max].map(|better| speeds.iter().copied().reduce(better).unwrap_or(f64::NAN));
    println!(
        "| runs per second, two threads that count to 5, the best of {SEARCHES} searches (the worst: {slowest:.0}) | {fastest:.0} | 50,000 |"
    );
    for (algorithm, times) in [("dpor", "-DTIMES=5"), ("all", "-DTIMES=5")] {
        let (small, large) = (
            xcute(&counter, &["--schedules", algorithm, "--runs", "1000"], times),
            xcute(&counter, &["--schedules", algorithm, "--runs", "101000"], times),
        );
        let more = large.summary["runs"].as_f64().unwrap_or(0.0) - small.summary["runs"].as_f64().unwrap_or(0.0);
        let bytes = (large.memory.saturating_sub(small.memory) * 1024) as f64 / more.max(1.0);
        println!("| memory for an explored schedule, {algorithm} ({more:.0} of them) | {bytes:.0} bytes | 2048 bytes |");
    }
}

fn main() {
    let names: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let chosen = |name: &str| names.is_empty() || names.iter().any(|word| name.contains(word.as_str()));
    if chosen("costs") {
        costs();
    }
    bugs(&chosen);
    complete(&chosen);
}
