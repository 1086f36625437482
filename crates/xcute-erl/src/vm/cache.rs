//! Compiled code that is kept between runs of xcute.
//!
//! The cache is a directory: `XCUTE_CACHE` if it is set (empty: no cache), else `xcute` in the user's cache directory; here its part for Erlang. Each entry
//! is a file or a directory, named after everything that went into it.
//!
//! **Invariant.** An entry appears as a whole or not at all, and nothing depends on there being one.

use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The name of an entry: a hash of all that went into it.
#[derive(Clone)]
pub struct Key {
    hashers: [DefaultHasher; 2],
}

impl Key {
    /// The key of nothing, for entries of this kind.
    #[must_use]
    pub fn new(kind: &str) -> Key {
        let mut key = Key { hashers: [DefaultHasher::new(), DefaultHasher::new()] };
        key.add(kind.as_bytes());
        key.add(env!("CARGO_PKG_VERSION").as_bytes());
        key
    }

    /// Something that went in.
    pub fn add(&mut self, bytes: &[u8]) {
        for (salt, hasher) in self.hashers.iter_mut().enumerate() {
            hasher.write_usize(bytes.len() ^ (salt << 60));
            hasher.write(bytes);
        }
    }

    /// A file that went in, by what changes when it does.
    pub fn add_file(&mut self, path: &Path) {
        let stamp = fs::metadata(path).map_or_else(|_| String::new(), |m| format!("{} {} {}", m.len(), m.mtime(), m.mtime_nsec()));
        self.add(path.as_os_str().as_encoded_bytes());
        self.add(stamp.as_bytes());
    }

    pub(super) fn name(&self) -> String {
        self.hashers.iter().map(|hasher| format!("{:016x}", hasher.finish())).collect()
    }
}

/// Where entries are; `None` where there is to be no cache.
pub(super) fn place() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("XCUTE_CACHE") {
        return (!path.is_empty()).then(|| PathBuf::from(path).join("erl"));
    }
    let user = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"))).map(|directory| directory.join("xcute/erl"))
}

/// Reads an entry that is a file.
pub(super) fn find(place: &Path, key: &Key) -> Option<Vec<u8>> {
    fs::read(place.join(key.name())).ok()
}

/// Keeps a file, if that is possible.
pub(super) fn keep(place: &Path, key: &Key, bytes: &[u8]) {
    // Whoever cannot write compiles again; whoever reads meanwhile sees no half of it.
    let written = fs::create_dir_all(place).and_then(|()| {
        let mut file = tempfile::Builder::new().prefix(".new").tempfile_in(place)?;
        std::io::Write::write_all(&mut file, bytes)?;
        file.persist(place.join(key.name())).map_err(|failed| failed.error)
    });
    drop(written);
}
