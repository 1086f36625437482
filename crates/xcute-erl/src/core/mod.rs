//! Core Erlang: the compiler's intermediate language, in which programs are instrumented and followed.
//!
//! [`read`](read::read) takes the records of `core_parse.hrl` as they come from `compile:forms(…, [to_core, no_copt])`, [`normalise`](normalise::normalise)
//! leaves fewer constructs and numbers the places that tell events, [`write`](write::write) gives records back. Carlsson et al., "Core Erlang 1.0.3 language
//! specification", 2004, with the additions of OTP up to 27 (maps, `letrec_goto`, `c_opaque`).
//!
//! **Invariant.** Reading and writing without a change between gives the same terms.

pub mod ast;
mod location;
pub mod normalise;
pub mod read;
pub mod write;

pub use location::Location;
