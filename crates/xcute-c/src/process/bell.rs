//! The hand-over between engine and subject: spin for a moment, then sleep on a futex.
//!
//! A round trip is half a microsecond as long as both sides spin; who sleeps says so before, and is woken only then.
//!
//! **Invariant.** A ring cannot be missed: the sleeper announces itself before it looks at the bell for the last time, and the futex
//! compares once more.
#![allow(unsafe_code, reason = "the futex system call")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::block::Block;

/// Tells the subject that a command waits.
pub(super) fn ring(block: &Block) {
    let (bell, sleeps) = block.subject_bell();
    bell.fetch_add(1, Ordering::SeqCst);
    if sleeps.load(Ordering::SeqCst) != 0 {
        futex(bell, libc::FUTEX_WAKE, 1, None);
    }
}

/// Looks at the engine's bell for a moment: whether it rang.
pub(super) fn spin(block: &Block, seen: u32) -> bool {
    let (bell, _) = block.engine_bell();
    for _ in 0..block.spin() {
        if bell.load(Ordering::Acquire) != seen {
            return true;
        }
        std::hint::spin_loop();
    }
    false
}

/// Sleeps until the engine's bell rings, for `nap` at most: whether it rang.
pub(super) fn sleep(block: &Block, seen: u32, nap: Duration) -> bool {
    let (bell, sleeps) = block.engine_bell();
    sleeps.store(1, Ordering::SeqCst);
    if bell.load(Ordering::SeqCst) == seen {
        futex(bell, libc::FUTEX_WAIT, seen, Some(nap));
    }
    sleeps.store(0, Ordering::SeqCst);
    bell.load(Ordering::Acquire) != seen
}

fn futex(word: &AtomicU32, operation: libc::c_int, value: u32, timeout: Option<Duration>) {
    let time = timeout.map(|t| libc::timespec {
        tv_sec: libc::time_t::try_from(t.as_secs()).unwrap_or(1),
        tv_nsec: libc::c_long::from(i32::try_from(t.subsec_nanos()).unwrap_or(0)),
    });
    let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    // SAFETY: the word lives as long as the borrow, the time as long as this frame; the kernel only reads them.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, time) };
}
