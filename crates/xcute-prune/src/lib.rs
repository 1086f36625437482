//! Pruning by interpolation: which paths cannot fail because others did not.
//!
//! [jaffar-murali-navas-2013]. Runs come in with what they did to memory between their decisions
//! ([`Run`]); a tree of them is annotated with interpolants; paths on which a state implies the full interpolant of its program point
//! need not be run. [`Pruner`] is the whole of it. One file per algorithm, named as in the paper: `sym_exec`, `unwind_path`, `greedy`,
//! `store` (SUBSUME); interpolants are made by `wp`, `generalise`, `eliminate` and `cap`, and found again by `shelf`.
//!
//! ```text
//! the search runs an input ──► observe(run) ──► Search: pick an arm; covered(node) or finished(node, arm)? then another; else solve and run it
//!                                  │  ▲
//!                     Confirm(input)  confirm(run)          greedy confirmation, while the search waits
//!                                  ▼  │
//!                               run the input
//! ```
//!
//! Beyond the paper: a *horizon* says for how many further decisions an interpolant holds, so that searches with a bound on decisions can prune too.
//!
//! **Invariant.** Independent of any language and of the order of the search; nothing is executed here. A path that is pruned does not fail.

mod bound;
mod cap;
mod context;
mod counters;
mod eliminate;
mod generalise;
mod greedy;
mod history;
mod implied;
mod interpolant;
mod invariants;
mod lookup;
mod options;
#[cfg(test)]
mod properties;
mod pruner;
mod shelf;
mod store;
mod substitution;
mod sym_exec;
mod symbols;
mod tree;
mod unwind_path;
mod wp;

pub use counters::{Counters, Half, Purpose};
pub use interpolant::{Annotation, Clause, Horizon, Interpolant};
#[cfg(feature = "mutants")]
pub use options::Mutant;
pub use options::{Guards, Options, Visits};
pub use pruner::{Next, Pruner};
pub use tree::{Behind, Node, NodeId};
pub use xcute_trace::segments::{Arm, Choice, Decision, End, Point, PointId, Points, Run, Segment};
