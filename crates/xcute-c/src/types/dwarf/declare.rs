//! Types printed as C declarations.
//!
//! C declarators are written inside out: the name first, then what is around it. Typedefs and tags are printed by name; an anonymous
//! record is printed with its members, which makes a type of equal layout (the caller casts).
//!
//! **Invariant.** The text compiles with clang and gcc in a file in which the named types are visible.

use std::fmt::Write as _;

use thiserror::Error;

use super::{Encoding, Program, Qualifier, Record, Type, TypeId};

/// A type that has no C declaration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot write the type {what} in C")]
pub struct Undeclarable {
    /// What it is.
    pub what: String,
}

/// How deep declarations nest.
const DEPTH: usize = 64;

impl Program {
    /// The declaration of `name` with this type; a type name if `name` is empty.
    ///
    /// # Errors
    /// If the type (or one inside it) is not known.
    pub fn declare(&self, id: TypeId, name: &str) -> Result<String, Undeclarable> {
        self.declare_at(id, name, 0)
    }

    /// The type for a person: as C would name it.
    #[must_use]
    pub fn type_name(&self, id: TypeId) -> String {
        // An anonymous record is not worth its members here.
        if let Type::Record(Record { name: None, union, .. }) = self.get(self.unqualified(id)) {
            return if *union { "union" } else { "struct" }.to_owned();
        }
        self.declare(id, "").unwrap_or_else(|error| error.what)
    }

    fn declare_at(&self, id: TypeId, name: &str, depth: usize) -> Result<String, Undeclarable> {
        spelled(self, &mut ByName(self), id, name, true, depth)
    }

    fn base(&self, description: &Type, depth: usize) -> Result<String, Undeclarable> {
        Ok(match description {
            Type::Void => "void".to_owned(),
            Type::Base { size, encoding: Encoding::Other, .. } => match size {
                8 => "float _Complex".to_owned(),
                16 => "double _Complex".to_owned(),
                32 => "long double _Complex".to_owned(),
                _ => return Err(Undeclarable { what: format!("number of {size} bytes") }),
            },
            Type::Base { name, .. } | Type::Typedef { name, .. } => name.clone(),
            Type::Enum { name: Some(name), .. } if self.cxx => name.clone(),
            Type::Enum { name: Some(name), .. } => format!("enum {name}"),
            Type::Enum { size, signed, .. } => integer(*size, *signed).to_owned(),
            Type::Vector { of, size } => format!("__attribute__((vector_size({size}))) {}", self.declare_at(*of, "", depth + 1)?),
            Type::Record(record) => self.record(record, depth)?,
            Type::Unknown { what, .. } => return Err(Undeclarable { what: what.clone() }),
            Type::Pointer { .. } | Type::Reference { .. } | Type::Qualified { .. } | Type::Array { .. } | Type::Function { .. } => {
                unreachable!("taken apart before")
            }
        })
    }

    fn record(&self, record: &Record, depth: usize) -> Result<String, Undeclarable> {
        let keyword = if record.union { "union" } else { "struct" };
        if let Some(name) = &record.name {
            return Ok(if self.cxx { name.clone() } else { format!("{keyword} {name}") });
        }
        if depth > DEPTH {
            return Err(Undeclarable { what: "nested too deeply".to_owned() });
        }
        let mut out = format!("{keyword} {{ ");
        for member in &record.members {
            out += &self.declare_at(member.of, member.name.as_deref().unwrap_or(""), depth + 1)?;
            if let Some((_, width)) = member.bits {
                let _ = write!(out, " : {width}");
            }
            out += "; ";
        }
        Ok(out + "}")
    }
}

/// Gives names to the types that declarators are put around.
pub(super) trait Spelling {
    /// The text of a type that is neither pointer, array, function nor qualified. `complete`: a value of it is declared, not a pointer to one.
    fn base(&mut self, id: TypeId, complete: bool, depth: usize) -> Result<String, Undeclarable>;

    /// Whether it does not matter what pointers lead to.
    fn opaque(&self) -> bool {
        false
    }
}

/// Types by the names that the program has for them.
struct ByName<'a>(&'a Program);

impl Spelling for ByName<'_> {
    fn base(&mut self, id: TypeId, _complete: bool, depth: usize) -> Result<String, Undeclarable> {
        self.0.base(self.0.get(id), depth)
    }
}

