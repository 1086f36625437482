//! Functions that the run tells and the replay computes.
//!
//! Their values come with the events, as those of all functions that are not followed. Where something that depends on the input goes in, the replay computes
//! the value itself; else it takes what was told, which costs nothing and knows what no program text tells, the order of large maps for example.

use rustc_hash::FxHashMap;

use crate::etf::{Atom, Atoms};

macro_rules! told {
    ($($name:ident $module:literal $text:literal $arity:literal),* $(,)?) => {
        /// A function that is told and computed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are those of the functions")]
        pub enum Told { $($name),* }

        const ALL: &[(Told, &str, &str, u32)] = &[$((Told::$name, $module, $text, $arity)),*];
    };
}

told! {
    MapToList "maps" "to_list" 1, MapKeys "maps" "keys" 1, MapRemove "maps" "remove" 2, MapFromList "maps" "from_list" 1,
    MapFromKeys "maps" "from_keys" 2, MapMerge "maps" "merge" 2,
    BinaryToList "erlang" "binary_to_list" 1, BitstringToList "erlang" "bitstring_to_list" 1, BinToList "binary" "bin_to_list" 1,
    ListToAtom "erlang" "list_to_atom" 1, ListToExistingAtom "erlang" "list_to_existing_atom" 1,
    BinaryToAtom "erlang" "binary_to_atom" 1, BinaryToExistingAtom "erlang" "binary_to_existing_atom" 1,
    BinaryToAtom2 "erlang" "binary_to_atom" 2, BinaryToExistingAtom2 "erlang" "binary_to_existing_atom" 2,
    ListToBinary "erlang" "list_to_binary" 1, IolistToBinary "erlang" "iolist_to_binary" 1,
    Hash "erlang" "phash" 2, Hash2 "erlang" "phash2" 1, Hash2In "erlang" "phash2" 2,
}

impl Told {
    /// Whether it makes a number of any term.
    #[must_use]
    pub fn hashes(self) -> bool {
        matches!(self, Told::Hash | Told::Hash2 | Told::Hash2In)
    }

    /// Whether it makes an atom of a text.
    #[must_use]
    pub fn makes_atom(self) -> bool {
        matches!(
            self,
            Told::ListToAtom
                | Told::ListToExistingAtom
                | Told::BinaryToAtom
                | Told::BinaryToExistingAtom
                | Told::BinaryToAtom2
                | Told::BinaryToExistingAtom2
        )
    }
}

/// The functions by name.
#[derive(Clone, Debug)]
pub struct ToldTable(FxHashMap<(Atom, Atom, u32), Told>);

impl ToldTable {
    /// The table, in terms of these atoms.
    #[must_use]
    pub fn new(atoms: &mut Atoms) -> ToldTable {
        ToldTable(ALL.iter().map(|&(told, module, name, arity)| ((atoms.intern(module), atoms.intern(name), arity), told)).collect())
    }

    /// The function of this name.
    #[must_use]
    pub fn get(&self, module: Atom, name: Atom, arity: u32) -> Option<Told> {
        self.0.get(&(module, name, arity)).copied()
    }

    /// The functions of a module.
    pub fn of(&self, module: Atom) -> impl Iterator<Item = (Atom, u32)> {
        self.0.keys().filter(move |key| key.0 == module).map(|&(_, name, arity)| (name, arity))
    }
}
