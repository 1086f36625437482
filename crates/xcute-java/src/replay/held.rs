//! What strings and builders hold.
//!
//! A text has a length and characters, each a number with what it depends on. The length of an input's string depends on the input, too; then there are as
//! many characters as there can be, and those after the end mean nothing.

use std::sync::Arc;

use super::value::Value;
use crate::program::body::MethodId;

/// What a string or a builder holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) length: Value,
    pub(crate) units: Vec<Value>,
}

impl Text {
    /// Characters that no input decides.
    pub(crate) fn concrete(units: impl Iterator<Item = u16>) -> Text {
        let units: Vec<Value> = units.map(|unit| Value::concrete(u64::from(unit))).collect();
        Text { length: Value::concrete(units.len() as u64), units }
    }

    /// Characters, all of them.
    pub(crate) fn of(units: Vec<Value>) -> Text {
        Text { length: Value::concrete(units.len() as u64), units }
    }

    /// Whether an input decides some of it.
    pub(crate) fn is_symbolic(&self) -> bool {
        self.length.node != 0 || self.units.iter().any(|unit| unit.node != 0)
    }

    /// The characters that the run had.
    pub(crate) fn present(&self) -> Vec<u16> {
        self.units.iter().take(self.length.bits as usize).map(|unit| unit.bits as u16).collect()
    }
}

/// Where a text is.
#[derive(Clone, Debug, Default)]
pub(crate) enum Held {
    /// Nobody knows.
    #[default]
    Unknown,
    /// It is a constant of a method.
    Literal(MethodId, u32),
    /// It is this.
    Text(Arc<Text>),
    /// It cannot be reported: it is too long.
    TooLong,
    /// It depends on inputs in a way that nobody knows; what made it. That counts when somebody looks at it.
    Lost(Arc<str>),
}
