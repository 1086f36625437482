//! Bounds: an unsigned and a signed interval of the same values.

use crate::Sort;
use crate::bits::mask;

/// An unsigned interval, both ends included; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub lo: u64,
    /// The greatest value.
    pub hi: u64,
}

/// A signed interval, both ends included; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedRange {
    /// The least value.
    pub lo: i64,
    /// The greatest value.
    pub hi: i64,
}

/// What is known of a term: its value is in both intervals. A Boolean is a number of one bit of which only the unsigned
/// interval counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The width in bits.
    pub width: u32,
    /// The value read as a natural number.
    pub unsigned: Range,
    /// The value read in two's complement.
    pub signed: SignedRange,
}

impl Bounds {
    /// Any value. Of a sort that has no bounds, nothing is known and nothing is asked.
    pub(super) fn full(sort: Sort) -> Bounds {
        let width = match sort {
            Sort::BitVec(w) => w.min(64),
            _ => 1,
        };
        Bounds::of_width(width)
    }

    pub(super) fn of_width(width: u32) -> Bounds {
        let half = i64::MIN >> (64 - width);
        Bounds { width, unsigned: Range { lo: 0, hi: mask(width) }, signed: SignedRange { lo: half, hi: !half } }
    }

    pub(super) fn truth(self) -> Option<bool> {
        (self.unsigned.lo == self.unsigned.hi).then_some(self.unsigned.lo == 1)
    }

    pub(super) fn boolean(truth: Option<bool>) -> Bounds {
        let full = Bounds::of_width(1);
        match truth {
            Some(value) => Bounds { unsigned: Range { lo: value.into(), hi: value.into() }, ..full }.reduced().unwrap_or(full),
            None => full,
        }
    }

    /// The values `lo..=hi`, unsigned.
    pub(super) fn unsigned(sort: Sort, lo: u64, hi: u64) -> Bounds {
        let full = Bounds::full(sort);
        full.with_unsigned(lo, hi)
    }

    pub(super) fn with_unsigned(self, lo: u64, hi: u64) -> Bounds {
        debug_assert!(lo <= hi && hi <= mask(self.width));
        Bounds { unsigned: Range { lo, hi }, ..self }.reduced().unwrap_or(self)
    }

    pub(super) fn with_signed(self, lo: i64, hi: i64) -> Bounds {
        debug_assert!(lo <= hi);
        Bounds { signed: SignedRange { lo, hi }, ..self }.reduced().unwrap_or(self)
    }

    /// The values from `start` upwards to `end`, past the greatest to the least where need be.
    pub(super) fn wrapped(width: u32, start: u64, end: u64) -> Bounds {
        let (start, end) = (start & mask(width), end & mask(width));
        let mut bounds = Bounds::of_width(width);
        if start <= end {
            bounds.unsigned = Range { lo: start, hi: end };
        }
        let (s, e) = (bounds.to_signed(start), bounds.to_signed(end));
        if s <= e {
            bounds.signed = SignedRange { lo: s, hi: e };
        }
        bounds.reduced().unwrap_or(bounds)
    }

    pub(super) fn to_signed(self, word: u64) -> i64 {
        let shift = 64 - self.width;
        (word << shift).cast_signed() >> shift
    }

    fn to_unsigned(self, value: i64) -> u64 {
        value.cast_unsigned() & mask(self.width)
    }

    /// The values in both; `None` where there are none.
    pub(super) fn meet(self, other: Bounds) -> Option<Bounds> {
        let (u, v, s, t) = (self.unsigned, other.unsigned, self.signed, other.signed);
        Bounds {
            width: self.width,
            unsigned: Range { lo: u.lo.max(v.lo), hi: u.hi.min(v.hi) },
            signed: SignedRange { lo: s.lo.max(t.lo), hi: s.hi.min(t.hi) },
        }
        .reduced()
    }

    /// The values in one or the other, and what lies between.
    pub(super) fn join(self, other: Bounds) -> Bounds {
        let (u, v, s, t) = (self.unsigned, other.unsigned, self.signed, other.signed);
        Bounds {
            width: self.width,
            unsigned: Range { lo: u.lo.min(v.lo), hi: u.hi.max(v.hi) },
            signed: SignedRange { lo: s.lo.min(t.lo), hi: s.hi.max(t.hi) },
        }
    }

    /// Lets each interval cut the other where its sign is known; `None` where nothing is left.
    fn reduced(mut self) -> Option<Bounds> {
        // Cutting one may make the sign of the other known: twice is enough.
        for _ in 0..2 {
            if self.unsigned.lo > self.unsigned.hi || self.signed.lo > self.signed.hi {
                return None;
            }
            let (lo, hi) = (self.to_signed(self.unsigned.lo), self.to_signed(self.unsigned.hi));
            if lo <= hi {
                self.signed = SignedRange { lo: self.signed.lo.max(lo), hi: self.signed.hi.min(hi) };
            }
            let (lo, hi) = (self.to_unsigned(self.signed.lo), self.to_unsigned(self.signed.hi));
            if lo <= hi && self.signed.lo <= self.signed.hi {
                self.unsigned = Range { lo: self.unsigned.lo.max(lo), hi: self.unsigned.hi.min(hi) };
            }
        }
        (self.unsigned.lo <= self.unsigned.hi && self.signed.lo <= self.signed.hi).then_some(self)
    }
}
