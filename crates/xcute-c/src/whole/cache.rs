//! Instrumented programs that were built before: a second exploration starts at once.
//!
//! Each entry of the cache is a directory with the executable and what is known of it.
//!
//! **Invariant.** An entry appears as a whole or not at all, and nothing depends on there being one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xcute_cache::{Key, place};

use super::parts::Parts;
use crate::instrument::compiled::Compiled;
use crate::tools::headers;

/// At most this many programs are kept; the oldest go first.
const MOST: usize = 16;

/// The key of a program: its modules, the harness, what is linked, and this very xcute.
#[must_use]
pub fn key(parts: &Parts, harness: &[u8]) -> Key {
    let mut key = Key::new("program");
    key.add_file(&std::env::current_exe().unwrap_or_default());
    key.add(harness);
    for (name, path) in &parts.modules {
        key.add(name.as_bytes());
        key.add(&fs::read(path).unwrap_or_default());
    }
    for word in &parts.link {
        // Parts that were taken out of the program lie in another directory each time.
        let own = parts.modules.first().and_then(|(_, path)| path.parent()).is_some_and(|dir| Path::new(word).starts_with(dir));
        if own {
            key.add(&fs::read(word).unwrap_or_default());
        } else {
            key.add_file(Path::new(word));
        }
    }
    key
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
    let entry = place.join(key.name());
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
    if fs::rename(&draft, place.join(key.name())).is_err() {
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
        let key = |n: usize| Key::new(&n.to_string());
        for n in 0..MOST + 2 {
            keep_in(&cache, &key(n), &compiled, &compiled.exe).unwrap();
        }
        let (found, harness) = find_in(&cache, &key(MOST + 1)).unwrap();
        assert_eq!(fs::read(harness).unwrap(), b"program");
        assert_eq!((fs::read(&found.exe).unwrap(), found.foreign), (b"program".to_vec(), vec!["puts".to_owned()]));
        assert!(find_in(&cache, &Key::new("other")).is_none());
        assert_eq!(fs::read_dir(&cache).unwrap().count(), MOST);
    }

    #[test]
    fn every_part_counts() {
        let parts = |words: &[&str]| Parts { link: words.iter().map(|w| (*w).to_owned()).collect(), ..Parts::default() };
        let of = |words: &[&str], harness: &[u8]| key(&parts(words), harness).name();
        let all = [of(&[], b"h"), of(&[], b"i"), of(&["-lm"], b"h"), of(&["-l", "m"], b"h")];
        assert!((0..4).all(|a| (0..a).all(|b| all[a] != all[b])));
        assert_eq!(all[0], of(&[], b"h"));
    }
}
