//! `--compare EXE`: the sequences of the search, run by a program that another tool generated from the same model.
//!
//! The program gets the name of a sequence file and prints its trace, one JSON object a line, as `xcute model --cpp` programs do.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use xcute_model::compare::difference;
use xcute_model::trace::Trace;

/// How long the program may take for a sequence.
const PATIENCE: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(2);

/// The program of another tool, and what it did so far.
pub struct Compared {
    program: PathBuf,
    scratch: tempfile::TempDir,
    causes: BTreeSet<String>,
}

impl Compared {
    pub fn new(program: &Path) -> Result<Compared> {
        let program = program.canonicalize().with_context(|| format!("cannot find {}", program.display()))?;
        let scratch = tempfile::tempdir().context("cannot make a directory for sequences")?;
        Ok(Compared { program, scratch, causes: BTreeSet::new() })
    }

    /// Runs a sequence; what the program does differently, unless it is known.
    pub fn run(&mut self, sequence: &str, model: &Trace) -> Result<Option<String>> {
        let (file, printed) = (self.scratch.path().join("case.sequence"), self.scratch.path().join("trace"));
        fs::write(&file, sequence).with_context(|| format!("cannot write {}", file.display()))?;
        let output = File::create(&printed).with_context(|| format!("cannot write {}", printed.display()))?;
        let mut command = Command::new(&self.program);
        let started = command.arg(&file).stdin(Stdio::null()).stdout(output).stderr(Stdio::null()).spawn();
        let mut child = started.with_context(|| format!("cannot start {}", self.program.display()))?;
        let begin = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if begin.elapsed() > PATIENCE => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break None;
                }
                None => std::thread::sleep(TICK),
            }
        };
        let (cause, message) = match status.map(|status| status.signal()) {
            None => ("time".to_owned(), "the other program does not end".to_owned()),
            Some(Some(signal)) => (format!("signal {signal}"), format!("the other program ends with signal {signal}, the model does not")),
            Some(None) => {
                let text = fs::read(&printed).unwrap_or_default();
                match difference(model, &Trace::parse(&String::from_utf8_lossy(&text))) {
                    None => return Ok(None),
                    Some(difference) => (difference.cause(), difference.message()),
                }
            }
        };
        Ok(self.causes.insert(cause).then_some(message))
    }
}
