//! The hand-over between engine and subject: spin for a moment, then sleep on a futex.
//!
//! A round trip is half a microsecond while both sides spin, and about four when both sleep and share a processor; who sleeps says so
//! before, and is woken only then.
//!
//! **Invariant.** A ring cannot be missed: the sleeper announces itself before it looks at the bell for the last time, and the futex
//! compares once more.
#![allow(unsafe_code, reason = "the futex system call")]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// One side's bell in shared memory.
#[derive(Clone, Copy, Debug)]
pub struct Bell<'a> {
    /// How often it rang.
    pub rings: &'a AtomicU32,
    /// Whether its owner sleeps.
    pub sleeps: &'a AtomicU32,
}

impl Bell<'_> {
    /// Rings it.
    pub fn ring(self) {
        self.rings.fetch_add(1, Ordering::SeqCst);
        if self.sleeps.load(Ordering::SeqCst) != 0 {
            futex(self.rings, libc::FUTEX_WAKE, 1, None);
        }
    }

    /// How often it rang.
    #[must_use]
    pub fn seen(self) -> u32 {
        self.rings.load(Ordering::Acquire)
    }

    /// Sleeps until it rings once more than `seen`, for `nap` at most: whether it rang.
    #[must_use]
    pub fn sleep(self, seen: u32, nap: Duration) -> bool {
        self.sleeps.store(1, Ordering::SeqCst);
        if self.rings.load(Ordering::SeqCst) == seen {
            futex(self.rings, libc::FUTEX_WAIT, seen, Some(nap));
        }
        self.sleeps.store(0, Ordering::SeqCst);
        self.rings.load(Ordering::Acquire) != seen
    }
}

/// How long to spin. It pays only if the subject runs at the same time, on another processor: as in an adaptive mutex we spin less where
/// it was in vain, and try again now and then.
#[derive(Debug)]
pub struct Spin {
    most: u32,
    now: u32,
    waits: u32,
}

impl Spin {
    /// Spins for at most this many looks.
    #[must_use]
    pub fn new(most: u32) -> Spin {
        Spin { most, now: most, waits: 0 }
    }

    /// Looks at a bell for a moment: whether it rang.
    #[must_use]
    pub fn wait(&mut self, bell: Bell<'_>, seen: u32) -> bool {
        self.waits = self.waits.wrapping_add(1);
        let trial = self.waits.is_multiple_of(64);
        for _ in 0..if trial { self.most } else { self.now } {
            if bell.seen() != seen {
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

/// How long a side spins at most: longer than most turns of the other one take.
const SPINNING: Duration = Duration::from_micros(40);
/// Looks of one measurement.
const SAMPLE: u32 = 256;

/// How many looks that is, where this many engines and subjects run at once; none where they have to share processors. A pause takes 5 ns on some processors and 60 on
/// others, so it is measured.
#[must_use]
pub fn most_looks(pairs: usize) -> u32 {
    static LOOKS: OnceLock<u32> = OnceLock::new();
    if std::thread::available_parallelism().map_or(1, std::num::NonZero::get) < 2 * pairs {
        return 0;
    }
    *LOOKS.get_or_init(|| {
        // The shortest of some: others were interrupted.
        let shortest = (0..4).map(|_| sample()).min().unwrap_or_default().as_nanos().max(1);
        u32::try_from(SPINNING.as_nanos() * u128::from(SAMPLE) / shortest).unwrap_or(u32::MAX).clamp(SAMPLE, 1 << 16)
    })
}

fn sample() -> Duration {
    let (word, begin) = (AtomicU32::new(0), Instant::now());
    for _ in 0..SAMPLE {
        if std::hint::black_box(&word).load(Ordering::Acquire) != 0 {
            break;
        }
        std::hint::spin_loop();
    }
    begin.elapsed()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_heard_by_who_spins_and_by_who_sleeps() {
        let (rings, sleeps) = (AtomicU32::new(0), AtomicU32::new(0));
        let bell = Bell { rings: &rings, sleeps: &sleeps };
        assert!(!Spin::new(10).wait(bell, 0));
        assert!(!bell.sleep(0, Duration::from_millis(1)));
        bell.ring();
        assert!(Spin::new(10).wait(bell, 0));
        assert!(bell.sleep(0, Duration::from_secs(60)));
        std::thread::scope(|scope| {
            scope.spawn(|| bell.ring());
            while !bell.sleep(1, Duration::from_secs(60)) {}
        });
    }
}
