//! Runs xcute again, with another command line, in a process of its own: a crash of a solver or a search that has to be abandoned ends one entry and not all.
//!
//! **Invariant.** The process ends with this one. It is asked to end once, when a signal came, and leaves its results as any search does.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use xcute_process::{Child, Death};

use crate::exit::Exit;
use crate::interrupt::Interrupt;

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

/// Runs this command line in this directory, and waits.
pub fn run(words: &[String], directory: &Path, interrupt: &Interrupt) -> Result<Again> {
    let place = tempfile::tempdir().context("cannot make a directory for temporary files")?;
    let (out, err) = (place.path().join("stdout"), place.path().join("stderr"));
    let file = |path: &Path| File::create(path).with_context(|| format!("cannot write {}", path.display()));
    let text = |path: &Path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let tool = std::env::current_exe().context("cannot find xcute itself")?;
    let mut command = Command::new(tool);
    command.args(words).current_dir(directory).stdin(Stdio::null()).stdout(file(&out)?).stderr(file(&err)?);
    let begin = Instant::now();
    let mut child = Child::spawn(&mut command).context("cannot run xcute again")?;
    let mut asked = false;
    let death = loop {
        if let Some(death) = child.ended() {
            break death;
        }
        if interrupt.came() && !asked {
            child.ask_to_end();
            asked = true;
        }
        std::thread::sleep(NAP);
    };
    let took = begin.elapsed();
    let mut stderr = text(&err);
    let exit = match death {
        Death::Exit(code) => Exit::of(code),
        Death::Signal(signal) => {
            stderr += &format!("xcute: killed by signal {signal} (xcute resume continues the search)\n");
            Exit::CouldNot
        }
    };
    Ok(Again { exit, stdout: text(&out), stderr, took })
}
