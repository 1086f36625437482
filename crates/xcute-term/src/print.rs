//! Printing: for people, and as SMT-LIB.
