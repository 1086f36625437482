//! The C front end: compiles and instruments C, runs it in its own process, and turns what happened into traces.
//!
//! The way of a subject through the files: [`prepare`] checks what was asked and drives the rest; [`tools::toolchain`] finds clang, [`tools::system`] knows whose a header is;
//! [`types::dwarf`] reads the types of the native program, [`types::inputs`] makes the type table of them and [`build::harness`] the C text that asks for
//! the inputs and calls the entry function; [`tools::headers`], [`build::words`] and [`cases::fuzzed`] serve programs written for other tools; [`build::compile`] builds the instrumented executable with [`instrument`]; [`run::subject`] runs it
//! over [`wire`] and [`run::process`], [`run::import`] turns its nodes into terms and [`run::symbolize`] its addresses into places. A case leaves as a
//! [`cases::casefile`], as a [`cases::standalone`] C test, and is confirmed by [`cases::native`];
//! [`cases::sequence`] tells in which order it asks for its inputs.
//! Programs that a build system made with `xcute cc` are [`whole`].
//!
//! **Invariant.** Nothing here knows a solver or a strategy: the engine sees only [`xcute_trace::Subject`].

pub mod build;
pub mod cases;
pub mod instrument;
mod names;
pub mod prepare;
pub mod run;
pub mod tools;
pub mod types;
pub mod whole;
pub mod wire;
