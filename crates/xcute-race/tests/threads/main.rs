//! The algorithms against programs with known answers, against the paper's counterexamples, and against an oracle.

mod agree;
mod campaign;
#[macro_use]
mod programs;
mod counterexamples;
mod deadlocks;
mod fallbacks;
mod generate;
mod giving_up;
mod known_answers;
mod long_runs;
mod oracle;
mod random_programs;
mod relations;
mod run_lists;
mod thread;
mod world;
