//! Cells: what terms of a run are made of.

use xcute_term::TermId;

use crate::syntax::Atom;

/// A functor: name and arity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctorId(pub(crate) u32);

/// A term, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A variable: the address of its cell.
    Var(u32),
    /// An atom.
    Atom(Atom),
    /// An integer of a machine word.
    Int(i64),
    /// A larger integer, by its number in the symbols.
    Big(u32),
    /// A float, by its bits.
    Float(u64),
    /// A string, by its number in the symbols.
    Str(u32),
    /// A compound: the address of its functor.
    Struct(u32),
    /// The functor of the compound whose arguments follow.
    Functor(FunctorId),
    /// A ground term that depends on the input: an expression of the universe's sort.
    Sym(TermId),
}
