//! The functions of the module `erlang` that the replay knows by heart.
//!
//! All of them are pure: of the same arguments they give the same value or exception, and nothing else can tell that they were called.

use rustc_hash::FxHashMap;

use crate::etf::{Atom, Atoms};

macro_rules! bifs {
    ($($name:ident $text:literal $arity:literal),* $(,)?) => {
        /// A function that the replay computes itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the names are those of the functions")]
        pub enum Bif { $($name),* }

        const ALL: &[(Bif, &str, u32)] = &[$((Bif::$name, $text, $arity)),*];
    };
}

bifs! {
    IsAtom "is_atom" 1, IsBinary "is_binary" 1, IsBitstring "is_bitstring" 1, IsBoolean "is_boolean" 1, IsFloat "is_float" 1,
    IsFunction "is_function" 1, IsFunction2 "is_function" 2, IsInteger "is_integer" 1, IsList "is_list" 1, IsMap "is_map" 1,
    IsMapKey "is_map_key" 2, IsNumber "is_number" 1, IsPid "is_pid" 1, IsPort "is_port" 1, IsRecord2 "is_record" 2, IsRecord3 "is_record" 3,
    IsReference "is_reference" 1, IsTuple "is_tuple" 1,
    Equal "==" 2, NotEqual "/=" 2, Same "=:=" 2, NotSame "=/=" 2, Less "<" 2, Greater ">" 2, LessEqual "=<" 2, GreaterEqual ">=" 2,
    Min "min" 2, Max "max" 2,
    And "and" 2, Or "or" 2, Xor "xor" 2, Not "not" 1,
    Add "+" 2, Subtract "-" 2, Multiply "*" 2, Divide "/" 2, Div "div" 2, Rem "rem" 2, Plus "+" 1, Negate "-" 1,
    Abs "abs" 1, Float "float" 1, Trunc "trunc" 1, Round "round" 1, Floor "floor" 1, Ceil "ceil" 1,
    Band "band" 2, Bor "bor" 2, Bxor "bxor" 2, Bnot "bnot" 1, Bsl "bsl" 2, Bsr "bsr" 2,
    Hd "hd" 1, Tl "tl" 1, Length "length" 1, Element "element" 2, SetElement "setelement" 3, TupleSize "tuple_size" 1, Size "size" 1,
    TupleToList "tuple_to_list" 1, ListToTuple "list_to_tuple" 1, MakeTuple "make_tuple" 2, AppendElement "append_element" 2,
    MapSize "map_size" 1, MapGet "map_get" 2, BitSize "bit_size" 1, ByteSize "byte_size" 1,
    BinaryPart2 "binary_part" 2, BinaryPart3 "binary_part" 3, AtomToList "atom_to_list" 1,
    Error "error" 1, Error2 "error" 2, Error3 "error" 3, Exit "exit" 1, Throw "throw" 1, Raise "raise" 3, MakeFun "make_fun" 3,
}

/// The functions by name.
#[derive(Clone, Debug)]
pub struct Bifs(FxHashMap<(Atom, u32), Bif>);

impl Bifs {
    /// The table, in terms of these atoms.
    #[must_use]
    pub fn new(atoms: &mut Atoms) -> Bifs {
        Bifs(ALL.iter().map(|&(bif, name, arity)| ((atoms.intern(name), arity), bif)).collect())
    }

    /// The function of `erlang` with this name.
    #[must_use]
    pub fn get(&self, name: Atom, arity: u32) -> Option<Bif> {
        self.0.get(&(name, arity)).copied()
    }
}

impl Bif {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        ALL[self as usize].1
    }
}
