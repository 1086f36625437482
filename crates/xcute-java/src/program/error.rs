//! Why a program cannot be prepared.

use std::path::PathBuf;

use thiserror::Error;
use xcute_classfile::ClassError;

/// Why a program cannot be prepared.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// A folder, jar or class cannot be read.
    #[error("cannot read {path}: {why}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        why: std::io::Error,
    },
    /// A class cannot be read or rewritten.
    #[error("cannot follow the class {class}: {why}")]
    Class {
        /// Which, as Java writes it.
        class: String,
        /// Why.
        why: ClassError,
    },
    /// There is no such class.
    #[error("there is no class {0} in the given folders and jars")]
    NoClass(String),
    /// There is no such method.
    #[error("the class {class} has no method {method} ({known})")]
    NoMethod {
        /// The class.
        class: String,
        /// What was asked for.
        method: String,
        /// What there is.
        known: String,
    },
    /// There are several.
    #[error("the class {class} has several methods {method}: add a descriptor, one of {known}")]
    Ambiguous {
        /// The class.
        class: String,
        /// What was asked for.
        method: String,
        /// Their descriptors.
        known: String,
    },
    /// A checker does not fit to what it checks.
    #[error(
        "{checker} cannot be a checker: it must return a boolean and take the first inputs of what it checks, or its object and nothing else"
    )]
    Checker {
        /// Which.
        checker: String,
    },
    /// The methods of a sequence belong to objects of several classes.
    #[error("a sequence has one object: its methods cannot be those of {class} and of {other}")]
    Receivers {
        /// A class.
        class: String,
        /// Another.
        other: String,
    },
    /// A method that has to be followed becomes too long by that.
    #[error("{method} is too long: what xcute inserts makes it longer than the 65535 bytes of code that the JVM allows ({why})")]
    TooLong {
        /// Which.
        method: String,
        /// Why it has to be followed, or what to do.
        why: &'static str,
    },
    /// No object of the class can be made.
    #[error("cannot make an object of {0}: it is abstract or has private constructors only")]
    NoConstructor(String),
}

impl ProgramError {
    /// An error in a class, by its name in internal form.
    pub(crate) fn class(name: &str) -> impl FnOnce(ClassError) -> ProgramError {
        let class = super::names::readable(name);
        move |why| ProgramError::Class { class, why }
    }
}
