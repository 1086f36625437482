//! The tests of this crate in one program: it links and lists in a fraction of the time that one for each file takes.

mod builtins_oracle;
mod builtins_table;
mod common;
mod conformance;
mod constrained;
mod constraints;
mod constraints_oracle;
mod fit;
mod goals;
mod language;
mod library;
mod oracle;
mod paper;
mod plunit;
mod roundtrip;
mod subject;
mod support;
mod swipl;
mod swipl_oracle;
mod symbolic;
mod tabling;
mod text;
mod typed;
mod universe;
mod workers;
