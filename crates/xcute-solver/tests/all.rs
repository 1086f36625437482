//! The tests of this crate in one program: it links and lists in a fraction of the time that one for each file takes.

mod agree;
mod common;
mod conformance;
mod floats;
mod graphs;
mod layers;
mod lazy;
mod relaxed;
