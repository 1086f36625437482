//! What instrumentation costs where nothing is symbolic: benches/c/bytes.c, native and instrumented.

use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::root;

/// Seconds native and instrumented, the best of three each, taken in turns.
pub fn run() -> (f64, f64) {
    let place = tempfile::tempdir().unwrap();
    let exe = place.path().join("native");
    let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".into());
    let built = Command::new(clang).current_dir(root()).args(["-O1", "-DNATIVE", "benches/c/bytes.c", "-o"]).arg(&exe).status().unwrap();
    assert!(built.success());
    let (mut native, mut instrumented) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        let start = Instant::now();
        Command::new(&exe).status().unwrap();
        native = native.min(start.elapsed().as_secs_f64());
        let ran = Command::new(env!("CARGO_BIN_EXE_xcute"))
            .current_dir(root())
            .args(["c", "benches/c/bytes.c", "--entry", "checksum", "--runs", "1", "--steps", "100000000000", "--format", "json", "--out"])
            .arg(place.path().join("out"))
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        let summary: Value = serde_json::from_slice(&ran.stdout).unwrap();
        instrumented = instrumented.min(summary["seconds"]["subject"].as_f64().unwrap());
    }
    (native, instrumented)
}
