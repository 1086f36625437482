//! Pruning in the loop: which arms need not be tried.

pub(crate) mod annotated;
mod confirm;
pub(crate) mod interpolation;
pub(crate) mod options;
mod seats;
mod worth;
