//! Names of a run: atoms, functors, strings and large integers, each kept once and compared by number.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::cell::{Cell, FunctorId};
use crate::syntax::{Atom, Atoms};

/// All names.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// The atoms.
    pub atoms: Atoms,
    functors: Vec<(Atom, u32)>,
    functor_ids: FxHashMap<(Atom, u32), FunctorId>,
    strings: Vec<Arc<str>>,
    string_ids: FxHashMap<Arc<str>, u32>,
    bigs: Vec<BigInt>,
    big_ids: FxHashMap<BigInt, u32>,
    /// The size of strings and large integers.
    bytes: usize,
}

/// Strings and large integers up to a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    strings: usize,
    bigs: usize,
}

impl Symbols {
    /// The names of a program.
    #[must_use]
    pub fn new(atoms: Atoms) -> Symbols {
        Symbols {
            atoms,
            functors: Vec::new(),
            functor_ids: FxHashMap::default(),
            strings: Vec::new(),
            string_ids: FxHashMap::default(),
            bigs: Vec::new(),
            big_ids: FxHashMap::default(),
            bytes: 0,
        }
    }

    /// The size of all texts and large integers.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.atoms.bytes()
    }

    /// The strings and large integers that there are now.
    pub(crate) fn names(&self) -> Names {
        Names { strings: self.strings.len(), bigs: self.bigs.len() }
    }

    /// Forgets the strings and large integers that were made since. Nothing may have their numbers any longer.
    pub(crate) fn forget(&mut self, names: Names) {
        for text in self.strings.drain(names.strings..) {
            self.bytes -= text.len();
            self.string_ids.remove(&text);
        }
        for value in self.bigs.drain(names.bigs..) {
            self.bytes -= size(&value);
            self.big_ids.remove(&value);
        }
    }

    /// The functor with this name and arity.
    pub fn functor(&mut self, name: Atom, arity: u32) -> FunctorId {
        *self.functor_ids.entry((name, arity)).or_insert_with(|| {
            self.functors.push((name, arity));
            FunctorId(number(self.functors.len() - 1))
        })
    }

    /// The functor with this name, given as text, and arity.
    pub(crate) fn functor_named(&mut self, name: &str, arity: u32) -> FunctorId {
        let name = self.atoms.intern(name);
        self.functor(name, arity)
    }

    /// The name of a functor.
    #[must_use]
    pub fn name(&self, functor: FunctorId) -> Atom {
        self.functors[functor.0 as usize].0
    }

    /// The arity of a functor.
    #[must_use]
    pub fn arity(&self, functor: FunctorId) -> u32 {
        self.functors[functor.0 as usize].1
    }

    /// An integer as a cell.
    pub fn integer(&mut self, value: BigInt) -> Cell {
        if let Some(small) = value.to_i64() {
            return Cell::Int(small);
        }
        if let Some(&id) = self.big_ids.get(&value) {
            return Cell::Big(id);
        }
        let id = number(self.bigs.len());
        self.bytes += size(&value);
        self.bigs.push(value.clone());
        self.big_ids.insert(value, id);
        Cell::Big(id)
    }

    /// The integer that a cell is.
    #[must_use]
    pub(crate) fn as_integer(&self, cell: Cell) -> Option<BigInt> {
        match cell {
            Cell::Int(value) => Some(value.into()),
            Cell::Big(id) => Some(self.bigs[id as usize].clone()),
            _ => None,
        }
    }

    /// A string as a cell.
    pub fn string(&mut self, text: &str) -> Cell {
        if let Some(&id) = self.string_ids.get(text) {
            return Cell::Str(id);
        }
        let (id, text) = (number(self.strings.len()), Arc::<str>::from(text));
        self.bytes += text.len();
        self.strings.push(text.clone());
        self.string_ids.insert(text, id);
        Cell::Str(id)
    }

    /// The text of a string.
    #[must_use]
    pub fn text(&self, string: u32) -> &str {
        &self.strings[string as usize]
    }

    /// The texts of all atoms and strings.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.atoms.names().chain(self.strings.iter().map(|text| &**text))
    }

    /// An atom by its text.
    pub fn atom(&mut self, text: &str) -> Cell {
        Cell::Atom(self.atoms.intern(text))
    }
}

/// The size of a large integer, in bytes.
fn size(value: &BigInt) -> usize {
    usize::try_from(value.bits() / 8).unwrap_or(usize::MAX)
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 names")
}
