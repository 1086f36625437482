//! A project: `xcute.toml`, its entries, and running them.
//!
//! [`mod@find`] looks for the file, [`source`] reads it with the line of each key, [`settings`] makes command lines of keys, [`manifest`] is what the file says, [`mod@write`]
//! makes a first one, and [`again`] runs a command line in a process of its own. [`baseline`] is what is known to fail, and [`kept`] the
//! cases that are repeated before a search.
//!
//! **Invariant.** Nothing here names a language or an option of one: a key of an entry is an option of its command, and is checked by the parser of that command.

mod again;
mod baseline;
mod budget;
mod find;
mod kept;
mod manifest;
mod settings;
mod source;
mod write;

pub use again::{Again, Running, run};
pub use baseline::{Baseline, KnownFailure, Reach};
pub use budget::Budget;
pub use find::{FILE, find};
pub use kept::{Keeper, Reruns};
pub use manifest::{Entry, Manifest, OUT};
pub use settings::{CommandLine, proposed};
pub use write::{MOST, text};
