//! Whether a process waits for itself: every thread of it sleeps in the kernel, without a time limit, until another one wakes it.
//!
//! A deadlock is known at once then, and need not be waited for. Where the system does not say, nothing is known, and the time limit decides.
//!
//! **Invariant.** Two looks at which every thread slept, and between which none ran: so there was a moment when all of them slept.

use std::path::Path;

/// What each thread waited for, and how often it had given up its processor: equal looks mean that nobody ran in between.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Look(Vec<(String, String)>);

const FUTEX_WAIT: u64 = 0;
const FUTEX_WAIT_BITSET: u64 = 9;
/// The operation itself, without the bits that say whose memory and which clock.
const OPERATION: u64 = 0x7f;
/// The word is in the memory of this process alone.
const PRIVATE: u64 = 0x80;

/// A look at a process whose threads all sleep so; `None` if not, or if it cannot be known. One thread alone may wait for another
/// process, if that can come to the word.
pub(super) fn look(process: u32) -> Option<Look> {
    let mut threads = Vec::new();
    for entry in std::fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let path = entry.ok()?.path();
        let call = std::fs::read_to_string(path.join("syscall")).ok()?;
        if !sleeps(&call) {
            return None;
        }
        threads.push((switches(&path)?, call));
    }
    (threads.len() > 1 || threads.iter().all(|(_, call)| operation(call).is_some_and(|of| of & PRIVATE != 0))).then_some(Look(threads))
}

/// Whether a system call waits on a futex without a time limit.
fn sleeps(call: &str) -> bool {
    operation(call).is_some_and(|of| matches!(of & OPERATION, FUTEX_WAIT | FUTEX_WAIT_BITSET))
}

/// The operation on a futex, if there is no time limit: "202 0x55… 0x80 0x2 0x0 …" are the number, the word, the operation, its value, the time.
fn operation(call: &str) -> Option<u64> {
    let mut words = call.split_whitespace();
    let number = words.next().and_then(|word| word.parse::<i64>().ok());
    let mut hex = || words.next().and_then(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok());
    let (_, operation, _, time) = (hex(), hex(), hex(), hex());
    operation.filter(|_| number == Some(libc::SYS_futex) && time == Some(0))
}

/// The lines of a thread's status that count how often it stopped running.
fn switches(thread: &Path) -> Option<String> {
    let status = std::fs::read_to_string(thread.join("status")).ok()?;
    let lines: String = status.lines().filter(|line| line.contains("ctxt_switches")).collect();
    (!lines.is_empty()).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_waits_without_a_time_limit_are_sleep() {
        let calls = [
            ("202 0x7f434d7c4990 0x109 0x7386 0x0 0x0 0xffffffff 0x7ffd2f1f9340 0x7f434d84df16", true),
            ("202 0x56083ebc7060 0x80 0x2 0x0 0x0 0x0 0x7f434d7c3e98 0x7f434d84e12b", true),
            ("202 0x56083ebc7060 0x189 0x0 0x7ffd2f1f9340 0x0 0xffffffff 0x7f434d7c3e98 0x7f434d84e12b", false),
            ("202 0x56083ebc7060 0x81 0x1 0x0 0x0 0x0 0x7f434d7c3e98 0x7f434d84e12b", false),
            ("230 0x0 0x0 0x7ffd2f1f9340 0x0 0x0 0x0 0x7f434d7c3e98 0x7f434d84e12b", false),
            ("running", false),
            ("", false),
        ];
        for (call, expected) in calls {
            assert_eq!(sleeps(call), expected, "{call}");
        }
    }

    #[test]
    fn this_process_runs() {
        assert_eq!(look(std::process::id()), None);
    }
}
