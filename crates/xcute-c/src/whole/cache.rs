//! Instrumented programs that were built before: a second exploration starts at once.
//!
//! The cache is a directory: `XCUTE_CACHE` if it is set (empty: no cache), else `xcute` in the user's cache directory. Each entry is a directory
//! with the executable and what is known of it, named after everything that went into it.
//!
//! **Invariant.** An entry appears as a whole or not at all, and nothing depends on there being one.

use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::parts::Parts;
use crate::instrument::compiled::Compiled;
use crate::tools::headers;

/// At most this many programs are kept; the oldest go first.
const MOST: usize = 16;

/// The name of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key of a program: its modules, the harness, what is linked, and this very xcute.
    #[must_use]
    pub fn of(parts: &Parts, harness: &[u8]) -> Key {
        let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
        let mut add = |bytes: &[u8]| {
            for (salt, hasher) in hashers.iter_mut().enumerate() {
                hasher.write_usize(bytes.len() ^ (salt << 60));
                hasher.write(bytes);
            }
        };
        add(stamp(&std::env::current_exe().unwrap_or_default()).as_bytes());
        add(harness);
        for (name, path) in &parts.modules {
            add(name.as_bytes());
            add(&fs::read(path).unwrap_or_default());
        }
        for word in &parts.link {
            // Parts that were taken out of the program lie in another directory each time.
            let own = parts.modules.first().and_then(|(_, path)| path.parent()).is_some_and(|dir| Path::new(word).starts_with(dir));
            if own {
                add(&fs::read(word).unwrap_or_default());
            } else {
                add(word.as_bytes());
                add(stamp(Path::new(word)).as_bytes());
            }
        }
        Key(hashers.map(|h| format!("{:016x}", h.finish())).concat())
    }
}

/// What changes when a file does.
fn stamp(path: &Path) -> String {
    fs::metadata(path).map_or_else(|_| String::new(), |m| format!("{} {} {} {}", path.display(), m.len(), m.mtime(), m.mtime_nsec()))
}

fn place() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("XCUTE_CACHE") {
        return (!path.is_empty()).then(|| path.into());
    }
    let user = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"))).map(|dir| dir.join("xcute"))
}

/// The directory of our headers, for compilers that outlive this process. `None` where it cannot be written.
pub(super) fn headers() -> Option<PathBuf> {
    let include = place()?.join("include");
    headers::keep(&include).ok().map(|()| include)
}

/// The bitcode of the harness, in an entry.
const HARNESS: &str = "harness.bc";

/// The program of a key and the bitcode of its harness, if they are kept.
#[must_use]
pub fn find(key: &Key) -> Option<(Compiled, PathBuf)> {
    find_in(&place()?, key)
}

fn find_in(place: &Path, key: &Key) -> Option<(Compiled, PathBuf)> {
    let entry = place.join(&key.0);
    let mut compiled: Compiled = serde_json::from_slice(&fs::read(entry.join("compiled.json")).ok()?).ok()?;
    compiled.exe = entry.join("subject");
    // Its age is that of its last use.
    let _ = fs::File::open(&entry).and_then(|dir| dir.set_modified(SystemTime::now()));
    compiled.exe.is_file().then(|| (compiled, entry.join(HARNESS)))
}

/// Keeps a program and the bitcode of its harness, if that is possible. It is used from where it was built.
#[must_use]
pub fn keep(key: &Key, compiled: Compiled, harness: &Path) -> Compiled {
    if let Some(place) = place() {
        let _ = keep_in(&place, key, &compiled, harness);
    }
    compiled
}

fn keep_in(place: &Path, key: &Key, compiled: &Compiled, harness: &Path) -> std::io::Result<()> {
    fs::create_dir_all(place)?;
    let draft = tempfile::tempdir_in(place)?;
    fs::copy(&compiled.exe, draft.path().join("subject"))?;
    fs::copy(harness, draft.path().join(HARNESS))?;
    fs::write(draft.path().join("compiled.json"), serde_json::to_vec(compiled)?)?;
    let draft = draft.keep();
    if fs::rename(&draft, place.join(&key.0)).is_err() {
        // Somebody else was quicker.
        fs::remove_dir_all(&draft)?;
    }
    let age = |path: &PathBuf| fs::metadata(path).and_then(|m| m.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let programs = |path: &PathBuf| path.join("compiled.json").is_file();
    let mut entries: Vec<PathBuf> = fs::read_dir(place)?.flatten().map(|entry| entry.path()).filter(programs).collect();
    entries.sort_by_key(age);
    for old in entries.iter().take(entries.len().saturating_sub(MOST)) {
        fs::remove_dir_all(old)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_and_the_oldest_go() {
        let place = tempfile::tempdir().unwrap();
        let exe = place.path().join("exe");
        fs::write(&exe, "program").unwrap();
        let cache = place.path().join("cache");
        let compiled = Compiled { exe, foreign: vec!["puts".into()], ..Compiled::default() };
        let key = |n: usize| Key(format!("{n:032x}"));
        for n in 0..MOST + 2 {
            keep_in(&cache, &key(n), &compiled, &compiled.exe).unwrap();
        }
        let (found, harness) = find_in(&cache, &key(MOST + 1)).unwrap();
        assert_eq!(fs::read(harness).unwrap(), b"program");
        assert_eq!((fs::read(&found.exe).unwrap(), found.foreign), (b"program".to_vec(), vec!["puts".to_owned()]));
        assert!(find_in(&cache, &Key("other".into())).is_none());
        assert_eq!(fs::read_dir(&cache).unwrap().count(), MOST);
    }

    #[test]
    fn every_part_counts() {
        let parts = |words: &[&str]| Parts { link: words.iter().map(|w| (*w).to_owned()).collect(), ..Parts::default() };
        let all =
            [Key::of(&parts(&[]), b"h"), Key::of(&parts(&[]), b"i"), Key::of(&parts(&["-lm"]), b"h"), Key::of(&parts(&["-l", "m"]), b"h")];
        assert!((0..4).all(|a| (0..a).all(|b| all[a] != all[b])));
        assert_eq!(all[0], Key::of(&parts(&[]), b"h"));
    }
}
