//! Output that nobody reads again: calls that write text to the standard streams, and need no model.
//!
//! What they are given may be symbolic, since nothing of it comes back. All other output goes through models (`runtimes/c/models/streams`), which
//! check the texts that they are given, and know streams of the program's own.
//!
//! **Invariant.** A call whose result is used, that stores to the program's memory, or that reads it, is not one of these.

use super::flow;
use super::llvm::Value;
use super::quiet::is_quiet;
use super::stateless;
use crate::instrument::family::any_fits;

/// The names.
const WRITERS: &[&str] = &[
    "printf",
    "fprintf",
    "__printf_chk",
    "__fprintf_chk",
    "puts",
    "fputs",
    "fputs_unlocked",
    "putchar",
    "putchar_unlocked",
    "putc",
    "putc_unlocked",
    "fputc",
    "fputc_unlocked",
    "_IO_putc",
    "perror",
];

/// Whether a call only writes numbers and literals; if it names a stream, that may be another one than a standard stream.
pub(super) fn is_output(call: Value, name: &str, arguments: &[Value]) -> bool {
    if !WRITERS.contains(&name) || !call.users().is_empty() {
        return false;
    }
    // A format that stores how much was written, or that nobody knows, is not plain output.
    let plain = !name.contains("printf") || has_plain_format(name, arguments);
    let stream = stream(name, arguments);
    let texts = arguments.iter().filter(|a| a.ty().is_pointer() && Some(**a) != stream);
    plain && texts.into_iter().all(|a| flow::root(*a).string().is_some())
}

/// Whether a call of `printf` and its like has a format that is known, and stores nothing.
pub(super) fn has_plain_format(name: &str, arguments: &[Value]) -> bool {
    let format = match name {
        "printf" => arguments.first(),
        "fprintf" | "__printf_chk" => arguments.get(1),
        "__fprintf_chk" => arguments.get(2),
        _ => None,
    };
    format.and_then(|f| f.string()).is_some_and(|f| is_plain(&f))
}

/// The stream that a writer writes to, if the call names one.
pub(super) fn stream(name: &str, arguments: &[Value]) -> Option<Value> {
    match name {
        "fprintf" | "__fprintf_chk" => arguments.first().copied(),
        "fputs" | "fputs_unlocked" | "putc" | "putc_unlocked" | "fputc" | "fputc_unlocked" | "_IO_putc" => arguments.get(1).copied(),
        _ => None,
    }
}

/// Functions of the C library that look at no file whose name or descriptor the program knows, besides those that have no state or do no harm: a
/// name, or a beginning and `*`.
const NO_FILES: &[&str] = &[
    "sig*",
    "kill*",
    "raise",
    "alarm",
    "pause",
    "wait*",
    "isatty",
    "ttyname*",
    "sysconf",
    "getrusage",
    "getrlimit*",
    "times",
    "uname",
    "get*id",
    "get*name",
    "getlogin*",
    "getpw*",
    "getgr*",
    "getopt*",
    "nl_langinfo*",
    "*gettext",
    "*textdomain",
    "bind_textdomain_codeset",
    "mb*",
    "wc*",
    "btowc",
    "socket*",
    "bind",
    "listen",
    "accept*",
    "connect",
    "send*",
    "recv*",
    "shutdown",
    "*sockopt",
    "*addrinfo",
    "inet_*",
    "hton*",
    "ntoh*",
    "reg*",
    "__cxa_*",
    "pthread_*",
    "sem_*",
    "sched_*",
];

/// Whether a foreign function may look at files: all that are not known to be harmless may.
pub(super) fn may_look_at_files(name: &str) -> bool {
    let known = any_fits(NO_FILES, name);
    !known && !stateless::contains(name) && !is_quiet(name)
}

/// Whether no conversion of a format stores how much was written.
fn is_plain(format: &str) -> bool {
    let text = format.replace("%%", "");
    let modifier = |c: char| c.is_ascii_digit() || "-+ #'*.hlLqjzt".contains(c);
    text.split('%').skip(1).all(|conversion| !conversion.trim_start_matches(modifier).starts_with('n'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn formats_that_store_are_not_plain() {
        for (format, plain) in [("%d\n", true), ("%%n", true), ("%5.3hn", false), ("a%sn%nb", false), ("n%cn", true), ("%", true)] {
            assert_eq!(super::is_plain(format), plain, "{format}");
        }
    }

    #[test]
    fn unknown_functions_may_look_at_files() {
        for (name, may) in
            [("load_settings", true), ("system", true), ("strlen", false), ("sigaction", false), ("getpid", false), ("dlopen", true)]
        {
            assert_eq!(super::may_look_at_files(name), may, "{name}");
        }
    }
}
