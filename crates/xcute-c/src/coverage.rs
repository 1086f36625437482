//! Coverage: what the bytes of the coverage map say about lines, branches and functions.
