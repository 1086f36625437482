//! What instrumentation costs where nothing is symbolic: benches/c/bytes.c, native and instrumented.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::root;

/// Seconds, the best of three each, taken in turns.
pub struct Concrete {
    pub native: f64,
    /// As functions are compiled first: soon ready, not optimised.
    pub quick: f64,
    /// As functions are compiled where their runs are long, and whole programs always.
    pub fast: f64,
}

pub fn run() -> Concrete {
    let place = tempfile::tempdir().unwrap();
    let (exe, program) = (place.path().join("native"), place.path().join("program"));
    let clang = std::env::var("XCUTE_CLANG").unwrap_or_else(|_| "clang-19".into());
    built(Command::new(clang), &exe);
    let mut cc = Command::new(env!("CARGO_BIN_EXE_xcute"));
    cc.arg("cc");
    built(cc, &program);
    let program = program.to_str().unwrap();
    let mut best = Concrete { native: f64::MAX, quick: f64::MAX, fast: f64::MAX };
    for _ in 0..3 {
        let start = Instant::now();
        Command::new(&exe).status().unwrap();
        best.native = best.native.min(start.elapsed().as_secs_f64());
        best.quick = best.quick.min(subject(&["c", "benches/c/bytes.c", "--entry", "checksum"], place.path()));
        best.fast = best.fast.min(subject(&["run", program, "--sym-stdin", "1"], place.path()));
    }
    best
}

fn built(mut compiler: Command, to: &Path) {
    let status = compiler.current_dir(root()).args(["-O1", "-DNATIVE", "benches/c/bytes.c", "-o"]).arg(to).status().unwrap();
    assert!(status.success());
}

/// Seconds that one run of the subject takes.
fn subject(words: &[&str], place: &Path) -> f64 {
    let ran = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(root())
        .args(words)
        .args(["--runs", "1", "--hang", "60s", "--steps", "100000000000", "--format", "json", "--out"])
        .arg(place.join("out"))
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    let summary: Value = serde_json::from_slice(&ran.stdout).unwrap();
    summary["seconds"]["subject"].as_f64().unwrap()
}
