//! `./x bench sat`: records what reaches the SAT solver in campaigns, and lets two solvers answer it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::shell;

/// Programs of `benches/c` whose queries are recorded, unless the arguments choose others.
const PROGRAMS: &[&str] = &["quicksort", "calculator", "list_shapes", "products", "slots", "square", "bytes", "mixing"];
/// The word for the packages of `./x bench real`.
const REAL: &str = "real";

/// Records the queries of the named programs, or of some of `benches/c`, and measures.
pub fn measure(programs: &[String]) -> Result<()> {
    shell::run(&mut shell::cargo(&["build", "--quiet", "--release", "--package", "xcute"]))?;
    let programs = if programs.is_empty() { PROGRAMS.iter().map(|name| (*name).to_owned()).collect() } else { programs.to_vec() };
    let dir = shell::root().join("target/sat");
    let mut files: Vec<PathBuf> = Vec::new();
    for program in programs {
        let own = dir.join(&program);
        // What an earlier measurement left.
        let _ = fs::remove_dir_all(&own);
        fs::create_dir_all(&own).with_context(|| format!("cannot create {}", own.display()))?;
        if program == REAL {
            let mut searches = shell::cargo(&["bench", "--quiet", "--package", "xcute", "--bench", "real", "--", "--time", "8"]);
            shell::run(searches.env("XCUTE_RECORD_SAT", &own))?;
        } else {
            search(&program, &own)?;
        }
        for (number, path) in recorded(&own)?.into_iter().enumerate() {
            let named = dir.join(if number == 0 { format!("{program}.icnf") } else { format!("{program}-{}.icnf", number + 1) });
            fs::rename(&path, &named)?;
            files.push(named);
        }
    }
    let mut bench = shell::cargo(&["bench", "--quiet", "--package", "xcute-solver-bits", "--bench", "sat", "--"]);
    shell::run(bench.args(files))
}

/// Searches a program of `benches/c`.
fn search(program: &str, own: &Path) -> Result<()> {
    let (source, results) = (format!("benches/c/{program}.c"), own.join("results").display().to_string());
    let options = ["c", &source, "--runs", "2000", "--time", "15s", "--prune", "off", "--quiet", "--no-progress", "--out", &results];
    let mut campaign = shell::command(&shell::release("xcute"), &options);
    // Programs fail, and xcute says so by its exit code.
    let _ = campaign.env("XCUTE_RECORD_SAT", own).stdout(std::process::Stdio::null()).status()?;
    Ok(())
}

/// The recordings in a directory that hold something, the oldest first.
fn recorded(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let metadata = path.metadata()?;
        if path.extension() == Some(OsStr::new("icnf")) && metadata.len() > 0 {
            found.push((metadata.modified()?, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}
