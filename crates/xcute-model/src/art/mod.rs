//! Art, the textual form of UML-RT: reading and printing.
//!
//! The language is that of Code RealTime (<https://secure-dev-ops.github.io/code-realtime/art-lang/>). C++ stands between backticks and is
//! kept as it is.

mod lexer;
mod machine;
mod parser;
mod print;

pub use parser::read;
pub use print::print;
