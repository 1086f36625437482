//! The binary: arguments, exit codes, progress line. The only crate that prints.

fn main() {}
