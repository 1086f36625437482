//! The system calls that can change something outside of a process, and what is said of each.
//!
//! **Invariant.** The filter stops exactly the calls of [`ALL`] that there are on this machine; [`crate::judge`] knows all their kinds.

/// Where a path is among the arguments of a call.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The argument that is the directory which a relative path begins in; `None`: the working directory.
    pub directory: Option<usize>,
    /// The argument that is the path.
    pub path: usize,
    /// Whether a symbolic link at its end is followed.
    pub follow: bool,
    /// What must be there, if the call is to succeed.
    pub needs: Needs,
}

/// What a call needs to find at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// A file.
    Present,
    /// Nothing.
    Absent,
    /// Either.
    Any,
}

/// What kind of call it is, with the numbers of the arguments that matter.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Opens a file: directory, path, flags, mode.
    Open(Option<usize>, usize, usize, usize),
    /// `creat`.
    Create,
    /// `openat2`: the flags are in memory.
    Open2,
    /// Changes names: which of them.
    Names(&'static [At]),
    /// Changes the file at a path, but not its name.
    Attributes(At),
    /// Changes the file behind a descriptor, which may be open for reading only.
    Descriptor,
    /// Makes a socket of a family.
    Socket,
    /// Uses an address: the arguments that are the address and its size.
    Address(usize, usize),
    /// Sends a message that may name an address.
    Message,
    /// Sends a signal: the arguments that are the process and the signal.
    Signal(usize, usize),
    /// Does something to the process that this argument names.
    Process(usize),
    /// Is about something outside, and never allowed.
    Machine,
    /// Is about the machine, and only the superuser may do it.
    Administer,
    /// Begins a process or a thread. It is stopped only where they are counted.
    Begin,
}

/// When the filter stops a call: all of the conditions hold for a row. No row: always.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// These bits of the argument are set.
    Set(usize, u64),
    /// The argument is another number.
    Not(usize, u64),
    /// The argument is this number.
    Is(usize, u64),
    /// The argument does not name the process itself.
    Other(usize),
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its number.
    pub number: i64,
    /// What it does, for people.
    pub verb: &'static str,
    /// What it is.
    pub kind: Kind,
    /// When it is stopped.
    pub when: &'static [&'static [When]],
}

const fn at(path: usize, follow: bool, needs: Needs) -> At {
    At { directory: None, path, follow, needs }
}

const fn under(directory: usize, follow: bool, needs: Needs) -> At {
    At { directory: Some(directory), path: directory + 1, follow, needs }
}

