//! One process of the subject.
//!
//! It leads a process group of its own, so that whatever it forks ends with it, and Ctrl-C at the terminal does not reach it.
//!
//! **Invariant.** The process is a zombie at worst until [`Child`] is dropped, so its number names nobody else.
#![allow(unsafe_code, reason = "kill and waitid")]

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::block::Block;
use crate::native::usage::{self, Usage};
use crate::wire;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// By itself, with this status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

/// A running (or ended, not yet reaped) process.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
}

impl Child {
    /// Starts the executable with the block as its standard input, in a directory or where we are.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn spawn(exe: &Path, block: &Block, output: bool, directory: Option<&Path>) -> io::Result<Child> {
        let talk = || if output { Stdio::inherit() } else { Stdio::null() };
        let stdin = Stdio::from(block.file()?);
        let mut command = Command::new(exe);
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        let process = command.stdin(stdin).stdout(talk()).stderr(talk()).process_group(0).spawn()?;
        Ok(Child { process })
    }

    fn pid(&self) -> libc::pid_t {
        libc::pid_t::try_from(self.process.id()).expect("process numbers are small")
    }

    /// Tells the run that its time is over.
    pub fn alarm(&self) {
        // SAFETY: the process is ours and not reaped.
        unsafe { libc::kill(self.pid(), wire::ALARM) };
    }

    /// What it and the processes that it started use of the processor.
    pub(super) fn usage(&self) -> Usage {
        usage::of_group(self.process.id())
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<Death> {
        // SAFETY: all zeros is a valid siginfo_t.
        let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: `info` is ours; WNOWAIT leaves the process as it is.
        let failed = unsafe { libc::waitid(libc::P_PID, self.process.id(), &raw mut info, flags) } != 0;
        // SAFETY: waitid filled the SIGCHLD part, or left zeros.
        let (pid, status) = unsafe { (info.si_pid(), info.si_status()) };
        if failed || pid == 0 {
            return failed.then_some(Death::Exit(0));
        }
        let killed = info.si_code == libc::CLD_KILLED || info.si_code == libc::CLD_DUMPED;
        Some(if killed { Death::Signal(status) } else { Death::Exit(status) })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // SAFETY: the process is not reaped yet, so its group is ours.
        unsafe { libc::kill(-self.pid(), libc::SIGKILL) };
        // A process that cannot be waited for is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
