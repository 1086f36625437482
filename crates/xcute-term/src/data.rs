//! Algebraic data types: Erlang terms, Prolog terms and Java object shapes are declared here.

use crate::sort::Sort;

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
