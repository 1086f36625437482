//! CLP(Z), and CLP(N) with lower bounds of zero: constraints over the integers, as `library(clpfd)` has them.
//!
//! Where all operands are numbers or inputs, a constraint is a condition over the input and is decided exactly. Constraints on variables are kept in the
//! [`store`]; their propagators narrow domains whose bounds may depend on the input, and decide where bounds have to be compared. `label` searches. The store is weaker than a
//! solver: a conjunction of constraints that has no solution may be found out by `label` only, as in SWI-Prolog.
//!
//! Not there: `cumulative`, `disjoint2`, automata.

pub(crate) mod attached;
pub(crate) mod copied;
pub(crate) mod distinct;
pub(crate) mod domain;
pub(crate) mod eliminate;
pub(crate) mod function;
mod holes;
pub(crate) mod linear;
pub(crate) mod post;
pub(crate) mod propagate;
pub(crate) mod reify;
pub(crate) mod size;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod trial;
