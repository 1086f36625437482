//! Random programs with threads against brute force over all interleavings and inputs: 300 programs for each algorithm here, any number with
//! `./x fuzz threads`.

use std::sync::atomic::{AtomicU64, Ordering};

use xcute_oracle::{Tools, threads};

/// Files of twenty programs each.
const FILES: u64 = 15;
/// Beyond the processors: to confirm a deadlock is to wait for nothing.
const WAITING: usize = 2;

#[test]
fn three_hundred_random_programs_with_threads_agree_with_brute_force() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let next = AtomicU64::new(0);
    let work = || {
        let mut wrong = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= FILES {
                return wrong;
            }
            match threads::check(&tools, seed, threads::PROGRAMS, false, &threads::ALGORITHMS) {
                Ok(Ok(_)) => {}
                Ok(Err(d)) => wrong.push(format!("seed {seed}: {}", d.what)),
                Err(e) => wrong.push(format!("seed {seed}: {e:#}")),
            }
        }
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let count = std::thread::available_parallelism().map_or(1, usize::from) + WAITING;
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|t| t.join().expect("a worker does not panic")).collect()
    });
    assert!(wrong.is_empty(), "{} of {FILES} files:\n{}", wrong.len(), wrong.join("\n"));
}
