//! KLEE on the same program, for a comparison side by side.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::{Program, root};

/// Runs KLEE and returns a row that fits below xcute's.
pub fn run(klee: &Path, program: &Program, ours: f64) -> String {
    match measure(klee, program) {
        Ok((paths, failed, seconds)) => {
            let speed = paths as f64 / seconds.max(1e-9);
            let found = if failed { 1 } else { 0 };
            format!(
                "{:<14} {:>8} {paths:>8} {found:>8} {seconds:>7.2} {:>9} {speed:>9.0}   xcute: {:.1} times",
                "  KLEE",
                "",
                "",
                ours / speed.max(1e-9)
            )
        }
        Err(why) => format!("  KLEE: {why}"),
    }
}

fn measure(klee: &Path, program: &Program) -> Result<(u64, bool, f64), String> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let bitcode = place.path().join("program.bc");
    let clang = std::env::var("KLEE_CLANG").unwrap_or_else(|_| "clang".into());
    let include = klee.parent().and_then(Path::parent).map_or_else(|| "/usr/include".into(), |prefix| prefix.join("include"));
    let built = Command::new(&clang)
        .current_dir(root())
        .args(["-DKLEE", "-emit-llvm", "-c", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-I"])
        .arg(include)
        .arg(format!("benches/c/{}.c", program.name))
        .arg("-o")
        .arg(&bitcode)
        .output()
        .map_err(|error| format!("cannot run {clang}: {error}"))?;
    if !built.status.success() {
        return Err(format!("{clang} failed: {}", String::from_utf8_lossy(&built.stderr).lines().next().unwrap_or_default()));
    }
    let start = Instant::now();
    let out = place.path().join("out");
    let ran = Command::new(klee)
        .args(["--max-time=300s", "--max-memory=8000", "--only-output-states-covering-new"])
        .arg(format!("--output-dir={}", out.display()))
        .arg(&bitcode)
        .output()
        .map_err(|error| format!("cannot run {}: {error}", klee.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    let paths = told.lines().find_map(|line| line.strip_prefix("KLEE: done: completed paths = ")?.trim().parse().ok());
    let paths = paths.ok_or_else(|| format!("gave no number of paths: {}", told.lines().last().unwrap_or_default()))?;
    Ok((paths, told.contains("reached"), seconds))
}
