//! From the values of variables to what a JVM has to build: objects, what they hold, and the inputs in their order.
//!
//! **Invariant.** Only objects that the inputs lead to are built, in breadth-first order.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xcute_classfile::Kind;
use xcute_term::{Model, VarId};

use super::candidate::Candidate;
use super::variable::{Key, Registry, Variables, owner};

/// The number of kinds of inputs: places for each input in the order of a run.
const KINDS: usize = 9;

/// The kinds in the order of their places.
const ORDER: [Kind; KINDS] =
    [Kind::Boolean, Kind::Byte, Kind::Char, Kind::Short, Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference];

/// An object to build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Object {
    /// Its address in models.
    #[serde(skip)]
    pub(crate) address: u32,
    /// What it is.
    pub(crate) what: Candidate,
    /// The length of an array; the characters of a string; the value in a box.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) length: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) text: Vec<u16>,
    #[serde(default)]
    pub(crate) value: u64,
    /// Fields: declaring class, name and value. Values of references are positions of objects, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fields: Vec<(String, String, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) elements: Vec<(u32, u64)>,
}

/// All that a run needs of an input: objects, what they hold, and the inputs in their order. It means the same without the search that found it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    pub(crate) objects: Vec<Object>,
    /// By place of the input and kind: its value.
    pub(crate) slots: Vec<u64>,
    /// The place after the last input that the run took; 0 where nobody knows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) taken: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Where a value of a kind stands among those of one input.
pub(crate) fn slot(kind: Kind) -> usize {
    ORDER.iter().position(|other| *other == kind).expect("every kind has a place")
}

impl Recipe {
    /// What a model in the numbers that all subjects of a program share comes to.
    #[must_use]
    pub fn of_model(variables: &Variables, input: &Model) -> Recipe {
        let registry = variables.lock();
        let taken = registry.roots().iter().filter(|&&root| input.word(VarId(root)).is_some());
        let place = |&root: &u32| if let Key::Root { ordinal, .. } = registry.all()[root as usize].key { ordinal + 1 } else { 0 };
        let taken = taken.map(place).max().unwrap_or(0);
        Recipe { taken, ..Recipe::of(&registry, &|number| registry.value(input, number)) }
    }

    /// The choice at a place of a sequence; `None` if the run did not come to it.
    pub(crate) fn choice(&self, place: usize) -> Option<u64> {
        (self.taken == 0 || place < self.taken as usize).then(|| self.slot(place, Kind::Int))
    }

    /// The value of an input, by its place and kind.
    pub(crate) fn slot(&self, ordinal: usize, kind: Kind) -> u64 {
        self.slots.get(ordinal * KINDS + slot(kind)).copied().unwrap_or(0)
    }

    /// The inputs that are not 0: place, kind and value.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (usize, Kind, u64)> {
        let given = self.slots.iter().enumerate().filter(|(_, word)| **word != 0);
        given.map(|(at, word)| (at / KINDS, ORDER[at % KINDS], *word))
    }

    /// A recipe with these inputs.
    pub(crate) fn of_inputs(objects: Vec<Object>, inputs: &[(usize, Kind, u64)]) -> Recipe {
        let mut recipe = Recipe { objects, ..Recipe::default() };
        for &(place, kind, word) in inputs {
            recipe.put(place, kind, word);
        }
        recipe
    }

    fn put(&mut self, place: usize, kind: Kind, word: u64) {
        if self.slots.len() <= place * KINDS {
            self.slots.resize((place + 1) * KINDS, 0);
        }
        self.slots[place * KINDS + slot(kind)] = word;
    }

    /// Whether there are inputs after the first this many.
    pub(crate) fn has_more_than(&self, inputs: usize) -> bool {
        self.slots.len() > inputs * KINDS
    }

    /// What the values of variables come to. `value` gives the word of a variable; 0 where it has none.
    pub(crate) fn of(registry: &Registry, value: &dyn Fn(u32) -> u64) -> Recipe {
        let mut builder = Builder { registry, value, recipe: Recipe::default(), built: FxHashMap::default() };
        for &root in registry.roots() {
            let variable = &registry.all()[root as usize];
            let Key::Root { ordinal, .. } = variable.key else { continue };
            let word = builder.word(root);
            // Another type at the same place may have a value from another path; only one of them is taken in a run.
            if word != 0 {
                builder.recipe.put(ordinal as usize, variable.kind, word);
            }
        }
        let mut next = 0;
        while next < builder.recipe.objects.len() {
            builder.fill(next);
            next += 1;
        }
        builder.recipe
    }
}

struct Builder<'a> {
    registry: &'a Registry,
    value: &'a dyn Fn(u32) -> u64,
    recipe: Recipe,
    built: FxHashMap<u32, u64>,
}

impl Builder<'_> {
    /// The value of a variable for the JVM: that of a reference is the position of its object.
    fn word(&mut self, variable: u32) -> u64 {
        let word = (self.value)(variable);
        if self.registry.all()[variable as usize].kind != Kind::Reference {
            return word;
        }
        self.object(u32::try_from(word).unwrap_or(0))
    }

    fn object(&mut self, address: u32) -> u64 {
        if let Some(&known) = self.built.get(&address) {
            return known;
        }
        let what = match (owner(address), self.registry.constant_at(address)) {
            (Some((variable, candidate)), _) => {
                let all = self.registry.all().get(variable as usize).map(|v| &v.candidates.all);
                all.and_then(|all| all.get(candidate as usize)).cloned()
            }
            (_, Some((class, ordinal))) => Some(Candidate::Constant(class.to_owned(), ordinal)),
            _ => None,
        };
        let Some(what) = what else { return 0 };
        let length = if let Candidate::Constant(_, ordinal) = what { ordinal } else { 0 };
        let (text, value, fields, elements) = (Vec::new(), 0, Vec::new(), Vec::new());
        self.recipe.objects.push(Object { address, what, length, text, value, fields, elements });
        let position = self.recipe.objects.len() as u64;
        self.built.insert(address, position);
        position
    }

    /// Says what an object holds.
    fn fill(&mut self, index: usize) {
        let Object { address, what, .. } = self.recipe.objects[index].clone();
        let Some((variable, _)) = owner(address) else { return };
        let registry = self.registry;
        let parts = registry.parts(variable);
        let part = |key: &Key| registry.find(key);
        if matches!(what, Candidate::Array(_) | Candidate::Text) {
            let length = part(&Key::Length(variable)).map_or(0, |length| (self.value)(length));
            self.recipe.objects[index].length = u32::try_from(length).unwrap_or(0);
        }
        let length = self.recipe.objects[index].length;
        if what == Candidate::Text {
            self.recipe.objects[index].text = vec![0; length as usize];
        }
        for &number in parts {
            match &registry.all()[number as usize].key {
                Key::Field(_, class, name) if matches!(what, Candidate::Object(_)) => {
                    let word = self.word(number);
                    if word != 0 {
                        self.recipe.objects[index].fields.push((class.clone(), name.clone(), word));
                    }
                }
                Key::Element(_, at) if *at < length && what == Candidate::Text => {
                    self.recipe.objects[index].text[*at as usize] = (self.value)(number) as u16;
                }
                Key::Element(_, at) if *at < length && matches!(what, Candidate::Array(_)) => {
                    let word = self.word(number);
                    if word != 0 {
                        self.recipe.objects[index].elements.push((*at, word));
                    }
                }
                Key::Value(_) => self.recipe.objects[index].value = (self.value)(number),
                _ => {}
            }
        }
    }
}
