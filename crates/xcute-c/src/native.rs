//! Failures repeated on the uninstrumented program.
