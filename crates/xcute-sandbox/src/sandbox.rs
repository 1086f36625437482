//! Starting a process in the sandbox.
//!
//! Everything is prepared before the fork: the rules of Landlock as a descriptor, the filter as an array. Between fork and exec the process makes a few system calls, which is
//! all that is allowed there, and hands its listener over a pair of sockets.
//!
//! **Invariant.** No instruction of the program runs outside of the sandbox; if a part of it cannot be set up the process does not start. The process leads a process group.
#![allow(unsafe_code, reason = "system calls between fork and exec")]

use std::fmt;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixDatagram;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use seccompiler::sock_filter;

use crate::calls::OURS;
use crate::judge::Judge;
use crate::refused::{Names, Refusal, Refused};
use crate::swarm::{Crowd, Swarm};
use crate::temporary::Temporary;
use crate::watch::Watch;
use crate::{filter, ruleset};

/// Whether and how programs are confined. Clones share the names of what was refused.
#[derive(Clone)]
pub struct Sandbox {
    filters: Option<Arc<Filters>>,
    names: Names,
}

/// The filter of processes that may begin others as they like, and the one where those are counted.
struct Filters {
    free: Vec<sock_filter>,
    counting: Vec<sock_filter>,
}

/// What a process may use, by limits of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rlimits {
    /// The address space in bytes.
    pub memory: Option<u64>,
    /// The largest file in bytes: a write beyond it fails, as on a full disk.
    pub file: Option<u64>,
    /// How many processes and threads its user may have. It does not hold for every user.
    pub processes: Option<u64>,
}

/// Where a process is at home.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place<'a> {
    /// The directories and files that it may change.
    pub writable: &'a [&'a Path],
    /// Its limits.
    pub limits: Rlimits,
    /// Whether it stays in our process group, and so has the terminal: a debugger does.
    pub terminal: bool,
    /// Whether it, and what it starts, may have about [`SWARM`](crate::SWARM) threads and processes at a time. Each of them costs a few microseconds then.
    pub counted: bool,
}

/// What belongs to a process in the sandbox, to be kept as long as it runs. When it is dropped, temporary files of the process are removed.
#[derive(Debug, Default)]
pub struct Guard {
    inside: Option<Inside>,
}

#[derive(Debug)]
struct Inside {
    refused: Arc<Refused>,
    temporary: Arc<Temporary>,
    over: Arc<AtomicBool>,
    swarm: Arc<AtomicBool>,
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_on() { "Sandbox(on)" } else { "Sandbox(off)" })
    }
}

impl Default for Sandbox {
    fn default() -> Sandbox {
        Sandbox::new()
    }
}

/// Whether the kernel has Landlock. Without it calls are judged all the same, but a program with several threads that means to could deceive us.
#[must_use]
pub fn has_landlock() -> bool {
    matches!(ruleset::new(&[]), Ok(Some(_)))
}

impl Sandbox {
    /// A sandbox.
    #[must_use]
    pub fn new() -> Sandbox {
        let program = |counts| filter::program(counts).expect("the table of calls makes a filter");
        Sandbox { filters: Some(Arc::new(Filters { free: program(false), counting: program(true) })), names: Names::default() }
    }

    /// None: processes only have their limits.
    #[must_use]
    pub fn off() -> Sandbox {
        Sandbox { filters: None, names: Names::default() }
    }

