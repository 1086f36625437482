//! The objects that call sequences work on, by the pointer types of the listed functions.
//!
//! Where objects come from depends on the types alone:
//!
//! 1. a function that gives a `T *` and takes none is a maker: what makers gave are the objects for every `T *`;
//! 2. else, if a function takes and gives a `T *`, the objects are variables, NULL at first, which get what such a function gives;
//! 3. else, a `T *` with `T` a structure (or a pointer to one) is the address of an object that is zero at first;
//! 4. every other parameter is an input.
//!
//! **Invariant.** Pointers whose types differ in qualifiers and typedefs only are of one family.

use super::HarnessError;
use super::request::{Calls, SequenceError};
use crate::types::dwarf::{Definitions, Function, Program, Qualifier, Type, TypeId, Undeclarable};
use crate::types::inputs::{ArrayLength, Lengths};

/// Where the objects of a type come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From makers.
    Made,
    /// Variables, NULL at first.
    Threaded,
    /// Objects, zero at first.
    Shared,
}

/// The objects that the parameters of one pointer type get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// What is pointed to, without qualifiers.
    pub to: TypeId,
    /// The name of the first parameter of this type.
    pub name: String,
    /// Where they come from.
    pub origin: Origin,
    /// How many there are; of makers, one for each step.
    pub count: usize,
    /// How many elements a shared object has.
    pub elements: u32,
    /// Whether a call may get NULL instead. Variables are NULL at first anyway.
    pub nullable: bool,
    /// The type without qualifiers and typedefs.
    pub(super) spelling: String,
}

impl Family {
    /// The number that stands for NULL among those of the objects, where a call may get it.
    pub(super) fn null(&self) -> Option<usize> {
        // What makers give is numbered by steps, from 1.
        self.nullable.then_some(if self.origin == Origin::Made { 0 } else { self.count })
    }

    /// The declaration of an object.
    ///
    /// # Errors
    /// If its type cannot be written.
    pub fn declare(&self, definitions: &mut Definitions<'_>, name: &str) -> Result<String, Undeclarable> {
        let name = if self.elements > 1 { format!("{name}[{}]", self.elements) } else { name.to_owned() };
        definitions.declare(self.to, &name)
    }
}

/// The name of a parameter for people.
pub(super) fn parameter_name(function: &Function, at: usize) -> String {
    function.params[at].name.clone().unwrap_or_else(|| format!("arg{}", at + 1))
}

/// The type without qualifiers and typedefs: equal texts are compatible types.
pub(super) fn spelling(program: &Program, of: TypeId) -> String {
    let mut out = String::new();
    let mut of = program.strip(of);
    // A type that nests deeper is not compared further.
    for _ in 0..16 {
        let Type::Pointer { to } = program.get(of) else { break };
        out.push('*');
        of = program.strip(*to);
    }
    out + &of.0.to_string()
}

/// What a pointer points to.
pub(super) fn pointee(program: &Program, of: TypeId) -> Option<TypeId> {
    if let Type::Pointer { to } = program.get(program.strip(of)) { Some(*to) } else { None }
}

/// Whether a type is `const` at its top.
pub(super) fn is_const(program: &Program, of: TypeId) -> bool {
    matches!(program.get(of), Type::Qualified { by: Qualifier::Const, .. })
}

/// Whether a type is a structure or a pointer to one.
fn is_structure(program: &Program, of: TypeId, pointers: usize) -> bool {
    match program.get(program.strip(of)) {
        Type::Record(_) => true,
        Type::Pointer { to } => pointers > 0 && is_structure(program, *to, pointers - 1),
        _ => false,
    }
}

/// The families of all parameters.
pub(super) fn families(program: &Program, functions: &[Function], calls: &Calls, lengths: &Lengths) -> Result<Vec<Family>, HarnessError> {
    let mut out: Vec<Family> = Vec::new();
    let taken = |f: &Function, spelled: &str| f.params.iter().filter(|p| spelling(program, p.of) == spelled).count();
    let pointers = functions.iter().flat_map(|f| (0..f.params.len()).map(move |k| (f, k)));
    for (function, k) in pointers {
        let of = function.params[k].of;
        let (Some(to), spelled) = (pointee(program, of), spelling(program, of)) else { continue };
        if out.iter().any(|f| f.spelling == spelled) {
            continue;
        }
        let given =
            |f: &&Function| spelling(program, f.result) == spelled && pointee(program, f.result).is_some_and(|t| !is_const(program, t));
        let origin = if functions.iter().filter(given).any(|f| taken(f, &spelled) == 0) {
            Origin::Made
        } else if functions.iter().filter(given).any(|f| replaces(program, f, &spelled)) {
            Origin::Threaded
        } else if is_structure(program, to, 1) {
            Origin::Shared
        } else {
            continue;
        };
        let name = parameter_name(function, k);
        if origin == Origin::Shared && program.size(to) == 0 {
            return Err(SequenceError::Incomplete { name: function.name.clone(), parameter: name }.into());
        }
        let most = functions.iter().map(|f| taken(f, &spelled)).max().unwrap_or(1);
        let count = if origin == Origin::Made { calls.length as usize + 1 } else { most };
        let nullable = calls.nulls && origin != Origin::Threaded;
        let elements = if let Some(ArrayLength::Fixed(n)) = lengths.arrays.get(&name) { *n } else { 1 };
        let to = program.unqualified(to);
        out.push(Family { to, name, origin, count, elements, nullable, spelling: spelled });
    }
    Ok(out)
}

/// Whether what a function gives takes the place of what it took: its parameter is not `const`.
pub(super) fn replaces(program: &Program, function: &Function, spelled: &str) -> bool {
    let first = function.params.iter().find(|p| spelling(program, p.of) == spelled);
    first.and_then(|p| pointee(program, p.of)).is_some_and(|to| !is_const(program, to))
}
