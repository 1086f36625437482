//! The tools of the system: the compiler ([`toolchain`], [`fork_server`], [`job`], what it made before: [`made`]), its languages ([`language`]), flags ([`flags`]) and headers ([`headers`], [`system`]), names of
//! C++ ([`demangle`]), what we write ([`files`]), and directories for programs to work in ([`scratch`]).
//!
//! **Invariant.** Nothing here knows another room.

mod arguments;
pub mod demangle;
pub mod dependencies;
pub mod files;
pub mod flags;
mod fork_server;
pub mod headers;
pub mod job;
pub mod language;
mod made;
pub mod scratch;
pub mod system;
pub mod toolchain;
mod toolchain_error;
