//! `--calls`: the plan of call sequences, from the signatures of the listed functions.
//!
//! [sen-marinov-agha-2006 §4.2.1]: generating inputs with call sequences. A step of a sequence calls one of the functions. Which one,
//! and which of the objects ([`families`](super::families)) it gets, are inputs like its numbers: they are the parameters of an entry that
//! only this plan knows.
//!
//! **Invariant.** A call never gets one object twice; it may get NULL for any of them. The parameters of [`Sequence::entry`] are in the order of the steps, so that the
//! same plan is made again from a case file.

use std::path::PathBuf;

use super::families::{Family, Origin, families, is_const, parameter_name, pointee, replaces, spelling};
use super::request::{Calls, MOST, SequenceError};
use super::{HarnessError, choose};

use crate::types::dwarf::{Function, Parameter, Program, TypeId};
use crate::types::inputs::{ArrayLength, Lengths};

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An input.
    Input,
    /// An object of this family.
    Object(usize),
}

/// A function of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The function.
    pub function: Function,
    /// What its parameters are.
    pub roles: Vec<Role>,
    /// The family whose object it makes or replaces.
    pub gives: Option<usize>,
    /// Whether it prepares the objects, before the sequence.
    pub first: bool,
}

/// The checker of `--post` or `--pre`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checker {
    /// The function.
    pub name: String,
    /// The family that it checks.
    pub family: usize,
    /// Whether it takes what the objects hold, not their addresses.
    pub value: bool,
}

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// What was asked for.
    pub calls: Calls,
    /// The functions.
    pub functions: Vec<Listed>,
    /// The families of objects.
    pub families: Vec<Family>,
    /// What must hold after each call.
    pub post: Option<Checker>,
    /// What must hold before a call, or it is not made.
    pub pre: Option<Checker>,
    /// The entry that stands for all sequences: its parameters are the inputs of all steps.
    pub entry: Function,
    /// The step and the slot of each parameter.
    pub(super) slots: Vec<(usize, Slot)>,
}

/// What an input of a step is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Which function is called.
    Call,
    /// The argument of this function with this number: its value, or which object it is.
    Argument(usize, usize),
}

impl Sequence {
    /// Makes the plan; adds to the program the type of choices.
    ///
    /// # Errors
    /// If a function is not there or cannot be called.
    pub fn new(program: &mut Program, sources: &[PathBuf], calls: &Calls, lengths: &Lengths) -> Result<Sequence, HarnessError> {
        if calls.functions.is_empty() || calls.functions.len() > MOST || calls.length as usize > MOST {
            return Err(SequenceError::TooMany.into());
        }
        let choice = program.byte();
        let program = &*program;
        let found = calls.functions.iter().map(|name| choose(program, sources, Some(name)).cloned()).collect::<Result<Vec<_>, _>>()?;
        if let Some(f) = found.iter().find(|f| f.variadic && !f.params.is_empty()) {
            return Err(HarnessError::Variadic { name: f.name.clone() });
        }
        let families = families(program, &found, calls, lengths)?;
        let functions: Vec<Listed> = found.iter().map(|f| listed(program, f, &families)).collect();
        let needed = |r: &Role| matches!(r, Role::Object(k) if families[*k].origin == Origin::Made && !families[*k].nullable);
        let begins = |f: &Listed| !f.first && !f.roles.iter().any(needed);
        if !functions.iter().any(begins) {
            return Err(SequenceError::NoBeginning.into());
        }
        let checker = |option, name: &Option<String>| name.as_deref().map(|name| checker(program, option, name, &families)).transpose();
        let (post, pre) = (checker("--post", &calls.post)?, checker("--pre", &calls.pre)?);
        let slots = slots(&functions, &families, calls.length as usize);
        let param = |(step, slot): &(usize, Slot)| match slot {
            Slot::Call => Parameter { name: Some(format!("call_{step}")), of: choice },
            Slot::Argument(f, k) => {
                let Listed { function, roles, .. } = &functions[*f];
                let of = if roles[*k] == Role::Input { program.unqualified(function.params[*k].of) } else { choice };
                Parameter { name: Some(input_name(&functions, *f, *k, *step)), of }
            }
        };
        let entry = Function {
            stands_for: None,
            class: None,
            public: true,
            name: "xcute_calls".to_owned(),
            linkage: "xcute_calls".to_owned(),
            params: slots.iter().map(param).collect(),
            result: TypeId::VOID,
            variadic: false,
            external: true,
            ..found[0].clone()
        };
        Ok(Sequence { calls: calls.clone(), functions, families, post, pre, entry, slots })
    }

    /// What is tested, for people.
    #[must_use]
    pub fn title(&self) -> String {
        format!("calls of {}", self.calls.functions.join(", "))
    }

    /// The parameter of the entry for a slot of a step.
    pub(super) fn parameter(&self, step: usize, slot: Slot) -> Option<usize> {
        self.slots.iter().position(|&(s, of)| s == step && of == slot)
    }

