//! The compiler: where it is and how it is called.
