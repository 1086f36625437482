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

/// ` (did you mean "…"?)` if one of the names is close to the given one, else nothing.
#[must_use]
pub fn meant<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let close = names.into_iter().map(|other| (strsim::damerau_levenshtein(name, other), other)).min();
    match close {
        Some((distance, other)) if distance <= name.chars().count().div_ceil(3).max(1) => format!(" (did you mean \"{other}\"?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn near_names_are_suggested() {
        assert_eq!(meant("lidr", ["panel", "lidar"]), " (did you mean \"lidar\"?)");
        assert_eq!(meant("x", ["panel", "lidar"]), "");
    }
}
