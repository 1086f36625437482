//! Which files are the system's: headers of the compiler, of the C++ library and of the C library.
//!
//! Clang is asked, and what it says is kept: its search list begins with the directories of the C++ library and its own. Those after them
//! (`/usr/include`) belong to everybody; of what lies there, the C library has the headers that the standards name and what they include.
//!
//! **Invariant.** A prefix of a path decides nothing: programs and libraries under test may lie below `/usr` like anything else.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use xcute_cache::Key;

use crate::tools::toolchain::Toolchain;

/// Headers of the C standard, of POSIX and of what belongs to every C library on Linux.
const HEADERS: &str = "aio alloca argp argz arpa/inet asm/types assert byteswap complex cpio ctype dirent dlfcn elf endian envz err errno error \
    execinfo fcntl features fenv float fnmatch fts ftw getopt glob gnu/libc-version grp iconv ifaddrs inttypes iso646 langinfo libgen \
    limits link linux/futex locale malloc math mcheck monetary mntent mqueue net/if netdb netinet/in netinet/tcp nl_types obstack poll \
    printf pthread pty pwd regex resolv sched search semaphore setjmp shadow signal spawn stdalign stdarg stdatomic stdbool stddef stdint \
    stdio stdlib stdnoreturn string strings sys/epoll sys/eventfd sys/inotify sys/ioctl sys/ipc sys/mman sys/msg sys/param sys/prctl \
    sys/ptrace sys/random sys/resource sys/select sys/sem sys/sendfile sys/shm sys/socket sys/stat sys/statvfs sys/syscall sys/sysinfo \
    sys/time sys/timerfd sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios tgmath threads time uchar ucontext \
    ulimit unistd utime utmp utmpx values wait wchar wctype wordexp";

/// What stands for the build directory in programs that are kept for another campaign: files there are generated.
pub const GENERATED: &str = "/xcute-generated";

/// Where headers come from.
#[derive(Debug, Default)]
struct Places {
    /// Directories of the compiler and of the C++ library.
    own: Vec<PathBuf>,
    /// Directories that the C library shares with others.
    shared: Vec<PathBuf>,
}

/// Whether a file is a header of the compiler, of the C++ library or of the C library, or [`GENERATED`].
#[must_use]
pub fn is_system(path: &str) -> bool {
    static PLACES: OnceLock<Places> = OnceLock::new();
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    let path = normal(Path::new(path));
    if !path.is_absolute() {
        return false;
    }
    if path.starts_with(GENERATED) {
        return true;
    }
    let places = PLACES.get_or_init(|| places(&searched().unwrap_or_default()));
    if places.own.iter().any(|dir| path.starts_with(dir)) {
        return true;
    }
    places.shared.iter().any(|dir| path.starts_with(dir))
        && LIBRARY.get_or_init(|| Library::new(&included(&places.shared).unwrap_or_default(), &places.shared)).holds(&path)
}

/// The headers of the C library.
#[derive(Debug, Default)]
struct Library {
    files: BTreeSet<PathBuf>,
    /// Directories that are its own as a whole: `bits`, `sys`.
    directories: BTreeSet<PathBuf>,
}

impl Library {
    /// From what a file with all its headers depends on, in the manner of `make`.
    fn new(dependencies: &str, shared: &[PathBuf]) -> Library {
        let mut library = Library::default();
        for word in dependencies.split_whitespace().filter(|word| word.starts_with('/')) {
            let file = normal(Path::new(word));
            let parent = file.parent().unwrap_or(&file);
            if shared.iter().any(|dir| parent.starts_with(dir) && parent != dir) {
                library.directories.insert(parent.to_owned());
            }
            library.files.insert(file);
        }
        library
    }

    fn holds(&self, path: &Path) -> bool {
        self.files.contains(path) || path.ancestors().skip(1).any(|dir| self.directories.contains(dir))
    }
}

/// What clang says of its search list.
fn searched() -> Option<String> {
    said("search list", &[], |clang| {
        clang.args(["-E", "-v", "-x", "c++", "/dev/null", "-o", "/dev/null"]).stdin(Stdio::null());
        Some(clang.output().ok()?.stderr)
    })
}

