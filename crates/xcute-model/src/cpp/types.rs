//! The types that a model declares, and what their values look like.

use std::collections::HashMap;

use super::{Tok, lex};

/// A declared type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Declared {
    Struct(Vec<Field>),
    Enum(Vec<String>),
    Alias(String),
    Opaque,
}

/// A data member of a structure.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type, with dimensions at the end.
    pub ty: String,
}

/// What values of a type look like.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Shape {
    /// `bool`.
    Bool,
    /// An integer or character.
    Integer {
        /// Its size.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A floating-point number of this many bits.
    Float(u32),
    /// `char *` or `std::string`.
    Text,
    /// One of the literals.
    Enum {
        /// The type's full name.
        name: String,
        /// Its literals.
        literals: Vec<String>,
    },
    /// Fields.
    Struct {
        /// The type's full name.
        name: String,
        /// Its fields.
        fields: Vec<Field>,
    },
    /// Elements.
    Array {
        /// Their type.
        element: String,
        /// How many, as C++ says it.
        count: String,
    },
    /// Unknown.
    Opaque,
}

/// All types that a model declares.
#[derive(Clone, Debug, Default)]
pub struct Types {
    declared: HashMap<String, Declared>,
    order: Vec<String>,
}

impl Types {
    pub(super) fn declare(&mut self, name: String, declared: Declared) {
        if self.declared.insert(name.clone(), declared).is_none() {
            self.order.push(name);
        }
    }

    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.declared.contains_key(name)
    }

    /// The full names of all structures and enumerations that are known, in the order of their declarations.
    pub fn known(&self) -> impl Iterator<Item = &str> {
        let known = |name: &&String| matches!(self.declared[*name], Declared::Struct(_) | Declared::Enum(_));
        self.order.iter().filter(known).map(String::as_str)
    }

    /// The full names of all types that are declared, in the order of their declarations.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// What values of a type look like.
    #[must_use]
    pub fn shape(&self, ty: &str) -> Shape {
        self.shape_within(ty, 0)
    }

    fn shape_within(&self, ty: &str, depth: u32) -> Shape {
        let ty = ty.trim();
        if depth > 32 {
            return Shape::Opaque;
        }
        if let Some(open) = ty.find('[')
            && ty.ends_with(']')
        {
            // The first dimension is the outermost one.
            let close = ty[open..].find(']').map_or(ty.len(), |end| open + end);
            let element = format!("{}{}", ty[..open].trim(), &ty[close + 1..]);
            return Shape::Array { element, count: ty[open + 1..close].trim().to_owned() };
        }
        let tokens = lex(ty);
        let words: Vec<&str> =
            tokens.iter().filter_map(Tok::word).filter(|w| !matches!(*w, "const" | "volatile" | "struct" | "class" | "enum")).collect();
        if tokens.iter().any(|token| token.is("<") || token.is("&") || token.is("(")) {
            return Shape::Opaque;
        }
        match tokens.iter().filter(|token| token.is("*")).count() {
            0 => {}
            1 if words == ["char"] => return Shape::Text,
            _ => return Shape::Opaque,
        }
        if let Some(shape) = builtin(&words) {
            return shape;
        }
        let name = words.join("::");
        match self.declared.get(&name) {
            Some(Declared::Alias(other)) => self.shape_within(other, depth + 1),
            Some(Declared::Enum(literals)) => Shape::Enum { name, literals: literals.clone() },
            Some(Declared::Struct(fields)) => Shape::Struct { name, fields: fields.clone() },
            Some(Declared::Opaque) | None => Shape::Opaque,
        }
    }
}

fn builtin(words: &[&str]) -> Option<Shape> {
    let integer = |bits, signed| Some(Shape::Integer { bits, signed });
    match words {
        ["bool" | "RTBoolean"] => return Some(Shape::Bool),
        ["float"] => return Some(Shape::Float(32)),
        ["double" | "RTReal"] | ["long", "double"] => return Some(Shape::Float(64)),
        ["std", "string"] | ["RTpchar"] => return Some(Shape::Text),
        ["RTInteger"] => return integer(32, true),
        ["RTCharacter"] => return integer(8, true),
        ["size_t" | "uintptr_t"] | ["std", "size_t"] => return integer(64, false),
        ["wchar_t"] => return integer(32, true),
        [word] | ["std", word] if word.ends_with("_t") => {
            let signed = word.starts_with("int");
            let bits = word.trim_start_matches("uint").trim_start_matches("int").trim_end_matches("_t").parse().ok()?;
            return if matches!(bits, 8 | 16 | 32 | 64) { integer(bits, signed) } else { None };
        }
        _ => {}
    }
    let (mut bits, mut signed, mut base) = (32, true, false);
    for word in words {
        match *word {
            "unsigned" => signed = false,
            "signed" => {}
            "char" => bits = 8,
            "short" => bits = 16,
            "int" => {}
            "long" => bits = 64,
            _ => return None,
        }
        base = true;
    }
    if base { integer(bits, signed) } else { None }
}
