//! From program counters to functions, files and lines.
