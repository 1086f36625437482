//! Instrumented programs are run, and every node and condition they record is compared with what they did.

mod addresses;
mod exact;
mod models;
mod opcodes;
mod probe;
mod unmodelled;
mod visible;
