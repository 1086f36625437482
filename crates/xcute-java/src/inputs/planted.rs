//! Inputs to begin with: a recipe, which names no variables, becomes values of variables, as if a run had met them.
//!
//! Here, too, each object belongs to the variable that leads to it first, and the others refer to it.
//!
//! **Invariant.** A variable that is there already is used again, so planting the same recipe twice adds nothing.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;
use xcute_classfile::Kind;

use super::candidate::{BOXES, Candidate, Candidates, Finder};
use super::recipe::{Object, Recipe};
use super::variable::{Key, Registry, Variable, Variables, own};
use crate::JavaSubject;
use crate::program::{Program, names};

/// The value of an input: its name, how many bits it has, and the word.
pub type Planted = (String, u32, u64);

/// Why a recipe is not an input of a method.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PlantError {
    /// It is too large.
    #[error("an array or string has more than {0} elements (say more with --elements)")]
    Elements(u32),
    /// It is of another type.
    #[error("{0} is not an input of this type")]
    Type(String),
    /// Only a run would know its type.
    #[error("the program asks for an object itself, whose type only a run knows")]
    Asked,
}

/// Makes inputs to begin with.
#[derive(Debug)]
pub struct Planter {
    program: Arc<Program>,
    finder: Mutex<Finder>,
    longest: u32,
}

impl Planter {
    /// For the program of a subject.
    #[must_use]
    pub fn new(subject: &JavaSubject) -> Planter {
        let program = subject.program();
        Planter { finder: Mutex::new(program.finder()), longest: subject.longest(), program }
    }

    /// The values of variables that come to a recipe. The variables are added where they are new.
    ///
    /// # Errors
    /// If the program has no such input.
    pub fn plant(&self, variables: &Variables, recipe: &Recipe) -> Result<Vec<Planted>, PlantError> {
        let mut finder = self.finder.lock().unwrap_or_else(PoisonError::into_inner);
        let (program, longest, registry) = (&*self.program, self.longest, &mut *variables.lock());
        let (values, found, left) = (Vec::new(), vec![None; recipe.objects.len()], VecDeque::new());
        let mut planting = Planting { program, finder: &mut finder, longest, registry, recipe, values, found, left };
        planting.roots()?;
        while let Some((object, owner)) = planting.left.pop_front() {
            planting.parts(object, owner)?;
        }
        Ok(planting.values)
    }
}

struct Planting<'a> {
    program: &'a Program,
    finder: &'a mut Finder,
    longest: u32,
    registry: &'a mut Registry,
    recipe: &'a Recipe,
    values: Vec<Planted>,
    /// By object: its address.
    found: Vec<Option<u32>>,
    /// Objects whose parts are not planted, and the variables that own them.
    left: VecDeque<(&'a Object, u32)>,
}

impl<'a> Planting<'a> {
    fn roots(&mut self) -> Result<(), PlantError> {
        for (place, kind, word) in self.recipe.inputs() {
            let ordinal = u32::try_from(place).expect("few inputs");
            let of = match self.program.plan.inputs.get(place) {
                Some((of, _)) if Kind::of(of) == Some(kind) => of.clone(),
                Some((of, _)) => return Err(PlantError::Type(format!("what is given for {of}"))),
                None if kind == Kind::Reference => return Err(PlantError::Asked),
                None => kind.letter().to_string(),
            };
            let (name, receiver) = (self.program.input_name(ordinal), self.program.plan.is_receiver(ordinal));
            self.give(Key::Root { ordinal, of: of.clone() }, &of, receiver, name, word)?;
        }
        Ok(())
    }

    /// What the object that a variable owns holds.
    fn parts(&mut self, object: &'a Object, owner: u32) -> Result<(), PlantError> {
        let parent = self.registry.all()[owner as usize].name.clone();
        let element = |at: u32| (Key::Element(owner, at), format!("{parent}[{at}]"));
        if matches!(object.what, Candidate::Array(_) | Candidate::Text) {
            if object.length > self.longest {
                return Err(PlantError::Elements(self.longest));
            }
            self.give(Key::Length(owner), "I", false, format!("{parent}.length"), u64::from(object.length))?;
        }
        match &object.what {
            Candidate::Array(of) => {
                for (at, word) in object.elements.iter().filter(|(at, _)| *at < object.length) {
                    let (key, name) = element(*at);
                    self.give(key, of, false, name, *word)?;
                }
            }
            Candidate::Text => {
                for (at, unit) in (0..object.length).zip(&object.text).filter(|(_, unit)| **unit != 0) {
                    let (key, name) = element(at);
                    self.give(key, "C", false, name, u64::from(*unit))?;
                }
            }
            Candidate::Box(class) => {
                let kind = BOXES.iter().find(|(name, _)| name == class).map(|(_, kind)| kind.letter().to_string());
                let kind = kind.ok_or_else(|| PlantError::Type(class.clone()))?;
                self.give(Key::Value(owner), &kind, false, format!("{parent}.value"), object.value)?;
            }
            Candidate::Object(_) => {
                for (class, name, word) in &object.fields {
                    let info = self.program.tables().hierarchy.get(class);
                    let field = info.fields.iter().find(|field| field.name == *name);
                    let of = field.ok_or_else(|| PlantError::Type(format!("{class}.{name}")))?.descriptor.clone();
                    let key = Key::Field(owner, class.clone(), name.clone());
                    self.give(key, &of, name.starts_with("this$"), format!("{parent}.{name}"), *word)?;
                }
            }
            Candidate::Constant(..) => {}
        }
        Ok(())
    }

    /// Gives a variable its value, of a reference the position of its object.
    fn give(&mut self, key: Key, of: &str, nonnull: bool, name: String, word: u64) -> Result<(), PlantError> {
        let kind = Kind::of(of).unwrap_or(Kind::Reference);
        let number = match self.registry.find(&key) {
            Some(number) => number,
            None => {
                let candidates = match kind {
                    Kind::Reference => self.finder.of(&mut self.program.tables().hierarchy, of),
                    _ => Candidates::default(),
                };
                self.registry.add(Variable { key, descriptor: of.to_owned(), kind, name, nonnull, candidates: Arc::new(candidates) })
            }
        };
        let word = if kind == Kind::Reference { self.address(number, word)? } else { word };
        let variable = &self.registry.all()[number as usize];
        self.values.push((variable.name.clone(), variable.bits(), word));
        Ok(())
    }

    /// The address of an object that a variable leads to, by its position.
    fn address(&mut self, variable: u32, position: u64) -> Result<u64, PlantError> {
        let recipe = self.recipe;
        let Some(at) = usize::try_from(position).ok().and_then(|position| position.checked_sub(1)) else { return Ok(0) };
        let object = recipe.objects.get(at).ok_or_else(|| PlantError::Type("an object that is missing".to_owned()))?;
        if let Some(known) = self.found[at] {
            return Ok(known.into());
        }
        let address = match &object.what {
            Candidate::Constant(class, ordinal) => self.registry.constant(class, *ordinal),
            what => {
                let all = &self.registry.all()[variable as usize].candidates.all;
                let place = all.iter().position(|candidate| candidate == what);
                let place =
                    place.and_then(|place| u32::try_from(place).ok()).ok_or_else(|| PlantError::Type(names::readable(&what.class())))?;
                self.left.push_back((object, variable));
                own(variable, place)
            }
        };
        self.found[at] = Some(address);
        Ok(address.into())
    }
}
