//! Scratch directories: the program under test runs in a copy of the user's directory, so that no run changes the user's files.
//!
//! After a run the copy is compared with what it was (names, kinds, sizes and times), and what differs is made good: a run cannot see the
//! files of an earlier one. Of a large directory the upper levels are copied, and the rest are links to the original: the sandbox lets the program read
//! there, and refuses to write.
//!
//! **Invariant.** Nothing is ever written through the original; a copy holds no results of xcute and no repository.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use thiserror::Error;
use xcute_sandbox::Sandbox;

/// No more files, and no more bytes, are copied.
const MOST_FILES: usize = 2000;
const MOST_BYTES: u64 = 32 << 20;
/// The same where nothing can be a link.
const MOST_BYTES_OPEN: u64 = 256 << 20;

/// What is not copied, by name.
const LEFT_OUT: &[&str] = &[".git", ".hg", ".svn"];
/// What marks a directory as results of ours.
const RESULTS: &str = ".xcute";

/// Why there is no copy.
#[derive(Debug, Error)]
pub enum ScratchError {
    /// It is too large, and nothing would keep the program from writing through links.
    #[error(
        "{} is too large to be copied, and without the sandbox the program might change it (run xcute in a smaller directory, or say --in-place)",
        .0.display()
    )]
    TooLarge(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot copy {}: {why}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
}

/// A file of the copy as it was made: size and time of its last change; of directories neither.
type Entry = Option<(u64, i64, i64)>;

/// A copy of a directory, which lives as long as this.
#[derive(Debug)]
pub struct Scratch {
    original: PathBuf,
    dir: tempfile::TempDir,
    entries: BTreeMap<PathBuf, Entry>,
    /// How much may still be copied.
    room: Room,
}

#[derive(Clone, Copy, Debug)]
struct Room {
    files: usize,
    bytes: u64,
}

impl Room {
    /// Takes so much of it, if there is enough.
    fn take(&mut self, files: usize, bytes: u64) -> bool {
        let enough = files <= self.files && bytes <= self.bytes;
        if enough {
            (self.files, self.bytes) = (self.files - files, self.bytes - bytes);
        }
        enough
    }
}

impl Scratch {
    /// Copies a directory for programs that run in this sandbox.
    ///
    /// # Errors
    /// If it cannot be read, or is too large and there is no sandbox.
    pub fn copy_of(original: &Path, sandbox: &Sandbox) -> Result<Scratch, ScratchError> {
        let mut scratch = Scratch { original: original.to_owned(), ..Scratch::empty()? };
        if !sandbox.is_on() {
            scratch.room.bytes = MOST_BYTES_OPEN;
        }
        let mut open = VecDeque::from([PathBuf::new()]);
        while let Some(below) = open.pop_front() {
            let complete = scratch.copy(&below, &mut open)?;
            if !complete && !sandbox.is_on() {
                return Err(ScratchError::TooLarge(original.to_owned()));
            }
        }
        scratch.entries = listed(scratch.path());
        Ok(scratch)
    }

    /// A directory with nothing in it.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn empty() -> Result<Scratch, ScratchError> {
        let dir = tempfile::tempdir().map_err(|why| ScratchError::Io { path: std::env::temp_dir(), why })?;
        let room = Room { files: MOST_FILES, bytes: MOST_BYTES };
        Ok(Scratch { original: PathBuf::new(), dir, entries: BTreeMap::new(), room })
    }

    /// Where the copy is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Copies one level; directories to go on with are appended. Whether there was room for all of it: what has none becomes a link.
    fn copy(&mut self, below: &Path, open: &mut VecDeque<PathBuf>) -> Result<bool, ScratchError> {
        let from = self.original.join(below);
        let mut complete = true;
        for entry in fs::read_dir(&from).map_err(io(&from))? {
            let entry = entry.map_err(io(&from))?;
            let name = below.join(entry.file_name());
            let (path, to) = (self.original.join(&name), self.path().join(&name));
            // A link that leads nowhere, or a file that cannot be read, is left out: the program will not find it either.
            let (Ok(own), Ok(kind)) = (fs::symlink_metadata(&path), fs::metadata(&path)) else { continue };
            if kind.is_dir() && own.is_symlink() {
                link(&path, &to)?;
            } else if kind.is_dir() {
                if LEFT_OUT.iter().any(|n| name.ends_with(n)) || path.join(RESULTS).exists() {
                    continue;
                }
                if self.room.take(entries(&path, self.room.files), 0) {
                    fs::create_dir(&to).map_err(io(&to))?;
                    open.push_back(name);
                } else {
                    link(&path, &to)?;
                    complete = false;
                }
            } else if kind.is_file() && self.room.take(0, kind.len()) {
                let _ = fs::copy(&path, &to);
            } else if kind.is_file() {
                link(&path, &to)?;
                complete = false;
            }
        }
        Ok(complete)
    }

    /// Makes good what a run changed.
    ///
    /// # Errors
    /// The system's reason.
    pub fn restore(&mut self) -> std::io::Result<()> {
        let now = listed(self.path());
        if now == self.entries {
            return Ok(());
        }
        // Deepest first, so that directories are empty when their turn comes.
        for name in now.keys().rev().filter(|name| !self.entries.contains_key(*name)) {
            let path = self.path().join(name);
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
        }
        for (name, entry) in self.entries.iter().filter(|(name, entry)| now.get(*name) != Some(entry)) {
            let (from, to) = (self.original.join(name), self.path().join(name));
            match entry {
                None => fs::create_dir_all(&to)?,
                Some(_) if from.is_dir() => symlink(from.canonicalize()?, &to)?,
                Some(_) => fs::copy(from, &to).map(drop)?,
            }
        }
        self.entries = listed(self.path());
        Ok(())
    }
}

