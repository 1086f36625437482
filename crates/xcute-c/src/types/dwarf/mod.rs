//! The types and functions of a program, read from its debugging information.
//!
//! [`Program::read`] takes native objects or executables (DWARF 4 and 5). `entries` turns bytes into a plain tree of entries, `interpret`
//! the tree into types and functions, `classes` adds what C++ knows of its classes, `merge` makes one type of those that several compilation units repeat, `declare` prints types as C, `define` and `layout` with all that they need.
//!
//! **Invariant.** Odd input is an error or a type of kind [`Type::Unknown`], never a panic and never an endless loop.

mod classes;
mod declare;
mod define;
mod entries;
mod interpret;
mod layout;
mod merge;

pub use classes::{Class, Constructor};
pub use declare::Undeclarable;
pub(crate) use declare::integer;
pub use define::Definitions;
pub(crate) use define::identifier;

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Names a type of one [`Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

impl TypeId {
    /// `void`.
    pub const VOID: TypeId = TypeId(0);
}

/// What a base type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// An integer, two's complement if it is signed.
    Int {
        /// Whether it has a sign.
        signed: bool,
    },
    /// A character: an integer that is shown as a letter.
    Char {
        /// Whether it has a sign.
        signed: bool,
    },
    /// `_Bool`.
    Bool,
    /// `float`, `double`, `long double`, by size.
    Float,
    /// Anything else: complex and decimal numbers.
    Other,
}

/// A qualifier; types below one are what they are without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Qualifier {
    /// `const`.
    Const,
    /// `volatile`.
    Volatile,
    /// `restrict`.
    Restrict,
    /// `_Atomic`.
    Atomic,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `void`.
    Void,
    /// A base type.
    Base {
        /// As the compiler spells it.
        name: String,
        /// In bytes.
        size: u64,
        /// What it holds.
        encoding: Encoding,
    },
    /// An enumeration.
    Enum {
        /// Its tag.
        name: Option<String>,
        /// In bytes.
        size: u64,
        /// Whether its integer has a sign.
        signed: bool,
        /// Names and values, in order.
        enumerators: Vec<(String, i64)>,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: TypeId,
    },
    /// A reference of C++.
    Reference {
        /// What it refers to.
        to: TypeId,
        /// Whether it is one to something that may be moved from: `T &&`.
        rvalue: bool,
    },
    /// Another name for a type.
    Typedef {
        /// The name.
        name: String,
        /// The type.
        to: TypeId,
    },
    /// A qualified type.
    Qualified {
        /// The qualifier.
        by: Qualifier,
        /// The type.
        of: TypeId,
    },
    /// A structure, union or class.
    Record(Record),
    /// An array of one dimension.
    Array {
        /// Type of the elements.
        of: TypeId,
        /// How many; `None` for a flexible one.
        count: Option<u64>,
    },
    /// A vector of the compiler's extension.
    Vector {
        /// Type of the lanes.
        of: TypeId,
        /// In bytes.
        size: u64,
    },
    /// A function.
    Function {
        /// Type of the result.
        result: TypeId,
        /// Types of the parameters.
        params: Vec<TypeId>,
        /// Whether more arguments may follow.
        variadic: bool,
        /// Whether it was declared with a prototype; `int f()` was not.
        prototyped: bool,
    },
    /// Something this file does not know.
    Unknown {
        /// What the debugging information calls it.
        what: String,
        /// In bytes, where known.
        size: u64,
    },
}

/// A structure, union or class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its tag; `None` for an anonymous one.
    pub name: Option<String>,
    /// Whether its members overlap.
    pub union: bool,
    /// In bytes.
    pub size: u64,
    /// The alignment that the source asks for.
    pub alignment: Option<u64>,
    /// Whether only its name is known.
    pub incomplete: bool,
    /// Its members, in order.
    pub members: Vec<Member>,
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; `None` for an anonymous structure or union in a record.
    pub name: Option<String>,
    /// Its type.
    pub of: TypeId,
    /// Bytes from the start of the record; for a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    /// For a bit-field: its first bit in that byte, and its width.
    pub bits: Option<(u16, u16)>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type.
    pub of: TypeId,
}

/// A function that is defined in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// As in the source, with the namespaces and classes around it.
    pub name: String,
    /// What people call it, where that is not its name: the function that it stands for.
    pub stands_for: Option<String>,
    /// For a method that needs an object: the class.
    pub class: Option<TypeId>,
    /// Whether everybody may call it: no private or protected method.
    pub public: bool,
    /// As the linker sees it.
    pub linkage: String,
    /// The file, as the compiler was given it, made absolute with its directory.
    pub file: String,
    /// The line of the definition; 0 where unknown.
    pub line: u32,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// The type of its result.
    pub result: TypeId,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Whether other files see it: not `static`.
    pub external: bool,
    /// Whether it was defined with a prototype: arguments of one that was not are promoted.
    pub prototyped: bool,
    /// The file of those that were read in which it is, by its position.
    pub unit: usize,
}

impl Function {
    /// Its name for people.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.stands_for.as_deref().unwrap_or_else(|| crate::names::shown(&self.name))
    }
}

/// A global variable that is defined in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// The name.
    pub name: String,
    /// Its type.
    pub of: TypeId,
    /// The file of its declaration.
    pub file: String,
    /// Whether other files see it.
    pub external: bool,
}

/// The variable that `xcute_input` declares for the type of what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputVariable {
    /// The function it stands in (its linkage name).
    pub function: String,
    /// The number in its name.
    pub number: u64,
    /// The type of the input: what the variable points to.
    pub of: TypeId,
}

/// What the debugging information says about a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    types: Vec<Type>,
    /// Whether some of it is C++.
    pub cxx: bool,
    /// The classes of C++ that need more than their members to be built.
    pub classes: Vec<Class>,
    /// The functions that are defined, in order of appearance.
    pub functions: Vec<Function>,
    /// The global variables that are defined.
    pub globals: Vec<Global>,
    /// The variables of `xcute_input` calls.
    pub inputs: Vec<InputVariable>,
}

/// Why debugging information cannot be read.
#[derive(Debug, Error)]
pub enum DwarfError {
    /// The file cannot be read.
    #[error("cannot read {path}: {why}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        why: std::io::Error,
    },
    /// It is not an object file.
    #[error("{path} is not an object file: {why}")]
    Object {
        /// The file.
        path: PathBuf,
        /// The reader's reason.
        why: String,
    },
    /// It has no debugging information, or a broken one.
    #[error("cannot read the debugging information of {path}: {why} (was it compiled with -g?)")]
    Dwarf {
        /// The file.
        path: PathBuf,
        /// The reader's reason.
        why: String,
    },
}

/// How many typedefs and qualifiers are followed, at most.
const CHAIN: usize = 256;

impl Program {
    /// Reads the debugging information of objects or executables, as one program.
    ///
    /// # Errors
    /// If a file cannot be read, is not an object file, or has no (or broken) debugging information.
    pub fn read<P: AsRef<Path>>(files: &[P]) -> Result<Program, DwarfError> {
        let mut program = interpret::empty();
        for (unit, file) in files.iter().enumerate() {
            let path = file.as_ref();
            let bytes = std::fs::read(path).map_err(|why| DwarfError::Io { path: path.to_owned(), why })?;
            let entries = entries::read(&bytes).map_err(|error| error.at(path))?;
            interpret::add(&mut program, &entries, unit);
        }
        merge::merge(&mut program);
        Ok(program)
    }

    /// The type with this id; [`Type::Void`] for an id of another program.
    #[must_use]
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get(id.0 as usize).unwrap_or(&Type::Void)
    }

    /// How many types there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are no types at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The type without typedefs and qualifiers at its top.
    #[must_use]
    pub fn strip(&self, id: TypeId) -> TypeId {
        let mut id = id;
        for _ in 0..CHAIN {
            match self.get(id) {
                Type::Typedef { to, .. } => id = *to,
                Type::Qualified { of, .. } => id = *of,
                _ => return id,
            }
        }
        TypeId::VOID
    }

    /// The type without qualifiers at its top; typedefs stay, unless a qualifier hides in one.
    #[must_use]
    pub fn unqualified(&self, id: TypeId) -> TypeId {
        let mut id = id;
        for _ in 0..CHAIN {
            match self.get(id) {
                Type::Qualified { of, .. } => id = *of,
                Type::Typedef { to, .. } if self.hides_qualifier(*to) => id = *to,
                _ => return id,
            }
        }
        TypeId::VOID
    }

    fn hides_qualifier(&self, id: TypeId) -> bool {
        let mut id = id;
        for _ in 0..CHAIN {
            match self.get(id) {
                Type::Qualified { .. } => return true,
                Type::Typedef { to, .. } => id = *to,
                // Elements of an array typedef may be qualified, and then so is the array.
                Type::Array { of, .. } => id = *of,
                _ => return false,
            }
        }
        false
    }

    /// The size of a value of this type in bytes; 0 for functions, `void`, and incomplete types.
    #[must_use]
    pub fn size(&self, id: TypeId) -> u64 {
        let mut factor: u64 = 1;
        let mut id = id;
        for _ in 0..CHAIN {
            id = self.strip(id);
            match self.get(id) {
                Type::Array { of, count } => {
                    factor = factor.saturating_mul(count.unwrap_or(0));
                    id = *of;
                }
                other => return factor.saturating_mul(other.own_size()),
            }
        }
        0
    }

    /// The function with this name; one that other files see is preferred.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Function> {
        let mut named = self.functions.iter().filter(|f| f.name == name);
        let first = named.next()?;
        if first.external { Some(first) } else { Some(named.find(|f| f.external).unwrap_or(first)) }
    }

    /// The input variable of a function with this number.
    #[must_use]
    pub fn input(&self, function: &str, number: u64) -> Option<&InputVariable> {
        self.inputs.iter().find(|i| i.number == number && i.function == function)
    }
}

impl Type {
    fn own_size(&self) -> u64 {
        match self {
            Type::Base { size, .. } | Type::Enum { size, .. } | Type::Vector { size, .. } | Type::Unknown { size, .. } => *size,
            Type::Pointer { .. } | Type::Reference { .. } => 8,
            Type::Record(record) => record.size,
            Type::Void | Type::Function { .. } | Type::Typedef { .. } | Type::Qualified { .. } | Type::Array { .. } => 0,
        }
    }
}

#[cfg(test)]
mod tests;
