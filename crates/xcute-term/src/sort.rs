//! Sorts: the types of terms.

use crate::float::FloatFormat;
use crate::ids::DataSortId;

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A bit-vector of the given width (at least 1).
    BitVec(u32),
    /// An IEEE 754 binary float of this format.
    Float(FloatFormat),
    /// The unbounded integers.
    Int,
    /// The reals.
    Real,
    /// Finite strings of Unicode characters.
    Str,
    /// An algebraic data type, declared with [`crate::Terms::declare_data`].
    Data(DataSortId),
}

impl Sort {
    /// IEEE single precision, C's `float`.
    pub const F32: Sort = Sort::Float(FloatFormat::SINGLE);
    /// IEEE double precision, C's `double`.
    pub const F64: Sort = Sort::Float(FloatFormat::DOUBLE);

    /// The number of bits of a bit-vector or float; `None` for the other sorts.
    #[must_use]
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(w) => Some(w),
            Sort::Float(format) => Some(format.width()),
            _ => None,
        }
    }
}
