//! What functions of the C library, and a few of that of C++, do with the memory that they are given.
//!
//! A function that is not instrumented may follow every pointer, write anywhere, keep what it has seen, look at it in a later call, and call functions
//! of the program (`runtimes/c/reach.c`). Most functions of the C library do less, so that searches stay complete where nothing is lost.
//!
//! **Invariant.** A function that is not listed does everything. A row promises what holds for all inputs; where that is not certain a function is left out.
//! Functions with models are asked for only where a model calls the library's own; those of the runtime never are.

use std::ops::BitOr;

use crate::instrument::family::fits;

/// What a function may do with memory beyond reading what its arguments point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach(u32);

impl Reach {
    /// It reads what its arguments point to, and nothing else.
    pub(super) const READS: Reach = Reach(0);
    /// It follows the pointers that it finds there.
    pub(super) const DEEP: Reach = Reach(1);
    /// It may write to what it reaches.
    pub(super) const WRITES: Reach = Reach(2);
    /// It may remember what it reaches.
    pub(super) const KEEPS: Reach = Reach(4);
    /// It is not a function: limits are those of unsupported constructs.
    pub(super) const CONSTRUCT: Reach = Reach(8);
    /// Nothing was said about the call before.
    pub(super) const FIRST: Reach = Reach(16);
    /// It may look at what earlier calls remembered.
    pub(super) const LOOKS_BACK: Reach = Reach(1 << 8);
    /// It may call functions of the program.
    pub(super) const CALLS_BACK: Reach = Reach(1 << 9);
    /// It may do everything.
    pub(super) const ALL: Reach = Reach(0x307);

    /// Whether this is part of it.
    pub(super) fn has(self, part: Reach) -> bool {
        self.0 & part.0 == part.0
    }

    /// The part that the runtime knows (`XC_REACH_…` of `runtimes/c/memory.h`).
    pub(super) fn bits(self) -> u32 {
        self.0 & 0xff
    }
}

impl BitOr for Reach {
    type Output = Reach;

    fn bitor(self, other: Reach) -> Reach {
        Reach(self.0 | other.0)
    }
}

/// Functions that only read what their arguments point to: names, or beginnings and `*`.
const READ: &str = "
    __ctype_* __errno_location __h_errno_location _longjmp longjmp siglongjmp
    access bind chdir chmod chown close connect creat creat64 dlerror dlsym dup dup2 dup3 faccessat fallocate fchmod fchmodat fchown fchownat fdatasync
    flock fsync ftruncate* futimens inotify_add_watch kill killpg lchown link linkat listen lockf* lseek* lutimes mkdir mkdirat mkfifo mknod madvise
    mlock* mmap* mprotect mq_send mq_unlink mremap msync munlock* munmap open open64 openat openat64 pathconf posix_fadvise* posix_fallocate* pwrite*
    remove rename renameat* rmdir sem_open sem_unlink send sendto setsockopt settimeofday shm_open shm_unlink shmctl shmdt shutdown sigismember
    signal socket symlink symlinkat truncate* unlink unlinkat utimensat utimes write
    basename bindtextdomain dcgettext dgettext gettext ngettext textdomain nl_langinfo fnmatch getgrnam getpwnam gethostbyname getprotobyname
    getservbyname if_nametoindex inet_addr inet_network nan nanf nanl setenv unsetenv strcoll* strerror strsignal strverscmp ttyname
    futimes memfd_create strchr strcmp strlen strncmp strrchr isw* tow* btowc wctob wctype gnu_dev_* getegid geteuid umask pause
    _ZSt11_Hash_bytes* _ZSt15_Fnv_hash_bytes*";

/// Functions that write to what their arguments point to as well, and follow no pointers there.
const WRITE: &str = "
    __sigsetjmp _setjmp setjmp sigsetjmp
    accept accept4 clock_getres clock_gettime clock_nanosleep copy_file_range epoll_ctl epoll_pwait epoll_wait fcntl fcntl64 fgetxattr fstat* getcwd
    getdomainname getentropy getgroups gethostname getitimer getloadavg getlogin_r getpeername getrandom getresgid getresuid getrlimit* getrusage
    getsockname getsockopt gettimeofday getxattr lgetxattr listxattr lstat* mq_getattr mq_receive nanosleep pipe pipe2 poll ppoll pread* prlimit* pselect
    ptsname_r read readlink readlinkat recv recvfrom select sendfile* setgroups setitimer setrlimit* setxattr sigaction sigaddset sigaltstack sigdelset
    sigemptyset sigfillset sigpending sigprocmask sigsuspend sigtimedwait sigwait sigwaitinfo socketpair splice stat stat64 statfs* statvfs* statx sysinfo
    tcgetattr tcsetattr time timerfd_gettime timerfd_settime times timespec_get ttyname_r uname utime wait wait3 wait4 waitid waitpid
    __fxstat* __lxstat* __xstat* __fgets_chk __fread_chk __getcwd_chk __gethostname_chk __pread_chk __read_chk __readlink_chk __realpath_chk __recv_chk
    asctime* bcopy bzero cfmakeraw cfset* confstr drand48_r ecvt_r erand48 explicit_bzero fcvt_r frexp* gcvt gmtime* inet_aton inet_ntop inet_pton
    jrand48 lcong48 lgamma_r lgammaf_r mblen mbrlen mbrtowc mbsinit mbstowcs mbtowc mkdtemp mkostemp* mkstemp* mktemp modf* nrand48
    rand_r random_r realpath remquo* seed48 strtod strtof sincos* strerror_r __xpg_strerror_r strfmon strfromd strfromf strfroml strptime strtold strxfrm* swab timegm
    tmpnam* wcrtomb wcs* wctomb wmem*
    pthread_attr_* pthread_barrier_* pthread_cond_* pthread_condattr_* pthread_mutex_* pthread_mutexattr_* pthread_rwlock_* pthread_rwlockattr_*
    pthread_sigmask pthread_spin_* sem_destroy sem_getvalue sem_init sem_post sem_timedwait sem_trywait sem_wait
    _ZNKSt8__detail20_Prime_rehash_policy*";

