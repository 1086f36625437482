//! The tests of this crate in one program: it links and lists in a fraction of the time that one for each file takes.

mod bits;
mod conformance;
mod emulator;
mod ends;
mod functions;
mod known;
mod library;
mod made;
mod maps;
mod names;
mod numbers;
mod oracle;
mod oracle_processes;
mod paper;
mod processes;
mod servers;
mod slice;
mod support;
mod tables;
mod text;
mod time;
mod types;
