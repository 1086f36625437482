//! Classes that are models: written for xcute, in place of the JDK's. They are followed like copies, and have the names of copies.

use super::names;

/// Classes that have a model: it is taken in place of the JDK's.
const MODELS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// The model of a class.
pub(super) fn model(name: &str) -> Option<&'static [u8]> {
    MODELS.iter().find(|model| model.0 == name).map(|model| model.1)
}

/// Whether the model of a class is for programs with threads only.
pub(super) fn is_for_threads(name: &str) -> bool {
    name.starts_with("java/util/concurrent/") && !name.starts_with("java/util/concurrent/atomic/") || name.starts_with("java/lang/invoke/")
}

/// Whether the objects of a model, by the name of its copy, hold what each thread has for itself: accesses to them are not operations that others see.
pub(super) fn is_private(copy: &str) -> bool {
    matches!(names::original(copy), "java/lang/ThreadLocal" | "java/lang/ThreadLocal$Value") && copy.starts_with(names::COPIES)
}

/// Whether a class, by the name of its copy, is a model.
pub(super) fn is_model(copy: &str) -> bool {
    copy.starts_with(names::COPIES) && model(names::original(copy)).is_some()
}
