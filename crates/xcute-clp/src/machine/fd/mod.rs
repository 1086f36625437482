//! CLP(Z), and CLP(N) with lower bounds of zero: constraints over the integers, as `library(clpfd)` has them.
//!
//! Where all operands are numbers or inputs, a constraint is a condition over the input and is decided exactly. Constraints on variables are kept in the
//! [`store`]; their propagators narrow domains whose bounds may depend on the input, and decide where bounds have to be compared. `label` searches. The store is weaker than a
//! solver: a conjunction of constraints that has no solution may be found out by `label` only, as in SWI-Prolog.
//!
//! Not there: `cumulative`, `disjoint2`, automata.

pub mod copied;
pub mod distinct;
pub mod domain;
pub mod eliminate;
pub mod function;
pub mod linear;
pub mod post;
pub mod propagate;
pub mod reify;
pub mod size;
pub mod store;
pub mod table;
pub mod trial;
