//! What becomes of a stopped call.
//!
//! A call that fails without the sandbox, too (there is no such file, the user may not), goes on and fails as always: only what would have succeeded is refused.
//!
//! **Invariant.** A call goes on only if it changes nothing outside, or the kernel refuses it.
#![allow(unsafe_code, reason = "access, kill with signal 0, socket")]

use std::ffi::CString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::calls::{self, At, Call, Kind, Needs};
use crate::old;
use crate::ruleset::DEVICES;
use crate::swarm::Swarm;
use crate::task::{Found, Task, Unread};
use crate::temporary::Temporary;

mod network;
mod processes;

/// What becomes of a call.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It is made.
    Go,
    /// It ends with this error, or with 0; that is what would have happened.
    Answer(i32),
    /// It is neither made nor answered: there are too many processes.
    Hold,
    /// It is refused with this error, and that is recorded under this name.
    Refuse(i32, String),
    /// It returns a descriptor of this file.
    Give {
        file: OwnedFd,
        close_on_exec: bool,
        /// What is refused if it cannot be given.
        what: String,
    },
}

/// Who decides for a process and its children.
#[derive(Debug)]
pub(crate) struct Judge {
    /// The process.
    pub(crate) root: u32,
    /// Directories and files that it may change, without links.
    pub(crate) writable: Vec<PathBuf>,
    /// The temporary files that it made.
    pub(crate) temporary: Arc<Temporary>,
    /// The addresses without a file that it listens on.
    pub(crate) listens: network::Addresses,
    /// How many processes it has.
    pub(crate) swarm: Swarm,
}

/// A path that is known as far as it has to be.
enum Seen {
    Found(Found),
    /// The call fails by itself.
    Fails,
    /// We may not look at the name.
    Hidden,
}

impl Judge {
    /// What becomes of a call.
    pub(crate) fn verdict(&mut self, asked: &libc::seccomp_notif) -> Verdict {
        let Some(call) = calls::of(i64::from(asked.data.nr)) else { return Verdict::Go };
        let (task, arguments) = (Task { id: asked.pid, root: self.root }, &asked.data.args);
        match call.kind {
            Kind::Open(directory, path, flags, mode) => {
                let directory = directory.map(|d| number(arguments[d]));
                self.open(task, call, (directory, arguments[path]), number(arguments[flags]), low(arguments[mode]))
            }
            Kind::Create => {
                let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;
                self.open(task, call, (None, arguments[0]), flags, low(arguments[1]))
            }
            Kind::Open2 => match (task.word(arguments[2]), task.word(arguments[2] + 8)) {
                (Ok(flags), Ok(mode)) => self.open(task, call, (Some(number(arguments[0])), arguments[1]), number(flags), low(mode)),
                _ => Verdict::Go,
            },
            Kind::Names(all) => self.names(task, call, all, arguments),
            Kind::Attributes(at) => self.attributes(task, call, at, arguments),
            Kind::Descriptor => self.descriptor(task, call, number(arguments[0])),
            Kind::Socket => network::socket(call, arguments),
            Kind::Address(at, size) => self.address(task, call, arguments[at], arguments[size]),
            Kind::Message => self.message(task, call, arguments[1]),
            Kind::Signal(process, signal) => processes::signal(task, call, number(arguments[process]), number(arguments[signal])),
            // Of all processes of a user.
            Kind::Process(_) if call.number == libc::SYS_setpriority && low(arguments[0]) == libc::PRIO_USER => {
                Verdict::Refuse(libc::EPERM, format!("{} other processes", call.verb))
            }
            Kind::Process(process) => processes::other(task, call, number(arguments[process])),
            Kind::Machine => Verdict::Refuse(libc::EPERM, call.verb.to_owned()),
            Kind::Begin if self.swarm.may_grow(asked.pid) => Verdict::Go,
            Kind::Begin => Verdict::Hold,
            // Nobody else may do it anyway.
            Kind::Administer if !is_root() => Verdict::Go,
            Kind::Administer => Verdict::Refuse(libc::EPERM, call.verb.to_owned()),
        }
    }

    fn look(&self, task: Task, directory: Option<i32>, at: u64, follow: bool) -> Seen {
        match task.text(at) {
            Ok(raw) => task.resolve(directory, raw, follow).map_or(Seen::Fails, Seen::Found),
            Err(Unread::Absent) => Seen::Fails,
            Err(Unread::Forbidden) => Seen::Hidden,
        }
    }

