//! Files and directories that we write, and files that come with the system.
//!
//! **Invariant.** One that cannot be written is one message that says which, and what to do.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file or directory cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {why} (choose another directory with --out)", path.display())]
pub struct Unwritable {
    /// The file or directory.
    pub path: PathBuf,
    /// What the system said.
    pub why: std::io::Error,
}

/// Makes a directory, with those above it.
pub(crate) fn make(dir: &Path) -> Result<(), Unwritable> {
    std::fs::create_dir_all(dir).map_err(|why| Unwritable { path: dir.to_owned(), why })
}

/// Writes a file.
pub(crate) fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Unwritable> {
    std::fs::write(path, contents).map_err(|why| Unwritable { path: path.to_owned(), why })
}

/// Whether a file comes with the system: such files change only with their times.
pub(crate) fn is_installed(file: &Path) -> bool {
    ["/usr", "/lib", "/lib64"].iter().any(|place| file.starts_with(place)) && !file.starts_with("/usr/local")
}

/// What changes when a file of the system does.
pub(crate) fn stamp(file: &Path) -> Option<String> {
    let data = std::fs::metadata(file).ok()?;
    Some(format!("{} {}.{} {}.{}", data.len(), data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec()))
}
