//! How a run ended, as the driver says it.

use num_bigint::BigInt;

use super::VmError;
use crate::etf::{Atom, Atoms, Term, read};

/// How a run ended. Events are the packed numbers and values that it wrote.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// The function returned; its value, if that was asked for.
    Returned(Option<Term>),
    /// Nobody caught an exception.
    Raised(Crash),
    /// Another process ended it, through a link or by name; its last events are lost.
    Exited(Crash),
    /// The program ended the emulator with this status; `None` if it asked for a crash.
    Halted(Option<BigInt>),
    /// It wrote too many events.
    Steps,
    /// It took too long.
    Time,
    /// It used too much memory, or something killed it.
    Killed,
    /// Its processes were led, and the run was ended while the first one waited.
    Stopped,
    /// The emulator is gone.
    Gone(Gone),
}

/// Another process of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// How it ended.
    pub how: How,
    /// What it recorded.
    pub events: Vec<u8>,
}

/// How another process ended.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// It did not: the run was over.
    Left,
    /// Its function returned.
    Returned,
    /// Nobody caught an exception.
    Raised(Crash),
    /// An exit signal ended it.
    Signalled,
    /// It ended the emulator.
    Halted,
    /// It was killed: by the limit of its heap, or from elsewhere.
    Killed,
}

/// What came of a run: how it ended, the events of its first process, and its other processes.
pub type Answer<'a> = (Ended, &'a [u8], Vec<Other>);

/// How an emulator went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// It ended with this status.
    Status(i32),
    /// It crashed, by this signal.
    Signal(i32),
    /// The process that answers us is gone; the emulator was ended.
    Driver,
    /// It did not answer in time and was ended.
    Hung,
    /// Somebody said that the run has to end; the emulator was ended.
    Interrupted,
}

/// An exception that nobody caught.
#[derive(Clone, Debug, PartialEq)]
pub struct Crash {
    /// `error`, `exit` or `throw`.
    pub class: Atom,
    /// The reason.
    pub reason: Term,
    /// What the shell prints, in one line.
    pub text: String,
    /// The stack, innermost first.
    pub stack: Vec<StackFrame>,
}

/// A frame of Erlang's stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackFrame {
    /// The module.
    pub module: Atom,
    /// The function.
    pub function: Atom,
    /// Its arity.
    pub arity: u32,
    /// The file; empty where unknown.
    pub file: String,
    /// The line; 0 where unknown.
    pub line: u32,
}

/// Reads an answer.
pub(super) fn read_answer<'a>(packet: &'a [u8], atoms: &mut Atoms) -> Result<Answer<'a>, VmError> {
    let bad = || VmError::Protocol("an answer is cut off".to_owned());
    let (head, rest) = packet.split_at_checked(5).ok_or_else(bad)?;
    let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize;
    let (events, rest) = rest.split_at_checked(length).ok_or_else(bad)?;
    let (others, more) = read_others(rest, atoms)?;
    let mut term = || read(more, atoms).map_err(|error| VmError::Protocol(error.to_string()));
    let ended = match head[0] {
        0 if more.is_empty() => Ended::Returned(None),
        0 => Ended::Returned(Some(term()?)),
        1 => Ended::Raised(crash(&term()?).ok_or_else(bad)?),
        6 => Ended::Exited(crash(&term()?).ok_or_else(bad)?),
        2 => Ended::Halted(term()?.integer()),
        3 => Ended::Steps,
        4 => Ended::Time,
        5 => Ended::Killed,
        7 => Ended::Stopped,
        _ => return Err(bad()),
    };
    Ok((ended, events, others))
}

/// The other processes of a run, and what comes after them.
fn read_others<'a>(bytes: &'a [u8], atoms: &mut Atoms) -> Result<(Vec<Other>, &'a [u8]), VmError> {
    let bad = || VmError::Protocol("an answer is cut off".to_owned());
    let (count, mut rest) = bytes.split_first_chunk::<4>().ok_or_else(bad)?;
    let mut others = Vec::new();
    for _ in 0..u32::from_be_bytes(*count) {
        let (how, tail) = rest.split_first().ok_or_else(bad)?;
        let part = |from: &'a [u8]| {
            let (length, tail) = from.split_first_chunk::<4>()?;
            tail.split_at_checked(u32::from_be_bytes(*length) as usize)
        };
        let (events, tail) = part(tail).ok_or_else(bad)?;
        let (more, tail) = part(tail).ok_or_else(bad)?;
        let how = match how {
            1 => How::Returned,
            2 => {
                let term = read(more, atoms).map_err(|error| VmError::Protocol(error.to_string()))?;
                How::Raised(crash(&term).ok_or_else(bad)?)
            }
            3 => How::Signalled,
            6 => How::Halted,
            5 => How::Killed,
            _ => How::Left,
        };
        others.push(Other { how, events: events.to_vec() });
        rest = tail;
    }
    Ok((others, rest))
}

fn crash(term: &Term) -> Option<Crash> {
    let [class, reason, text, frames] = term.tuple()? else { return None };
    let stack = frames.items()?.iter().map(frame).collect::<Option<_>>()?;
    let text = text.text()?.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Crash { class: class.atom()?, reason: reason.clone(), text, stack })
}

fn frame(term: &Term) -> Option<StackFrame> {
    let [module, function, arity, file, line] = term.tuple()? else { return None };
    Some(StackFrame {
        module: module.atom()?,
        function: function.atom()?,
        arity: u32::try_from(arity.int()?).ok()?,
        file: file.text()?,
        line: u32::try_from(line.int()?).ok()?,
    })
}
