//! From sources to the instrumented executable.
//!
//! [`mod@unit`] is a source with what others need to call into it; [`harness`] writes the C text that asks for the inputs and calls the entry, [`wrap`] the function
//! that builds what an entry of C++ needs; [`words`] and [`spoken`] serve programs that were written for tools; [`bounds`] says how large inputs become.
//! [`mod@survey`] says what there is to test in the sources of a project. [`described`] reads the types of a program, [`enter`] finds its entry and writes the harness. [`compile`] drives clang and the instrumenter, and gives a [`Compiled`](crate::instrument::compiled::Compiled) program.

pub(crate) mod bounds;
pub mod compile;
pub(crate) mod described;
pub(crate) mod enter;
pub mod harness;
pub mod spoken;
pub mod survey;
pub mod unit;
pub mod words;
pub mod wrap;
