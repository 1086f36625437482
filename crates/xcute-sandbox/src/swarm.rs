//! How many processes and threads a program may have at a time.
//!
//! The limit of the system does not hold for the superuser, and a fork bomb doubles so fast that soon no processor is left for the one that would stop it. So the calls that
//! begin a process or a thread are stopped, and counted. The one beyond the limit gets no answer: the task that makes it waits until it is killed. Without a sandbox the system is looked at now and then ([`Crowd`]).
//!
//! **Invariant.** While they are counted only those begin that were allowed to before: there are never more than twice as many as the limit says.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::task::relations;

/// About this many threads and processes, and it counts as a fork bomb.
pub const SWARM: u64 = 500;

/// How many there were when a program began. Others on the machine may start as many as they like.
#[derive(Clone, Copy, Debug)]
pub struct Crowd(u64);

impl Crowd {
    /// The system at this moment.
    #[must_use]
    pub fn now() -> Crowd {
        Crowd(processes())
    }

    /// Whether the process has started a swarm. The system is asked first, which costs little; only if it is crowded is each process looked at. Meanwhile the group of the
    /// process stands still. A swarm is left so, for whoever ends it.
    #[must_use]
    pub fn has_swarm_of(self, process: u32) -> bool {
        if !self.has_grown_by(SWARM) {
            return false;
        }
        let Some(group) = i32::try_from(process).ok().filter(|&process| process > 1) else { return false };
        send(-group, libc::SIGSTOP);
        let swarm = started_by(process, program_of(process).as_deref(), &mut HashSet::new()) > SWARM;
        if !swarm {
            send(-group, libc::SIGCONT);
        }
        swarm
    }

    fn has_grown_by(self, count: u64) -> bool {
        processes() > self.0 + count
    }
}

/// Counts the calls of one sandbox that begin something.
#[derive(Debug)]
pub(crate) struct Swarm {
    root: u32,
    /// What the root ran at first.
    program: Option<PathBuf>,
    crowd: Crowd,
    /// Begun since they were last counted, and those that there were then.
    begun: u64,
    /// Those that have asked, whatever they run and whose group they are in.
    asked: HashSet<u32>,
    /// Set when there are too many.
    found: Arc<AtomicBool>,
}

impl Swarm {
    pub(crate) fn new(root: u32, found: Arc<AtomicBool>) -> Swarm {
        Swarm { root, program: program_of(root), crowd: Crowd::now(), begun: 1, asked: HashSet::new(), found }
    }

    /// Whether a task may begin one more. Those that ended are noticed when the limit seems to be reached; a swarm that was found stays one.
    pub(crate) fn may_grow(&mut self, task: u32) -> bool {
        if self.found.load(Ordering::Acquire) {
            return false;
        }
        self.asked.insert(task);
        if self.begun >= SWARM {
            let grown = self.crowd.has_grown_by(SWARM / 2);
            self.begun = if grown { started_by(self.root, self.program.as_deref(), &mut self.asked) } else { SWARM / 2 };
        }
        let may = self.begun < SWARM;
        if may {
            self.begun += 1;
        } else {
            self.found.store(true, Ordering::Release);
        }
        may
    }
}

/// How many processes the system has; 0 where it does not say.
#[must_use]
pub fn processes() -> u64 {
    // "0.20 0.18 0.12 1/80 11206"
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().nth(3).and_then(|word| word.split_once('/')?.1.parse().ok()).unwrap_or(0)
}

/// What a process runs.
fn program_of(process: u32) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{process}/exe")).ok()
}

/// How many threads there are in the group of a process, in processes elsewhere that run this program (a process that only forks keeps that), and in those that are
/// known already, of which only those that still exist are left.
fn started_by(process: u32, program: Option<&Path>, known: &mut HashSet<u32>) -> u64 {
    let mut left = HashSet::new();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let threads = numbers.filter_map(|other| {
        let relations = relations(other)?;
        let is_known = known.contains(&other) && left.insert(other);
        let runs_it = || program.is_some_and(|program| program_of(other).as_deref() == Some(program));
        (is_known || relations.group == process || runs_it()).then_some(relations.threads)
    });
    let count = threads.sum();
    *known = left;
    count
}

/// Sends a signal to a process, or to a group, by its negative number.
pub fn send(to: i32, signal: i32) {
    // SAFETY: a system call that takes numbers; the process, and its group, were made for a program in the sandbox, and it was not waited for yet.
    #[allow(unsafe_code, reason = "a fork bomb must be stopped at once, not after another process has started")]
    unsafe {
        libc::kill(to, signal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_process_started_counts() {
        use std::os::unix::process::CommandExt as _;
        let start = |text: &str| std::process::Command::new("bash").args(["-c", text]).process_group(0).spawn().unwrap();
        let (mut many, mut other) = (start("sleep 100 & sleep 100 & sleep 100 & wait"), start("sleep 100 & wait"));
        let began = std::time::Instant::now();
        let started_by = |process: u32| super::started_by(process, program_of(process).as_deref(), &mut HashSet::new());
        while (started_by(many.id()) < 4 || started_by(other.id()) < 2) && began.elapsed() < std::time::Duration::from_secs(30) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        // Both run bash.
        let all = (started_by(many.id()), started_by(other.id()));
        let crowd = Crowd(0);
        for child in [&mut many, &mut other] {
            send(-i32::try_from(child.id()).unwrap(), libc::SIGKILL);
            child.wait().unwrap();
        }
        assert!(all.0 >= 4 && all.1 >= 2 && all.0 < SWARM, "{all:?}");
        assert!(!crowd.has_swarm_of(other.id()), "the system is crowded, and this process is gone");
    }

    #[test]
    fn what_ended_makes_room() {
        let found = Arc::new(AtomicBool::new(false));
        // No process has this number, so none is counted.
        let mut swarm = Swarm { crowd: Crowd(0), ..Swarm::new(u32::MAX, Arc::clone(&found)) };
        assert!((0..3 * SWARM).all(|_| swarm.may_grow(u32::MAX)) && !found.load(Ordering::Acquire));
    }
}
