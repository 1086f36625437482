//! Algebraic data types: Erlang terms, Prolog terms and Java object shapes are declared here.

use crate::Sort;

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

/// A field of a constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The selector's name, unique in the arena.
    pub name: String,
    /// What it holds; may be the data type itself.
    pub sort: Sort,
}

/// A data type: a name and its constructors, each with its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSort {
    /// The type's name.
    pub name: String,
    /// Constructor names and their fields. At least one constructor must not mention the type itself.
    pub ctors: Vec<(String, Vec<Field>)>,
}