/// Functions that follow the pointers that they are given further, and do no more than write there.
const FOLLOW: &str = "
    execle execve fexecve freeaddrinfo getaddrinfo getgrgid_r getgrnam_r gethostbyname_r getnameinfo getpwnam_r getpwuid_r globfree iconv mbsnrtowcs
    mbsrtowcs preadv* process_vm_readv process_vm_writev pwritev* readv recvmmsg recvmsg regcomp regerror regexec regfree sendmmsg sendmsg snprintf sscanf __isoc*_sscanf vmsplice vsnprintf vsscanf
    __isoc*_vsscanf
    wcsnrtombs wcsrtombs wordfree writev";

/// Functions on streams: a stream may have a buffer, or a memory, that the program gave it.
const STREAM: &str = "
    clearerr* closedir dirfd fclose fdopen* feof* ferror* fflush* fgetc* fgetpos* fgets* fgetwc* fgetws* fileno* fopen fopen64 fputc* fputs* fputwc*
    fputws* fread* freopen* fscanf fseek* fsetpos* ftell* fwide fwrite* getc getc_unlocked getchar* getw getwc* getwchar* opendir pclose perror putc*
    putchar* puts putw putwc* putwchar* readdir* rewind rewinddir scanf seekdir telldir ungetc ungetwc __isoc*_fscanf __isoc*_scanf
    __fpending __fpurge __freadable __freading __fsetlocking __fwritable __fwriting";

/// The same, with pointers to pointers among their arguments.
const FOLLOW_STREAM: &str = "
    dprintf fprintf fwprintf printf vdprintf vfprintf vfscanf vprintf vscanf wprintf __isoc*_vfscanf __isoc*_vscanf __dprintf_chk __fprintf_chk
    __printf_chk __vfprintf_chk __vprintf_chk getdelim __getdelim getline";

/// Functions that look at the environment, or at strings that the library was given before.
const LOOK_BACK: &str = "
    catopen ctime* getenv execl execlp execv execvp localtime* mktime popen setlocale strftime* syslog system tempnam timelocal tmpfile* tzset vsyslog wcsftime*";

/// Functions that keep what they are given.
const KEEP: &str = "initstate openlog pthread_setspecific putenv setbuf setbuffer setlinebuf setstate setvbuf";

/// What a function may do. `alone`: there is no code but the program and the libraries of its language; `pointers`: whether it is given any.
pub(super) fn reach(name: &str, alone: bool, pointers: bool) -> Reach {
    let listed = |list: &str| list.split_whitespace().any(|pattern| fits(pattern, name));
    match () {
        () if listed(LOOK_BACK) => Reach::DEEP | Reach::WRITES | Reach::LOOKS_BACK,
        () if listed(FOLLOW_STREAM) => Reach::DEEP | Reach::WRITES | Reach::LOOKS_BACK,
        () if listed(STREAM) => Reach::WRITES | Reach::LOOKS_BACK,
        () if listed(FOLLOW) => Reach::DEEP | Reach::WRITES,
        () if listed(KEEP) => Reach::DEEP | Reach::WRITES | Reach::KEEPS,
        () if listed(WRITE) => Reach::WRITES,
        () if listed(READ) => Reach::READS,
        // No function of the C library that is given no pointer looks at the program's memory.
        () if alone && !pointers => Reach::READS,
        () => Reach::ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_does_everything() {
        for name in ["getopt", "tsearch", "my_library_call", "ioctl", "fmemopen", "glob"] {
            assert_eq!(reach(name, true, true), Reach::ALL, "{name}");
        }
        assert_eq!((reach("lib_get", true, false), reach("lib_get", false, false)), (Reach::READS, Reach::ALL));
    }

    #[test]
    fn rows_say_what_functions_do() {
        assert_eq!(reach("write", false, true), Reach::READS);
        assert_eq!(reach("read", true, true), Reach::WRITES);
        assert!(reach("writev", true, true).has(Reach::DEEP) && !reach("writev", true, true).has(Reach::KEEPS));
        assert!(reach("wcsrtombs", true, true).has(Reach::DEEP) && !reach("wcslen", true, true).has(Reach::DEEP));
        assert!(reach("putenv", true, true).has(Reach::KEEPS) && reach("localtime_r", true, true).has(Reach::LOOKS_BACK));
        assert!(
            reach("__isoc23_fscanf", true, true).has(Reach::LOOKS_BACK | Reach::WRITES)
                && reach("qsort_r", true, true).has(Reach::CALLS_BACK)
        );
    }
}
