//! The front end for models: UML-RT state machines with action code in C++.
//!
//! [`ir`] is a model as it was read, by [`art`] or [`uml`]; [`load`] does it for files. [`flat`] resolves inheritance, [`table`] is what a
//! state machine does with each message, [`lower`] writes it as C++ for the run-time system in `runtimes/model`, and [`run`] compiles
//! and runs that on a [`sequence`] of messages, which gives a [`trace`]; [`story`] says in words what happened. [`lower::search`] is the
//! program that explores a capsule, [`property`] what must hold, and [`elements`] what it covered; [`draw`], [`picture`] and [`diagram`] make pictures. Whoever builds and runs that is above this crate.
//!
//! **Invariant.** Whatever is read is either understood or refused with its place and the reason.

pub mod art;
pub mod compare;
pub mod cpp;
pub mod diagram;
pub mod draw;
pub mod elements;
mod error;
pub mod flat;
pub mod ir;
pub mod load;
pub mod lower;
pub mod picture;
pub mod property;
pub mod run;
pub mod sequence;
pub mod story;
mod svg;
pub mod table;
pub mod trace;
pub mod uml;

pub use error::{ModelError, Result};