    /// Whether there is one.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.filters.is_some()
    }

    /// Whether processes can be confined here: not every kernel, and not every container, allows it.
    #[must_use]
    pub fn works(&self) -> bool {
        let mut nothing = Command::new("/bin/true");
        nothing.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let ran = self.spawn(&mut nothing, &Place::default()).and_then(|(mut process, _guard)| process.wait());
        ran.is_ok_and(|status| status.success())
    }

    /// Starts a process that leads a group of its own.
    ///
    /// # Errors
    /// Where it cannot be started, or not be confined.
    pub fn spawn(&self, command: &mut Command, place: &Place<'_>) -> io::Result<(Child, Guard)> {
        let Place { writable, limits, terminal, counted } = *place;
        let Some(filters) = &self.filters else {
            if !terminal {
                command.process_group(0);
            }
            if limits.any() {
                // SAFETY: the closure makes system calls only.
                unsafe { command.pre_exec(move || limits.set()) };
            }
            return Ok((started(command, || ())?, Guard::default()));
        };
        let rules = ruleset::new(writable).map_err(io::Error::other)?;
        let (ours, theirs) = UnixDatagram::pair()?;
        let filter = if counted { &filters.counting } else { &filters.free };
        let mut child =
            Confined { rules: rules.as_ref().map(OwnedFd::as_raw_fd), filter: filter.clone(), to: theirs.as_raw_fd(), limits, terminal };
        // SAFETY: the closure makes system calls only, and writes to memory that it owns.
        unsafe { command.pre_exec(move || child.enter()) };
        // It said that it is confined before the system refused to run it.
        let spawned = started(command, || drop(receive(&ours)));
        drop((theirs, rules));
        let process = spawned.map_err(|error| match receive(&ours) {
            // It got as far as to say that it is confined.
            Ok(_) => error,
            Err(_) => io::Error::other(format!("the sandbox cannot be set up: {error} (--no-sandbox does without it)")),
        })?;
        let listener = receive(&ours)?;
        let (refused, temporary) = (Arc::new(Refused::new(Arc::clone(&self.names))), Arc::new(Temporary::new()));
        let (over, swarm) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let count = Swarm::new(process.id(), Arc::clone(&swarm));
        let writable = writable.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let judge = Judge { root: process.id(), writable, temporary: Arc::clone(&temporary), listens: Default::default(), swarm: count };
        let watch = Watch { listener, judge, refused: Arc::clone(&refused), over: Arc::clone(&over) };
        std::thread::Builder::new().name("sandbox".to_owned()).spawn(move || watch.run())?;
        Ok((process, Guard { inside: Some(Inside { refused, temporary, over, swarm }) }))
    }
}

/// How often a program is tried that somebody writes to: for five seconds.
const TRIES: u32 = 1000;

