//! Cases, after their runs: what their inputs are ([`graph`]), as files ([`casefile`]), for people ([`readable`]), for other tools ([`sequence`], [`fuzzed`]), as C
//! tests ([`standalone`]), and repeated on the uninstrumented program ([`native`], [`replay`]).

pub mod casefile;
#[cfg(test)]
pub(crate) mod example;
pub mod fuzzed;
pub mod graph;
pub mod native;
pub mod readable;
pub mod replay;
pub mod sequence;
pub mod standalone;
