//! What the memory of a subject process says of the operations of its last run: names from the symbols, places from the debugging information.
//!
//! **Invariant.** What the C++ library has for itself has no name: it means nothing to anybody.

use xcute_threads::{At, Phrase, Role, Source};
use xcute_trace::{Frame, Task};

use super::names::{Kind, Names};
use super::steps::frames;
use crate::instrument::compiled::ObjectName;
use crate::run::process::Recorded;
use crate::run::symbolize::Symbols;
use crate::wire::{OUTSIDE, OUTSIDE_NAMES, XcNext, XcStep, operation as op};

/// The names of places and of memory.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) symbols: Symbols,
    pub(super) names: Names,
}

/// The abstract object of code that is not instrumented at an address.
fn outside(address: u64) -> Option<&'static str> {
    OUTSIDE_NAMES.get(usize::try_from(address.checked_sub(OUTSIDE)? / 8).ok()?).copied()
}

/// The last run.
pub(super) struct LastSteps<'a> {
    pub(super) recorded: Recorded<'a>,
    pub(super) places: &'a mut Places,
    pub(super) objects: &'a [ObjectName],
}

impl<'a> LastSteps<'a> {
    fn next(&self, at: At) -> Option<&'a XcNext> {
        match at {
            At::Step(step) => {
                let row = self.recorded.steps.get(step)?;
                self.recorded.nexts.get(row.first.checked_add(row.chosen)? as usize)
            }
            At::Pending(at) => self.recorded.pending.get(at),
        }
    }

    fn row(&self, at: At) -> Option<&'a XcStep> {
        match at {
            At::Step(step) => self.recorded.steps.get(step),
            At::Pending(at) => self.recorded.standing.get(at),
        }
    }

    fn flags(&self, at: At) -> u16 {
        self.next(at).map_or(0, |next| next.flags)
    }
}

impl Source for LastSteps<'_> {
    fn object(&mut self, at: At, role: Role) -> Option<String> {
        let next = self.next(at)?;
        let address = if role == Role::Mutex { next.other } else { next.object };
        self.places.names.of(address, self.objects).filter(|name| !name.starts_with("std::"))
    }

    fn stack(&mut self, at: At) -> Vec<Frame> {
        self.row(at).map_or_else(Vec::new, |row| self.places.symbols.stack(0, &frames(row)))
    }

    fn hook(&self, at: At) -> Option<u32> {
        self.row(at).map(|row| row.hook)
    }

    fn fallback(&mut self, at: At) -> Option<Frame> {
        // A header of the system, if all that is known is there.
        self.places.symbols.header(&frames(self.row(at)?))
    }

    fn value(&mut self, at: At, word: u64) -> Option<String> {
        let next = self.next(at)?;
        let bits = 8 * next.bytes;
        if !matches!(next.bytes, 1 | 2 | 4 | 8) {
            return None;
        }
        let value = if bits == 64 { word } else { word & ((1 << bits) - 1) };
        let signed = ((value << (64 - bits)).cast_signed()) >> (64 - bits);
        Some(match self.places.names.kind(next.object, self.objects) {
            Kind::Float if bits == 32 => f32::from_bits(value as u32).to_string(),
            Kind::Float if bits == 64 => f64::from_bits(value).to_string(),
            Kind::Pointer if value == 0 => "NULL".into(),
            Kind::Pointer => format!("{value:#x}"),
            Kind::Unsigned => value.to_string(),
            Kind::Unknown if bits == 64 && signed.unsigned_abs() > u64::from(u32::MAX) => format!("{value:#x}"),
            _ => signed.to_string(),
        })
    }

    fn after(&self, step: usize) -> Option<u64> {
        self.recorded.steps.get(step).map(|row| row.after)
    }

    fn destroys(&self, at: At) -> bool {
        self.flags(at) & op::DESTROYS != 0
    }

    fn does(&mut self, at: At) -> Option<Phrase> {
        let next = self.next(at)?;
        let state = outside(next.object);
        if self.flags(at) & op::ELSEWHERE != 0 {
            return Some(match state {
                Some(state) if next.op == op::LOAD => Phrase::Whole(format!("looks at {state}")),
                Some(state) => Phrase::Whole(format!("uses {state}")),
                None => Phrase::About("calls a function with"),
            });
        }
        (next.op == op::AWAIT && state.is_some()).then(|| Phrase::Whole("finds a descriptor ready".into()))
    }

    fn awaits(&mut self, at: At) -> Option<Phrase> {
        let next = self.next(at).filter(|next| next.op == op::AWAIT)?;
        if outside(next.object).is_some() {
            return Some(Phrase::Whole("a descriptor".into()));
        }
        (next.flags & op::ASSUMES != 0).then_some(Phrase::About("an assumption about"))
    }

    fn began(&mut self, steps: usize) -> Vec<(Task, Frame)> {
        let begun = self.recorded.forks.iter().filter(|fork| fork.step as usize == steps);
        begun.filter_map(|fork| Some((Task(fork.child), self.places.symbols.function(u64::from(fork.start))?))).collect()
    }
}
