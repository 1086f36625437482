//! Terms: the language in which conditions over inputs are written.
//!
//! A [`Terms`] is an arena of hash-consed nodes, so equal terms have equal [`TermId`]s and a condition seen before costs one
//! look-up. Everything that other crates need is small: build with [`Terms::mk`] (which rewrites), look with [`Terms::op`],
//! [`Terms::args`], [`Terms::sort`] and [`Terms::vars`], compute with [`eval`], bound with [`interval`], show with [`print`](mod@print).
//!
//! **Invariant.** No I/O, no clock, no global state: two arenas fed the same calls hold the same ids. The one exception is [`profile`], on which nothing depends.

mod bits;
mod data;
mod domain;
mod float;
mod ids;
mod interrupt;
mod model;
mod op;
mod restrict;
mod rewrite;
mod signature;
mod sort;
mod terms;
mod value;
mod varset;

pub mod eval;
pub mod interval;
pub mod print;
pub mod profile;

pub use bits::Bits;
pub use data::{DataSort, Field};
pub use domain::FamilyId;
pub use float::FloatFormat;
pub use ids::{CtorId, DataSortId, TermId, VarId};
pub use interrupt::Interrupt;
pub use model::Model;
pub use op::{Op, Rounding};
pub use sort::Sort;
pub use terms::{Terms, VarInfo};
pub use value::{DataValue, Value};
pub use varset::{VarSearch, VarWalk, Vars, VarsIter};
