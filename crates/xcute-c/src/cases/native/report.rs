//! What an uninstrumented program says of its failure, and the failure that it is.
//!
//! The layout is that of `struct xcn_report` in `runtimes/c/native/native.h`.
//!
//! **Invariant.** What the program wrote is not trusted: a report that is not whole is none, and an address that names nothing is left out.

use std::path::Path;

use object::{Object as _, ObjectSegment as _};
use xcute_trace::{Failure, FailureKind, Frame, Held};

use super::run::{End, Run};
use super::values::held_at;
use super::{kind_of, matches};
use crate::build::words;
use crate::run::symbolize::Symbols;

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The signal.
    pub signal: i32,
    /// The address that a fault is about.
    pub address: u64,
    /// The stack pointer.
    pub sp: u64,
    /// Where the executable begins.
    pub base: u64,
    /// Whether the address is in a page next to an input, which nothing may access.
    pub guarded: bool,
    /// Code addresses, innermost first.
    pub frames: Vec<u64>,
    /// The frame pointer of each.
    pub bases: Vec<u64>,
    /// Memory of the stack, and where it begins.
    pub memory: (u64, Vec<u8>),
}

const MAGIC: u64 = u64::from_le_bytes(*b"xreport1");
/// The words before the frames.
const HEAD: usize = 8;
/// The frames and frame pointers that there is room for, XCN_FRAMES.
const FRAMES: usize = 64;
/// Addresses below this are reached by arithmetic on NULL.
const NULL_PAGES: u64 = 1 << 16;
/// An access so near to the stack pointer is one to the stack.
const NEAR: u64 = 1 << 20;

impl Report {
    /// Reads a report; `None` if there is none.
    #[must_use]
    pub fn read(path: &Path) -> Option<Report> {
        Report::parse(&std::fs::read(path).ok()?)
    }

    fn parse(bytes: &[u8]) -> Option<Report> {
        let words: Vec<u64> = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default())).collect();
        let [MAGIC, signal, _, address, sp, base, guarded, n] = *words.first_chunk::<HEAD>()? else { return None };
        let n = usize::try_from(n).ok().filter(|n| *n <= FRAMES)?;
        let frames = words.get(HEAD..HEAD + n)?.to_vec();
        let bases = words.get(HEAD + FRAMES..HEAD + FRAMES + n).map(<[u64]>::to_vec).unwrap_or_default();
        let after = HEAD + 2 * FRAMES;
        let stack = words.get(after).copied().unwrap_or_default();
        let memory = (stack, bytes.get(8 * (after + 1)..).unwrap_or_default().to_vec());
        Some(Report { signal: i32::try_from(signal).ok()?, address, sp, base, guarded: guarded != 0, frames, bases, memory })
    }

    /// The stack, for people.
    #[must_use]
    pub fn stack(&self, exe: &Path, symbols: &mut Symbols) -> Vec<Frame> {
        let Some(start) = std::fs::read(exe).ok().and_then(|data| first(&data)) else { return Vec::new() };
        symbols.stack_at(self.frames.iter().map(|at| self.linked(*at, start)))
    }

    /// What variables held in the frame of the first place of a stack, as far as it is known.
    #[must_use]
    pub fn values(&self, exe: &Path, symbols: &mut Symbols) -> Vec<Held> {
        let Ok(data) = std::fs::read(exe) else { return Vec::new() };
        let Some(start) = first(&data) else { return Vec::new() };
        let mut own = |at: &u64| symbols.function(self.linked(*at, start)).map(|frame| (self.linked(*at, start), frame.line));
        let Some((at, (pc, line))) = self.frames.iter().enumerate().find_map(|(at, frame)| Some((at, own(frame)?))) else {
            return Vec::new();
        };
        let Some(base) = self.bases.get(at) else { return Vec::new() };
        let read = |address: u64, size: usize| {
            let from = usize::try_from(address.checked_sub(self.memory.0)?).ok()?;
            self.memory.1.get(from..from.checked_add(size)?).map(<[u8]>::to_vec)
        };
        held_at(&data, pc, line, *base, &read)
    }

    /// A code address as the executable was linked, whose first segment is at `start`.
    fn linked(&self, at: u64, start: u64) -> u64 {
        at.wrapping_sub(self.base).wrapping_add(start)
    }
}

/// Where the first segment of an executable is.
fn first(data: &[u8]) -> Option<u64> {
    object::File::parse(data).ok()?.segments().map(|segment| segment.address()).min()
}

