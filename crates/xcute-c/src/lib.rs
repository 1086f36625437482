//! The C front end: compiles and instruments C, runs it in its own process, and turns what happened into traces.
//!
//! Its rooms, each of which knows those before it: `tools` (the compiler, its flags and headers), `types` (what programs and inputs are made of), `instrument`
//! (bitcode in, instrumented object and tables out), `build` (from sources to the instrumented executable), `run` (its process, and what the engine sees of it),
//! `cases` (case files, C tests, and failures repeated on the uninstrumented program), and [`whole`] (programs that a build system made with `xcute cc`).
//! `wire` mirrors the layout of the memory shared with subjects, `names` are those that generated, instrumented and reported code agree on. [`prepare`] checks what
//! was asked and drives the rest.
//!
//! **Invariant.** Nothing here knows a solver or a strategy: the engine sees only [`xcute_trace::Subject`]. What other crates use is listed here, and nothing else is
//! to be seen from outside.

mod build;
mod cases;
mod error;
mod instrument;
mod names;
pub mod prepare;
mod run;
mod tools;
mod types;
pub mod whole;
pub mod wire;

/// Case files.
pub mod casefile {
    pub use crate::cases::casefile::{CaseError, CaseFile, CaseInput, CaseSchedule, VERSION, base};
}

/// Instrumented programs.
pub mod compile {
    pub use crate::instrument::compiled::{Compiled, CoverageItem, FunctionInfo};
}

/// Names of C++.
pub mod demangle {
    pub use crate::tools::demangle::demangled;
}

/// The user's flags for the compiler.
pub mod flags {
    pub use crate::tools::flags::wild;
}

/// Inputs of fuzzers' entries as bytes.
pub mod fuzzed {
    pub use crate::cases::fuzzed::{bytes, most, values};
}

/// Inputs of cases as graphs.
pub mod graph {
    pub use crate::cases::graph::InputGraph;
}

/// Entries and call sequences.
pub mod harness {
    pub use crate::build::harness::{Calls, Sequence};
    pub use crate::names::{FUZZED, MAIN, shown};
}

/// Types of inputs.
pub mod inputs {
    pub use crate::types::inputs::{ArrayLength, Lengths, TypeTable, Variables};
}

/// Failures repeated on the uninstrumented program.
pub mod native {
    pub use crate::cases::native::{Limits, Repetition, Run, Start, debugger, kind_of, shown, start, told};
}

/// Cases repeated on the uninstrumented program.
pub mod replay {
    pub use crate::cases::replay::{HANG, Parts, Replayed, Replayer};
}

/// Inputs in the order in which a program asks for them.
pub mod sequence {
    pub use crate::cases::sequence::{Taken, inputs, other_input};
}

/// Standalone tests.
pub mod standalone {
    pub use crate::cases::standalone::relative;
}

/// Programs under test, as the engine sees them.
pub mod subject {
    pub use crate::run::subject::{CSubject, FollowMutant, Patience, RunOptions};
}

/// What there is to test in the sources of a project.
pub mod survey {
    pub use crate::build::survey::{Callable, Surveyed, survey};
}

/// Whose a file is.
pub mod system {
    pub use crate::tools::system::{GENERATED, is_system};
}

/// The compiler.
pub mod toolchain {
    pub use crate::tools::toolchain::Toolchain;
}
