//! Variables: what the inputs of a program consist of.
//!
//! CUTE's logical input map: a variable is an input itself, or a part of the object that an earlier variable owns. A reference is null, the object that its
//! variable owns, or one that another variable owns. Variables are made when a run first reads them, so the map grows with what the
//! program looks at.
//!
//! **Invariant.** A variable keeps its number for ever, and all subjects of a program share the numbers. The address of the object that a
//! variable owns follows from its number, so that the same value means the same object in every run.

use std::sync::{Arc, Mutex, MutexGuard};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xcute_classfile::Kind;
use xcute_term::{Model, VarId};

use super::candidate::Candidates;

/// What a variable is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Key {
    /// An input: its place in the order in which a run takes inputs, and its type.
    Root {
        /// From 0; parameters come first.
        ordinal: u32,
        /// Its descriptor.
        of: String,
    },
    /// A field of an object that a variable owns: the variable, the class that declares the field, its name.
    Field(u32, String, String),
    /// The length of an array or string that a variable owns.
    Length(u32),
    /// An element of an array, or a character of a string.
    Element(u32, u32),
    /// The value in a box.
    Value(u32),
}

impl Key {
    /// The variable that owns the object it is a part of.
    #[must_use]
    pub fn owner(&self) -> Option<u32> {
        match self {
            Key::Root { .. } => None,
            Key::Field(of, ..) | Key::Length(of) | Key::Element(of, _) | Key::Value(of) => Some(*of),
        }
    }
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What it is.
    pub key: Key,
    /// Its type.
    pub descriptor: String,
    /// The kind of its values.
    pub kind: Kind,
    /// Its name for people, unique.
    pub name: String,
    /// Whether it is never null.
    pub nonnull: bool,
    /// What it can be, if it is a reference.
    pub(crate) candidates: Arc<Candidates>,
}

impl Variable {
    /// The type of the elements of the array that it owns; of a string they are characters.
    pub(crate) fn element_descriptor(&self) -> String {
        let arrays = self.candidates.all.iter().find_map(|c| match c {
            super::candidate::Candidate::Array(element) => Some(element.clone()),
            _ => None,
        });
        arrays.unwrap_or_else(|| "C".to_owned())
    }

    /// How many bits its value has.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.kind.bits()
    }
}

/// All variables of a program, shared by its subjects.
#[derive(Clone, Debug, Default)]
pub struct Variables(Arc<Mutex<Registry>>);

/// The list behind [`Variables`].
#[derive(Debug, Default)]
pub struct Registry {
    list: Vec<Variable>,
    index: FxHashMap<Key, u32>,
    names: FxHashMap<String, u32>,
    /// By number: the variables that are parts of the object it owns.
    parts: Vec<Vec<u32>>,
    roots: Vec<u32>,
    /// Enum constants that have an address, by class and number.
    constants: Vec<(String, u32)>,
    /// All that was added, in its order: numbers of variables, and of enum constants.
    added: Vec<Result<u32, u32>>,
}

/// Something that was added to the list, as a journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Added {
    /// A variable: its key, type, name, whether it is never null, and what it can be.
    Variable(Key, String, String, bool, Candidates),
    /// An enum constant: class and number.
    Constant(String, u32),
}

impl Variables {
    /// The list; held for a moment only.
    pub fn lock(&self) -> MutexGuard<'_, Registry> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What was added after the first `known` additions, for [`Variables::recall`], and how many there are by now; `None` where nothing was.
    #[must_use]
    pub fn since(&self, known: usize) -> Option<(usize, Vec<u8>)> {
        let registry = self.lock();
        let new = registry.added.get(known..).filter(|new| !new.is_empty())?;
        let described: Vec<Added> = new.iter().map(|&added| registry.described(added)).collect();
        Some((registry.added.len(), serde_json::to_vec(&described).expect("names and numbers are JSON")))
    }

    /// Adds what another campaign over the same program added, in its order.
    ///
    /// # Errors
    /// Where the bytes are not what [`Variables::since`] gave.
    pub fn recall(&self, bytes: &[u8]) -> Result<(), serde_json::Error> {
        let added: Vec<Added> = serde_json::from_slice(bytes)?;
        let mut registry = self.lock();
        for new in added {
            match new {
                Added::Constant(class, ordinal) => {
                    registry.constant(&class, ordinal);
                }
                Added::Variable(key, descriptor, name, nonnull, candidates) => {
                    let kind = Kind::of(&descriptor).unwrap_or(Kind::Reference);
                    registry.add(Variable { key, descriptor, kind, name, nonnull, candidates: Arc::new(candidates) });
                }
            }
        }
        Ok(())
    }
}

impl Registry {
    /// All variables by number.
    #[must_use]
    pub fn all(&self) -> &[Variable] {
        &self.list
    }

    /// The variable with this key.
    #[must_use]
    pub fn find(&self, key: &Key) -> Option<u32> {
        self.index.get(key).copied()
    }

    /// The variables that are parts of the object that a variable owns.
    #[must_use]
    pub fn parts(&self, of: u32) -> &[u32] {
        self.parts.get(of as usize).map_or(&[], Vec::as_slice)
    }