    /// Whether a file may be changed.
    fn may_write(&self, path: &Path) -> bool {
        self.writable.iter().any(|place| path.starts_with(place)) || DEVICES.iter().any(|device| path == Path::new(device))
    }

    /// Whether a name may be made or removed.
    fn may_name(&self, path: &Path) -> bool {
        path.parent().is_some_and(|parent| self.writable.iter().any(|place| parent.starts_with(place)))
    }

    fn open(&self, task: Task, call: &Call, (directory, at): (Option<i32>, u64), flags: i32, mode: u32) -> Verdict {
        let is = |bits: i32| flags & bits == bits;
        let writes = flags & libc::O_ACCMODE != libc::O_RDONLY || is(libc::O_TRUNC);
        if is(libc::O_PATH) || !(writes || is(libc::O_CREAT)) {
            return Verdict::Go;
        }
        let fresh = is(libc::O_CREAT | libc::O_EXCL);
        let Found { path, there } = match self.look(task, directory, at, !is(libc::O_NOFOLLOW) && !fresh) {
            Seen::Found(found) => found,
            Seen::Fails => return Verdict::Go,
            Seen::Hidden => return Verdict::Refuse(libc::EACCES, format!("{} a file with a hidden name", call.verb)),
        };
        let close_on_exec = is(libc::O_CLOEXEC);
        let give = |file: std::io::Result<OwnedFd>, what: String| match file {
            Ok(file) => Verdict::Give { file, close_on_exec, what },
            Err(error) => Verdict::Answer(error.raw_os_error().unwrap_or(libc::EACCES)),
        };
        let what = format!("{} {}", if there.is_some() { call.verb } else { "make" }, path.display());
        match there {
            Some(there) if there.is_dir() && is(libc::O_TMPFILE) => {
                if self.may_write(&path) || !permitted(&path) {
                    return Verdict::Go;
                }
                give(self.temporary.unnamed(flags, mode), what)
            }
            Some(there) if !writes || fresh || there.is_dir() || self.may_write(&path) => Verdict::Go,
            Some(_) if self.temporary.has(&path) => give(self.temporary.open(&path, flags), what),
            Some(_) if !permitted(&path) => Verdict::Go,
            // Without a terminal nobody can open it; we have the same one.
            Some(_) if path == Path::new("/dev/tty") => match std::fs::OpenOptions::new().write(true).open(&path) {
                Ok(_) => Verdict::Refuse(libc::EACCES, what),
                Err(error) => Verdict::Answer(error.raw_os_error().unwrap_or(libc::ENXIO)),
            },
            None if !is(libc::O_CREAT) || self.may_name(&path) || !path.parent().is_some_and(permitted) => Verdict::Go,
            None if self.temporary.may_make(&path) => give(self.temporary.make(&path, flags, mode), what),
            _ => Verdict::Refuse(libc::EACCES, what),
        }
    }

    fn names(&self, task: Task, call: &Call, all: &[At], arguments: &[u64; 6]) -> Verdict {
        let mut paths = Vec::new();
        for at in all {
            match self.look(task, at.directory.map(|d| number(arguments[d])), arguments[at.path], at.follow) {
                Seen::Found(found) => {
                    let fails = match at.needs {
                        Needs::Present => found.there.is_none(),
                        Needs::Absent => found.there.is_some(),
                        Needs::Any => false,
                    };
                    if fails || !found.path.parent().is_some_and(permitted) {
                        return Verdict::Go;
                    }
                    paths.push(found);
                }
                Seen::Fails => return Verdict::Go,
                Seen::Hidden => return Verdict::Refuse(libc::EACCES, format!("{} a file with a hidden name", call.verb)),
            }
        }
        let removes_directory = call.number == old::RMDIR || (call.number == libc::SYS_unlinkat && arguments[2] & 0x200 != 0);
        if paths.iter().all(|found| self.may_name(&found.path)) || (call.verb == "delete" && cannot_delete(&paths, removes_directory)) {
            return Verdict::Go;
        }
        let flags = if call.number == libc::SYS_renameat2 { low(arguments[4]) } else { 0 };
        if flags & libc::RENAME_NOREPLACE != 0 && paths.iter().all(|found| found.there.is_some()) {
            return Verdict::Go;
        }
        if let Some(verdict) = self.temporary_names(call.number, &paths, removes_directory, flags & !libc::RENAME_NOREPLACE != 0) {
            return verdict;
        }
        let list: Vec<String> = paths.iter().map(|found| found.path.display().to_string()).collect();
        Verdict::Refuse(libc::EACCES, format!("{} {}", call.verb, list.join(" to ")))
    }

