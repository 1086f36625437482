//! The standalone test: one readable C file that fails as the case did.
