//! Runs xcute again, with another command line, in a process of its own: a crash of a solver or a search that has to be abandoned ends one entry and not all.
//!
//! **Invariant.** The process ends with this one. It is asked to end once, when a signal came, and leaves its results as any search does.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tempfile::TempDir;
use xcute_process::{Child, Death};

use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::temporary;

/// How often the process is looked at.
const NAP: Duration = Duration::from_millis(10);

/// What became of a process.
#[derive(Debug)]
pub struct Again {
    pub exit: Exit,
    pub stdout: String,
    /// What it said on stderr. The last line says why it could not do its job, where it could not.
    pub stderr: String,
    pub took: Duration,
}

/// A process that runs. It is killed when this is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    began: Instant,
    /// What it writes to.
    place: TempDir,
}

const OUT: &str = "stdout";
const ERR: &str = "stderr";
/// Why a part of the work cannot begin.
const AGAIN: &str = "cannot run xcute again";

impl Running {
    /// Starts this command line in this directory.
    pub fn start(words: &[String], directory: &Path) -> Result<Running> {
        let place = temporary::directory()?;
        let file = |name: &str| {
            let path = place.path().join(name);
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))
        };
        let mut command = std::env::current_exe().map(Command::new).context(AGAIN)?;
        command.args(words).current_dir(directory).stdin(Stdio::null()).stdout(file(OUT)?).stderr(file(ERR)?);
        let began = Instant::now();
        let child = Child::spawn(&mut command).context(AGAIN)?;
        Ok(Running { child, began, place })
    }

    /// Asks it to end.
    pub fn ask_to_end(&self) {
        self.child.ask_to_end();
    }

    /// How long it runs.
    pub fn took(&self) -> Duration {
        self.began.elapsed()
    }

    /// What became of it; `None` as long as it runs.
    pub fn ended(&mut self) -> Option<Again> {
        let death = self.child.ended()?;
        let text = |name: &str| String::from_utf8_lossy(&std::fs::read(self.place.path().join(name)).unwrap_or_default()).into_owned();
        let mut stderr = text(ERR);
        let exit = match death {
            Death::Exit(code) => Exit::of(code),
            Death::Signal(signal) => {
                stderr += &format!("xcute: killed by signal {signal} (xcute resume continues the search)\n");
                Exit::CouldNot
            }
        };
        Some(Again { exit, stdout: text(OUT), stderr, took: self.took() })
    }
}

/// Runs this command line in this directory, and waits.
pub fn run(words: &[String], directory: &Path, interrupt: &Interrupt) -> Result<Again> {
    let mut running = Running::start(words, directory)?;
    let mut asked = false;
    loop {
        if let Some(again) = running.ended() {
            return Ok(again);
        }
        if interrupt.came() && !asked {
            running.ask_to_end();
            asked = true;
        }
        std::thread::sleep(NAP);
    }
}