    /// What is done to names of temporary files; `None`: it is not about them, or not provided for.
    fn temporary_names(&self, number: i64, paths: &[Found], removes_directory: bool, exchanges: bool) -> Option<Verdict> {
        let done = match (number, paths) {
            (old::UNLINK | libc::SYS_unlinkat | old::RMDIR, [one]) if self.temporary.has(&one.path) => {
                self.temporary.remove(&one.path, removes_directory)
            }
            (old::MKDIR | libc::SYS_mkdirat, [one]) if self.temporary.may_make(&one.path) => self.temporary.make_directory(&one.path),
            (old::RENAME | libc::SYS_renameat | libc::SYS_renameat2, [from, to])
                if !exchanges
                    && self.temporary.has(&from.path)
                    && (self.temporary.has(&to.path) || (to.there.is_none() && self.temporary.may_make(&to.path))) =>
            {
                self.temporary.rename(&from.path, &to.path)
            }
            _ => return None,
        };
        Some(Verdict::Answer(done.err().and_then(|error| error.raw_os_error()).unwrap_or(0)))
    }

    fn attributes(&self, task: Task, call: &Call, at: At, arguments: &[u64; 6]) -> Verdict {
        let directory = at.directory.map(|d| number(arguments[d]));
        match self.look(task, directory, arguments[at.path], at.follow) {
            Seen::Found(found) => match (&found.there, call.number) {
                (None, _) => Verdict::Go,
                // The only one of these that Landlock knows.
                (Some(_), libc::SYS_truncate) if self.temporary.has(&found.path) => {
                    let set = std::fs::OpenOptions::new().write(true).open(&found.path).and_then(|file| file.set_len(arguments[1]));
                    Verdict::Answer(set.err().and_then(|error| error.raw_os_error()).unwrap_or(0))
                }
                _ => self.changed(call, &found),
            },
            // Without a path it is about the descriptor.
            Seen::Fails
                if at.directory.is_some() && (arguments[at.path] == 0 || task.text(arguments[at.path]).is_ok_and(|t| t.is_empty())) =>
            {
                self.descriptor(task, call, directory.unwrap_or(-1))
            }
            Seen::Fails => Verdict::Go,
            Seen::Hidden => Verdict::Refuse(libc::EACCES, format!("{} a file with a hidden name", call.verb)),
        }
    }

    fn descriptor(&self, task: Task, call: &Call, number: i32) -> Verdict {
        let Some(path) = task.descriptor(number) else { return Verdict::Go };
        let there = std::fs::symlink_metadata(&path).ok();
        if there.is_none() { Verdict::Go } else { self.changed(call, &Found { path, there }) }
    }

    /// What becomes of a change to a file that is there.
    fn changed(&self, call: &Call, found: &Found) -> Verdict {
        let Found { path, there } = found;
        // SAFETY: it has no arguments.
        let owned = there.as_ref().is_some_and(|there| there.uid() == unsafe { libc::geteuid() });
        if self.may_write(path) || self.temporary.has(path) || !(owned || permitted(path)) {
            return Verdict::Go;
        }
        Verdict::Refuse(libc::EPERM, format!("{} {}", call.verb, path.display()))
    }
}

/// Whether deleting fails because of what is there.
fn cannot_delete(paths: &[Found], directory: bool) -> bool {
    paths.iter().any(|found| {
        let is_directory = found.there.as_ref().is_some_and(std::fs::Metadata::is_dir);
        is_directory != directory || (directory && std::fs::read_dir(&found.path).is_ok_and(|mut all| all.next().is_some()))
    })
}

/// Whether the user may write there.
fn permitted(path: &Path) -> bool {
    let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return false };
    // SAFETY: the path ends with NUL.
    unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::W_OK, libc::AT_EACCESS) == 0 }
}

fn is_root() -> bool {
    // SAFETY: it has no arguments.
    unsafe { libc::geteuid() == 0 }
}

/// The low half of an argument, as the kernel takes it.
#[allow(clippy::cast_possible_truncation, reason = "the kernel looks at the low half only")]
fn low(argument: u64) -> u32 {
    argument as u32
}

/// The same with a sign.
#[allow(clippy::cast_possible_wrap, reason = "the same bits")]
fn number(argument: u64) -> i32 {
    low(argument) as i32
}