/// What a file that includes all headers of the C library depends on.
fn included(shared: &[PathBuf]) -> Option<String> {
    said("headers", shared, |clang| {
        let dir = tempfile::tempdir().ok()?;
        let file = dir.path().join("headers.c");
        let line = |name: &str| format!("#if __has_include(<{name}.h>)\n#include <{name}.h>\n#endif\n");
        std::fs::write(&file, HEADERS.split_whitespace().map(line).collect::<String>()).ok()?;
        // A header that does not go with another one takes nothing from the rest.
        clang.args(["-M", "-MG", "-w", "-D_GNU_SOURCE", "-x", "c"]).arg(&file).stdin(Stdio::null());
        Some(clang.output().ok()?.stdout)
    })
}

/// Asks clang, unless what it said is kept: its answers change with itself, with these directories and with some variables.
fn said(what: &str, directories: &[PathBuf], ask: impl FnOnce(&mut Command) -> Option<Vec<u8>>) -> Option<String> {
    let clang = Toolchain::find().ok()?.clang().canonicalize().ok()?;
    let mut key = Key::new(what);
    key.add(HEADERS.as_bytes());
    key.add_file(&clang);
    directories.iter().for_each(|dir| key.add_file(dir));
    for name in ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_INSTALL_DIR"] {
        key.add(std::env::var_os(name).unwrap_or_default().as_encoded_bytes());
    }
    let place = xcute_cache::place().map(|place| place.join("clang"));
    if let Some(known) = place.as_deref().and_then(|place| xcute_cache::find(place, &key)) {
        return String::from_utf8(known).ok();
    }
    let text = String::from_utf8_lossy(&ask(&mut Command::new(&clang))?).into_owned();
    if let Some(place) = place {
        xcute_cache::keep(&place, &key, text.as_bytes());
    }
    Some(text)
}

/// The directories of a search list: those up to the compiler's own, and the others.
fn places(told: &str) -> Places {
    let list = told.lines().skip_while(|line| !line.starts_with("#include <...>")).skip(1).take_while(|line| !line.starts_with("End of"));
    let directories: Vec<PathBuf> = list.map(|line| normal(Path::new(line.trim()))).collect();
    let mut words = told.split_whitespace().map(|word| word.trim_matches('"'));
    let resources = words.find(|word| *word == "-resource-dir").and_then(|_| words.next()).map(|dir| normal(Path::new(dir)));
    let last = resources.and_then(|dir| directories.iter().position(|at| at.starts_with(&dir)));
    let (own, shared) = directories.split_at(last.map_or(0, |last| last + 1));
    Places { own: own.to_vec(), shared: shared.to_vec() }
}

/// A path without `.` and `..`. Links are not followed: the compiler names files as it came to them.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.parent().is_some() => _ = out.pop(),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_headers_of_compiler_and_libraries_are_the_systems() {
        let tools = Toolchain::find().unwrap();
        let of = |header: &str, language: &str| -> Vec<String> {
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("one.c");
            std::fs::write(&file, format!("#include <{header}>\n")).unwrap();
            let told = Command::new(tools.clang()).args(["-M", "-x", language]).arg(file).output().unwrap().stdout;
            String::from_utf8_lossy(&told)
                .split_whitespace()
                .filter(|w| w.starts_with('/') && !w.ends_with("one.c"))
                .map(str::to_owned)
                .collect()
        };
        let headers = [of("stdio.h", "c"), of("immintrin.h", "c"), of("sys/socket.h", "c"), of("vector", "c++"), of("thread", "c++")];
        for file in headers.concat() {
            assert!(is_system(&file), "{file}");
        }
        for file in [
            "/usr/src/app/a.c",
            "/usr/include/mylibrary.h",
            "/usr/include/mine/list.h",
            "/usr/local/include/x.h",
            "/usr/lib/a.c",
            "stdio.h",
            "",
        ] {
            assert!(!is_system(file), "{file}");
        }
    }

    #[test]
    fn search_lists_are_read() {
        let told = "clang\n \"/bin/clang\" \"-cc1\" \"-resource-dir\" \"/l/clang/19\" \"-x\"\n#include \"...\" search starts here:\n\
                    #include <...> search starts here:\n /g/12/../include/c++/12\n /l/clang/19/include\n /usr/local/include\n /usr/include\nEnd of search list.\n";
        let places = places(told);
        assert_eq!(places.own, [PathBuf::from("/g/include/c++/12"), "/l/clang/19/include".into()]);
        assert_eq!(places.shared, [PathBuf::from("/usr/local/include"), "/usr/include".into()]);
        assert!(super::places("").own.is_empty());
    }
}
