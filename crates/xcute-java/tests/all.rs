//! The tests of this crate in one program: it links and lists in a fraction of the time that one for each file takes.

mod conformance;
mod junit;
mod misdeeds;
mod oracle;
mod races;
mod schedules;
mod statics;
mod support;
mod truth;
