//! What code that is not instrumented does that other threads may see: state of the C library and of the system, and memory that it is given.
//!
//! A call of such a function is one step, or none if only one thread does such things. The state is an abstract object: all that belongs to files, the
//! environment, and so on. Functions that nobody here knows may have any state in common. Memory is what pointer arguments point to directly,
//! with the whole object; whether it is written is not known, so it counts as written and never as a data race.
//!
//! Output to the standard streams is not a step: nothing of it comes back.
//!
//! **Invariant.** What stands before a call depends on the call alone. A function that is in no list shares state with all others that are in none.

use inkwell::llvm_sys::LLVMOpcode;

use super::emit::Emit;
use super::flow;
use super::hooks::Names;
use super::llvm::Value;
use super::ours::is_model;
use super::runtime::is_runtime;
use super::{stateless, synchronise};
use crate::instrument::family::any_fits;

/// Abstract objects; the numbers are those of `enum xc_outside` in `runtimes/c/wire.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    Unknown = 0,
    Files = 1,
    Environment = 2,
    Random = 3,
    Buffers = 4,
    Process = 5,
}

/// Functions with a state, and whether they change it.
const STATES: &[(Object, bool, &[&str])] = &[
    (Object::Environment, false, &["getenv", "secure_getenv"]),
    (Object::Environment, true, &["setenv", "unsetenv", "putenv", "clearenv"]),
    (Object::Random, true, &["rand", "srand", "random", "srandom", "initstate", "setstate", "srand48", "seed48", "lcong48"]),
    (Object::Random, true, &["drand48", "lrand48", "mrand48", "erand48", "nrand48", "jrand48"]),
    (Object::Buffers, true, &["localtime", "gmtime", "ctime", "asctime", "tzset", "mktime", "strftime", "strerror", "strsignal", "strtok"]),
    (
        Object::Buffers,
        true,
        &["setlocale", "localeconv", "nl_langinfo", "getpw*", "getgr*", "getlogin", "inet_ntoa", "gethostby*", "ttyname"],
    ),
    (Object::Buffers, true, &["h*search", "ecvt", "fcvt", "l64a", "basename", "dirname", "crypt", "getopt*", "mblen", "mbtowc", "wctomb"]),
    (Object::Process, true, &["chdir", "fchdir", "umask", "fork", "vfork", "wait*", "kill", "raise", "signal", "sig*", "alarm", "ualarm"]),
    (Object::Process, true, &["setitimer", "timer_*", "exec*", "posix_spawn*", "system", "set*id", "setrlimit", "prctl", "nice"]),
    (Object::Process, false, &["getcwd", "getrlimit", "getitimer"]),
    (Object::Files, true, &["fopen*", "fdopen", "freopen*", "fclose", "fflush*", "fread*", "fwrite*", "fget*", "fput*", "getc*", "putc*"]),
    (
        Object::Files,
        true,
        &[
            "getchar*", "gets", "ungetc", "fprintf", "vfprintf", "scanf", "fscanf", "vscanf", "vfscanf", "fseek*", "ftell*", "rewind",
            "setvbuf",
        ],
    ),
    (
        Object::Files,
        true,
        &["fgetpos*", "fsetpos*", "setbuf*", "setlinebuf", "feof*", "ferror*", "clearerr*", "fileno*", "getline", "getdelim"],
    ),
    (Object::Files, true, &["tmpfile*", "popen", "pclose", "open*", "creat*", "close*", "read*", "write*", "pread*", "pwrite*", "lseek*"]),
    (Object::Files, true, &["dup*", "pipe*", "fcntl*", "ioctl", "poll", "ppoll", "select", "pselect", "epoll_*", "eventfd*", "socket*"]),
    (
        Object::Files,
        true,
        &["bind", "listen", "accept*", "connect", "send*", "recv*", "shutdown", "getsockopt", "setsockopt", "memfd_create"],
    ),
    (Object::Files, true, &["remove", "rename*", "unlink*", "link*", "symlink*", "mkdir*", "rmdir", "stat*", "fstat*", "lstat*", "access"]),
    (
        Object::Files,
        true,
        &["truncate*", "ftruncate*", "chmod", "fchmod", "chown", "fchown", "utime*", "mkstemp*", "mkdtemp", "tmpnam", "mmap*"],
    ),
    (Object::Files, true, &["munmap", "msync", "mq_*", "shm_*", "shm*", "msg*", "sem*", "*dir", "sync", "fsync", "fdatasync", "sendfile*"]),
    (
        Object::Files,
        true,
        &[
            "putw",
            "getw",
            "fwide",
            "*wc",
            "*ws",
            "__isoc*_scanf",
            "__isoc*_fscanf",
            "__isoc*_vscanf",
            "__isoc*_vfscanf",
            "__fprintf_chk",
            "__vfprintf_chk",
        ],
    ),
    (
        Object::Files,
        true,
        &["_ZNSt*basic_filebuf*", "_ZNSt*basic_ofstream*", "_ZNSt*basic_ifstream*", "_ZNSt*basic_fstream*", "_ZNSi*", "_ZStrs*"],
    ),
];

