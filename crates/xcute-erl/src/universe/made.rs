//! Terms that only functions of their own module make, as inputs: a tag, and what the term is made of.
//!
//! A tree of `gb_trees` is more than its definition says: it is balanced, and its size is right. So an input is a tuple of a tag and of what the tree is made of,
//! and a module around the function under test calls `gb_trees:from_orddict/1` with that. The call is followed like all others.
//!
//! **Invariant.** A tag is not an atom of any program. What comes out of the call is a term that other functions of its module make as well.

use super::quoted::atom_text;
use crate::etf::{Atoms, Term};

/// What tags begin with.
pub const TAG: &str = "$xcute_made ";

/// What a term is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// A list of elements.
    Items,
    /// A list of pairs.
    Pairs,
    /// A map.
    Map,
    /// An empty list.
    Nothing,
}

/// How terms of a type are made.
#[derive(Debug)]
pub struct Maker {
    /// Module, name and number of parameters of the type.
    pub of: (&'static str, &'static str, usize),
    /// What it is made of.
    pub parts: Parts,
    /// The call that makes it of `L`, in the module around the function.
    pub call: &'static str,
    /// What is written before and after `L` for people; nothing where the term is what it is made of.
    shown: [&'static str; 2],
    /// What these terms are, where others exist that nobody but the module itself can tell from them.
    pub bound: Option<&'static str>,
    /// What is missing.
    pub limit: Option<&'static str>,
}

const fn maker(of: (&'static str, &'static str, usize), parts: Parts, call: &'static str, shown: [&'static str; 2]) -> Maker {
    Maker { of, parts, call, shown, bound: None, limit: None }
}

/// All of them.
const MAKERS: &[Maker] = &[
    maker(("ordsets", "ordset", 1), Parts::Items, "ascending(L)", ["", ""]),
    maker(("orddict", "orddict", 2), Parts::Pairs, "ascending_keys(L)", ["", ""]),
    Maker {
        bound: Some("sets as gb_sets:from_ordset/1 makes them"),
        ..maker(("gb_sets", "set", 1), Parts::Items, "gb_sets:from_ordset(ascending(L))", ["gb_sets:from_ordset(", ")"])
    },
    Maker {
        bound: Some("sets as gb_sets:from_ordset/1 makes them"),
        ..maker(
            ("gb_sets", "iter", 1),
            Parts::Items,
            "gb_sets:iterator(gb_sets:from_ordset(ascending(L)))",
            ["gb_sets:iterator(gb_sets:from_ordset(", "))"],
        )
    },
    Maker {
        bound: Some("trees as gb_trees:from_orddict/1 makes them"),
        ..maker(("gb_trees", "tree", 2), Parts::Pairs, "gb_trees:from_orddict(ascending_keys(L))", ["gb_trees:from_orddict(", ")"])
    },
    Maker {
        bound: Some("trees as gb_trees:from_orddict/1 makes them"),
        ..maker(
            ("gb_trees", "iter", 2),
            Parts::Pairs,
            "gb_trees:iterator(gb_trees:from_orddict(ascending_keys(L)))",
            ["gb_trees:iterator(gb_trees:from_orddict(", "))"],
        )
    },
    Maker {
        bound: Some("dictionaries as dict:from_list/1 makes them"),
        ..maker(("dict", "dict", 2), Parts::Pairs, "dict:from_list(L)", ["dict:from_list(", ")"])
    },
    Maker {
        bound: Some("arrays as array:from_list/1 makes them"),
        ..maker(("array", "array", 1), Parts::Items, "array:from_list(L)", ["array:from_list(", ")"])
    },
    maker(("maps", "iterator", 2), Parts::Map, "maps:iterator(L)", ["maps:iterator(", ")"]),
    Maker {
        limit: Some("of digraph:graph() only the empty graph of digraph:new/0 is an input"),
        ..maker(("digraph", "graph", 0), Parts::Nothing, "digraph_of(L)", ["digraph:new()", ""])
    },
    Maker {
        limit: Some("of ets:tid() only an empty table is an input, which is a set and public"),
        ..maker(("ets", "tid", 0), Parts::Nothing, "table_of(L)", ["ets:new(xcute,[public])", ""])
    },
    Maker {
        limit: Some("of ets:compiled_match_spec() only the one that matches all is an input"),
        ..maker(("ets", "compiled_match_spec", 0), Parts::Nothing, "clauses_of(L)", ["ets:match_spec_compile([{'_',[],['$_']}])", ""])
    },
    Maker {
        limit: Some("of re:mp() only the pattern \"a+\" is an input"),
        ..maker(("re", "mp", 0), Parts::Nothing, "expression_of(L)", ["element(2,re:compile(\"a+\"))", ""])
    },
    Maker {
        limit: Some("of binary:cp() only the pattern <<\"a\">> is an input"),
        ..maker(("binary", "cp", 0), Parts::Nothing, "pattern_of(L)", ["binary:compile_pattern(<<\"a\">>)", ""])
    },
    Maker {
        limit: Some("of atomics:atomics_ref() only an array of one 0 is an input"),
        ..maker(("atomics", "atomics_ref", 0), Parts::Nothing, "atomics_of(L)", ["atomics:new(1,[])", ""])
    },
    Maker {
        limit: Some("of counters:counters_ref() only an array of one 0 is an input"),
        ..maker(("counters", "counters_ref", 0), Parts::Nothing, "counters_of(L)", ["counters:new(1,[])", ""])
    },
    Maker {
        limit: Some("of rand:state() only the one of the seed 1 is an input"),
        ..maker(("rand", "state", 0), Parts::Nothing, "seed_of(L)", ["rand:seed_s(exsss,1)", ""])
    },
    Maker {
        limit: Some("of zlib:zstream() only a new one is an input"),
        ..maker(("zlib", "zstream", 0), Parts::Nothing, "stream_of(L)", ["zlib:open()", ""])
    },
    Maker {
        limit: Some("of file:fd() only an empty file that is open for reading is an input"),
        ..maker(("file", "fd", 0), Parts::Nothing, "file_of(L)", ["element(2,file:open(\"/dev/null\",[raw,read]))", ""])
    },
    Maker {
        limit: Some("of file:io_device() only an empty file that is open for reading is an input"),
        ..maker(("file", "io_device", 0), Parts::Nothing, "file_of(L)", ["element(2,file:open(\"/dev/null\",[raw,read]))", ""])
    },
];

