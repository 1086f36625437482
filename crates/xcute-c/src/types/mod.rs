//! What a program is made of: its types and functions ([`dwarf`]), the inputs that are made of them ([`inputs`]), and their values as text ([`value`]).
//!
//! **Invariant.** Nothing here compiles or runs anything.

pub mod dwarf;
pub mod inputs;
pub mod value;
