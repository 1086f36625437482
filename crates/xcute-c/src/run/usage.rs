//! What processes use, as `/proc` says: time of the processor.
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

struct Stat {
    group: u32,
    usage: Usage,
}

fn stat(process: u32) -> Option<Stat> {
    parse(&std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// "1234 (a name) R 1 1234 …": state, parent, group, and at 11 and later the times of the process and of its children that ended.
fn parse(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u32 = fields.get(11..15)?.iter().map(|field| field.parse::<u32>().unwrap_or(0)).sum();
    let wants = matches!(*fields.first()?, "R" | "D");
    Some(Stat { group: fields.get(2)?.parse().ok()?, usage: Usage { time: TICK * ticks, wants } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_process_are_read() {
        let text = "7 (a) b) S 1 42 7 0 -1 4194304 9 0 0 0 150 20 3 4 20 0 1 0 8 0 0";
        let stat = parse(text).unwrap();
        assert_eq!((stat.group, stat.usage), (42, Usage { time: Duration::from_millis(1770), wants: false }));
        assert!(parse("7 (a").is_none());
        assert!(super::stat(std::process::id()).is_some());
    }
}
