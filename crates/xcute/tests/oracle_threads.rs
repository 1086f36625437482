//! Random programs with threads against brute force over all interleavings and inputs: 400 programs for each algorithm here, any number with
//! `./x fuzz threads`.

use std::sync::atomic::{AtomicUsize, Ordering};

use xcute_oracle::threads::Kind;
use xcute_oracle::{Tools, threads};

/// Files of twenty programs each.
const FILES: u64 = 15;
/// One more, with data races: each of them is confirmed, which costs time.
const RACING: u64 = 3;
/// Some with sections, assumptions, futexes and the environment.
const SPECIAL: u64 = 4;
/// Beyond the processors: to confirm a deadlock is to wait for nothing.
const WAITING: usize = 2;

#[test]
fn random_programs_with_threads_agree_with_brute_force() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let next = AtomicUsize::new(0);
    let waiting = (0..SPECIAL).map(|seed| (seed, Kind::Waiting));
    let files: Vec<(u64, Kind)> =
        std::iter::once((RACING, Kind::Racing)).chain(waiting).chain((0..FILES).map(|seed| (seed, Kind::Usual))).collect();
    let work = || {
        let mut wrong = Vec::new();
        while let Some(&(seed, kind)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            match threads::check(&tools, seed, threads::PROGRAMS, kind, &threads::ALGORITHMS) {
                Ok(Ok(_)) => {}
                Ok(Err(d)) => wrong.push(format!("seed {seed}, {kind:?}: {}", d.what)),
                Err(e) => wrong.push(format!("seed {seed}, {kind:?}: {e:#}")),
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, usize::from) + WAITING;
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|t| t.join().expect("a worker does not panic")).collect()
    });
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}
