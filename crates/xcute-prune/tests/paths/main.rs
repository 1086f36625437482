//! Pruning on a small language: known answers, traps, random programs against the plain search, and broken variants that must be noticed.

mod arithmetic;
mod caps;
mod code;
mod decisions;
mod divergence;
mod driver;
mod generate;
mod known_answers;
mod machine;
mod oracle;
mod order;
mod orders;
mod search;
mod syntax;
mod traps;
