//! Why a model was refused: what, where, and what to do.

use thiserror::Error;

use crate::ir::Place;

/// A model that cannot be read or is not a model.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
#[error("{place}: {message}")]
pub struct ModelError {
    /// Where.
    pub place: Place,
    /// What, and what to do.
    pub message: String,
}

/// The result of everything that can find a model to be wrong.
pub type Result<T> = std::result::Result<T, ModelError>;

impl ModelError {
    /// An error at a place.
    pub fn new(place: &Place, message: impl Into<String>) -> ModelError {
        ModelError { place: place.clone(), message: message.into() }
    }
}
