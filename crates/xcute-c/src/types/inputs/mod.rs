//! The type table: what an input of each type is made of.
//!
//! CUTE's logical input map [sen-marinov-agha-2006 §4.1.1] needs to know, for each input, its leaves: the integers, floats and pointers inside it, and
//! what a fresh object behind each pointer is. `build` makes the table of the program's types, `name` names the leaves for people,
//! `functions` finds what function pointers may point to.
//!
//! **Invariant.** Typedefs and qualifiers do not show in the table: pointers to compatible types have the same `elem`, so they may alias.

mod build;
mod functions;
mod name;

pub use build::{ArrayLength, Builder, InputCall, Lengths};
pub use functions::addresses;
pub(crate) use functions::all_candidates;

use std::sync::{Arc, Mutex};

use xcute_term::VarId;
use xcute_trace::Limit;

use crate::types::dwarf::TypeId;
use crate::wire::XcVar;

pub use crate::wire::types::{
    XC_PTR_FUNCTION, XC_PTR_NONNULL, XC_PTR_STRING, XC_ROOT, XC_SIGNED, XC_TY_ARRAY, XC_TY_BOOL, XC_TY_FLOAT, XC_TY_FUNCTION, XC_TY_INT,
    XC_TY_OPAQUE, XC_TY_POINTER, XC_TY_STRUCT, XC_TY_UNION, XcField, XcType,
};

/// A symbolic input: a leaf of an input or of an object behind a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Variable {
    /// `XC_ROOT | key`, or the pointer variable whose own object holds it.
    pub parent: u32,
    /// For roots: how often the run had executed that key before.
    pub nth: u32,
    /// Its type in the table.
    pub of: u32,
    /// Bytes from the start of the input or object.
    pub offset: u64,
    /// Its width in bits.
    pub bits: u16,
    /// Bit-fields: the first bit in the byte at `offset`.
    pub bit: u16,
    /// Pointers: the address of their own object, else 0.
    pub own: u64,
    /// For people: `p->next->v`.
    pub name: String,
}

impl Variable {
    /// As the runtime has it.
    #[must_use]
    pub fn wire(&self) -> XcVar {
        let Variable { parent, nth, of, offset, bits, bit, own, .. } = *self;
        XcVar { parent, nth, of, offset, bits, bit, own, stamp: 0, value: 0, pad: 0 }
    }
}

/// The variables that the subjects of a program have met so far, by wire id: subjects add to them, and they are read to print cases. The [`VarId`] of each is its
/// wire id, the numbering of [`xcute_trace::Subject::export`].
///
/// Shared, because several subjects may run the same program, and because the engine borrows them while a failure is confirmed. Cloning gives
/// another handle to the same list.
#[derive(Clone, Debug, Default)]
pub struct Variables(Arc<Mutex<Vec<(VarId, Variable)>>>);

impl Variables {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The variable with a wire id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<(VarId, Variable)> {
        self.lock().get(id as usize).cloned()
    }

    /// All of them, by wire id.
    #[must_use]
    pub fn all(&self) -> Vec<(VarId, Variable)> {
        self.lock().clone()
    }

    /// Those after the first `known` ones, for [`Variables::recall`], and how many there are by now. `None` where there are no more.
    #[must_use]
    pub fn since(&self, known: usize) -> Option<(usize, Vec<u8>)> {
        let all = self.lock();
        let new: Vec<&Variable> = all.get(known..)?.iter().map(|(_, variable)| variable).collect();
        // Plain structures: they can always be written.
        (!new.is_empty()).then(|| (all.len(), serde_json::to_vec(&new).unwrap_or_default()))
    }

    /// Adds variables that subjects of an earlier campaign met.
    ///
    /// # Errors
    /// Where they were not written by [`Variables::since`].
    pub fn recall(&self, variables: &[u8]) -> Result<(), serde_json::Error> {
        let new: Vec<Variable> = serde_json::from_slice(variables)?;
        let mut all = self.lock();
        for variable in new {
            let number = VarId(u32::try_from(all.len()).expect("max_vars is a u32"));
            all.push((number, variable));
        }
        Ok(())
    }

