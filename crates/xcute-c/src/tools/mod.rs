//! The tools of the system: the compiler ([`toolchain`], [`fork_server`], [`job`]), its languages ([`language`]), flags ([`flags`]) and headers ([`headers`], [`system`]), names of
//! C++ ([`demangle`]), what we write ([`files`]), and directories for programs to work in ([`scratch`]).
//!
//! **Invariant.** Nothing here knows another room.

pub mod demangle;
pub mod files;
pub mod flags;
mod fork_server;
pub mod headers;
pub mod job;
pub mod language;
pub mod scratch;
pub mod system;
pub mod toolchain;
mod toolchain_error;
