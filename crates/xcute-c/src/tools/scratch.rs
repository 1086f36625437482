//! Scratch directories: the program under test runs in a copy of the user's directory, so that no run changes the user's files.
//!
//! After a run the copy is compared with what it was (names, kinds, sizes and times), and what differs is made good: a run cannot see the
//! files of an earlier one.
//!
//! **Invariant.** Nothing is ever written through the original; a copy holds no results of xcute and no repository.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A directory with more files, or more bytes, is not copied.
const MOST_FILES: usize = 2000;
const MOST_BYTES: u64 = 256 << 20;

/// What is not copied, by name.
const LEFT_OUT: &[&str] = &[".git", ".hg", ".svn"];
/// What marks a directory as results of ours.
const RESULTS: &str = ".xcute";

/// Why there is no copy.
#[derive(Debug, Error)]
pub enum ScratchError {
    /// It is too large.
    #[error(
        "{} is too large to be copied, and the program might change it (run xcute in a smaller directory, or say --in-place)",
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
}

impl Scratch {
    /// Copies a directory.
    ///
    /// # Errors
    /// If it is too large or cannot be read.
    pub fn copy_of(original: &Path) -> Result<Scratch, ScratchError> {
        let mut scratch = Scratch { original: original.to_owned(), ..Scratch::empty()? };
        let (mut files, mut bytes) = (0, 0);
        scratch.copy(Path::new(""), &mut |size| {
            (files, bytes) = (files + 1, bytes + size);
            files <= MOST_FILES && bytes <= MOST_BYTES
        })?;
        scratch.entries = listed(scratch.path());
        Ok(scratch)
    }

    /// A directory with nothing in it.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn empty() -> Result<Scratch, ScratchError> {
        let dir = tempfile::tempdir().map_err(|why| ScratchError::Io { path: std::env::temp_dir(), why })?;
        Ok(Scratch { original: PathBuf::new(), dir, entries: BTreeMap::new() })
    }

    /// Where the copy is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    fn copy(&self, below: &Path, room: &mut dyn FnMut(u64) -> bool) -> Result<(), ScratchError> {
        let from = self.original.join(below);
        for entry in fs::read_dir(&from).map_err(io(&from))? {
            let entry = entry.map_err(io(&from))?;
            let name = below.join(entry.file_name());
            let (path, to) = (self.original.join(&name), self.path().join(&name));
            // A link that leads nowhere, or a file that cannot be read, is left out: the program will not find it either.
            let (Ok(own), Ok(kind)) = (fs::symlink_metadata(&path), fs::metadata(&path)) else { continue };
            if !room(if kind.is_file() { kind.len() } else { 0 }) {
                return Err(ScratchError::TooLarge(self.original.clone()));
            }
            if kind.is_dir() && own.is_symlink() {
                let target = path.canonicalize().map_err(io(&path))?;
                std::os::unix::fs::symlink(target, &to).map_err(io(&to))?;
            } else if kind.is_dir() {
                if LEFT_OUT.iter().any(|n| name.ends_with(n)) || path.join(RESULTS).exists() {
                    continue;
                }
                fs::create_dir(&to).map_err(io(&to))?;
                self.copy(&name, room)?;
            } else if kind.is_file() {
                let _ = fs::copy(&path, &to);
            }
        }
        Ok(())
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
                Some(_) if from.is_dir() => std::os::unix::fs::symlink(from.canonicalize()?, &to)?,
                Some(_) => fs::copy(from, &to).map(drop)?,
            }
        }
        self.entries = listed(self.path());
        Ok(())
    }
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
        let mut scratch = Scratch::copy_of(original.path()).unwrap();
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
}
