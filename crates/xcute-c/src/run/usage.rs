//! What processes use, as `/proc` says: a group of the processor, and how many there are.
//!
//! **Invariant.** A process that is gone, or that cannot be read, used nothing.

use std::time::Duration;

/// What processes used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Time of the processor, all threads together.
    pub(crate) time: Duration,
    /// Whether one of them runs, or would if there were a processor for it.
    pub(crate) wants: bool,
}

/// This many threads and processes, and it counts as a fork bomb. Limits of the system do not hold for every user.
pub(crate) const SWARM: u64 = 500;

/// How many there were when a program began. Others on the machine may start as many as they like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowd(u64);

impl Crowd {
    /// The system at this moment.
    pub(crate) fn now() -> Crowd {
        Crowd(processes())
    }

    /// Whether the process has started a swarm. The system is asked first, which costs little; only if it is crowded is each process looked at. Meanwhile the group of the
    /// process stands still: a fork bomb doubles faster than it can be counted. A swarm is left so, for whoever ends it.
    pub(crate) fn has_swarm_of(self, process: u32) -> bool {
        if processes() <= self.0 + SWARM {
            return false;
        }
        let Some(group) = i32::try_from(process).ok().filter(|&process| process > 1) else { return false };
        send(-group, libc::SIGSTOP);
        let swarm = started_by(process) > SWARM;
        if !swarm {
            send(-group, libc::SIGCONT);
        }
        swarm
    }
}

/// The unit of times in `/proc`: it is the same on all machines that Linux runs on today.
const TICK: Duration = Duration::from_millis(10);

/// The usage of a process whose group has its number. Others of the group are looked for only where it has nothing to do itself.
pub(crate) fn of_group(process: u32) -> Usage {
    let Some(first) = stat(process) else { return Usage::default() };
    let mut usage = first.usage;
    if usage.wants {
        return usage;
    }
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(other) = entry.file_name().to_str().and_then(|name| name.parse().ok()).filter(|&other: &u32| other != process) else {
            continue;
        };
        if let Some(stat) = stat(other).filter(|stat| stat.group == process) {
            usage.time += stat.usage.time;
            usage.wants |= stat.usage.wants;
        }
    }
    usage
}

/// How many processes the system has; 0 where it does not say.
pub(crate) fn processes() -> u64 {
    // "0.20 0.18 0.12 1/80 11206"
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().nth(3).and_then(|word| word.split_once('/')?.1.parse().ok()).unwrap_or(0)
}

/// How many threads there are in the group of a process, and in processes elsewhere that run the same program: whoever only forks keeps that.
fn started_by(process: u32) -> u64 {
    let program = |process: u32| std::fs::read_link(format!("/proc/{process}/exe")).ok();
    let own = program(process);
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let threads = numbers.filter_map(|other| {
        let stat = stat(other)?;
        (stat.group == process || own.is_some() && program(other) == own).then_some(stat.threads)
    });
    threads.sum()
}

/// Sends a signal to a process, or to a group, by its negative number.
pub(crate) fn send(to: i32, signal: i32) {
    // SAFETY: a system call that takes numbers; the process, and its group, were made for a subject, and it was not waited for yet.
    #[allow(unsafe_code, reason = "a fork bomb must be stopped at once, not after another process has started")]
    unsafe {
        libc::kill(to, signal);
    }
}

struct Stat {
    group: u32,
    threads: u64,
    usage: Usage,
}

fn stat(process: u32) -> Option<Stat> {
    parse(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// "1234 (a name) R 1 1234 …": state, parent, group, at 11 and later the times of the process and of its children that ended, and at 17 its threads.
fn parse(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u32 = fields.get(11..15)?.iter().map(|field| field.parse::<u32>().unwrap_or(0)).sum();
    let wants = matches!(*fields.first()?, "R" | "D");
    let threads = fields.get(17)?.parse().ok()?;
    Some(Stat { group: fields.get(2)?.parse().ok()?, threads, usage: Usage { time: TICK * ticks, wants } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_process_are_read() {
        let text = "7 (a) b) S 1 42 7 0 -1 4194304 9 0 0 0 150 20 3 4 20 0 1 0 8 0 0";
        let stat = parse(text).unwrap();
        assert_eq!((stat.group, stat.threads, stat.usage), (42, 1, Usage { time: Duration::from_millis(1770), wants: false }));
        assert!(parse("7 (a").is_none());
        assert!(super::stat(std::process::id()).is_some());
    }

    #[test]
    fn only_what_a_process_started_counts() {
        use std::os::unix::process::CommandExt as _;
        let start = |text: &str| std::process::Command::new("bash").args(["-c", text]).process_group(0).spawn().unwrap();
        let (mut many, mut other) = (start("sleep 100 & sleep 100 & sleep 100 & wait"), start("sleep 100 & wait"));
        let began = std::time::Instant::now();
        while (started_by(many.id()) < 4 || started_by(other.id()) < 2) && began.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(10));
        }
        // Both run bash.
        let all = (started_by(many.id()), started_by(other.id()));
        let crowd = Crowd(0);
        for child in [&mut many, &mut other] {
            let group = format!("-{}", child.id());
            assert!(std::process::Command::new("kill").args(["-9", "--", &group]).status().unwrap().success());
            child.wait().unwrap();
        }
        assert!(all.0 >= 4 && all.1 >= 2 && all.0 < SWARM, "{all:?}");
        assert!(!crowd.has_swarm_of(other.id()), "the system is crowded, and this process is gone");
    }
}
