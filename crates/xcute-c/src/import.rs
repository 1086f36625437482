//! From the nodes of a run to terms.