/// How many entries a directory has, as far as they matter: one more than this many at most.
fn entries(dir: &Path, most: usize) -> usize {
    fs::read_dir(dir).map_or(0, |entries| entries.take(most + 1).count())
}

/// Makes a link to the original.
fn link(original: &Path, to: &Path) -> Result<(), ScratchError> {
    let target = original.canonicalize().map_err(io(original))?;
    symlink(target, to).map_err(io(to))
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> ScratchError {
    let path = path.to_owned();
    move |why| ScratchError::Io { path: path.clone(), why }
}

/// All that lies below a directory. Links to directories are not followed.
fn listed(root: &Path) -> BTreeMap<PathBuf, Entry> {
    let (mut out, mut open) = (BTreeMap::new(), vec![PathBuf::new()]);
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(root.join(&below)).into_iter().flatten().flatten() {
            let name = below.join(entry.file_name());
            let Ok(kind) = entry.metadata() else { continue };
            if kind.is_dir() {
                open.push(name.clone());
            }
            out.insert(name, (!kind.is_dir()).then(|| (kind.len(), kind.mtime(), kind.mtime_nsec())));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_does_to_the_copy_is_made_good_and_the_original_is_not_touched() {
        let original = tempfile::tempdir().unwrap();
        let at = |name: &str| original.path().join(name);
        fs::create_dir_all(at("a/b")).unwrap();
        fs::create_dir_all(at("out/failures")).unwrap();
        fs::write(at("out/.xcute"), "").unwrap();
        fs::write(at("a/b/x"), "one").unwrap();
        fs::write(at("y"), "two").unwrap();
        let mut scratch = Scratch::copy_of(original.path(), &Sandbox::new()).unwrap();
        let copy = scratch.path().to_owned();
        assert!(!copy.join("out").exists());
        fs::write(copy.join("y"), "changed").unwrap();
        fs::remove_dir_all(copy.join("a/b")).unwrap();
        fs::create_dir_all(copy.join("new/deep")).unwrap();
        fs::write(copy.join("new/deep/z"), "").unwrap();
        scratch.restore().unwrap();
        assert_eq!(fs::read_to_string(copy.join("y")).unwrap(), "two");
        assert_eq!(fs::read_to_string(copy.join("a/b/x")).unwrap(), "one");
        assert!(!copy.join("new").exists());
        assert_eq!(fs::read_to_string(at("y")).unwrap(), "two");
    }

    #[test]
    fn what_there_is_no_room_for_is_a_link() {
        let original = tempfile::tempdir().unwrap();
        let at = |name: &str| original.path().join(name);
        fs::create_dir_all(at("deep/many")).unwrap();
        (0..=MOST_FILES).for_each(|n| fs::write(at(&format!("deep/many/{n}")), "").unwrap());
        fs::write(at("deep/few"), "one").unwrap();
        fs::File::create(at("huge")).unwrap().set_len(MOST_BYTES_OPEN + 1).unwrap();
        let mut scratch = Scratch::copy_of(original.path(), &Sandbox::new()).unwrap();
        let copy = scratch.path().to_owned();
        let is_link = |name: &str| fs::symlink_metadata(copy.join(name)).unwrap().is_symlink();
        assert_eq!(["deep", "deep/few", "deep/many", "huge"].map(is_link), [false, false, true, true]);
        assert!(copy.join("deep/many/7").exists());
        fs::remove_file(copy.join("deep/many")).unwrap();
        scratch.restore().unwrap();
        assert!(is_link("deep/many"));
        assert!(matches!(Scratch::copy_of(original.path(), &Sandbox::off()), Err(ScratchError::TooLarge(_))));
    }
}
