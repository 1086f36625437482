//! How much memory a campaign uses, and how much it may.
//!
//! What counts is what is resident: of this process, and of the subjects that it runs, but for what they share with it. Without an option a campaign may use half of the
//! machine's memory, or three quarters of what its control group allows: the rest is for what is allocated until the bound is noticed, and for others.
//!
//! **Invariant.** Where the system does not say, nothing is bounded.

use std::fs;
use std::path::{Path, PathBuf};

use crate::size::Size;

/// How much may be used.
pub fn bound(asked: Option<Size>) -> Option<u64> {
    match asked {
        Some(Size::Bytes(bytes)) => Some(bytes),
        Some(Size::Unbounded) => None,
        None => [machine().map(|all| all / 2), group().map(|all| all / 4 * 3)].into_iter().flatten().min(),
    }
}

/// How much is used now.
pub fn used() -> u64 {
    let own = resident(Path::new("/proc/self/statm")).map_or(0, |(resident, _)| resident);
    let subjects = children().into_iter().filter_map(|pid| resident(&PathBuf::from(format!("/proc/{pid}/statm"))));
    own + subjects.map(|(resident, shared)| resident.saturating_sub(shared)).sum::<u64>()
}

/// What a process has in memory, and what of it others may have as well.
fn resident(statm: &Path) -> Option<(u64, u64)> {
    // The size of a page is 4096 bytes on the machines that subjects are built for.
    let text = fs::read_to_string(statm).ok()?;
    let mut pages = text.split_ascii_whitespace().skip(1).map_while(|number| number.parse::<u64>().ok());
    Some((pages.next()? * 4096, pages.next()? * 4096))
}

/// The processes that threads of ours started.
fn children() -> Vec<u32> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

/// The memory of the machine.
fn machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
    line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// What the control groups that we are in allow.
fn group() -> Option<u64> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let number = |path: PathBuf| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let limits = own.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let (root, file) = match controllers {
            "" => (Path::new("/sys/fs/cgroup"), "memory.max"),
            names if names.split(',').any(|name| name == "memory") => (Path::new("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"),
            _ => return None,
        };
        // In a container the path may be that of the host: the root is ours then.
        let path = root.join(path.trim_start_matches('/'));
        let above = path.ancestors().take_while(|group| group.starts_with(root)).map(Path::to_owned).chain([root.to_owned()]);
        above.filter_map(|group| number(group.join(file))).min()
    });
    // Version 1 says that there is no limit by a huge number.
    limits.min().filter(|&limit| limit < 1 << 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allocated_is_used() {
        let before = used();
        let large = vec![1u8; 64 << 20];
        let after = used();
        assert!(large.iter().all(|&byte| byte == 1));
        assert!(before > 0 && after >= before + (60 << 20), "{before} {after}");
    }

    #[test]
    fn the_bound_is_what_was_asked_for_or_a_share() {
        assert_eq!((bound(Some(Size::Bytes(5))), bound(Some(Size::Unbounded))), (Some(5), None));
        let share = bound(None).unwrap();
        assert!(share > 0 && share <= machine().unwrap() / 2);
    }
}
