//! Adapter to Z3: [`Z3`] answers queries of every sort, for what the faster solvers before it cannot.
//!
//! The way down: `z3` (queries) → `desk` (the thread that works) → `session` (scopes, cores) → `translate` (terms to Z3's, one file per theory) and `read`
//! (values back) → `ffi`. Queries about strings are answered in a child process (`ffi/child`), because Z3 4.8 crashes on some of them; `parcel` brings the answer back.
//!
//! **Invariant.** Translation is one-way: no Z3 term is ever taken apart. A model is read by evaluating the variables, testers
//! and selectors that we made ourselves, so nothing depends on the numbering of operators in the installed version.

mod desk;
mod ffi;
mod parcel;
mod read;
mod session;
mod translate;
mod z3;

pub use z3::Z3;