/// Functions without any: what they do depends on their arguments, on the thread, or on what never changes.
const NONE: &[&str] = &[
    "printf",
    "vprintf",
    "__printf_chk",
    "__vprintf_chk",
    "puts",
    "putchar*",
    "perror",
    "get*id",
    "sysconf",
    "getpagesize",
    "isatty",
    "gettid",
    "gnu_get_libc_version",
    "str*",
    "stp*",
    "mem*",
    "wcs*",
    "wmem*",
    "is*",
    "to*",
    "ato*",
    "*abs",
    "*div",
    "qsort*",
    "bsearch",
    "lfind",
    "lsearch",
    "rand_r",
    "*_r",
    "s*printf",
    "v*sprintf",
    "vsnprintf",
    "*asprintf",
    "sscanf",
    "vsscanf",
    "__isoc*_sscanf",
    "__isoc*_strto*",
    "__*_chk",
    "__ctype_*",
    "__errno_location",
    "difftime",
    "bcopy",
    "bzero",
    "bcmp",
    "index",
    "rindex",
    "ffs*",
    "swab",
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "*longjmp*",
    "__longjmp_chk",
    "sched_*",
    "dl_iterate_phdr",
    "malloc_*",
    "sbrk",
    "getauxval",
    "get_nprocs*",
    "__assert*",
    "__atomic_*",
    "__cxa_*",
    "__gxx_*",
    "__dynamic_cast",
    "_Unwind_*",
    "_Zn*",
    "_Zd*",
    "_ZS*",
    "_ZNS*",
    "_ZNKS*",
    "_ZTv*",
    "_ZTh*",
];
/// Beginnings of the names of `math.h`, with `f` and `l` or without.
const MATH: &[&str] = &[
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sincos",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "sqrt",
    "cbrt",
    "hypot",
    "fmod",
    "floor",
    "ceil",
    "round",
    "roundeven",
    "trunc",
    "rint",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "nearbyint",
    "fabs",
    "frexp",
    "ldexp",
    "modf",
    "fmin",
    "fmax",
    "fdim",
    "copysign",
    "nan",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "remainder",
    "remquo",
    "scalbn",
    "scalbln",
    "ilogb",
    "logb",
    "nextafter",
    "nexttoward",
    "fma",
    "j0",
    "j1",
    "jn",
    "y0",
    "y1",
    "yn",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "__isnan",
    "__isinf",
    "__finite",
    "__signbit",
    "__fpclassify",
    "drem",
    "gamma",
];
/// Functions that only read what they are given.
const READERS: &[&str] = &[
    "*printf*",
    "puts",
    "fputs*",
    "fwrite*",
    "write*",
    "pwrite*",
    "send*",
    "perror",
    "strto*",
    "ato*",
    "str*cmp",
    "strlen",
    "strnlen",
    "str*chr*",
    "strdup",
    "strndup",
    "memcmp",
    "bcmp",
    "memchr",
    "memrchr",
    "getenv",
    "setenv",
    "unsetenv",
    "open*",
    "fopen*",
    "access",
    "unlink*",
    "remove",
    "rename*",
    "mkdir*",
    "chdir",
    "system",
    "popen",
    "exec*",
    "_ZNK*",
    "_ZStls*",
    "_ZNSo*",
    "_ZSt*throw*",
    "__cxa_*",
];
/// Those that wait for a descriptor, their first argument: to be read, to be written.
const WAITING: [&[&str]; 2] =
    [&["read", "readv", "recv", "recvfrom", "recvmsg", "accept", "accept4"], &["write", "writev", "send", "sendto", "sendmsg"]];
/// Functions of the C++ library that count references to an exception: that of the `exception_ptr` which is their first argument, or the
/// one that the thread caught last. The library's counters are atomic, and they order what threads do with the exception.
const COUNTING: &[&str] = &[
    "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv",
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv",
    "_ZSt17rethrow_exception*",
];
const CAUGHT: &[&str] = &["_ZSt17current_exceptionv", "__cxa_end_catch"];
/// Members of classes of the C++ library that do not synchronise, whatever they are given: strings, streams, what is thrown.
const QUIET: &[&str] = &[
    "_ZN*St7__cxx1112basic_string*",
    "_ZN*So*",
    "_ZN*Si*",
    "_ZN*basic_*stream*",
    "_ZN*ios_base*",
    "_ZN*St*_error*",
    "_ZN*St9exception*",
    "_ZN*St9bad_alloc*",
];
/// What the standard streams are called.
const STANDARD: &[&str] = &["stdout", "stderr", "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"];

