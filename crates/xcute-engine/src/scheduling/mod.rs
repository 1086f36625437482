//! Runs of several tasks: which schedules are run, and what the workers know of them.

pub(crate) mod explored;
pub(crate) mod sample;
pub(crate) mod shared;
