//! Temporary files: a program may make new ones where temporary files are made, and do with them what it likes. They are removed when it ends.
//!
//! We open them, and the program gets the descriptor: so it needs no right of its own to write there, and cannot be led to a file of somebody else.
//!
//! **Invariant.** Only what was made here is changed or removed here.
#![allow(unsafe_code, reason = "open with the flags of the program")]

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary files of a process and its children.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Where they are made.
    places: Vec<PathBuf>,
    any: AtomicBool,
    /// Files and directories.
    made: Mutex<Vec<PathBuf>>,
}

impl Temporary {
    /// None yet.
    pub(crate) fn new() -> Temporary {
        let places = [PathBuf::from("/tmp"), PathBuf::from("/var/tmp"), std::env::temp_dir()];
        let places = places.iter().filter_map(|place| place.canonicalize().ok()).collect();
        Temporary { places, any: AtomicBool::new(false), made: Mutex::new(Vec::new()) }
    }

    fn made(&self) -> MutexGuard<'_, Vec<PathBuf>> {
        // A list of paths is whole whatever panicked.
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it was made here.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.any.load(Ordering::Acquire) && self.made().iter().any(|made| made == path)
    }

    /// Whether a new file may have this name.
    pub(crate) fn may_make(&self, path: &Path) -> bool {
        path.parent().is_some_and(|parent| self.places.iter().any(|place| place == parent) || self.has(parent))
    }

    fn add(&self, path: &Path) {
        self.made().push(path.to_owned());
        self.any.store(true, Ordering::Release);
    }

    /// Makes a file, which must not be there.
    pub(crate) fn make(&self, path: &Path, flags: i32, mode: u32) -> io::Result<OwnedFd> {
        let file = open(path, flags | libc::O_CREAT | libc::O_EXCL, mode)?;
        self.add(path);
        Ok(file)
    }

    /// Opens a file that was made here.
    pub(crate) fn open(&self, path: &Path, flags: i32) -> io::Result<OwnedFd> {
        open(path, flags & !(libc::O_CREAT | libc::O_EXCL), 0)
    }

    /// A file without a name.
    pub(crate) fn unnamed(&self, flags: i32, mode: u32) -> io::Result<OwnedFd> {
        open(&std::env::temp_dir(), flags, mode)
    }

    /// Makes a directory.
    pub(crate) fn make_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)?;
        self.add(path);
        Ok(())
    }

    /// Removes what was made here.
    pub(crate) fn remove(&self, path: &Path, directory: bool) -> io::Result<()> {
        if directory { fs::remove_dir(path) } else { fs::remove_file(path) }?;
        self.made().retain(|made| made != path);
        Ok(())
    }

    /// Renames a file that was made here to a name of the same kind.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)?;
        let mut made = self.made();
        made.retain(|made| made != to);
        for path in made.iter_mut() {
            if let Ok(rest) = path.strip_prefix(from) {
                *path = if rest.as_os_str().is_empty() { to.to_owned() } else { to.join(rest) };
            }
        }
        Ok(())
    }

    /// Removes all of them.
    pub(crate) fn tidy(&self) {
        if !self.any.swap(false, Ordering::AcqRel) {
            return;
        }
        let mut all = std::mem::take(&mut *self.made());
        // What is in a directory comes after it.
        all.sort();
        for path in all.iter().rev() {
            // What is gone is gone.
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.tidy();
    }
}

fn open(path: &Path, flags: i32, mode: u32) -> io::Result<OwnedFd> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: the path ends with NUL; what open returns is ours.
    let file = unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC | libc::O_NOFOLLOW, mode) };
    if file < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is open and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(file) })
}
