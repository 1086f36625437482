//! What elements of structures and of state machines have in common: inheritance and parameters.

/// How an element relates to one of the same name that is inherited.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Mode {
    /// It is new.
    #[default]
    New,
    /// It takes the place of the inherited one.
    Redefine,
    /// The inherited one is removed.
    Exclude,
}

/// A parameter of a message or of a trigger operation.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Param {
    /// The name by which action code may refer to it; Art has none for messages.
    pub name: Option<String>,
    /// Its type in C++, with dimensions at the end if it is an array: `int[4]`.
    pub ty: String,
}
