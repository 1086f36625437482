//! Flat programs: what the replay follows.
//!
//! The language of [palacios-vidal-2015 Fig. 3], extended to all of Core Erlang: arguments of calls and of `case`, and what functions return, are
//! patterns; everything else is the right-hand side of a `let` or the end of a body. Variables are slots of a frame, each bound once, as the paper asks for;
//! closures list what they capture.
//!
//! **Invariant.** A flat program has the sites and event numbers of the instrumented copy it belongs to, in the same places.

pub mod code;
mod expr;
mod lower;
mod pattern;

pub use code::{Case, Clause, Code, Expr, ExprId, FunId, Function, LitId, Pat, PatId, Place, PlaceId, Primop, Segment, Slot, Spot};
pub use lower::{Lowered, Lowering};
