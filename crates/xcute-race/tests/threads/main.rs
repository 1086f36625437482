//! The algorithms against programs with known answers, against the paper's counterexamples, and against an oracle.

mod campaign;
mod generate;
mod known_answers;
mod oracle;
mod programs;
mod random_programs;
mod thread;
mod world;
