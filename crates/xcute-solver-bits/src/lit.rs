//! Literals: a SAT variable or its negation, and the two constants.

use std::ops::{BitXor, Not};

/// A literal: variable number times two, plus one if negated. Variable 0 is the constant true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(u32);

impl Lit {
    /// The literal that always holds.
    pub(crate) const TRUE: Lit = Lit(0);
    /// The literal that never holds.
    pub(crate) const FALSE: Lit = Lit(1);

    /// The positive literal of a variable.
    pub(crate) fn positive(var: u32) -> Lit {
        Lit(var << 1)
    }

    /// `TRUE` or `FALSE`.
    pub(crate) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The variable's number.
    pub(crate) fn var(self) -> u32 {
        self.0 >> 1
    }

    /// The position in tables by literal.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// A number in the place of a literal (see `sat::clauses`).
    pub(crate) fn from_raw(raw: u32) -> Lit {
        Lit(raw)
    }

    /// The number that [`Lit::from_raw`] was given.
    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    /// Whether the variable is negated.
    pub(crate) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether this is `TRUE` or `FALSE`.
    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Negates where the right side is true.
impl BitXor<bool> for Lit {
    type Output = Lit;

    fn bitxor(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}
