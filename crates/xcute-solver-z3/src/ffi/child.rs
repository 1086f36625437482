//! A child process for work that may crash: Z3 4.8 does on some questions about strings.
//!
//! The child is a copy of this process with one thread. It answers through a pipe, and ends without running anything else of the program. What crashes there, crashes
//! nothing here.
//!
//! **Invariant.** No child outlives the call that made it.

use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::AsRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};

use xcute_term::Interrupt;

/// How often it is asked whether to end, in milliseconds.
const TICK: i32 = 5;
/// After this many ticks without any work a child is taken to wait for a lock that another thread held when it was made.
const STUCK: u32 = 400;
/// Z3 works recursively on terms that may be deep.
const STACK: usize = 256 << 20;

/// What became of the work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    /// It ended with this.
    Done(Vec<u8>),
    /// It crashed, or could not be begun.
    Crashed,
    /// It was interrupted.
    Interrupted,
}

/// Does a piece of work in a child.
pub(crate) fn apart(work: impl FnOnce() -> Vec<u8> + Send, interrupt: &Interrupt) -> Apart {
    let Ok((reader, writer)) = pipe() else { return Apart::Crashed };
    // SAFETY: the child works on its own copy of the memory, with locks of the allocator that the C library makes usable again; it ends in `run`.
    match unsafe { libc::fork() } {
        -1 => Apart::Crashed,
        0 => {
            drop(reader);
            run(work, writer)
        }
        child => {
            drop(writer);
            let answer = listen(reader, child, interrupt);
            let mut status = 0;
            // SAFETY: the child is ours and is not waited for anywhere else: its number means nothing else until here.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, &raw mut status, 0);
            }
            answer
        }
    }
}

/// The life of a child: nothing that it says is seen, no core is written, and it dies with its parent.
fn run(work: impl FnOnce() -> Vec<u8> + Send, mut writer: PipeWriter) -> ! {
    // SAFETY: calls of the system on nothing but this process and its own copies of descriptors.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        libc::dup2(nowhere, 1);
        libc::dup2(nowhere, 2);
    }
    let deep = || std::thread::scope(|scope| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()?.join().ok());
    if let Ok(Some(answer)) = catch_unwind(AssertUnwindSafe(deep)) {
        let length = u64::try_from(answer.len()).expect("a length");
        let _ = writer.write_all(&length.to_le_bytes()).and_then(|()| writer.write_all(&answer));
    }
    // SAFETY: ends the process, and nothing else of it runs.
    unsafe { libc::_exit(0) }
}

/// What a child says: a length, and as many bytes. One that ends before has crashed.
fn listen(mut reader: PipeReader, child: i32, interrupt: &Interrupt) -> Apart {
    let (mut said, mut part) = (Vec::new(), [0; 4096]);
    let (mut idle, mut worked, mut ended) = (0, None, false);
    loop {
        if let Some((length, answer)) = said.split_at_checked(8) {
            let length = u64::from_le_bytes(length.try_into().expect("eight bytes"));
            if u64::try_from(answer.len()) == Ok(length) {
                return Apart::Done(answer.to_vec());
            }
        }
        if interrupt.raised() {
            return Apart::Interrupted;
        }
        let mut waited = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor, which is open.
        if unsafe { libc::poll(&raw mut waited, 1, TICK) } > 0 {
            match reader.read(&mut part) {
                Ok(count @ 1..) => said.extend_from_slice(&part[..count]),
                _ => return Apart::Crashed,
            }
            continue;
        }
        // Another child that was made at the same time may hold the end that this one writes to: then there is no end of file.
        let now = state(child);
        if matches!(now, None | Some(('Z', _))) {
            if ended {
                return Apart::Crashed;
            }
            // It may have answered since the last look.
            ended = true;
            continue;
        }
        idle = if now == worked { idle + 1 } else { 0 };
        worked = now;
        if idle > STUCK {
            return Apart::Crashed;
        }
    }
}

/// Whether a process runs, and how much it has worked; `None` where the system does not say.
fn state(process: i32) -> Option<(char, u64)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let times: u64 = fields.skip(10).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Some((state, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back() {
        let long: Vec<u8> = (0..100_000u32).map(|at| at.to_le_bytes()[0]).collect();
        assert_eq!(apart(|| long.clone(), Interrupt::never()), Apart::Done(long.clone()));
    }

    #[test]
    fn a_crash_stays_there() {
        // The first signal is taken by Rust's own handler, which gives way to the next, as to a fault that comes again.
        // SAFETY: it ends the child.
        let fault = || unsafe { libc::raise(libc::SIGSEGV) + libc::raise(libc::SIGSEGV) };
        assert_eq!(apart(|| vec![u8::try_from(fault()).expect("never")], Interrupt::never()), Apart::Crashed);
        assert_eq!(apart(|| std::process::abort(), Interrupt::never()), Apart::Crashed);
        assert_eq!(apart(|| panic!("not seen"), Interrupt::never()), Apart::Crashed);
    }

    #[test]
    fn what_does_not_end_is_interrupted() {
        let interrupt = Interrupt::new();
        let raised = interrupt.clone();
        let raising = std::thread::spawn(move || raised.raise());
        assert_eq!(
            apart(
                || loop {
                    std::hint::spin_loop()
                },
                &interrupt
            ),
            Apart::Interrupted
        );
        raising.join().expect("it raises");
    }

    #[test]
    fn who_waits_for_ever_is_given_up() {
        assert_eq!(
            apart(
                || loop {
                    std::thread::park()
                },
                Interrupt::never()
            ),
            Apart::Crashed
        );
    }
}