/// Starts a process. A program that was made just now may be open in another process: one that another thread is starting, and that has not begun yet. The system
/// refuses to run it meanwhile, and it is tried again.
fn started(command: &mut Command, refused: impl Fn()) -> io::Result<Child> {
    let mut tries = 0;
    loop {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < TRIES => {
                refused();
                tries += 1;
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

impl Guard {
    /// What was refused since it was last asked for.
    #[must_use]
    pub fn refused(&self) -> Vec<Refusal> {
        self.inside.as_ref().map(|inside| inside.refused.take()).unwrap_or_default()
    }

    /// Whether the process has more others than it may have, or wants more. It stands still then. Where they are not counted, the system is looked at.
    #[must_use]
    pub fn swarms(&self, process: u32, crowd: Crowd) -> bool {
        self.inside.as_ref().is_some_and(|inside| inside.swarm.load(Ordering::Acquire)) || crowd.has_swarm_of(process)
    }

    /// Removes the temporary files that the process made so far.
    pub fn tidy(&self) {
        if let Some(inside) = &self.inside {
            inside.temporary.tidy();
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.tidy();
        if let Some(inside) = &self.inside {
            inside.over.store(true, Ordering::Release);
        }
    }
}

impl Rlimits {
    fn any(&self) -> bool {
        self.memory.is_some() || self.file.is_some() || self.processes.is_some()
    }

    /// Sets them for this process, which leaves no core file then.
    fn set(&self) -> io::Result<()> {
        if !self.any() {
            return Ok(());
        }
        let limits = [
            (libc::RLIMIT_CORE, Some(0)),
            (libc::RLIMIT_AS, self.memory),
            (libc::RLIMIT_FSIZE, self.file),
            (libc::RLIMIT_NPROC, self.processes),
        ];
        for (which, bytes) in limits {
            let Some(bytes) = bytes else { continue };
            // SAFETY: the structure is ours; a lower limit that is there already stays.
            unsafe {
                let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::getrlimit(which, &raw mut now);
                let bytes = bytes.min(now.rlim_max);
                libc::setrlimit(which, &libc::rlimit { rlim_cur: bytes, rlim_max: bytes });
            }
        }
        if self.file.is_some() {
            // SAFETY: ignoring a signal calls nothing.
            unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        }
        Ok(())
    }
}

/// What a process does between fork and exec.
struct Confined {
    rules: Option<RawFd>,
    filter: Vec<sock_filter>,
    to: RawFd,
    limits: Rlimits,
    terminal: bool,
}

impl Confined {
    fn enter(&mut self) -> io::Result<()> {
        self.limits.set()?;
        // SAFETY: system calls with numbers, and with memory that is ours and as long as it says.
        unsafe {
            if !self.terminal {
                done(libc::setpgid(0, 0).into())?;
            }
            done(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())?;
            if let Some(rules) = self.rules {
                done(libc::syscall(libc::SYS_landlock_restrict_self, rules, 0))?;
            }
            filter::name_process(&mut self.filter, std::process::id());
            let length = u16::try_from(self.filter.len()).unwrap_or(u16::MAX);
            let program = libc::sock_fprog { len: length, filter: self.filter.as_mut_ptr().cast() };
            // Older kernels would slow such a process down for fear of side channels, which are nobody's concern here.
            let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER | libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW;
            let listener = done(libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program))?;
            send(self.to, RawFd::try_from(listener).unwrap_or(-1))
        }
    }
}

fn done(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Room for the one descriptor that goes along with a message.
#[repr(C, align(8))]
struct Control([u8; 24]);

fn message<'a>(byte: &'a mut libc::iovec, control: &'a mut Control) -> libc::msghdr {
    // SAFETY: all zeros is a valid header.
    let mut header: libc::msghdr = unsafe { std::mem::zeroed() };
    header.msg_iov = byte;
    header.msg_iovlen = 1;
    header.msg_control = control.0.as_mut_ptr().cast();
    header.msg_controllen = control.0.len();
    header
}

/// Sends a descriptor.
fn send(to: RawFd, descriptor: RawFd) -> io::Result<()> {
    let (mut word, mut control) = ([1u8], Control([0; 24]));
    let mut part = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: 1 };
    let header = message(&mut part, &mut control);
    // SAFETY: the control part has room for a header and a descriptor.
    unsafe {
        let first = libc::CMSG_FIRSTHDR(&raw const header);
        (*first).cmsg_level = libc::SOL_SOCKET;
        (*first).cmsg_type = libc::SCM_RIGHTS;
        (*first).cmsg_len = libc::CMSG_LEN(4) as usize;
        libc::CMSG_DATA(first).cast::<RawFd>().write_unaligned(descriptor);
        done(libc::sendmsg(to, &raw const header, OURS) as libc::c_long).map(drop)
    }
}

/// Receives a descriptor; the other side has sent it, or is gone.
fn receive(from: &UnixDatagram) -> io::Result<OwnedFd> {
    let (mut word, mut control) = ([0u8], Control([0; 24]));
    let mut part = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: 1 };
    let mut header = message(&mut part, &mut control);
    // SAFETY: the buffers are ours and as long as they say; a descriptor that came is ours.
    unsafe {
        done(libc::recvmsg(from.as_raw_fd(), &raw mut header, libc::MSG_CMSG_CLOEXEC | libc::MSG_DONTWAIT) as libc::c_long)?;
        let first = libc::CMSG_FIRSTHDR(&raw const header);
        if first.is_null() || (*first).cmsg_type != libc::SCM_RIGHTS {
            return Err(io::Error::other("the sandbox has no listener"));
        }
        Ok(OwnedFd::from_raw_fd(libc::CMSG_DATA(first).cast::<RawFd>().read_unaligned()))
    }
}
