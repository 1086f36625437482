//! From sources and harness to the instrumented executable.
