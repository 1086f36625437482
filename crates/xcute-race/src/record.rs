//! The record of a run: see [`xcute_trace::Record`]. Nothing is executed in this crate.

pub use xcute_trace::{End, Next, NodeKey, Record, Step};
