//! The external term format: how terms come from and go to the emulator.
//!
//! [`decode()`] builds terms of any representation through [`Make`]: the [`Term`] of this module for programs and answers, the cells of a run's heap for
//! values. A codec of its own because atoms are interned while they are read, a value of a run is built without a copy between, and nothing here recurses.
//!
//! **Invariant.** Bytes that are not a term are an error, never a panic; decoding uses memory in proportion to the bytes.

mod atoms;
mod decode;
mod encode;
mod term;

pub use atoms::{Atom, Atoms};
pub use decode::{DecodeError, Make, decode, decode_prefix};
pub use encode::Encoder;
pub use term::{Term, Terms, encode, encode_list, read};
