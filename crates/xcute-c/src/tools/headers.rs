//! The headers that programs under test find without a flag: our own, KLEE's and CREST's.
//!
//! They are embedded, so that the binary needs no installation directory, and written next to each build.
//!
//! **Invariant.** Every header but the first needs only the first, and includes it unless it is there already.

use std::path::Path;

/// Our own header.
pub const XCUTE_H: &str = include_str!("../../../../runtimes/c/xcute.h");
const KLEE_H: &str = include_str!("../../../../runtimes/c/klee/klee.h");
const CREST_H: &str = include_str!("../../../../runtimes/c/crest.h");

/// What instrumented C++ includes before everything else; not for programs to name.
pub const CXX_H: (&str, &str) = ("xcute-cxx.h", include_str!("../../../../runtimes/c/cxx.h"));

/// The headers: the names they are included by, and their texts. Our own is the first.
pub const HEADERS: &[(&str, &str)] = &[("xcute.h", XCUTE_H), ("klee/klee.h", KLEE_H), ("klee.h", KLEE_H), ("crest.h", CREST_H)];

/// Writes all headers into a directory, which is made.
///
/// # Errors
/// The system's reason.
pub fn write(dir: &Path) -> std::io::Result<()> {
    for (name, text) in HEADERS.iter().chain([&CXX_H]) {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(dir))?;
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// The same for a directory that others use at this moment: files that are right stay, others are replaced as a whole.
///
/// # Errors
/// The system's reason.
pub fn keep(dir: &Path) -> std::io::Result<()> {
    for (name, text) in HEADERS {
        let path = dir.join(name);
        if std::fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        let parent = path.parent().unwrap_or(dir);
        std::fs::create_dir_all(parent)?;
        let fresh = tempfile::NamedTempFile::new_in(parent)?;
        std::fs::write(fresh.path(), text)?;
        fresh.persist(path)?;
    }
    Ok(())
}
