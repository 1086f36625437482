//! The harness: C text that asks for the inputs and calls the entry function.
