//! Whole programs: built by the user's own build system with `xcute cc`, explored from `main`.
//!
//! [`driver`] is the compiler that stands in for clang: it builds what clang builds and lets every object carry its bitcode (`carried`).
//! `parts` takes the bitcode out of the executable, [`build`] makes an instrumented program of it, which the `cache` keeps; [`world`] says what of the program's
//! surroundings (arguments, standard input, files, environment) is symbolic and writes the harness that makes it so. A case is a
//! [`launch`]: it is confirmed by running the executable itself ([`confirm`]), kept as a [`case`], and written as a shell [`script`].
//!
//! **Invariant.** The executable that the build made is the uninstrumented program: nothing here changes what it does.

pub mod build;
mod cache;
mod carried;
pub mod case;
pub mod confirm;
pub mod driver;
pub mod launch;
mod link;
mod ordered;
mod parts;
pub mod script;
mod words;
pub mod world;
