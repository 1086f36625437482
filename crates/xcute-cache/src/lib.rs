//! What is kept between runs of xcute: whatever takes long to make and depends on nothing but its inputs.
//!
//! The cache is a directory: `XCUTE_CACHE` if it is set (empty: no cache), else `xcute` in the user's cache directory. Each entry is a file or a directory,
//! named after everything that went into it.
//!
//! **Invariant.** An entry appears as a whole or not at all, and nothing depends on there being one.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};

/// The name of an entry: the SHA-256 digest of all that went into it.
#[derive(Clone)]
pub struct Key {
    digest: Sha256,
}

impl Key {
    /// The key of nothing, for entries of this kind.
    #[must_use]
    pub fn new(kind: &str) -> Key {
        let mut key = Key { digest: Sha256::new() };
        key.add(kind.as_bytes());
        key.add(env!("CARGO_PKG_VERSION").as_bytes());
        key
    }

    /// Something that went in.
    pub fn add(&mut self, bytes: &[u8]) {
        // With its length, so that where a part ends counts as well.
        self.digest.update((bytes.len() as u64).to_le_bytes());
        self.digest.update(bytes);
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
        self.digest.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
    write(place, &key.name(), bytes);
}

fn write(place: &Path, name: &str, bytes: &[u8]) {
    // A process that cannot write makes it again; one that reads meanwhile sees no half of it.
    let written = fs::create_dir_all(place).and_then(|()| {
        let mut file = tempfile::Builder::new().prefix(".new").tempfile_in(place)?;
        file.write_all(bytes)?;
        file.persist(place.join(name)).map_err(|failed| failed.error)
    });
    drop(written);
}

/// A part of the cache with a limit: many small entries, of which the least used go first.
#[derive(Clone, Debug)]
pub struct Store {
    place: PathBuf,
    room: u64,
}

impl Store {
    /// The part with this name, which takes about this much room at most; `None` where there is to be no cache.
    #[must_use]
    pub fn new(name: &str, room: u64) -> Option<Store> {
        place().map(|place| Store::at(&place.join(name), room))
    }

    /// The same in a directory of its own.
    #[must_use]
    pub fn at(place: &Path, room: u64) -> Store {
        Store { place: place.to_owned(), room }
    }

    /// Reads an entry, which counts as used.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.place.join(name);
        let bytes = fs::read(&path).ok()?;
        let _ = fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Some(bytes)
    }

    /// Keeps an entry, if that is possible. Now and then this looks whether there is too much.
    pub fn keep(&self, name: &str, bytes: &[u8]) {
        write(&self.place, name, bytes);
        if name.as_bytes().iter().fold(0_u8, |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte)) < 4 {
            self.trim();
        }
    }

    /// Removes what was not used for longest, to three quarters of the room, if there is more than fits.
    fn trim(&self) {
        let Ok(entries) = fs::read_dir(&self.place) else { return };
        let mut all: Vec<(SystemTime, u64, PathBuf)> = entries
            .flatten()
            .filter_map(|entry| {
                entry.metadata().ok().map(|data| (data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len(), entry.path()))
            })
            .collect();
        let mut sum: u64 = all.iter().map(|(_, size, _)| size).sum();
        if sum <= self.room {
            return;
        }
        all.sort();
        for (_, size, path) in all {
            if sum <= self.room / 4 * 3 {
                break;
            }
            // Somebody else may have been quicker.
            let _ = fs::remove_file(path);
            sum -= size;
        }
    }
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

    #[test]
    fn what_was_not_used_for_longest_goes() {
        let dir = tempfile::tempdir().expect("a directory");
        let store = Store::at(&dir.path().join("made"), 4000);
        for n in 0..5_u64 {
            let name = n.to_string();
            store.keep(&name, &[0; 1000]);
            let file = fs::File::open(store.place.join(&name)).expect("it is there");
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(n)).expect("it can be set");
        }
        assert!(store.find("0").is_some());
        store.trim();
        let there: Vec<bool> = (0..5).map(|n| store.find(&n.to_string()).is_some()).collect();
        assert_eq!(there, [true, false, false, true, true]);
    }
}