/// Puts hooks before a call of a function that is not instrumented; gives back what was made for them.
pub(super) fn mark(emit: &Emit, names: &Names, call: Value) -> Vec<Value> {
    let callee = call.callee();
    if !callee.is_function() || !callee.is_declaration() || callee.is_intrinsic() {
        return Vec::new();
    }
    let name = callee.name();
    let ours = ["xc", "__xcute_"].iter().any(|start| name.starts_with(start));
    if ours || is_runtime(&name) || synchronise::is_served(call, &name) || is_model(&name) {
        return Vec::new();
    }
    let arguments = call.arguments();
    if any_fits(COUNTING, &name) || CAUGHT.contains(&name.as_str()) {
        emit.before(call);
        let pointer = arguments.first().filter(|_| !CAUGHT.contains(&name.as_str()));
        let pointer = pointer.map_or_else(|| emit.long(0), |pointer| emit.word(*pointer));
        return vec![pointer, begin(emit, names, true), emit.hook(names.exception, &[pointer]), emit.hook(names.outside_end, &[])];
    }
    let standard = arguments.iter().any(|a| is_standard(*a));
    let state = if standard { None } else { state(&name) };
    let root = |a: &&Value| flow::root(**a);
    let given: Vec<Value> = arguments
        .iter()
        .filter(|a| a.ty().is_pointer() && !root(a).is_constant_global() && !root(a).is_function() && !is_standard(**a))
        .copied()
        .collect();
    let synchronises = state.is_some() || (name.starts_with("_ZN") && !any_fits(QUIET, &name));
    if !synchronises && given.is_empty() {
        return Vec::new();
    }
    let mut made = Vec::new();
    emit.before(call);
    let writes = emit.int(u32::from(!any_fits(READERS, &name)));
    made.push(begin(emit, names, synchronises));
    if let Some((object, changes)) = state {
        for (direction, functions) in WAITING.iter().enumerate().filter(|_| object == Object::Files) {
            if let Some(descriptor) = arguments.first().filter(|a| functions.contains(&name.as_str()) && a.ty().width() == Some(32)) {
                made.push(emit.hook(names.descriptor, &[*descriptor, emit.int(direction as u32)]));
            }
        }
        made.push(emit.hook(names.state, &[emit.int(object as u32), emit.int(u32::from(changes))]));
    }
    for pointer in given {
        let p = emit.word(pointer);
        let call = emit.hook(names.given, &[p, writes]);
        made.extend([p, call]);
    }
    made.push(emit.hook(names.outside_end, &[]));
    made
}

/// Whether a function has a state that others change which have no model: with threads a call of it is a step, so it has to be the library's own.
pub(super) fn is_shared(name: &str) -> bool {
    matches!(state(name), Some((Object::Files | Object::Environment, _)))
}

fn begin(emit: &Emit, names: &Names, synchronises: bool) -> Value {
    emit.hook(names.outside_begin, &[emit.int(u32::from(synchronises))])
}

/// Whether a value is one of the standard streams: the object, or what the variable holds.
fn is_standard(value: Value) -> bool {
    let of = if value.is_instruction() && value.opcode() == LLVMOpcode::LLVMLoad { value.operand(0) } else { value };
    !of.is_instruction() && !of.is_argument() && STANDARD.contains(&of.name().as_str())
}

/// The state that a function uses, and whether it changes it; `None` for one without.
fn state(name: &str) -> Option<(Object, bool)> {
    if let Some((object, changes, _)) = STATES.iter().find(|(_, _, families)| any_fits(families, name)) {
        return Some((*object, *changes));
    }
    let number = |suffix: &str| name.strip_suffix(suffix).is_some_and(|name| MATH.contains(&name));
    let none = any_fits(NONE, name) || stateless::contains(name) || number("") || number("f") || number("l");
    (!none).then_some((Object::Unknown, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_their_states() {
        let cases = [
            ("getenv", Some((Object::Environment, false))),
            ("setenv", Some((Object::Environment, true))),
            ("read", Some((Object::Files, true))),
            ("fgets", Some((Object::Files, true))),
            ("fprintf", Some((Object::Files, true))),
            ("rand", Some((Object::Random, true))),
            ("lrand48", Some((Object::Random, true))),
            ("rand_r", None),
            ("localtime", Some((Object::Buffers, true))),
            ("localtime_r", None),
            ("strlen", None),
            ("strtok", Some((Object::Buffers, true))),
            ("strtok_r", None),
            ("sinf", None),
            ("printf", None),
            ("sscanf", None),
            ("getpid", None),
            ("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm", None),
            ("my_library_call", Some((Object::Unknown, true))),
        ];
        for (name, expected) in cases {
            assert_eq!(state(name), expected, "{name}");
        }
    }
}
