//! What is read in C++ texts: tokens, and the declarations of types that messages carry.
//!
//! This is not a parser of C++. It finds plain structures, enumerations and aliases, because sequence files and traces show their fields;
//! whatever else a model declares is left to the compiler, and values of such types are opaque.

mod lex;
mod scan;
mod types;

pub use lex::{Tok, joined, lex};
pub use types::{Field, Shape, Types};
