//! From the user's options to a subject that is ready to run.
