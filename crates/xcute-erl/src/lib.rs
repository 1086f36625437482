//! The Erlang front end.
pub mod calls;
pub mod core;
pub mod etf;
pub mod flat;
pub mod instrument;
pub mod paper;
mod processes;
pub mod program;
pub mod replay;
pub mod subject;
pub mod types;
pub mod universe;
pub mod vm;
