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
use xcute_model::sequence::Mode;
use xcute_model::story;
use xcute_model::trace::Trace;
use xcute_report::{Failure, InputValue};
use xcute_trace::{FailureKind, TestCase};

use crate::talk;
use crate::temporary;

/// How long the program may take for a sequence.
const PATIENCE: Duration = Duration::from_secs(10);
const TICK: Duration = Duration::from_millis(2);

/// The program of another tool does something else than the model.
pub const DIFFERENCE: FailureKind = FailureKind::own("difference");
/// It is run on at most this many sequences that pass.
const MOST: usize = 2000;

/// The program of another tool, and what it did so far.
pub struct Compared {
    program: PathBuf,
    /// As the user named it.
    shown: PathBuf,
    /// The results directory.
    out: PathBuf,
    scratch: tempfile::TempDir,
    /// What it is run on.
    cases: Vec<TestCase>,
    causes: BTreeSet<String>,
}

/// The capsule that is compared.
pub struct Compare<'a> {
    pub capsule: &'a str,
    pub mode: Mode,
    /// Where it is: file and line.
    pub at: (String, u32),
}

/// Where the program does something else: failures, and the sequences that show them.
#[derive(Default)]
pub struct Differences {
    pub found: Vec<(Failure, Vec<InputValue>)>,
    pub files: Vec<(String, String)>,
}

impl Compared {
    pub fn new(shown: &Path, out: &Path) -> Result<Compared> {
        let program = shown.canonicalize().with_context(|| format!("cannot find {}", shown.display()))?;
        let scratch = temporary::directory()?;
        let (shown, out) = (shown.to_owned(), out.to_owned());
        Ok(Compared { program, shown, out, scratch, cases: Vec::new(), causes: BTreeSet::new() })
    }

    /// Keeps a case to run it later.
    pub fn add(&mut self, case: &TestCase) {
        if self.cases.len() < MOST {
            self.cases.push(case.clone());
        }
    }

    /// The cases that were kept.
    pub fn cases(&mut self) -> Vec<TestCase> {
        std::mem::take(&mut self.cases)
    }

    /// Runs the sequences of these traces, of which there are `count` unless time is up.
    pub fn all(&mut self, compare: &Compare<'_>, traces: impl Iterator<Item = Trace>, count: usize) -> Differences {
        let (mut differences, mut runs) = (Differences::default(), 0);
        for trace in traces {
            let sequence = story::sequence(&trace, compare.capsule, compare.mode);
            let text = serde_json::to_string_pretty(&sequence).unwrap_or_default() + "\n";
            match self.run(&text, &trace) {
                Ok(None) => runs += 1,
                Ok(Some(message)) => {
                    runs += 1;
                    let id = format!("d{}", differences.found.len() + 1);
                    let file = format!("failures/{id}.sequence");
                    let steps = story::steps(&trace, compare.capsule, true);
                    let inputs = steps.into_iter().map(|value| InputValue { name: String::new(), value }).collect();
                    differences.found.push((self.failure(compare, id, message, &file), inputs));
                    differences.files.push((file, text));
                }
                Err(error) => {
                    talk::error(&error);
                    break;
                }
            }
        }
        let of = if runs < count { format!(" of {count}") } else { String::new() };
        talk::say(&format!("compared {runs}{of} sequences with {}: {} differ in kind", self.shown.display(), differences.found.len()));
        differences
    }

    fn failure(&self, compare: &Compare<'_>, id: String, message: String, file: &str) -> Failure {
        let case = self.out.join(file).display().to_string();
        let (at, line) = compare.at.clone();
        Failure {
            id,
            kind: DIFFERENCE,
            message,
            file: at,
            line,
            column: 0,
            function: compare.capsule.to_owned(),
            stack: Vec::new(),
            notes: Vec::new(),
            interleaving: Vec::new(),
            values: Vec::new(),
            flipped: None,
            replay: format!("{} {case}", self.shown.display()),
            case,
            replayed: true,
        }
    }

    /// Runs a sequence; what the program does differently, unless it is known.
    fn run(&mut self, sequence: &str, model: &Trace) -> Result<Option<String>> {
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
