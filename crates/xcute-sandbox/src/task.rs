//! A task that asks: its memory, its files, and which processes are of its kind.
//!
//! **Invariant.** Paths are resolved as the task sees them: what is relative to it (its directory, its descriptors, `/proc/self`) is read from its entry in `/proc`.
#![allow(unsafe_code, reason = "process_vm_readv")]

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// The longest path.
const PATH: usize = 4096;
/// Links that are followed.
const LINKS: usize = 16;

/// A task, and the process that the sandbox was made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) id: u32,
    pub(crate) root: u32,
}

/// Why something cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is not there: the call fails.
    Absent,
    /// We may not.
    Forbidden,
}

/// What a path leads to.
#[derive(Debug)]
pub(crate) struct Found {
    /// Without links and dots.
    pub(crate) path: PathBuf,
    /// What is there.
    pub(crate) there: Option<Metadata>,
}

impl Task {
    /// This many bytes of its memory, or fewer where it ends.
    pub(crate) fn bytes(&self, at: u64, count: usize) -> Result<Vec<u8>, Unread> {
        let mut out = vec![0u8; count];
        let Ok(address) = usize::try_from(at) else { return Err(Unread::Absent) };
        let here = libc::iovec { iov_base: out.as_mut_ptr().cast(), iov_len: count };
        let there = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: count };
        // SAFETY: the buffer is ours and as long as it says; the other memory is only read.
        let n = unsafe { libc::process_vm_readv(libc::pid_t::try_from(self.id).unwrap_or(0), &raw const here, 1, &raw const there, 1, 0) };
        match usize::try_from(n) {
            Ok(n) => {
                out.truncate(n);
                Ok(out)
            }
            Err(_) if std::io::Error::last_os_error().raw_os_error() == Some(libc::EPERM) => Err(Unread::Forbidden),
            Err(_) => Err(Unread::Absent),
        }
    }

    /// A text that ends with NUL, at most a path's length. Memory is read up to the end of each page, because the next one need not be there.
    pub(crate) fn text(&self, at: u64) -> Result<Vec<u8>, Unread> {
        let mut out = Vec::new();
        if at == 0 {
            return Err(Unread::Absent);
        }
        while out.len() < PATH {
            let from = at + out.len() as u64;
            let part = self.bytes(from, usize::try_from(4096 - from % 4096).unwrap_or(1))?;
            if let Some(end) = part.iter().position(|&b| b == 0) {
                out.extend_from_slice(&part[..end]);
                return Ok(out);
            }
            out.extend(part);
        }
        Err(Unread::Absent)
    }

    /// A number of 8 bytes.
    pub(crate) fn word(&self, at: u64) -> Result<u64, Unread> {
        let bytes = self.bytes(at, 8)?;
        Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| Unread::Absent)?))
    }

    /// What a descriptor is open for: a file by its path. `None`: it has no name.
    pub(crate) fn descriptor(&self, number: i32) -> Option<PathBuf> {
        let path = fs::read_link(format!("/proc/{}/fd/{number}", self.id)).ok()?;
        let named = path.is_absolute() && !path.starts_with("/memfd:") && !path.as_os_str().as_bytes().ends_with(b" (deleted)");
        named.then_some(path)
    }

    /// Where a path leads to. `None`: nowhere, so that the call fails, or to something without a name.
    pub(crate) fn resolve(&self, directory: Option<i32>, raw: Vec<u8>, follow: bool) -> Option<Found> {
        let raw = PathBuf::from(OsString::from_vec(raw));
        let from = match directory {
            _ if raw.is_absolute() => PathBuf::new(),
            Some(number) if number != libc::AT_FDCWD => self.descriptor(number)?,
            _ => fs::read_link(format!("/proc/{}/cwd", self.id)).ok()?,
        };
        let mut path = self.own(from.join(raw))?;
        for _ in 0..LINKS {
            let (parent, Some(name)) = (path.parent()?, path.file_name()) else {
                return found(path.canonicalize().ok()?);
            };
            let place = parent.canonicalize().ok()?.join(name);
            match fs::symlink_metadata(&place) {
                Ok(there) if there.is_symlink() && follow => path = self.own(place.parent()?.join(fs::read_link(&place).ok()?))?,
                Ok(there) => return Some(Found { path: place, there: Some(there) }),
                Err(error) if error.kind() == ErrorKind::NotFound => return Some(Found { path: place, there: None }),
                Err(_) => return None,
            }
        }
        None
    }

    /// The path, with what is the task's own in place of what would be ours.
    fn own(&self, path: PathBuf) -> Option<PathBuf> {
        let own = |rest: &Path| PathBuf::from(format!("/proc/{}", self.id)).join(rest);
        let path = match path.strip_prefix("/proc/self").or_else(|_| path.strip_prefix("/proc/thread-self")) {
            Ok(rest) => own(rest),
            Err(_) => match path.to_str() {
                Some("/dev/stdin") => own(Path::new("fd/0")),
                Some("/dev/stdout") => own(Path::new("fd/1")),
                Some("/dev/stderr") => own(Path::new("fd/2")),
                Some(text) if text.starts_with("/dev/fd/") => own(&Path::new("fd").join(&text["/dev/fd/".len()..])),
                _ => path,
            },
        };
        match path.strip_prefix(own(Path::new("fd"))).ok().and_then(|rest| rest.to_str()?.parse().ok()) {
            Some(number) => self.descriptor(number),
            None => Some(path),
        }
    }

    /// Whether a process is in the sandbox: in the process group that it leads, or a descendant of its first process.
    pub(crate) fn is_ours(&self, process: u32) -> bool {
        let mut at = process;
        for _ in 0..64 {
            if at == self.root {
                return true;
            }
            let Some(Relations { parent, group, .. }) = relations(at) else { return false };
            if group == self.root {
                return true;
            }
            if parent <= 1 {
                return false;
            }
            at = parent;
        }
        false
    }
}

fn found(path: PathBuf) -> Option<Found> {
    let there = fs::symlink_metadata(&path).ok()?;
    Some(Found { path, there: Some(there) })
}

/// The parent and the group of a process, and how many threads it has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relations {
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) threads: u64,
}

/// What the system says of a process; `None`: it is gone.
pub(crate) fn relations(process: u32) -> Option<Relations> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    let mut words = text.rsplit_once(')')?.1.split_whitespace();
    let parent = words.nth(1)?.parse().ok()?;
    let group = words.next()?.parse().ok()?;
    // State, parent and group, and the threads are the 18th.
    let threads = words.nth(14)?.parse().ok()?;
    Some(Relations { parent, group, threads })
}
