//! Failures of runs: counted, made smaller, confirmed.

pub(crate) mod data_races;
pub(crate) mod failed;
pub(crate) mod found;
pub(crate) mod later;
pub(crate) mod minimise;
