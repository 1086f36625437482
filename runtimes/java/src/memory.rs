//! The memory that the agent shares with the engine, and the hand-over in it.
//!
//! The engine opens both files and says where: `/proc/PID/fd/N`. The first is the block, written by both sides; the second the pack, with all
//! classes, only read.
#![allow(unsafe_code, reason = "mappings and the futex system call")]

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::wire::{Control, request};

unsafe extern "C" {
    fn open(path: *const c_char, flags: c_int, ...) -> c_int;
    fn close(fd: c_int) -> c_int;
    fn lseek(fd: c_int, offset: i64, whence: c_int) -> i64;
    fn mmap(address: *mut c_void, length: usize, protection: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void;
    fn syscall(number: c_long, ...) -> c_long;
    fn prctl(option: c_int, ...) -> c_int;
    fn getppid() -> c_int;
    fn _exit(status: c_int) -> !;
}

const O_RDWR: c_int = 2;
const SEEK_END: c_int = 2;
const PROT_READ: c_int = 1;
const PROT_WRITE: c_int = 2;
const MAP_SHARED: c_int = 1;
const PR_SET_PDEATHSIG: c_int = 1;
const SIGKILL: c_long = 9;
const FUTEX_WAIT: c_int = 0;
const FUTEX_WAKE: c_int = 1;
#[cfg(target_arch = "x86_64")]
const SYS_FUTEX: c_long = 202;
#[cfg(target_arch = "aarch64")]
const SYS_FUTEX: c_long = 98;

/// How often the bell is looked at, at most, before the thread goes to sleep.
const SPIN: u32 = 4000;

/// How often it is looked at now: less where that was in vain, as in an adaptive mutex; and as often as may be now and then.
struct Spin {
    now: AtomicU32,
    waits: AtomicU32,
}

/// For the next run, and for a pick.
static SPINS: [Spin; 2] = [const { Spin { now: AtomicU32::new(SPIN), waits: AtomicU32::new(0) } }; 2];

impl Spin {
    /// Looks at a bell for a moment; what it shows, if that is not what was seen.
    fn wait(&self, bell: &AtomicU32, seen: u32) -> Option<u32> {
        let now = self.now.load(Ordering::Relaxed);
        let trial = self.waits.fetch_add(1, Ordering::Relaxed) % 64 == 63;
        for _ in 0..if trial { SPIN } else { now } {
            let shows = bell.load(Ordering::Acquire);
            if shows != seen {
                let more = now + now / 8 + 1;
                self.now.store(SPIN.min(if trial { more.max(SPIN / 2) } else { more }), Ordering::Relaxed);
                return Some(shows);
            }
            std::hint::spin_loop();
        }
        self.now.store(now - now / 4, Ordering::Relaxed);
        None
    }
}

/// A mapped file.
#[derive(Clone, Copy)]
pub(crate) struct Mapping {
    pub(crate) base: *mut u8,
    pub(crate) size: usize,
}

impl Mapping {
    /// Maps a file; `None` where the system refuses.
    pub(crate) fn of(path: &CStr) -> Option<Mapping> {
        // SAFETY: the path is a C string; a fresh mapping is shared with nothing of ours.
        unsafe {
            let fd = open(path.as_ptr(), O_RDWR);
            if fd < 0 {
                return None;
            }
            let size = usize::try_from(lseek(fd, 0, SEEK_END)).ok()?;
            let base = mmap(std::ptr::null_mut(), size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            close(fd);
            (base as isize != -1).then_some(Mapping { base: base.cast(), size })
        }
    }

    /// A word of the control.
    fn word(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: the control is at the start of the block, which stays mapped; all words are aligned and accessed atomically.
        unsafe { AtomicU32::from_ptr(self.base.add(offset).cast()) }
    }

    /// Counts a garbage collection.
    pub(crate) fn collected(&self) {
        self.word(offset_of!(Control, collections)).fetch_add(1, Ordering::SeqCst);
    }

    /// Rings the engine's bell and waits for its own; `seen` is what its own showed before.
    pub(crate) fn hand_over(&self, seen: u32) -> u32 {
        self.word(offset_of!(Control, bell_engine)).fetch_add(1, Ordering::SeqCst);
        if self.word(offset_of!(Control, engine_sleeps)).load(Ordering::SeqCst) != 0 {
            futex(self.word(offset_of!(Control, bell_engine)), FUTEX_WAKE, 1);
        }
        let bell = self.word(offset_of!(Control, bell_jvm));
        let picks = self.word(offset_of!(Control, request)).load(Ordering::Relaxed) == request::PICK;
        if let Some(now) = SPINS[usize::from(picks)].wait(bell, seen) {
            return now;
        }
        let sleeps = self.word(offset_of!(Control, jvm_sleeps));
        loop {
            // A ring cannot be missed: this side says that it sleeps before it looks for the last time, and the futex compares once more.
            sleeps.store(1, Ordering::SeqCst);
            let now = bell.load(Ordering::SeqCst);
            if now != seen {
                sleeps.store(0, Ordering::SeqCst);
                return now;
            }
            futex(bell, FUTEX_WAIT, seen);
            sleeps.store(0, Ordering::SeqCst);
        }
    }

    /// What the bell of this side shows.
    pub(crate) fn bell(&self) -> u32 {
        self.word(offset_of!(Control, bell_jvm)).load(Ordering::Acquire)
    }
}

fn futex(word: &AtomicU32, operation: c_int, value: u32) {
    // SAFETY: the word stays mapped; without a timeout the kernel reads nothing else.
    unsafe { syscall(SYS_FUTEX, word.as_ptr(), operation, value, std::ptr::null::<c_void>()) };
}

/// Sees to it that the JVM does not outlive the engine, however that one ends. `parent` is the engine's process.
pub(crate) fn die_with(parent: i32) {
    // SAFETY: plain system calls.
    unsafe {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0 as c_long, 0 as c_long, 0 as c_long);
        // The engine may have ended before the call.
        if getppid() != parent {
            _exit(1);
        }
    }
}

/// Ends the process at once.
pub(crate) fn leave() -> ! {
    // SAFETY: it does not come back.
    unsafe { _exit(0) }
}

/// The two paths and the process of the options `PID,BLOCK,PACK`.
pub(crate) fn options(text: &CStr) -> Option<(i32, CString, CString)> {
    let text = text.to_str().ok()?;
    let mut parts = text.split(',');
    let (parent, block, pack) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
    Some((parent, CString::new(block).ok()?, CString::new(pack).ok()?))
}