/// The declaration of `name` with a type whose parts are spelled so; `complete`: of a value, which needs to know its members.
pub(super) fn spelled(
    program: &Program,
    spelling: &mut dyn Spelling,
    mut id: TypeId,
    name: &str,
    mut complete: bool,
    depth: usize,
) -> Result<String, Undeclarable> {
    let mut declarator = name.to_owned();
    let mut qualifiers = String::new();
    // Whether the declarator starts with a star, so that a suffix needs parentheses around it.
    let mut starred = false;
    for _ in 0..DEPTH {
        let base = match program.get(id) {
            Type::Qualified { by, of } => {
                add_qualifier(&mut qualifiers, *by);
                id = *of;
                continue;
            }
            Type::Typedef { to, .. } if spelling.opaque() => {
                id = *to;
                continue;
            }
            Type::Pointer { to } => {
                let space = if qualifiers.is_empty() || declarator.is_empty() { "" } else { " " };
                declarator = format!("*{}{space}{declarator}", std::mem::take(&mut qualifiers));
                (starred, complete) = (true, false);
                id = if spelling.opaque() { TypeId::VOID } else { *to };
                continue;
            }
            Type::Reference { to, rvalue } => {
                declarator = format!("{}{declarator}", if *rvalue { "&&" } else { "&" });
                (starred, complete) = (true, false);
                id = *to;
                continue;
            }
            Type::Array { of, count } => {
                let count = count.map_or_else(String::new, |c| c.to_string());
                declarator = format!("{}[{count}]", parenthesised(&declarator, &mut starred));
                // Elements are values again, also behind a pointer.
                (id, complete) = (*of, true);
                continue;
            }
            Type::Function { result, params, variadic, prototyped } => {
                let params = parameters(program, spelling, (params, *variadic, *prototyped), depth + 1)?;
                declarator = format!("{}({params})", parenthesised(&declarator, &mut starred));
                qualifiers.clear();
                (id, complete) = (*result, false);
                continue;
            }
            _ => spelling.base(id, complete, depth)?,
        };
        let restricted = qualifiers.replace("__restrict", "");
        let mut out = restricted.trim().to_owned();
        for part in [&base, &declarator] {
            if !out.is_empty() && !part.is_empty() {
                out.push(' ');
            }
            out += part;
        }
        return Ok(out);
    }
    Err(Undeclarable { what: "nested too deeply".to_owned() })
}

fn parameters(
    program: &Program,
    spelling: &mut dyn Spelling,
    (params, variadic, prototyped): (&[TypeId], bool, bool),
    depth: usize,
) -> Result<String, Undeclarable> {
    if depth > DEPTH {
        return Err(Undeclarable { what: "nested too deeply".to_owned() });
    }
    let mut out = params.iter().map(|p| spelled(program, spelling, *p, "", false, depth)).collect::<Result<Vec<_>, _>>()?;
    if variadic && !out.is_empty() && prototyped {
        out.push("...".to_owned());
    }
    if out.is_empty() && prototyped && !variadic {
        out.push("void".to_owned());
    }
    Ok(out.join(", "))
}

fn add_qualifier(qualifiers: &mut String, by: Qualifier) {
    let word = match by {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        Qualifier::Restrict => "__restrict",
        Qualifier::Atomic => "_Atomic",
    };
    if !qualifiers.split(' ').any(|q| q == word) {
        if !qualifiers.is_empty() {
            qualifiers.push(' ');
        }
        qualifiers.push_str(word);
    }
}

fn parenthesised(declarator: &str, starred: &mut bool) -> String {
    if std::mem::take(starred) { format!("({declarator})") } else { declarator.to_owned() }
}

/// The C type of an integer of this size.
pub(crate) fn integer(size: u64, signed: bool) -> &'static str {
    match (size, signed) {
        (1, true) => "signed char",
        (1, false) => "unsigned char",
        (2, true) => "short",
        (2, false) => "unsigned short",
        (8, true) => "long",
        (8, false) => "unsigned long",
        (16, true) => "__int128",
        (16, false) => "unsigned __int128",
        (_, true) => "int",
        (_, false) => "unsigned int",
    }
}
