//! Two searches over the same program, for the same time, from the same seed; and the branches that the inputs of each cover.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// How long to search, and how many bytes an input has at most.
#[derive(Clone, Copy)]
pub struct Budget {
    pub seconds: u64,
    pub bytes: u32,
}

/// The inputs that a search left, and what it says of itself.
pub struct Search {
    pub inputs: Vec<Vec<u8>>,
    pub runs: u64,
    pub failures: usize,
}

/// `options` are further ones of the search.
pub fn xcute(program: &Path, seeds: &Path, scratch: &Path, budget: Budget, options: &[&str]) -> Result<Search, String> {
    let out = scratch.join("xcute-out");
    let _ = fs::remove_dir_all(&out);
    let empty = scratch.join("empty");
    fs::create_dir_all(&empty).map_err(|e| e.to_string())?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(&empty).args(["run", "--no-progress", "--format", "json", "--keep-cases", "new"]).args(options);
    command.args(["--time", &format!("{}s", budget.seconds), "--sym-stdin", &budget.bytes.to_string(), "--corpus"]).arg(seeds);
    let ran = command.arg("--out").arg(&out).arg(program).stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    let json: Value = serde_json::from_slice(&ran.stdout).map_err(|_| String::from_utf8_lossy(&ran.stderr).into_owned())?;
    let cases = files(&out.join("cases"))
        .into_iter()
        .chain(files(&out.join("failures")).into_iter().filter(|p| p.extension().is_some_and(|e| e == "json")));
    let inputs = cases.filter_map(|path| stdin(&serde_json::from_slice(&fs::read(path).ok()?).ok()?)).collect();
    Ok(Search { inputs, runs: json["runs"].as_u64().unwrap_or(0), failures: json["failures"].as_array().map_or(0, Vec::len) })
}

/// What a case has on standard input: text, or hexadecimal digits.
fn stdin(case: &Value) -> Option<Vec<u8>> {
    let stdin = &case["launch"]["stdin"];
    if let Some(text) = stdin.as_str() {
        return Some(text.as_bytes().to_vec());
    }
    let hex = stdin["hex"].as_str()?;
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect()
}

pub fn afl(program: &Path, seeds: &Path, scratch: &Path, budget: Budget) -> Result<Search, String> {
    let out = scratch.join("afl-out");
    let _ = fs::remove_dir_all(&out);
    let mut command = Command::new("afl-fuzz");
    for name in ["AFL_NO_UI", "AFL_SKIP_CPUFREQ", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "AFL_NO_AFFINITY"] {
        command.env(name, "1");
    }
    command
        .args(["-V", &budget.seconds.to_string(), "-G", &budget.bytes.to_string(), "-i"])
        .arg(seeds)
        .arg("-o")
        .arg(&out)
        .arg("--")
        .arg(program);
    let ran = command.stdin(Stdio::null()).output().map_err(|e| format!("afl-fuzz: {e}"))?;
    let stats = fs::read_to_string(out.join("default/fuzzer_stats")).map_err(|_| String::from_utf8_lossy(&ran.stdout).into_owned())?;
    let stat = |key: &str| stats.lines().find(|l| l.starts_with(key)).and_then(|l| l.split(':').nth(1)?.trim().parse().ok()).unwrap_or(0);
    let crashes = files(&out.join("default/crashes")).into_iter().filter(|p| p.file_name().is_some_and(|n| n != "README.txt"));
    let inputs = files(&out.join("default/queue")).into_iter().chain(crashes).filter_map(|path| fs::read(path).ok()).collect();
    let failures = usize::try_from(stat("saved_crashes")).unwrap_or(0);
    Ok(Search { inputs, runs: stat("execs_done"), failures })
}

/// The files of a directory, by name.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    all.sort();
    all
}

/// How many branches of a program, built to count them, these inputs take, and of how many.
pub fn branches(program: &Path, inputs: &[Vec<u8>], scratch: &Path) -> Result<(u64, u64), String> {
    let profiles = scratch.join("profiles");
    let _ = fs::remove_dir_all(&profiles);
    fs::create_dir_all(&profiles).map_err(|e| e.to_string())?;
    let input = scratch.join("input");
    for bytes in inputs {
        fs::write(&input, bytes).map_err(|e| e.to_string())?;
        let stdin = fs::File::open(&input).map_err(|e| e.to_string())?;
        let mut command = Command::new("timeout");
        // One file, into which the runs merge what they counted.
        command.arg("5").arg(program).env("LLVM_PROFILE_FILE", profiles.join("%1m.profraw")).stdin(stdin);
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
    let merged = profiles.join("all.profdata");
    let raw = files(&profiles);
    run("llvm-profdata-19", &[&["merge", "-o"].map(PathBuf::from)[..], std::slice::from_ref(&merged), &raw].concat())?;
    let words = [PathBuf::from("export"), "--summary-only".into(), program.to_owned(), "-instr-profile".into(), merged];
    let json: Value = serde_json::from_slice(&run("llvm-cov-19", &words)?).map_err(|e| e.to_string())?;
    let total = &json["data"][0]["totals"]["branches"];
    Ok((total["covered"].as_u64().unwrap_or(0), total["count"].as_u64().unwrap_or(0)))
}

fn run(tool: &str, words: &[PathBuf]) -> Result<Vec<u8>, String> {
    let ran = Command::new(tool).args(words).output().map_err(|e| format!("{tool}: {e}"))?;
    if ran.status.success() { Ok(ran.stdout) } else { Err(format!("{tool}: {}", String::from_utf8_lossy(&ran.stderr).trim())) }
}
