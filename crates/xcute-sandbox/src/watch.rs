//! The thread that answers for a process: each stopped call gets a verdict.
//!
//! **Invariant.** A refusal is recorded before it is answered, so it is known when the run that it belongs to ends. The thread ends when no process has the filter any longer.
#![allow(unsafe_code, reason = "ioctl and poll of the listener")]

use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::judge::{Judge, Verdict};
use crate::refused::Refused;
use crate::swarm::send;

/// How long the thread of a process that is gone may live, where the kernel does not say that it is gone.
const LINGER: i32 = 500;

/// What the thread needs.
pub(crate) struct Watch {
    pub(crate) listener: OwnedFd,
    pub(crate) judge: Judge,
    pub(crate) refused: Arc<Refused>,
    pub(crate) over: Arc<AtomicBool>,
}

impl Watch {
    /// Answers until there is nobody left to ask. Those of a swarm that are left, outside of the group that was killed, end here.
    pub(crate) fn run(mut self) {
        let mut held = Vec::new();
        loop {
            let mut poll = libc::pollfd { fd: self.listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one structure, ours.
            let n = unsafe { libc::poll(&raw mut poll, 1, LINGER) };
            if n > 0 && poll.revents & libc::POLLIN != 0 {
                held.extend(self.answer());
            } else if (n > 0 && poll.revents != 0) || (n == 0 && self.over.load(Ordering::Acquire)) {
                break;
            }
        }
        for (id, task) in held {
            self.kill(id, task);
        }
    }

    /// Kills a task that still waits for its answer.
    fn kill(&self, id: u64, task: u32) {
        // SAFETY: the request is a number. As long as it is valid the task is the one that asked.
        let waits = unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 };
        if let Some(task) = i32::try_from(task).ok().filter(|&task| waits && task > 1) {
            send(task, libc::SIGKILL);
        }
    }

    /// Answers one call; the request and its task, if it gets no answer.
    fn answer(&mut self) -> Option<(u64, u32)> {
        // SAFETY: all zeros is what the kernel wants to find, and a valid value.
        let mut asked: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the structure is the one of this request.
        if unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) } != 0 {
            // Whoever asked is gone.
            return None;
        }
        let (value, error, flags) = match self.judge.verdict(&asked) {
            Verdict::Go => (0, 0, u32::try_from(libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE).unwrap_or(1)),
            Verdict::Answer(error) => (0, -error, 0),
            Verdict::Hold => return Some((asked.id, asked.pid)),
            Verdict::Refuse(error, what) => {
                self.refused.add(&what);
                (0, -error, 0)
            }
            Verdict::Give { file, close_on_exec, what } => match self.give(asked.id, &file, close_on_exec) {
                Some(libc::EACCES) => {
                    self.refused.add(&what);
                    (0, -libc::EACCES, 0)
                }
                Some(error) => (0, -error, 0),
                None => return None,
            },
        };
        let mut answer = libc::seccomp_notif_resp { id: asked.id, val: value, error, flags };
        // SAFETY: the structure is the one of this request. Whoever asked may be gone: nothing is to be done then.
        unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
        None
    }

    /// Puts a file among those of the task, and answers with its descriptor; an error that has to be answered instead, which is EACCES where the kernel cannot do it.
    fn give(&self, id: u64, file: &OwnedFd, close_on_exec: bool) -> Option<i32> {
        let add = libc::seccomp_notif_addfd {
            id,
            flags: u32::try_from(libc::SECCOMP_ADDFD_FLAG_SEND).unwrap_or(2),
            srcfd: u32::try_from(file.as_raw_fd()).ok()?,
            newfd: 0,
            newfd_flags: if close_on_exec { u32::try_from(libc::O_CLOEXEC).unwrap_or(0) } else { 0 },
        };
        // SAFETY: the structure is the one of this request, and the file is open.
        let given = unsafe { libc::ioctl(self.listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ADDFD, &raw const add) };
        if given >= 0 {
            return None;
        }
        match std::io::Error::last_os_error().raw_os_error() {
            Some(libc::ENOENT) => None, // it is gone
            Some(libc::EMFILE) => Some(libc::EMFILE),
            _ => Some(libc::EACCES),
        }
    }
}