    pub(crate) fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(VarId, Variable)>> {
        // A panic elsewhere cannot leave a vector half pushed.
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The wire's types, and what is needed to speak about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeTable {
    /// The types.
    pub types: Vec<XcType>,
    /// Their fields.
    pub fields: Vec<XcField>,
    /// The type of each `xcute_input` call, by key.
    pub inputs: Vec<u32>,
    /// What stays concrete or NULL, each once.
    pub limits: Vec<Limit>,
    /// The program's type of each type here (typedef names kept), for printing.
    pub origin: Vec<TypeId>,
    /// Names of the fields; `None` for members without a name.
    pub field_names: Vec<Option<String>>,
    /// The name of each input, by key; unique.
    pub roots: Vec<RootName>,
    /// Inputs that point to as many elements as another one says: their names.
    pub lengths: Vec<(String, String)>,
}

/// How an input is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootName {
    /// The name.
    pub name: String,
    /// Whether it stands for an array: `xcute_input_array`.
    pub array: bool,
    /// The function in which it is asked for; [`crate::names::HARNESS`] for arguments of the entry.
    pub function: String,
    /// The number of the call in its file; of an argument, its position.
    pub number: u32,
    /// The name as the call passes it.
    pub passed: String,
}

impl TypeTable {
    /// The type with this index; one of kind 0 for an index that is not there.
    #[must_use]
    pub fn get(&self, of: u32) -> XcType {
        self.types.get(of as usize).copied().unwrap_or_default()
    }

    /// The fields of a type, with their names.
    pub fn fields_of(&self, of: u32) -> impl Iterator<Item = (XcField, Option<&str>)> {
        let description = self.get(of);
        let (first, n) = (description.first as usize, description.n as usize);
        let fields = self.fields.get(first..first.saturating_add(n)).unwrap_or(&[]);
        let names = self.field_names.get(first..first.saturating_add(n)).unwrap_or(&[]);
        fields.iter().copied().zip(names.iter().map(|n| n.as_deref()).chain(std::iter::repeat(None)))
    }

    /// Puts the addresses of candidate functions into the table, now that the executable is linked; those without one are dropped.
    pub fn bind(&mut self, address: impl Fn(&str) -> Option<u64>) {
        let (mut fields, mut names) = (Vec::new(), Vec::new());
        for description in &mut self.types {
            let (first, n) = (description.first as usize, description.n as usize);
            description.first = fields.len() as u32;
            for (field, name) in self.fields[first..first + n].iter().zip(&self.field_names[first..first + n]) {
                let mut field = *field;
                if description.kind == XC_TY_FUNCTION {
                    let Some(found) = name.as_deref().and_then(&address) else { continue };
                    field.offset = found;
                }
                fields.push(field);
                names.push(name.clone());
            }
            description.n = fields.len() as u32 - description.first;
            if description.kind == XC_TY_FUNCTION {
                let first = description.first as usize;
                let mut both: Vec<_> = fields.drain(first..).zip(names.drain(first..)).collect();
                both.sort_by_key(|(field, _)| field.offset);
                both.dedup_by_key(|(field, _)| field.offset);
                description.n = both.len() as u32;
                for (field, name) in both {
                    fields.push(field);
                    names.push(name);
                }
            }
        }
        self.fields = fields;
        self.field_names = names;
    }

    /// The candidate function at an address.
    #[must_use]
    pub fn function_at(&self, address: u64) -> Option<&str> {
        let functions = (0..self.types.len() as u32).filter(|&of| self.get(of).kind == XC_TY_FUNCTION);
        functions.flat_map(|of| self.fields_of(of)).find(|(field, _)| field.offset == address).and_then(|(_, name)| name)
    }

    /// Whether a type is a byte that is shown as a character.
    #[must_use]
    pub fn is_char(&self, program: &crate::types::dwarf::Program, of: u32) -> bool {
        use crate::types::dwarf::{Encoding, Type};
        let origin = self.origin.get(of as usize).copied().unwrap_or(TypeId::VOID);
        matches!(program.get(program.strip(origin)), Type::Base { encoding: Encoding::Char { .. }, size: 1, .. })
    }
}

#[cfg(test)]
mod tests;
