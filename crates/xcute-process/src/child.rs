//! One process of a subject.
//!
//! It leads a process group of its own, so that whatever it forks ends with it, and Ctrl-C at the terminal does not reach it.
//!
//! **Invariant.** The process is a zombie at worst until [`Child`] is dropped, so its number names nobody else.
#![allow(unsafe_code, reason = "kill, waitid and setrlimit")]

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bell::{Bell, Spin};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// By itself, with this status.
    Exit(i32),
    /// By this signal.
    Signal(i32),
}

/// How the wait for a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It rang.
    Answered,
    /// It is gone.
    Died(Death),
    /// It did nothing of that in time.
    Hung,
    /// Whoever waits has to stop.
    Stopped,
}

/// A running (or ended, not yet reaped) process.
#[derive(Debug)]
pub struct Child {
    process: std::process::Child,
}

impl Child {
    /// Starts a process in a group of its own; if it crashes, it leaves no core file. It ends with the thread that starts it.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        let no_core = || {
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            // SAFETY: a system call with a pointer to a local. Where it fails, a crash merely leaves a core file.
            unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const none) };
            // SAFETY: a system call without pointers. Whoever is killed takes its processes along.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
            Ok(())
        };
        // SAFETY: between fork and exec only two system calls are made.
        unsafe { command.pre_exec(no_core) };
        Ok(Child::of(command.process_group(0).spawn()?))
    }

    /// Takes over a process that was started in another way, and leads a group of its own.
    #[must_use]
    pub fn of(process: std::process::Child) -> Child {
        Child { process }
    }

    /// Its number.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    fn pid(&self) -> libc::pid_t {
        libc::pid_t::try_from(self.process.id()).expect("process numbers are small")
    }

    /// How long it was ready to go on and found no processor, since it began; nothing where the system does not say.
    #[must_use]
    pub fn starved(&self) -> Duration {
        let told = std::fs::read_to_string(format!("/proc/{}/schedstat", self.process.id())).unwrap_or_default();
        Duration::from_nanos(told.split_whitespace().nth(1).and_then(|waited| waited.parse().ok()).unwrap_or(0))
    }

    /// Asks it to end, by the signal for that. It may take its time.
    pub fn ask_to_end(&self) {
        // SAFETY: a system call without pointers; the process is not reaped yet, so its number is its own.
        unsafe { libc::kill(self.pid(), libc::SIGTERM) };
    }

    /// How it ended, if it did.
    #[must_use]
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

/// Waits until a bell rings, the process dies, or the time is over. On a machine with too much to do it has more time: what it waited for a
/// processor, as far as ten times its patience go. `stop` says whether to wait no longer.
#[must_use]
pub fn wait(bell: Bell<'_>, child: &mut Child, seen: u32, patience: Duration, (spin, stop): (&mut Spin, &dyn Fn() -> bool)) -> Ended {
    if spin.wait(bell, seen) {
        return Ended::Answered;
    }
    let began = Instant::now();
    let mut starved = None;
    // Short sleeps first: a process that dies rings no bell, and most deaths are quick.
    let mut nap = Duration::from_millis(1);
    loop {
        if bell.sleep(seen, nap) {
            return Ended::Answered;
        }
        if let Some(death) = child.ended() {
            // It may have rung right before.
            return if bell.seen() == seen { Ended::Died(death) } else { Ended::Answered };
        }
        if stop() {
            return Ended::Stopped;
        }
        let before = *starved.get_or_insert_with(|| child.starved());
        let passed = began.elapsed();
        if passed >= patience && (passed >= patience * 10 || passed >= patience + child.starved().saturating_sub(before)) {
            return Ended::Hung;
        }
        nap = (nap * 2).min(Duration::from_millis(50));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn a_process_that_dies_or_hangs_is_noticed() {
        let (rings, sleeps) = (AtomicU32::new(0), AtomicU32::new(0));
        let bell = Bell { rings: &rings, sleeps: &sleeps };
        let mut spin = Spin::new(1);
        let mut child = Child::spawn(Command::new("sh").args(["-c", "exit 3"])).unwrap();
        assert_eq!(wait(bell, &mut child, 0, Duration::from_secs(60), (&mut spin, &|| false)), Ended::Died(Death::Exit(3)));
        let mut child = Child::spawn(Command::new("sleep").arg("1000")).unwrap();
        assert_eq!(wait(bell, &mut child, 0, Duration::from_millis(5), (&mut spin, &|| false)), Ended::Hung);
        assert_eq!(wait(bell, &mut child, 0, Duration::from_secs(60), (&mut spin, &|| true)), Ended::Stopped);
        bell.ring();
        assert_eq!(wait(bell, &mut child, 0, Duration::from_secs(60), (&mut spin, &|| false)), Ended::Answered);
    }
}
