//! What several test files need: processes that are recognised by where they were started.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The command `xcute`, started in a directory of its own, which marks it and all that it starts.
pub fn marked(place: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place).env("XCUTE_MARK", place);
    command
}

/// Whether a process that was started there is left, after some time.
pub fn left(place: &Path) -> bool {
    let mark = format!("XCUTE_MARK={}\0", place.display()).into_bytes();
    let marked = || {
        let entries = fs::read_dir("/proc").unwrap().flatten();
        entries.filter_map(|entry| fs::read(entry.path().join("environ")).ok()).any(|text| text.windows(mark.len()).any(|at| at == mark))
    };
    let end = Instant::now() + Duration::from_secs(30);
    while marked() {
        if Instant::now() > end {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}
