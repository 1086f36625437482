//! Runs a file of plunit tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::process::{Line, Process};
use super::{SwiplError, find};
use crate::syntax::quoted;

/// What came of running a test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether every test passed; only this says so, not the text.
    pub passed: bool,
    /// Whether it was ended because it took too long.
    pub late: bool,
    /// What plunit printed.
    pub output: String,
}

/// Runs the tests of a file, as `swipl -g run_tests -t halt FILE` does; that the file has errors is a failure too. `unit`: those of this unit only, since the
/// program may have tests of its own.
pub fn plunit(file: &Path, unit: Option<&str>, patience: Duration) -> Result<Verdict, SwiplError> {
    let swipl = find().unwrap_or_else(|| PathBuf::from("swipl"));
    let file = std::path::absolute(file)?;
    let mut command = Command::new("sh");
    // What plunit says goes to standard error.
    command.args(["-c", "exec \"$0\" -f none --no-tty --no-packs -g \"$2\",halt -t 'halt(1)' \"$1\" 2>&1"]).arg(&swipl).arg(&file);
    command.arg(unit.map_or_else(|| "run_tests".to_owned(), |unit| format!("run_tests({})", quoted(unit, '\''))));
    if let Some(directory) = file.parent() {
        command.current_dir(directory);
    }
    let start = |reason| SwiplError::Start { program: swipl.display().to_string(), reason };
    let mut process = Process::start(&mut command).map_err(start)?;
    process.close();
    let end = Instant::now() + patience;
    let mut output = String::new();
    loop {
        match process.line(end.saturating_duration_since(Instant::now())) {
            Line::Text(line) => {
                output.push_str(&line);
                output.push('\n');
            }
            Line::Ended => {
                // A test that cannot be read is not a test to plunit. Errors of the program are another matter: its tests know them.
                let own = file.file_name().map(|name| format!("/{}:", name.to_string_lossy())).unwrap_or_default();
                let broken = output.lines().any(|line| line.starts_with("ERROR: ") && line.contains(&own));
                return Ok(Verdict { passed: process.finish() == Some(0) && !broken, late: false, output });
            }
            Line::Late => {
                output.push_str("(ended by xcute: it took too long)\n");
                return Ok(Verdict { passed: false, late: true, output });
            }
        }
    }
}
