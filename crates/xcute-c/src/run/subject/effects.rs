//! What a run may leave behind in the process, judged by the foreign functions that the subject calls.
//!
//! Restoring signal handlers costs two microseconds and descriptors one, so subjects that cannot touch them do not pay.
//!
//! **Invariant.** A function that is not known here is assumed to do everything.

use crate::instrument::quiet::is_quiet;
use crate::wire::flag;

/// Whether all memory counts as initialised: in C++ programs, whose library is neither followed by us nor known to the sanitizer.
pub(super) fn initialised<'a>(mut names: impl Iterator<Item = &'a String>) -> u32 {
    if names.any(|name| name.starts_with("_Z") || name.starts_with("__cxa_")) { flag::INITIALISED } else { 0 }
}

/// The flags for a subject that calls these foreign functions.
pub(super) fn flags<'a>(mut foreign: impl Iterator<Item = &'a String>, snapshot_libc: bool) -> u32 {
    let mut flags = 0;
    if snapshot_libc {
        flags |= flag::SNAPSHOT_LIBC;
    }
    if !foreign.all(|name| is_quiet(name)) {
        flags |= flag::SIGNALS | flag::FILES;
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_functions_are_harmless_and_unknown_ones_are_not() {
        for name in ["strlen", "printf", "__memcpy_chk", "sqrtf", "isalpha", "rand_r"] {
            assert!(is_quiet(name), "{name}");
        }
        for name in ["signal", "fopen", "close", "alarm", "my_library_call", "sigaction", "dup2", "system"] {
            assert!(!is_quiet(name), "{name}");
        }
        assert_eq!(flags(["strlen".into(), "close".into()].iter(), true), flag::SNAPSHOT_LIBC | flag::SIGNALS | flag::FILES);
        assert_eq!(flags(["strlen".into()].iter(), false), 0);
    }
}
