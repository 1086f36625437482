//! Instrumented programs are run, and every node and condition they record is compared with what they did.

mod exact;
mod probe;
mod unmodelled;
