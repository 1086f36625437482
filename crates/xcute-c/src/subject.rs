//! A C program under test, as a [`xcute_trace::Subject`].
