//! The hand-over between engine and subject: spin for a moment, then sleep on a futex.
//!
//! A round trip is half a microsecond while both sides spin, and about four when both sleep and share a processor; who sleeps says so
//! before, and is woken only then.
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

/// How long to spin. It pays only if the subject runs at the same time, on another processor: as in an adaptive mutex we spin less where
/// it was in vain, and try again now and then.
#[derive(Debug)]
pub(super) struct Spin {
    most: u32,
    now: u32,
    waits: u32,
}

impl Spin {
    pub(super) fn new(most: u32) -> Spin {
        Spin { most, now: most, waits: 0 }
    }

    /// Looks at the engine's bell for a moment: whether it rang.
    pub(super) fn wait(&mut self, block: &Block, seen: u32) -> bool {
        let (bell, _) = block.engine_bell();
        self.waits = self.waits.wrapping_add(1);
        let trial = self.waits.is_multiple_of(64);
        for _ in 0..if trial { self.most } else { self.now } {
            if bell.load(Ordering::Acquire) != seen {
                let more = self.now + self.now / 8 + 1;
                self.now = self.most.min(if trial { more.max(self.most / 2) } else { more });
                return true;
            }
            std::hint::spin_loop();
        }
        self.now -= self.now / 4;
        false
    }
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
