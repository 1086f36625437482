//! The names of terms, variables, data types and constructors.
//!
//! A file of its own, because sorts, operators and sets of variables need them, and the arena needs all of these.

/// Names a term of one arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position in the arena, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a variable (a symbolic input) of one arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

impl VarId {
    /// The position among the variables, for side tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names a declared data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DataSortId(pub u32);

/// Names a constructor: the `index`-th of its data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CtorId {
    /// The data type.
    pub sort: DataSortId,
    /// The position among its constructors.
    pub index: u32,
}
