//! Types of bitstrings by their sizes.

use super::Reader;
use super::builtin::constant;
use crate::etf::Term;
use crate::types::{Type, TypeId};

impl Reader<'_> {
    /// Bitstrings of some size: `binary()`, `<<_:M, _:_*N>>`.
    pub(super) fn bits(&mut self, name: &str, args: &[Term]) -> TypeId {
        let number = |at: usize| args.get(at).and_then(|arg| constant(arg, self.atoms)).and_then(|value| usize::try_from(value).ok());
        let (least, unit) = match (name, number(0), number(1)) {
            (_, Some(least), unit) => (least, unit.unwrap_or(0)),
            ("nonempty_binary", ..) => (8, 8),
            ("nonempty_bitstring", ..) => (1, 1),
            _ => (0, 8),
        };
        if !matches!(unit, 0 | 1 | 8) {
            self.note(format!("of the type <<_:{least}, _:_*{unit}>> only the smallest sizes are made"));
        }
        self.types.add(Type::Bits(least, unit))
    }
}