/// The functions that calls of makers use.
pub const HELPERS: &str = "\
ascending(L) -> ascend(L), L.
ascend([A | [B | _] = Rest]) -> case A < B of true -> ascend(Rest); false -> erlang:exit(xcute_rejected) end;
ascend(_) -> ok.
ascending_keys(L) -> ascend_keys(L), L.
ascend_keys([{A, _} | [{B, _} | _] = Rest]) -> case A < B of true -> ascend_keys(Rest); false -> erlang:exit(xcute_rejected) end;
ascend_keys(_) -> ok.
digraph_of([]) -> digraph:new().
table_of([]) -> ets:new(xcute, [public]).
clauses_of([]) -> ets:match_spec_compile([{'_', [], ['$_']}]).
expression_of([]) -> element(2, re:compile(\"a+\")).
pattern_of([]) -> binary:compile_pattern(<<\"a\">>).
atomics_of([]) -> atomics:new(1, []).
counters_of([]) -> counters:new(1, []).
seed_of([]) -> rand:seed_s(exsss, 1).
stream_of([]) -> zlib:open().
file_of([]) -> element(2, file:open(\"/dev/null\", [raw, read])).
";

/// The maker of a type.
#[must_use]
pub fn find(module: &str, name: &str, parameters: usize) -> Option<&'static Maker> {
    MAKERS.iter().find(|maker| maker.of == (module, name, parameters))
}

/// The modules with such types.
pub fn modules() -> impl Iterator<Item = &'static str> {
    MAKERS.iter().map(|maker| maker.of.0)
}

/// The maker with a tag.
#[must_use]
pub fn of_tag(tag: &str) -> Option<&'static Maker> {
    let (module, name) = tag.strip_prefix(TAG)?.split_once(':')?;
    MAKERS.iter().find(|maker| (maker.of.0, maker.of.1) == (module, name))
}

/// A function of the program that makes terms of an opaque type of its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constructor<'a> {
    /// The module.
    pub module: &'a str,
    /// The function.
    pub function: &'a str,
    /// Whether it returns the term in a tuple with `ok`.
    pub ok: bool,
}

impl Constructor<'_> {
    /// The tag of terms that it makes of this many arguments.
    #[must_use]
    pub fn tag(&self, arity: usize) -> String {
        format!("{TAG}{}{}:{}/{arity}", if self.ok { "ok " } else { "" }, self.module, self.function)
    }
}

/// The constructor with a tag.
#[must_use]
pub fn constructor(tag: &str) -> Option<Constructor<'_>> {
    let (of, _) = tag.strip_prefix(TAG)?.rsplit_once('/')?;
    let (of, ok) = of.strip_prefix("ok ").map_or((of, false), |of| (of, true));
    let (module, function) = of.split_once(':')?;
    Some(Constructor { module, function, ok })
}

/// How a term is written that an input stands for: what is before and after its parts, and these.
#[must_use]
pub fn written<'a>(term: &'a Term, atoms: &Atoms) -> Option<(String, &'a [Term], &'static str)> {
    let (Term::Atom(tag), parts) = term.tuple()?.split_first()? else { return None };
    let tag = atoms.name(*tag);
    if let Some(Constructor { module, function, ok }) = constructor(tag) {
        let (module, function) = (atom_text(module), atom_text(function));
        return Some(match ok {
            true => (format!("element(2,{module}:{function}("), parts, "))"),
            false => (format!("{module}:{function}("), parts, ")"),
        });
    }
    let maker = of_tag(tag).filter(|_| parts.len() == 1)?;
    Some((maker.shown[0].to_owned(), if maker.parts == Parts::Nothing { &[] } else { parts }, maker.shown[1]))
}
