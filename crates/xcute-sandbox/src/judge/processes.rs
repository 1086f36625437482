//! Signals, and what else is done to other processes.
//!
//! **Invariant.** Processes of the sandbox may do to each other what they like; those outside are never reached.

use super::Verdict;
use crate::calls::Call;
use crate::task::Task;

/// What becomes of a signal to a process, or, if the number is not positive, to a group.
pub(super) fn signal(task: Task, call: &Call, to: i32, signal: i32) -> Verdict {
    let target = match to {
        1.. => to,
        // A group is named by the process that began it.
        0 => group_of(task.id),
        i32::MIN..=-2 => to.wrapping_neg(),
        -1 => 0,
    };
    if u32::try_from(target).is_ok_and(|target| target > 0 && task.is_ours(target)) {
        return Verdict::Go;
    }
    // SAFETY: signal 0 is none: it says only whether one could be sent.
    if unsafe { libc::kill(if to == 0 { target.wrapping_neg() } else { to }, 0) } != 0 {
        return Verdict::Answer(std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EPERM));
    }
    if signal == 0 {
        return Verdict::Answer(0);
    }
    let whom = match to {
        -1 => "all processes",
        to if to > 0 && u32::try_from(to) == Ok(std::process::id()) => "xcute",
        1.. => "another process",
        _ => "a group of other processes",
    };
    Verdict::Refuse(libc::EPERM, format!("{} to {whom}", call.verb))
}

/// What becomes of another deed.
pub(super) fn other(task: Task, call: &Call, to: i32) -> Verdict {
    let ours = to == 0 || u32::try_from(to).is_ok_and(|to| task.is_ours(to));
    // SAFETY: signal 0 is none.
    if ours || unsafe { libc::kill(to, 0) } != 0 {
        return Verdict::Go;
    }
    Verdict::Refuse(libc::EPERM, format!("{} another process", call.verb))
}

fn group_of(task: u32) -> i32 {
    // SAFETY: a number goes in, a number comes out.
    unsafe { libc::getpgid(libc::pid_t::try_from(task).unwrap_or(0)) }
}