/// The failure that a run of an uninstrumented program ended with; `None` if it did not fail. `expected` says which one a fault may be.
pub(super) fn failure(seen: &Run, report: Option<&Report>, stack: Vec<Frame>, expected: Option<FailureKind>) -> Option<Failure> {
    let mut kind = kind_of(seen, expected)?;
    if kind == FailureKind::Abort && words::is_assumption(&stack) {
        return None;
    }
    if kind == FailureKind::Abort && words::is_error(&stack) {
        kind = FailureKind::Assertion;
    }
    let fault = report.filter(|_| matches!(seen.end, End::Signalled(libc::SIGSEGV | libc::SIGBUS)));
    if let Some(report) = fault.filter(|_| expected.is_none_or(|kind| !matches(kind, seen))) {
        kind = match report.address {
            at if at.abs_diff(report.sp) < NEAR && report.signal == libc::SIGSEGV => FailureKind::StackOverflow,
            at if at < NULL_PAGES => FailureKind::NullAccess,
            _ => FailureKind::WildAccess,
        };
    }
    let message = message(kind, seen, report, &stack);
    Some(Failure { kind, message, stack, notes: Vec::new(), interleaving: Vec::new(), values: Vec::new() })
}

/// One line about the failure.
fn message(kind: FailureKind, seen: &Run, report: Option<&Report>, stack: &[Frame]) -> String {
    let line = |words: &str| seen.errors.lines().find(|line| line.contains(words)).unwrap_or_default().to_owned();
    match kind {
        FailureKind::Assertion if words::is_error(stack) => format!("assertion failed: {} is reached", stack[0].function),
        FailureKind::Assertion => {
            let line = seen.errors.lines().rfind(|line| super::is_assertion(line)).unwrap_or_default();
            let expression = line.split_once("Assertion `").and_then(|(_, rest)| rest.rsplit_once('\''));
            let expression = expression.or_else(|| line.split_once("xcute_assert(").and_then(|(_, rest)| rest.rsplit_once(')')));
            expression.map_or_else(|| "assertion failed".to_owned(), |(text, _)| format!("assertion failed: {text}"))
        }
        FailureKind::Abort => "abort was called".to_owned(),
        FailureKind::UncaughtException => {
            let thrown = line("terminate called");
            let name = thrown.split_once('\'').and_then(|(_, rest)| rest.split_once('\''));
            name.map_or_else(|| "uncaught exception".to_owned(), |(name, _)| format!("uncaught exception {name}"))
        }
        FailureKind::DivisionByZero => "integer division by zero or a quotient that does not fit".to_owned(),
        FailureKind::StackOverflow => "the stack is exhausted".to_owned(),
        FailureKind::Trap => "trap".to_owned(),
        FailureKind::Hang => "the run does not end".to_owned(),
        _ => match report {
            Some(report) if report.address == u64::MAX => "access to a wild address".to_owned(),
            Some(report) if report.address != 0 || kind == FailureKind::NullAccess => format!("access to address {:#x}", report.address),
            _ => format!("the program {}", seen.end),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn reports_that_are_not_whole_are_none() {
        let whole = [MAGIC, 11, 0x40_1000, 0x10, 0x7fff_0000, 0x40_0000, 1, 2, 0x40_1000, 0x40_1100];
        let report = Report::parse(&words(&whole)).unwrap();
        assert_eq!((report.signal, report.address, report.guarded), (11, 0x10, true));
        assert_eq!(report.frames, [0x40_1000, 0x40_1100]);
        for broken in [&whole[..7], &whole[..9], &[0, 1, 2, 3, 4, 5, 6, 7][..], &[MAGIC, 11, 0, 0, 0, 0, 0, u64::MAX]] {
            assert_eq!(Report::parse(&words(broken)), None);
        }
    }

    #[test]
    fn failures_have_the_words_of_the_program() {
        let run = |end, errors: &str| Run { end, output: String::new(), errors: errors.to_owned(), refused: Vec::new() };
        let aborted = run(End::Signalled(libc::SIGABRT), "x: a.c:3: f: Assertion `a[i] == '\\''' failed.\n");
        let failed = failure(&aborted, None, Vec::new(), Some(FailureKind::Hang)).unwrap();
        assert_eq!((failed.kind, failed.message.as_str()), (FailureKind::Assertion, "assertion failed: a[i] == '\\''"));
        let report = |address, sp| Report {
            signal: libc::SIGSEGV,
            address,
            sp,
            base: 0,
            guarded: false,
            frames: Vec::new(),
            bases: Vec::new(),
            memory: Default::default(),
        };
        let faulted = run(End::Signalled(libc::SIGSEGV), "");
        let kind = |address, sp, expected| failure(&faulted, Some(&report(address, sp)), Vec::new(), expected).unwrap().kind;
        assert_eq!(kind(8, 0x7fff_0000, None), FailureKind::NullAccess);
        assert_eq!(kind(0x7ffe_fff8, 0x7fff_0000, Some(FailureKind::Hang)), FailureKind::StackOverflow);
        assert_eq!(kind(0x5000_0000, 0x7fff_0000, None), FailureKind::WildAccess);
        assert_eq!(kind(0x5000_0000, 0x7fff_0000, Some(FailureKind::OutOfBounds)), FailureKind::OutOfBounds);
        assert_eq!(failure(&run(End::Exited(0), ""), None, Vec::new(), None), None);
    }
}
