//! Printing: for people ([`human()`]), and as SMT-LIB 2.6 ([`smtlib()`], [`smtlib_query`]).

mod human;
mod smtlib;
mod symbols;

pub use human::human;
pub use smtlib::{smtlib, smtlib_query};
