//! Running: the process of a subject ([`process`]), its nodes as terms ([`import`]), its addresses as places ([`symbolize`]), and all of it as what the
//! engine sees ([`subject`]). [`usage`] is what processes use, [`libraries`] what a program is loaded with.
//!
//! **Invariant.** Whatever the program does is an outcome: memory that it shares with us is never trusted.

pub mod import;
pub(crate) mod libraries;
pub mod process;
pub mod subject;
pub mod symbolize;
pub(crate) mod usage;
