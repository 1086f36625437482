//! Atoms: names kept once, compared by number.
//!
//! The atoms that the language itself gives a meaning have fixed numbers, so that code can match on them.
//!
//! **Invariant.** Two atoms of one table are equal iff their numbers are, with one exception that SWI-Prolog makes: the empty list
//! [`Atom::NIL`] and the atom `'[]'` have one spelling and are different.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// An atom, as a number in its [`Atoms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(u32);

impl Atom {
    /// The number, counted from zero in the order of interning.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

macro_rules! known {
    ($($name:ident = $text:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the variants have the names of the constants")]
        enum Number { $($name,)* }

        impl Atom {
            $(#[doc = concat!("The atom `", $text, "`.")] pub const $name: Atom = Atom(Number::$name as u32);)*
        }

        const KNOWN: &[&str] = &[$($text,)*];
    };
}

known! {
    NIL = "[]",
    DOT = "[|]",
    CURLY = "{}",
    MINUS = "-",
    PLUS = "+",
    COMMA = ",",
    BAR = "|",
    SEMICOLON = ";",
    IF_THEN = "->",
    SOFT_IF = "*->",
    NOT = "\\+",
    CUT = "!",
    NECK = ":-",
    QUERY = "?-",
    GRAMMAR = "-->",
    SINGLE_SIDED = "=>",
    COLON = ":",
    SLASH = "/",
    DOUBLE_SLASH = "//",
    STAR = "*",
    EQUALS = "=",
    NOT_EQUALS = "\\=",
    TRUE = "true",
    FALSE = "false",
    FAIL = "fail",
    CALL = "call",
    PERIOD = ".",
    IS = "is",
    END_OF_FILE = "end_of_file",
    DYNAMIC = "dynamic",
    DISCONTIGUOUS = "discontiguous",
    MULTIFILE = "multifile",
    TABLE = "table",
    MODULE = "module",
    USE_MODULE = "use_module",
    LIBRARY = "library",
    INITIALIZATION = "initialization",
    OP = "op",
    SET_PROLOG_FLAG = "set_prolog_flag",
    PRED = "pred",
    MODE = "mode",
    TYPE = "type",
    REGTYPE = "regtype",
    LONG_ARROW = "--->",
    STRICT_EQUAL = "==",
    PLDOC_COLON = "::",
    VAR_FUNCTOR = "$VAR",
    QUESTION = "?",
    COLON_MODE = "++",
    IGNORED = "--",
    ERROR = "error",
    CUT_TO = "call_cleanup",
    PHRASE = "phrase",
    STRING = "string",
    CODES = "codes",
    CHARS = "chars",
    ATOM = "atom",
}

/// The table of atoms of a program.
#[derive(Clone, Debug)]
pub struct Atoms {
    /// The size of all names.
    bytes: usize,
    names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, Atom>,
}

impl Default for Atoms {
    fn default() -> Self {
        let mut atoms = Atoms { bytes: 0, names: Vec::with_capacity(256), numbers: FxHashMap::default() };
        for (number, text) in KNOWN.iter().enumerate() {
            let name: Arc<str> = Arc::from(*text);
            atoms.names.push(name.clone());
            // The empty list is not found by its name: that is the atom '[]'.
            if number != Atom::NIL.index() {
                let before = atoms.numbers.insert(name, Atom(u32::try_from(number).expect("a short list")));
                debug_assert!(before.is_none(), "{text} is listed twice");
            }
        }
        atoms
    }
}

impl Atoms {
    /// The atom with this name; `[]` gives the atom `'[]'`, which is not the empty list.
    pub fn intern(&mut self, name: &str) -> Atom {
        if let Some(&atom) = self.numbers.get(name) {
            return atom;
        }
        let atom = Atom(u32::try_from(self.names.len()).expect("fewer than 2^32 atoms"));
        let name: Arc<str> = Arc::from(name);
        self.bytes += name.len();
        self.names.push(name.clone());
        self.numbers.insert(name, atom);
        atom
    }

    /// How large all names are that were added, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The atom with this name, if any term has it.
    pub fn get(&self, name: &str) -> Option<Atom> {
        self.numbers.get(name).copied()
    }

    /// The name.
    pub fn name(&self, atom: Atom) -> &str {
        &self.names[atom.index()]
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never true: some atoms are always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_atoms_are_found_by_name() {
        let mut atoms = Atoms::default();
        assert_eq!(atoms.len(), KNOWN.len());
        assert_eq!(atoms.intern(":-"), Atom::NECK);
        assert_eq!(atoms.intern("[|]"), Atom::DOT);
        assert_eq!(atoms.name(Atom::NIL), "[]");
        let foo = atoms.intern("foo");
        assert_eq!((atoms.intern("foo"), atoms.get("foo"), atoms.get("bar")), (foo, Some(foo), None));
    }

    #[test]
    fn the_empty_list_is_no_atom_of_that_name() {
        let mut atoms = Atoms::default();
        let quoted = atoms.intern("[]");
        assert_ne!(quoted, Atom::NIL);
        assert_eq!(atoms.name(quoted), atoms.name(Atom::NIL));
    }
}
