//! Programs whose values leave what is followed and come back, against brute force: 500 programs here, any number with `./x fuzz truth`.

use std::sync::atomic::{AtomicU64, Ordering};

use xcute_oracle::{Tools, truth};

/// Programs, after a fixed first seed, so that a failure can be repeated.
const FILES: u64 = 500 / truth::PROGRAMS as u64;

#[test]
fn nothing_is_called_complete_that_brute_force_breaks() {
    let tools = Tools { xcute: env!("CARGO_BIN_EXE_xcute").into(), cc: "clang-19".into(), arguments: vec![] };
    let (next, complete) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let mut wrong = Vec::new();
        while let seed @ 0..FILES = next.fetch_add(1, Ordering::Relaxed) {
            match truth::check(&tools, seed) {
                Ok(Ok(agreed)) => _ = complete.fetch_add(u64::from(agreed.complete), Ordering::Relaxed),
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
    // A tool that never says complete would pass as well.
    let complete = complete.into_inner();
    assert!(complete > FILES / 3, "{complete} of {FILES} files were complete");
}
