//! Values on the stack and in locals: what the run had, and what it depends on.

use super::nodes::Node;

/// A value. `int` and smaller types, `float` and references have 32 bits; a reference is the number of an object of the replay, 0 for null.
/// Values of two places have a second one that holds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) bits: u64,
    pub(crate) node: Node,
}

impl Value {
    pub(crate) const NOTHING: Value = Value { bits: 0, node: 0 };

    pub(crate) fn concrete(bits: u64) -> Value {
        Value { bits, node: 0 }
    }

    pub(crate) fn int(value: i32) -> Value {
        Value::concrete(u64::from(value.cast_unsigned()))
    }

    pub(crate) fn as_int(self) -> i32 {
        (self.bits as u32).cast_signed()
    }

    pub(crate) fn as_long(self) -> i64 {
        self.bits.cast_signed()
    }

    pub(crate) fn as_float(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    pub(crate) fn as_double(self) -> f64 {
        f64::from_bits(self.bits)
    }

    pub(crate) fn as_object(self) -> u32 {
        self.bits as u32
    }
}
