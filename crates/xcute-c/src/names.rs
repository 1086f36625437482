//! Names that what we write, what we instrument and what we report agree on.
//!
//! **Invariant.** Those that begin with `xcute_` are in no program under test.

/// The function that the runtime calls.
pub const HARNESS: &str = "xcute_harness";
/// The entry that fuzzers call with some bytes and their number.
pub const FUZZED: &str = "LLVMFuzzerTestOneInput";
/// What `main` is called in subjects.
pub const MAIN: &str = "xcute_subject_main";
/// The function that builds what an entry of C++ needs, and calls it.
pub const WRAPPER: &str = "xcute_wrapper";
/// What the names of functions begin with that say which call broke an object.
pub const AFTER: &str = "xcute_after_";
/// What the symbols of aliases begin with, of functions that only their file sees.
pub const STATIC: &str = "xcute_static_";
/// SV-COMP's customary names of assumptions. Where a program defines one itself, it ends in `abort` or in a loop that nothing leaves.
pub const ASSUMPTIONS: [&str; 2] = ["__VERIFIER_assume", "assume_abort_if_not"];

/// The name of a function as the user wrote it.
#[must_use]
pub fn shown(name: &str) -> &str {
    if name == MAIN { "main" } else { name }
}