    /// The sizes for the inputs of all steps: `--array p=8` is meant for every `p` of every step.
    #[must_use]
    pub fn lengths(&self, lengths: &Lengths) -> Lengths {
        let mut out = lengths.clone();
        for (step, slot) in &self.slots {
            let Slot::Argument(f, k) = slot else { continue };
            let Listed { function, roles, .. } = &self.functions[*f];
            let name = parameter_name(function, *k);
            let Some(length) = lengths.arrays.get(&name) else { continue };
            out.arrays.remove(&name);
            if roles[*k] != Role::Input {
                continue;
            }
            let number = |n: &String| (0..function.params.len()).find(|&at| parameter_name(function, at) == *n);
            let length = match length {
                ArrayLength::Parameter(n) => {
                    ArrayLength::Parameter(number(n).map_or_else(|| n.clone(), |at| input_name(&self.functions, *f, at, *step)))
                }
                fixed => fixed.clone(),
            };
            out.arrays.insert(input_name(&self.functions, *f, *k, *step), length);
        }
        for family in &self.families {
            out.arrays.remove(&family.name);
        }
        out
    }

    /// The checker of `--post`.
    #[must_use]
    pub fn checker<'a>(&self, program: &'a Program) -> Option<&'a Function> {
        self.post.as_ref().and_then(|post| program.function(&post.name))
    }

    /// The functions that sequences call.
    pub(super) fn called<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = &'a Function> {
        let checkers = [&self.post, &self.pre].into_iter().flatten().filter_map(|checker| program.function(&checker.name));
        self.functions.iter().map(|listed| &listed.function).chain(checkers)
    }
}

fn listed(program: &Program, function: &Function, families: &[Family]) -> Listed {
    let family = |of| families.iter().position(|f| f.spelling == spelling(program, of));
    let roles: Vec<Role> = function.params.iter().map(|p| family(p.of).map_or(Role::Input, Role::Object)).collect();
    let objects: Vec<usize> = roles.iter().filter_map(|r| if let Role::Object(f) = r { Some(*f) } else { None }).collect();
    let plain = pointee(program, function.result).is_some_and(|to| !is_const(program, to));
    let gives = family(function.result).filter(|_| plain).filter(|&f| match families[f].origin {
        Origin::Made => !objects.contains(&f),
        Origin::Threaded => replaces(program, function, &families[f].spelling),
        Origin::Shared => false,
    });
    let prepares = gives.is_none() && matches!(objects[..], [f] if families[f].origin == Origin::Shared);
    let named = function.name.split('_').any(|word| word.to_ascii_lowercase().starts_with("init") || word.ends_with("Init"));
    Listed { function: function.clone(), roles, gives, first: prepares && named }
}

fn checker(program: &Program, option: &'static str, name: &str, families: &[Family]) -> Result<Checker, HarnessError> {
    let wrong = || SequenceError::Checker { option, name: name.to_owned() };
    let checker = program.function(name).filter(|f| f.params.len() == 1 && f.result != TypeId::VOID).ok_or_else(wrong)?;
    let wanted = spelling(program, checker.params[0].of);
    let find = |spell: &dyn Fn(&Family) -> String| families.iter().position(|f| spell(f) == wanted);
    let (family, value) = match (find(&|f| f.spelling.clone()), find(&|f| spelling(program, f.to))) {
        (Some(family), _) => (family, false),
        (None, Some(family)) => (family, true),
        (None, None) => return Err(wrong().into()),
    };
    Ok(Checker { name: name.to_owned(), family, value })
}

/// The name of an argument of a step; the function is named where several functions have such a parameter.
fn input_name(functions: &[Listed], f: usize, k: usize, step: usize) -> String {
    let name = parameter_name(&functions[f].function, k);
    let has = |l: &Listed| (0..l.roles.len()).any(|at| parameter_name(&l.function, at) == name);
    let several = functions.iter().filter(|l| has(l)).count() > 1;
    if several { format!("{}_{name}_{step}", functions[f].function.name) } else { format!("{name}_{step}") }
}

/// The inputs of all steps; step 0 prepares the objects.
fn slots(functions: &[Listed], families: &[Family], length: usize) -> Vec<(usize, Slot)> {
    let mut out = Vec::new();
    for step in 0..=length {
        out.extend((step > 0).then_some((step, Slot::Call)));
        for (f, listed) in functions.iter().enumerate().filter(|(_, l)| l.first == (step == 0)) {
            let asked = |role: &Role| match role {
                Role::Input => true,
                Role::Object(family) => step > 0 && (families[*family].count > 1 || families[*family].nullable),
            };
            out.extend(listed.roles.iter().enumerate().filter(|(_, r)| asked(r)).map(|(k, _)| (step, Slot::Argument(f, k))));
        }
    }
    out
}

#[cfg(test)]
mod tests;
