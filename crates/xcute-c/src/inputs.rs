//! The type table: what an input of each type is made of.
