//! Random programs with threads against brute force over all interleavings and inputs: 300 programs for each algorithm here, any number with
//! `./x fuzz threads`.

use std::sync::atomic::{AtomicUsize, Ordering};

use xcute_oracle::{Tools, threads};

/// Files of twenty programs each.
const FILES: u64 = 15;
/// One more, with data races: each of them is confirmed, which costs time.
const RACING: u64 = 3;
/// Beyond the processors: to confirm a deadlock is to wait for nothing.
const WAITING: usize = 2;

#[test]
fn three_hundred_random_programs_with_threads_agree_with_brute_force() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let next = AtomicUsize::new(0);
    let files: Vec<(u64, bool)> = std::iter::once((RACING, true)).chain((0..FILES).map(|seed| (seed, false))).collect();
    let work = || {
        let mut wrong = Vec::new();
        while let Some(&(seed, races)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            match threads::check(&tools, seed, threads::PROGRAMS, races, &threads::ALGORITHMS) {
                Ok(Ok(_)) => {}
                Ok(Err(d)) => wrong.push(format!("seed {seed}, races {races}: {}", d.what)),
                Err(e) => wrong.push(format!("seed {seed}, races {races}: {e:#}")),
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
