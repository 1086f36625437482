//! What is kept between runs of xcute: whatever takes long to make and depends on nothing but its inputs.
//!
//! The cache is a directory: `XCUTE_CACHE` if it is set (empty: no cache), else `xcute` in the user's cache directory. Each entry is a file or a directory,
//! named after everything that went into it.
//!
//! **Invariant.** An entry appears as a whole or not at all, and nothing depends on there being one.

use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
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

    /// A file or directory that went in, by what changes when it does.
    pub fn add_file(&mut self, path: &Path) {
        let stamp = fs::metadata(path).map_or_else(|_| String::new(), |m| format!("{} {} {}", m.len(), m.mtime(), m.mtime_nsec()));
        self.add(path.as_os_str().as_encoded_bytes());
        self.add(stamp.as_bytes());
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> String {
        self.hashers.iter().map(|hasher| format!("{:016x}", hasher.finish())).collect()
    }
}

/// Where the cache is; `None` where there is to be none.
#[must_use]
pub fn place() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("XCUTE_CACHE") {
        return (!path.is_empty()).then(|| path.into());
    }
    let user = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"))).map(|directory| directory.join("xcute"))
}

/// Reads an entry that is a file.
#[must_use]
pub fn find(place: &Path, key: &Key) -> Option<Vec<u8>> {
    fs::read(place.join(key.name())).ok()
}

/// Keeps a file, if that is possible.
pub fn keep(place: &Path, key: &Key, bytes: &[u8]) {
    // A process that cannot write makes it again; one that reads meanwhile sees no half of it.
    let written = fs::create_dir_all(place).and_then(|()| {
        let mut file = tempfile::Builder::new().prefix(".new").tempfile_in(place)?;
        file.write_all(bytes)?;
        file.persist(place.join(key.name())).map_err(|failed| failed.error)
    });
    drop(written);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(parts: &[&str]) -> Key {
        let mut key = Key::new("text");
        parts.iter().for_each(|part| key.add(part.as_bytes()));
        key
    }

    #[test]
    fn every_part_counts() {
        let names = [key(&[]), key(&["ab"]), key(&["a", "b"]), key(&["", "ab"]), Key::new("other")].map(|key| key.name());
        assert!((0..names.len()).all(|a| (0..a).all(|b| names[a] != names[b])));
        assert_eq!(names[1], key(&["ab"]).name());
    }

    #[test]
    fn a_file_that_changed_is_another() {
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("file");
        let of = || {
            let mut key = Key::new("file");
            key.add_file(&file);
            key.name()
        };
        let none = of();
        fs::write(&file, "one").expect("it can be written");
        let one = of();
        fs::write(&file, "other").expect("it can be written");
        assert!(none != one && one != of());
    }

    #[test]
    fn what_is_kept_is_found() {
        let dir = tempfile::tempdir().expect("a directory");
        let place = dir.path().join("new");
        assert_eq!(find(&place, &key(&["a"])), None);
        keep(&place, &key(&["a"]), b"kept");
        assert_eq!(find(&place, &key(&["a"])).as_deref(), Some(&b"kept"[..]));
        assert_eq!(find(&place, &key(&["b"])), None);
        assert_eq!(fs::read_dir(&place).map_or(0, Iterator::count), 1);
    }
}
