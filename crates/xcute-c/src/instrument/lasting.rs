//! Functions that change the process for good: after a run that called one of them, another process takes the next run.
//!
//! Handlers, descriptors and the data of libraries are restored (`runtimes/c/reset.c`); the directory, the identity, limits, mappings and
//! the like cannot be, or not for certain.
//!
//! **Invariant.** Where a function is missing here, runs may see what earlier ones did: the list errs on the long side.

/// The names, sorted.
const LASTING: &[&str] = &[
    "arch_prctl",
    "brk",
    "chdir",
    "chroot",
    "dlclose",
    "dlmopen",
    "dlopen",
    "fchdir",
    "initgroups",
    "ioperm",
    "iopl",
    "mlock",
    "mlock2",
    "mlockall",
    "mmap",
    "mmap64",
    "mount",
    "mprotect",
    "mremap",
    "munlock",
    "munlockall",
    "munmap",
    "nice",
    "personality",
    "pivot_root",
    "pkey_alloc",
    "pkey_mprotect",
    "prctl",
    "prlimit",
    "prlimit64",
    "process_madvise",
    "ptrace",
    "remap_file_pages",
    "sbrk",
    "sched_setaffinity",
    "sched_setattr",
    "sched_setparam",
    "sched_setscheduler",
    "setegid",
    "seteuid",
    "setfsgid",
    "setfsuid",
    "setgid",
    "setgroups",
    "setns",
    "setpgid",
    "setpgrp",
    "setpriority",
    "setregid",
    "setresgid",
    "setresuid",
    "setreuid",
    "setrlimit",
    "setrlimit64",
    "setsid",
    "setuid",
    "shmat",
    "shmdt",
    "syscall",
    "timer_create",
    "umask",
    "unshare",
];

/// Whether a call of this function is the last thing that a process is good for.
pub(super) fn contains(name: &str) -> bool {
    LASTING.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted() {
        assert!(LASTING.is_sorted());
        assert!(contains("chroot") && contains("umask") && !contains("printf"));
    }
}
