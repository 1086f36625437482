//! What a run may leave behind in the process, judged by the foreign functions that the subject calls.
//!
//! Restoring signal handlers costs two microseconds and descriptors one, so subjects that cannot touch them do not pay.
//!
//! **Invariant.** A function that is not known here is assumed to do everything.

use crate::build::family::any_fits;
use crate::wire::flag;

/// Whether all memory counts as initialised: in C++ programs, whose library is neither followed by us nor known to the sanitizer.
pub(super) fn initialised<'a>(mut names: impl Iterator<Item = &'a String>) -> u32 {
    if names.any(|name| name.starts_with("_Z") || name.starts_with("__cxa_")) { flag::INITIALISED } else { 0 }
}

/// Families of functions of the C library that change neither descriptors nor signal handling: a name, or a beginning and `*`.
const HARMLESS: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "div",
    "ldiv",
    "lldiv",
    "ato*",
    "strto*",
    "str*",
    "mem*",
    "wcs*",
    "wmem*",
    "is*",
    "to*",
    "__ctype*",
    "qsort*",
    "bsearch",
    "rand*",
    "srand*",
    "random*",
    "srandom*",
    "drand48",
    "lrand48",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fwrite",
    "fflush",
    "getchar",
    "fgets",
    "fgetc",
    "getc",
    "ungetc",
    "scanf",
    "sscanf",
    "vsscanf",
    "fscanf",
    "__isoc99_*",
    "__*_chk",
    "perror",
    "getenv",
    "setenv",
    "unsetenv",
    "putenv",
    "time",
    "clock",
    "gettimeofday",
    "clock_gettime",
    "localtime*",
    "gmtime*",
    "mktime",
    "asctime*",
    "ctime*",
    "difftime",
    "getpid",
    "getppid",
    "getuid",
    "getgid",
    "setlocale",
    "localeconv",
    "bcopy",
    "bzero",
    "bcmp",
    "index",
    "rindex",
    "ffs",
    "usleep",
    "sleep",
    "nanosleep",
    "sched_yield",
    "setjmp",
    "_setjmp",
    "longjmp",
    "__errno_location",
    "sin*",
    "cos*",
    "tan*",
    "asin*",
    "acos*",
    "atan*",
    "sinh*",
    "cosh*",
    "exp*",
    "log*",
    "pow*",
    "sqrt*",
    "cbrt*",
    "hypot*",
    "fmod*",
    "floor*",
    "ceil*",
    "round*",
    "trunc*",
    "rint*",
    "nearbyint*",
    "fabs*",
    "frexp*",
    "ldexp*",
    "modf*",
    "fmin*",
    "fmax*",
    "fdim*",
    "copysign*",
    "nan*",
    "erf*",
    "tgamma*",
    "lgamma*",
    "remainder*",
    "scalbn*",
    "ilogb*",
    "llvm.*",
];

/// Whether a function of the C library changes neither descriptors nor signal handling.
pub(crate) fn harmless(name: &str) -> bool {
    any_fits(HARMLESS, name)
}

/// The flags for a subject that calls these foreign functions.
pub(super) fn flags<'a>(mut foreign: impl Iterator<Item = &'a String>, snapshot_libc: bool) -> u32 {
    let mut flags = 0;
    if snapshot_libc {
        flags |= flag::SNAPSHOT_LIBC;
    }
    if !foreign.all(|name| harmless(name)) {
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
            assert!(harmless(name), "{name}");
        }
        for name in ["signal", "fopen", "close", "alarm", "my_library_call", "sigaction", "dup2", "system"] {
            assert!(!harmless(name), "{name}");
        }
        assert_eq!(flags(["strlen".into(), "close".into()].iter(), true), flag::SNAPSHOT_LIBC | flag::SIGNALS | flag::FILES);
        assert_eq!(flags(["strlen".into()].iter(), false), 0);
    }
}