    /// The variables that are inputs themselves.
    #[must_use]
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The value of a variable in a model that uses these numbers.
    pub(crate) fn value(&self, model: &Model, number: u32) -> u64 {
        let variable = &self.list[number as usize];
        let default = if variable.nonnull && !variable.candidates.all.is_empty() { u64::from(own(number, 0)) } else { 0 };
        model.word(VarId(number)).unwrap_or(default)
    }

    /// Something that was added, as it was given to [`Registry::add`] or [`Registry::constant`].
    fn described(&self, added: Result<u32, u32>) -> Added {
        match added {
            Ok(number) => {
                let Variable { key, descriptor, name, nonnull, candidates, .. } = &self.list[number as usize];
                // Without the number that tells it from others of the same name.
                let plain =
                    name.rsplit_once('~').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit())).map_or(name.as_str(), |n| n.0);
                Added::Variable(key.clone(), descriptor.clone(), plain.to_owned(), *nonnull, Candidates::clone(candidates))
            }
            Err(constant) => {
                let (class, ordinal) = &self.constants[constant as usize];
                Added::Constant(class.clone(), *ordinal)
            }
        }
    }

    /// Adds a variable with a new key; its number. Its name gets a number of its own where another has it.
    pub(crate) fn add(&mut self, mut variable: Variable) -> u32 {
        let number = u32::try_from(self.list.len()).expect("fewer than 2^22 variables");
        self.added.push(Ok(number));
        let uses = self.names.entry(variable.name.clone()).or_insert(0);
        *uses += 1;
        if *uses > 1 {
            variable.name = format!("{}~{uses}", variable.name);
        }
        match variable.key.owner() {
            Some(owner) => self.parts[owner as usize].push(number),
            None => self.roots.push(number),
        }
        self.index.insert(variable.key.clone(), number);
        self.list.push(variable);
        self.parts.push(Vec::new());
        number
    }

    /// The address of an enum constant.
    pub(crate) fn constant(&mut self, class: &str, ordinal: u32) -> u32 {
        let known = self.constants.iter().position(|(c, o)| c == class && *o == ordinal);
        let index = known.unwrap_or_else(|| {
            self.added.push(Err(u32::try_from(self.constants.len()).expect("few constants")));
            self.constants.push((class.to_owned(), ordinal));
            self.constants.len() - 1
        });
        CONSTANT | u32::try_from(index).expect("few constants")
    }

    /// The enum constant with this address.
    pub(crate) fn constant_at(&self, address: u32) -> Option<(&str, u32)> {
        let index = address.checked_sub(CONSTANT).filter(|_| address & CONSTANT != 0)?;
        self.constants.get(index as usize).map(|(class, ordinal)| (class.as_str(), *ordinal))
    }
}

/// Addresses of objects that the program made.
pub(crate) const MADE: u32 = 1 << 31;
/// Addresses of enum constants.
const CONSTANT: u32 = 1 << 30;
const CHOICES: u32 = 8;

/// The address of the object that a variable owns if it is its candidate with this number.
pub(crate) fn own(variable: u32, candidate: u32) -> u32 {
    debug_assert!(candidate < 1 << CHOICES && variable < 1 << (30 - CHOICES), "addresses have room");
    (variable + 1) << CHOICES | candidate
}

/// The variable that owns the object with this address, and the number of its candidate.
pub(crate) fn owner(address: u32) -> Option<(u32, u32)> {
    let variable = (address >> CHOICES).checked_sub(1).filter(|_| address < CONSTANT)?;
    Some((variable, address & ((1 << CHOICES) - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_recalled() {
        let (first, second) = (Variables::default(), Variables::default());
        let root = |ordinal, of: &str| Variable {
            key: Key::Root { ordinal, of: of.to_owned() },
            descriptor: of.to_owned(),
            kind: Kind::of(of).unwrap(),
            name: "x".to_owned(),
            nonnull: false,
            candidates: Arc::default(),
        };
        first.lock().add(root(0, "I"));
        let (known, bytes) = first.since(0).unwrap();
        second.recall(&bytes).unwrap();
        assert_eq!((first.since(known), known), (None, 1));
        first.lock().add(root(1, "J"));
        let address = first.lock().constant("a/Colour", 2);
        second.recall(&first.since(known).unwrap().1).unwrap();
        let names = |variables: &Variables| variables.lock().all().iter().map(|v| v.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&second), ["x", "x~2"]);
        assert_eq!(second.lock().constant_at(address), Some(("a/Colour", 2)));
        assert_eq!(second.lock().add(root(2, "I")), first.lock().add(root(2, "I")));
        assert_eq!(names(&second), names(&first));
        assert!(second.recall(b"{}").is_err());
    }

    #[test]
    fn an_address_tells_its_owner() {
        for (variable, candidate) in [(0, 0), (0, 255), (7, 3), ((1 << 22) - 2, 1)] {
            assert_eq!(owner(own(variable, candidate)), Some((variable, candidate)));
        }
        assert_eq!(owner(0), None);
        assert_eq!(owner(MADE | 5), None);
    }
}
