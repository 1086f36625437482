//! What a campaign leaves: the results directory, its journal, its failures and its summary.

mod directory;
pub mod failures;
pub mod journal;
pub mod origin;
mod sources;
pub mod summary;

pub use directory::{Directory, SUMMARY, case_files, discard};
pub use sources::{Sources, digest};
