//! One process of the subject.
//!
//! It leads a process group of its own, so that whatever it forks ends with it, and Ctrl-C at the terminal does not reach it. It runs in the sandbox.
//!
//! **Invariant.** The process is a zombie at worst until [`Child`] is dropped, so its number names nobody else.
#![allow(unsafe_code, reason = "kill")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xcute_process::Death;
use xcute_sandbox::{Crowd, Guard, Place, Refusal};

use super::Options;
use super::block::Block;
use crate::run::usage::{self, Usage};
use crate::wire;

/// A running (or ended, not yet reaped) process.
#[derive(Debug)]
pub struct Child {
    process: xcute_process::Child,
    guard: Guard,
}

impl Child {
    /// Starts the executable with the block as its standard input, in a directory that it may change, or where we are.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn spawn(exe: &File, block: &Block, options: &Options, directory: Option<&Path>) -> io::Result<Child> {
        let talk = || if options.output { Stdio::inherit() } else { Stdio::null() };
        let stdin = Stdio::from(block.file()?);
        // A process in the sandbox cannot look at our descriptors, but it has inherited them until it becomes the program.
        let mut command = Command::new(format!("/proc/self/fd/{}", exe.as_raw_fd()));
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        command.stdin(stdin).stdout(talk()).stderr(talk());
        let writable: Vec<&Path> = options.writable.iter().map(PathBuf::as_path).chain(directory).collect();
        // Its runtime sets the limits: it knows what it needs for itself, and begins a process for each isolated run.
        let (process, guard) =
            options.sandbox.spawn(&mut command, &Place { writable: &writable, counted: !options.isolated, ..Place::default() })?;
        Ok(Child { process: xcute_process::Child::of(process), guard })
    }

    /// What the sandbox refused since it was last asked.
    pub(super) fn refused(&self) -> Vec<Refusal> {
        self.guard.refused()
    }

    /// Removes the temporary files of earlier runs.
    pub(super) fn tidy(&self) {
        self.guard.tidy();
    }

    /// Tells the run that its time is over.
    pub fn alarm(&self) {
        let process = libc::pid_t::try_from(self.process.id()).expect("process numbers are small");
        // SAFETY: the process is ours and not reaped.
        unsafe { libc::kill(process, wire::ALARM) };
    }

    /// What it and the processes that it started use of the processor.
    pub(super) fn usage(&self) -> Usage {
        usage::of_group(self.process.id())
    }

    /// Whether it has started very many processes since then.
    pub(super) fn swarms(&self, crowd: Crowd) -> bool {
        self.guard.swarms(self.process.id(), crowd)
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<Death> {
        self.process.ended()
    }
}
