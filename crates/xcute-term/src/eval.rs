//! Evaluation of terms under a model.
