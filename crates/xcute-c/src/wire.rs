//! The block of memory shared with the subject: Rust's view of `runtimes/c/wire.h`.
