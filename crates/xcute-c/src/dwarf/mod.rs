//! The types and functions of a program, read from its debugging information.
