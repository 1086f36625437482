//! The processors that this process may use, and staying on one of them.
//!
//! A worker and the process of its subject never work at the same time. Where there are not enough processors for all, they wake each other on the same one,
//! which costs less than to wake another.
#![allow(unsafe_code, reason = "sched_getaffinity and sched_setaffinity")]

use std::mem::size_of;

/// The processors that the calling thread may use, in order.
#[must_use]
pub fn cores() -> Vec<usize> {
    // SAFETY: all zeros is the empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set is ours, and its size is right.
    if unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) } != 0 {
        return Vec::new();
    }
    let most = usize::try_from(libc::CPU_SETSIZE).unwrap_or(0);
    // SAFETY: the number is smaller than the set.
    (0..most).filter(|&core| unsafe { libc::CPU_ISSET(core, &set) }).collect()
}

/// Keeps the calling thread, and all threads of a process of ours, on one processor. Where the system refuses, all stays as it was.
pub fn stay_on(core: usize, process: u32) {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    let threads = threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse::<libc::pid_t>().ok());
    // SAFETY: all zeros is the empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    if core >= usize::try_from(libc::CPU_SETSIZE).unwrap_or(0) {
        return;
    }
    // SAFETY: the number is smaller than the set.
    unsafe { libc::CPU_SET(core, &mut set) };
    // Zero is the calling thread.
    for thread in threads.chain([0]) {
        // SAFETY: the set is ours, and its size is right. A thread that is gone is none of ours.
        unsafe { libc::sched_setaffinity(thread, size_of::<libc::cpu_set_t>(), &raw const set) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_and_a_process_stay_where_they_are_put() {
        let all = cores();
        let last = *all.last().unwrap();
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        let process = child.id();
        let own = std::thread::spawn(move || {
            stay_on(last, process);
            cores()
        });
        assert_eq!(own.join().unwrap(), [last]);
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
        assert!(
            status.lines().any(|line| line
                .split_once(':')
                .is_some_and(|(name, list)| name == "Cpus_allowed_list" && list.trim() == last.to_string()))
        );
        assert_eq!(cores(), all, "other threads go where they like");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
