//! Atoms, each kept once and compared by number.
//!
//! **Invariant.** The atoms that code of ours mentions have the same numbers in every table, so they are constants here.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// An atom of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(pub u32);

macro_rules! known {
    ($($name:ident = $text:literal),* $(,)?) => {
        known!(@ 0u32; $($name,)*);
        const KNOWN: &[&str] = &[$($text),*];
    };
    (@ $number:expr; $name:ident, $($rest:ident,)*) => {
        impl Atom {
            #[allow(missing_docs, reason = "the atom of that name")]
            pub const $name: Atom = Atom($number);
        }
        known!(@ $number + 1; $($rest,)*);
    };
    (@ $number:expr;) => {};
}

known! {
    TRUE = "true", FALSE = "false", OK = "ok", ERROR = "error", EXIT = "exit", THROW = "throw", UNDEFINED = "undefined",
    BADARG = "badarg", BADARITH = "badarith", BADMATCH = "badmatch", BADFUN = "badfun", BADARITY = "badarity", BADMAP = "badmap",
    BADKEY = "badkey", BADRECORD = "badrecord", CASE_CLAUSE = "case_clause", IF_CLAUSE = "if_clause", TRY_CLAUSE = "try_clause",
    FUNCTION_CLAUSE = "function_clause", ELSE_CLAUSE = "else_clause", UNDEF = "undef", SYSTEM_LIMIT = "system_limit",
    NOCATCH = "nocatch", EXIT_TUPLE = "EXIT", ERLANG = "erlang", NORMAL = "normal", SHUTDOWN = "shutdown", EMPTY = "",
    XCUTE_RT = "xcute_rt", XCUTE_TASKS = "xcute_tasks", LISTS = "lists", INFINITY = "infinity", A = "a",
    C_MODULE = "c_module", C_LITERAL = "c_literal", C_VAR = "c_var", C_CONS = "c_cons", C_TUPLE = "c_tuple", C_MAP = "c_map",
    C_MAP_PAIR = "c_map_pair", C_BINARY = "c_binary", C_BITSTR = "c_bitstr", C_FUN = "c_fun", C_LET = "c_let", C_LETREC = "c_letrec",
    C_CASE = "c_case", C_CLAUSE = "c_clause", C_APPLY = "c_apply", C_CALL = "c_call", C_PRIMOP = "c_primop", C_TRY = "c_try",
    C_CATCH = "c_catch", C_RECEIVE = "c_receive", C_SEQ = "c_seq", C_VALUES = "c_values", C_ALIAS = "c_alias", C_OPAQUE = "c_opaque",
    FILE = "file", COMPILER_GENERATED = "compiler_generated", FUNCTION = "function", ASSOC = "assoc", EXACT = "exact",
    MATCH_FAIL = "match_fail", RAISE = "raise", BUILD_STACKTRACE = "build_stacktrace", LETREC_GOTO = "letrec_goto",
    RECV_PEEK_MESSAGE = "recv_peek_message", REMOVE_MESSAGE = "remove_message", RECV_NEXT = "recv_next",
    RECV_WAIT_TIMEOUT = "recv_wait_timeout", XCUTE_TIMED_OUT = "xcute_timed_out", OPAQUE = "opaque", ON_LOAD = "on_load", MODULE_INFO = "module_info", BINARY = "binary",
    NIF_ERROR = "nif_error", MAKE_FUN = "make_fun", APPLY = "apply", ALL = "all", INTEGER = "integer", FLOAT = "float",
    UTF8 = "utf8", UTF16 = "utf16", UTF32 = "utf32", LITTLE = "little", NATIVE = "native", BIG = "big", SIGNED = "signed",
    UNSIGNED = "unsigned",
}

/// A table of atoms.
#[derive(Clone, Debug)]
pub struct Atoms {
    names: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, Atom>,
}

impl Default for Atoms {
    fn default() -> Atoms {
        Atoms::new()
    }
}

impl Atoms {
    /// The table with the atoms that we mention.
    #[must_use]
    pub fn new() -> Atoms {
        let mut atoms = Atoms { names: Vec::new(), numbers: FxHashMap::default() };
        for name in KNOWN {
            atoms.intern(name);
        }
        atoms
    }

    /// The atom of this name.
    pub fn intern(&mut self, name: &str) -> Atom {
        if let Some(&atom) = self.numbers.get(name) {
            return atom;
        }
        let atom = Atom(u32::try_from(self.names.len()).expect("fewer than 2^32 atoms"));
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, atom);
        atom
    }

    /// The atom of this name, if it is in the table.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Atom> {
        self.numbers.get(name).copied()
    }

    /// The name of an atom.
    #[must_use]
    pub fn name(&self, atom: Atom) -> &str {
        &self.names[atom.0 as usize]
    }

    /// All atoms, in the order in which they were met.
    pub fn all(&self) -> impl Iterator<Item = Atom> + use<> {
        (0..u32::try_from(self.names.len()).expect("fewer than 2^32 atoms")).map(Atom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_atoms_are_where_their_names_are() {
        let mut atoms = Atoms::new();
        assert_eq!(atoms.name(Atom::TRUE), "true");
        assert_eq!(atoms.name(Atom::UNSIGNED), "unsigned");
        assert_eq!(atoms.intern("erlang"), Atom::ERLANG);
        let own = atoms.intern("own");
        assert_eq!((atoms.name(own), atoms.get("own"), atoms.get("other")), ("own", Some(own), None));
    }
}
