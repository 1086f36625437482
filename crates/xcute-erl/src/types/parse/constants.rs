//! Types of terms that come out of a table: which of its constants are of the type, and one that is, if there is none.

use super::Reader;
use super::builtin::constant;
use crate::etf::Term;
use crate::types::{Type, TypeId};
use crate::universe::BITS;
use xcute_term::CtorId;

impl Reader<'_> {
    fn table(&mut self, kind: CtorId) -> &mut Vec<Term> {
        &mut self.tables[(kind.index - BITS.index) as usize]
    }

    /// The places of a kind's constants that pass a test.
    fn places(&mut self, kind: CtorId, test: impl Fn(&Term) -> bool) -> Box<[u32]> {
        (0..).zip(self.table(kind).iter()).filter(|(_, term)| test(term)).map(|(place, _)| place).collect()
    }

    /// Bitstrings of some size: `binary()`, `<<_:M, _:_*N>>`.
    pub(super) fn bits(&mut self, name: &str, args: &[Term]) -> TypeId {
        let number = |at: usize| args.get(at).and_then(|arg| constant(arg, self.atoms)).and_then(|value| usize::try_from(value).ok());
        let (least, unit) = match (name, number(0), number(1)) {
            (_, Some(least), unit) => (least, unit.unwrap_or(0)),
            ("nonempty_binary", ..) => (8, 8),
            ("nonempty_bitstring", ..) => (1, 1),
            _ => (0, 8),
        };
        let fits = |bits: usize| bits == least || (unit > 0 && bits > least && (bits - least).is_multiple_of(unit));
        if self.places(BITS, |term| matches!(term, Term::Bits(_, bits) if fits(*bits))).is_empty() {
            self.table(BITS).push(Term::Bits(vec![0; least.div_ceil(8)].into(), least));
        }
        let places = self.places(BITS, |term| matches!(term, Term::Bits(_, bits) if fits(*bits)));
        self.types.add(Type::Tabled(BITS, Some(places)))
    }
}
