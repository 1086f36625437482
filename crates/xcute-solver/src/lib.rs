//! Solving: the [`Solver`] trait, and layers that are solvers owning a solver.
//!
//! One file per layer; [`Chain`] puts them together. Real solvers are adapters in other crates, which instantiate the
//! [`conformance`] suite.
//!
//! **Invariant.** A solver never sees a site, a language or a clock; effort comes in as a budget. "Unknown" is an answer.
//! A chain serves one arena of terms.

pub mod conformance;

mod bound;
mod cached;
mod chain;
mod checked;
mod crossed;
mod domains;
mod exhausted;
mod fallback;
mod float_ranges;
mod float_search;
mod implied;
mod lazy;
mod logged;
mod marks;
mod opt1;
mod opt2;
mod opt3;
mod orders;
mod pointers;
mod relaxed;
mod shortcut;
mod smaller;
mod solver;
mod timed;
mod trial;
mod with_floats;

pub use cached::Cached;
pub use chain::{Chain, ChainOptions, left_for_backends};
pub use checked::Checked;
pub use crossed::{Crossed, contradicted};
pub use domains::{Domains, domain_constraints};
pub use exhausted::Exhausted;
pub use fallback::Fallback;
pub use float_ranges::FloatRanges;
pub use float_search::FloatSearch;
pub use implied::Implied;
pub use lazy::Lazy;
pub use logged::{Logged, Sink};
pub use opt1::FastUnsat;
pub use opt2::Condensed;
pub use opt3::Sliced;
pub use orders::Orders;
pub use pointers::Pointers;
pub use relaxed::Relaxed;
pub use shortcut::Shortcut;
pub use solver::{Answer, Count, Effort, Layer, Query, Solver, Why};
