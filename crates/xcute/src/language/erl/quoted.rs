//! Names in source text.

use xcute_erl::etf::{Atoms, Term};
use xcute_erl::universe::shown;

/// A name as source text has it.
pub fn quoted(name: &str) -> String {
    let mut atoms = Atoms::new();
    let atom = Term::Atom(atoms.intern(name));
    shown(&atom, &atoms)
}