const fn call(number: i64, verb: &'static str, kind: Kind, when: &'static [&'static [When]]) -> Call {
    Call { number, verb, kind, when }
}

const fn machine(number: i64, verb: &'static str) -> Call {
    call(number, verb, Kind::Machine, &[])
}

const fn administer(number: i64, verb: &'static str) -> Call {
    call(number, verb, Kind::Administer, &[])
}

const fn begin(number: i64) -> Call {
    call(number, "start", Kind::Begin, &[])
}

use crate::old;
use Kind::{Address, Attributes, Create, Descriptor, Message, Names, Open, Open2, Process, Signal, Socket};
use Needs::{Absent, Any, Present};
use When::{Is, Not, Other, Set};

/// It has this number everywhere; not every C library knows it.
const FCHMODAT2: i64 = 452;
const WRITE: u64 = libc::O_WRONLY as u64;
const BOTH: u64 = libc::O_RDWR as u64;
const CREATE: u64 = libc::O_CREAT as u64;
const TRUNCATE: u64 = libc::O_TRUNC as u64;

/// The flags of the one message that a process sends when it has the filter and we do not listen yet. They mean nothing for it, and nobody else has a reason to use them together.
pub(crate) const OURS: i32 = libc::MSG_EOR | libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;

/// All of them.
pub const ALL: &[Call] = &[
    call(old::OPEN, "open for writing", Open(None, 0, 1, 2), &[&[Set(1, WRITE)], &[Set(1, BOTH)], &[Set(1, CREATE)], &[Set(1, TRUNCATE)]]),
    call(
        libc::SYS_openat,
        "open for writing",
        Open(Some(0), 1, 2, 3),
        &[&[Set(2, WRITE)], &[Set(2, BOTH)], &[Set(2, CREATE)], &[Set(2, TRUNCATE)]],
    ),
    call(libc::SYS_openat2, "open for writing", Open2, &[]),
    call(old::CREAT, "open for writing", Create, &[]),
    call(libc::SYS_truncate, "truncate", Attributes(at(0, true, Present)), &[]),
    call(old::UNLINK, "delete", Names(&[at(0, false, Present)]), &[]),
    call(libc::SYS_unlinkat, "delete", Names(&[under(0, false, Present)]), &[]),
    call(old::RMDIR, "delete", Names(&[at(0, false, Present)]), &[]),
    call(old::RENAME, "rename", Names(&[at(0, false, Present), at(1, false, Any)]), &[]),
    call(libc::SYS_renameat, "rename", Names(&[under(0, false, Present), under(2, false, Any)]), &[]),
    call(libc::SYS_renameat2, "rename", Names(&[under(0, false, Present), under(2, false, Any)]), &[]),
    call(old::LINK, "link", Names(&[at(0, false, Present), at(1, false, Absent)]), &[]),
    call(libc::SYS_linkat, "link", Names(&[under(0, false, Present), under(2, false, Absent)]), &[]),
    call(old::SYMLINK, "make the link", Names(&[at(1, false, Absent)]), &[]),
    call(libc::SYS_symlinkat, "make the link", Names(&[under(1, false, Absent)]), &[]),
    call(old::MKDIR, "make the directory", Names(&[at(0, false, Absent)]), &[]),
    call(libc::SYS_mkdirat, "make the directory", Names(&[under(0, false, Absent)]), &[]),
    call(old::MKNOD, "make", Names(&[at(0, false, Absent)]), &[]),
    call(libc::SYS_mknodat, "make", Names(&[under(0, false, Absent)]), &[]),
    call(old::CHMOD, "change the mode of", Attributes(at(0, true, Present)), &[]),
    call(libc::SYS_fchmodat, "change the mode of", Attributes(under(0, true, Present)), &[]),
    call(FCHMODAT2, "change the mode of", Attributes(under(0, true, Present)), &[]),
    call(libc::SYS_fchmod, "change the mode of", Descriptor, &[]),
    call(old::CHOWN, "change the owner of", Attributes(at(0, true, Present)), &[]),
    call(old::LCHOWN, "change the owner of", Attributes(at(0, false, Present)), &[]),
    call(libc::SYS_fchownat, "change the owner of", Attributes(under(0, true, Present)), &[]),
    call(libc::SYS_fchown, "change the owner of", Descriptor, &[]),
    call(old::UTIME, "change the times of", Attributes(at(0, true, Present)), &[]),
    call(old::UTIMES, "change the times of", Attributes(at(0, true, Present)), &[]),
    call(old::FUTIMESAT, "change the times of", Attributes(under(0, true, Present)), &[]),
    call(libc::SYS_utimensat, "change the times of", Attributes(under(0, true, Present)), &[]),
    call(libc::SYS_setxattr, "change attributes of", Attributes(at(0, true, Present)), &[]),
    call(libc::SYS_lsetxattr, "change attributes of", Attributes(at(0, false, Present)), &[]),
    call(libc::SYS_fsetxattr, "change attributes of", Descriptor, &[]),
    call(libc::SYS_removexattr, "change attributes of", Attributes(at(0, true, Present)), &[]),
    call(libc::SYS_lremovexattr, "change attributes of", Attributes(at(0, false, Present)), &[]),
    call(libc::SYS_fremovexattr, "change attributes of", Descriptor, &[]),
    // FS_IOC_SETFLAGS, TIOCSTI, TIOCLINUX.
    call(libc::SYS_ioctl, "control", Descriptor, &[&[Is(1, 0x4008_6602)], &[Is(1, 0x5412)], &[Is(1, 0x541c)]]),
    call(libc::SYS_socket, "open a socket", Socket, &[&[Not(0, libc::AF_UNIX as u64)]]),
    call(libc::SYS_connect, "connect to", Address(1, 2), &[]),
    call(libc::SYS_bind, "listen on", Address(1, 2), &[]),
    call(libc::SYS_sendto, "send to", Address(4, 5), &[&[Not(4, 0)]]),
    call(libc::SYS_sendmsg, "send to", Message, &[&[Not(2, OURS as u64)]]),
    call(libc::SYS_sendmmsg, "send to", Message, &[]),
    call(libc::SYS_kill, "send a signal", Signal(0, 1), &[&[Other(0)]]),
    call(libc::SYS_tkill, "send a signal", Signal(0, 1), &[&[Other(0)]]),
    call(libc::SYS_tgkill, "send a signal", Signal(0, 2), &[&[Other(0)]]),
    call(libc::SYS_rt_sigqueueinfo, "send a signal", Signal(0, 1), &[&[Other(0)]]),
    call(libc::SYS_rt_tgsigqueueinfo, "send a signal", Signal(0, 2), &[&[Other(0)]]),
    // What is open already may be a process outside.
    machine(libc::SYS_pidfd_send_signal, "send a signal by a descriptor"),
    machine(libc::SYS_pidfd_getfd, "take a descriptor of another process"),
    // PTRACE_ATTACH, PTRACE_SEIZE.
    call(libc::SYS_ptrace, "trace", Process(1), &[&[Is(0, 16)], &[Is(0, 0x4206)]]),
    call(libc::SYS_process_vm_writev, "write to the memory of", Process(0), &[&[Other(0)]]),
    call(libc::SYS_prlimit64, "limit", Process(0), &[&[Not(0, 0), Other(0), Not(2, 0)]]),
    call(libc::SYS_setpriority, "change the priority of", Process(1), &[&[Not(1, 0), Other(1)], &[Not(0, 0)]]),
    call(libc::SYS_sched_setscheduler, "schedule", Process(0), &[&[Not(0, 0), Other(0)]]),
    call(libc::SYS_sched_setparam, "schedule", Process(0), &[&[Not(0, 0), Other(0)]]),
    call(libc::SYS_sched_setattr, "schedule", Process(0), &[&[Not(0, 0), Other(0)]]),
    call(libc::SYS_sched_setaffinity, "schedule", Process(0), &[&[Not(0, 0), Other(0)]]),
    machine(libc::SYS_mq_open, "open a message queue"),
    machine(libc::SYS_mq_unlink, "delete a message queue"),
    administer(libc::SYS_open_by_handle_at, "open a file by its handle"),
    machine(libc::SYS_io_uring_setup, "use io_uring"),
    administer(libc::SYS_mount, "mount"),
    administer(libc::SYS_umount2, "unmount"),
    administer(libc::SYS_move_mount, "mount"),
    administer(libc::SYS_fsopen, "mount"),
    administer(libc::SYS_fsmount, "mount"),
    machine(libc::SYS_open_tree, "mount"),
    administer(libc::SYS_mount_setattr, "mount"),
    administer(libc::SYS_pivot_root, "change the root directory"),
    administer(libc::SYS_chroot, "change the root directory"),
    machine(libc::SYS_unshare, "make a namespace"),
    administer(libc::SYS_setns, "enter a namespace"),
    administer(libc::SYS_swapon, "swap"),
    administer(libc::SYS_swapoff, "swap"),
    administer(libc::SYS_reboot, "reboot"),
    administer(libc::SYS_sethostname, "change the name of the machine"),
    administer(libc::SYS_setdomainname, "change the name of the machine"),
    administer(libc::SYS_settimeofday, "set the clock"),
    administer(libc::SYS_clock_settime, "set the clock"),
    administer(old::IOPL, "use ports"),
    administer(old::IOPERM, "use ports"),
    administer(libc::SYS_init_module, "load a module"),
    administer(libc::SYS_finit_module, "load a module"),
    administer(libc::SYS_delete_module, "unload a module"),
    administer(libc::SYS_kexec_load, "load a kernel"),
    administer(libc::SYS_kexec_file_load, "load a kernel"),
    administer(libc::SYS_acct, "switch accounting"),
    administer(libc::SYS_quotactl, "change quotas"),
    machine(libc::SYS_bpf, "use bpf"),
    machine(libc::SYS_perf_event_open, "measure performance"),
    machine(libc::SYS_add_key, "use keys"),
    machine(libc::SYS_keyctl, "use keys"),
    administer(libc::SYS_vhangup, "hang up the terminal"),
    begin(old::FORK),
    begin(old::VFORK),
    begin(libc::SYS_clone),
    begin(libc::SYS_clone3),
];

/// The call with a number.
#[must_use]
pub fn of(number: i64) -> Option<&'static Call> {
    ALL.iter().find(|call| call.number == number)
}
