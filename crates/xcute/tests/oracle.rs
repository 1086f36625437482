//! Random programs against brute force: 500 programs here, any number with `./x fuzz c`.

use std::sync::atomic::{AtomicU64, Ordering};

use xcute_oracle::{Tools, check};

/// Files of eight programs each, after a fixed first seed, so that a failure can be repeated.
const FILES: u64 = 63;

#[test]
fn five_hundred_random_programs_agree_with_brute_force() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let next = AtomicU64::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let seed @ 0..FILES = next.fetch_add(1, Ordering::Relaxed) {
            match check(&tools, seed) {
                Ok(Ok(_)) => {}
                Ok(Err(d)) => wrong.push(format!("seed {seed}: {}", d.what)),
                Err(e) => wrong.push(format!("seed {seed}: {e:#}")),
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..std::thread::available_parallelism().map_or(1, usize::from)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|t| t.join().expect("a worker does not panic")).collect()
    });
    assert!(wrong.is_empty(), "{} of {FILES} files:\n{}", wrong.len(), wrong.join("\n"));
}
