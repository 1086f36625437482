//! The subject's process: memory shared with it, starting, waiting, ending.
