//! The arguments of the function in which an exception was raised that nobody catches.
//!
//! **Invariant.** Only arguments: other variables need not have a value yet. A value that cannot be computed is left out.

use xcute_trace::{Failure, Held};

use super::Machine;
use crate::core::ast::Name;
use crate::universe::shown;

/// Longer values are left out: the input has them.
const LONG: usize = 200;

impl Machine<'_> {
    /// Takes note of the arguments of the innermost of the program's own functions.
    pub(super) fn note_arguments(&mut self) {
        let own = self.frames.iter().rev().find(|frame| self.is_own(frame.function) && self.program.code.function(frame.function).top);
        self.raised_in = own.map(|frame| {
            let arity = self.program.code.function(frame.function).arity as usize;
            (frame.function, self.slots[frame.base..frame.base + arity].to_vec())
        });
    }

    /// These arguments, with their values in this run, if the failure is one of that function.
    pub(crate) fn arguments_of(&mut self, failure: &Failure) -> Vec<Held> {
        let Some((function, values)) = self.raised_in.take() else { return Vec::new() };
        let known = self.program.code.function(function);
        let suffix = format!(":{}/{}", self.atoms.name(known.name), known.arity);
        if !failure.stack.first().is_some_and(|frame| frame.function.ends_with(&suffix)) {
            return Vec::new();
        }
        let names: Vec<String> = known.names.iter().zip(1..).map(|(name, number)| self.argument(name, number)).collect();
        let mut held = Vec::new();
        for (value, name) in values.into_iter().zip(names) {
            let value = self.resolved(value);
            let Some(term) = self.term(value) else { continue };
            let value = self.rec.value(term);
            let text = shown(&self.program.universe.term(&value, self.atoms), self.atoms);
            if text.chars().count() <= LONG {
                held.push(Held { name, value: text });
            }
        }
        held
    }

    /// A parameter by its name in the source, or by its number: the compiler has names of its own.
    fn argument(&self, name: &Name, number: u32) -> String {
        let text = match name {
            Name::Atom(atom) => self.atoms.name(*atom),
            Name::Number(_) | Name::Function(..) => "",
        };
        if text.starts_with(|c: char| c.is_uppercase()) { text.to_owned() } else { format!("argument {number}") }
    }
}
