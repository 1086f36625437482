//! Leaves as C expressions that can be assigned to.
//!
//! Unlike the names for people, these follow the program's own types: they know about `const` members, 128-bit integers and unions.
//!
//! **Invariant.** An expression compiles after the definitions of its types, and denotes exactly the leaf's bytes.

use super::functions::Declared;
use crate::types::dwarf::{Encoding, Member, Program, Qualifier, Record, Type, TypeId, identifier};

/// An expression for a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The expression.
    pub text: String,
    /// The type of what it denotes, without qualifiers.
    pub of: TypeId,
}

/// Where a walk starts.
pub(super) enum Base<'a> {
    /// A variable of the type.
    Variable(&'a str),
    /// A pointer to this many elements of the type.
    Pointer(&'a str, u32),
}

/// How deep aggregates nest.
const DEPTH: usize = 64;

/// The expression for the leaf at an offset; `None` where C has none.
pub(super) fn place(program: &Program, declared: &mut Declared<'_>, base: &Base<'_>, of: TypeId, offset: u64, bit: u16) -> Option<Place> {
    let size = program.size(of).max(1);
    let (text, arrow, offset) = match base {
        Base::Variable(name) => ((*name).to_owned(), false, offset),
        Base::Pointer(name, count) if *count > 1 || offset >= size => (format!("{name}[{}]", offset / size), false, offset % size),
        Base::Pointer(name, _) => ((*name).to_owned(), true, offset),
    };
    let mut walk = Walk { program, declared, text, arrow, fixed: false, of, offset, bit };
    for _ in 0..DEPTH {
        if let Some(done) = walk.step()? {
            return Some(done);
        }
    }
    None
}

struct Walk<'a, 'd> {
    program: &'a Program,
    declared: &'a mut Declared<'d>,
    text: String,
    /// Whether `text` is a pointer to the value, not the value.
    arrow: bool,
    /// Whether a `const` was passed.
    fixed: bool,
    of: TypeId,
    offset: u64,
    bit: u16,
}

impl Walk<'_, '_> {
    /// One step down: `Some(None)` goes on, `Some(Some(_))` is the leaf, `None` gives up.
    fn step(&mut self) -> Option<Option<Place>> {
        let program = self.program;
        match program.get(self.of) {
            Type::Qualified { by, of } => {
                self.fixed |= *by == Qualifier::Const;
                self.of = *of;
                Some(None)
            }
            Type::Typedef { to, .. } if self.is_scalar() && !self.hides_const(*to) => Some(Some(self.leaf()?)),
            Type::Typedef { to, .. } => {
                self.of = *to;
                Some(None)
            }
            Type::Record(record) => self.member(record),
            Type::Array { of, .. } => {
                let size = program.size(*of).max(1);
                self.text = format!("{}[{}]", self.value(), self.offset / size);
                (self.of, self.offset) = (*of, self.offset % size);
                Some(None)
            }
            Type::Base { encoding: Encoding::Int { .. } | Encoding::Char { .. }, size, .. } if *size > 8 => self.part("unsigned long", 8),
            Type::Base { encoding: Encoding::Other, size: 8, .. } => self.part("float", 4),
            Type::Base { encoding: Encoding::Other, size: 16, .. } => self.part("double", 8),
            Type::Vector { of, .. } => {
                let lane = self.declared.definitions.declare(*of, "").ok()?;
                self.part(&lane, program.size(*of).max(1))
            }
            Type::Base { .. } | Type::Enum { .. } | Type::Pointer { .. } | Type::Reference { .. } => Some(Some(self.leaf()?)),
            Type::Void | Type::Function { .. } | Type::Unknown { .. } => None,
        }
    }

    fn is_scalar(&self) -> bool {
        let scalar = |t: &Type| {
            matches!(t, Type::Enum { .. } | Type::Pointer { .. })
                || matches!(t, Type::Base { encoding, size, .. } if *size <= 8 && *encoding != Encoding::Other)
        };
        scalar(self.program.get(self.program.strip(self.of)))
    }

    fn hides_const(&self, id: TypeId) -> bool {
        self.program.unqualified(id) != id
    }

    /// The value as an expression.
    fn value(&mut self) -> String {
        if std::mem::take(&mut self.arrow) { format!("(*{})", self.text) } else { self.text.clone() }
    }

    fn member(&mut self, record: &Record) -> Option<Option<Place>> {
        let program = self.program;
        let size = |m: &Member| program.size(m.of);
        let found = if record.union {
            let largest = record.members.iter().map(size).max()?;
            record.members.iter().find(|m| size(m) == largest)?
        } else {
            let holds = |m: &&Member| match m.bits {
                Some((bit, _)) => m.offset == self.offset && bit == self.bit,
                None => m.offset <= self.offset && self.offset - m.offset < size(m),
            };
            record.members.iter().find(holds)?
        };
        if let Some(name) = &found.name {
            let joint = if std::mem::take(&mut self.arrow) { "->" } else { "." };
            self.text = format!("{}{joint}{}", self.text, identifier(name));
        }
        self.of = found.of;
        if found.bits.is_some() {
            // The address of a bit-field cannot be taken, so a `const` one cannot be assigned.
            let fixed = self.fixed || self.program.unqualified(found.of) != found.of;
            return if fixed { None } else { Some(Some(Place { text: self.text.clone(), of: found.of })) };
        }
        self.offset -= found.offset;
        Some(None)
    }

    /// One of the parts of a wide number.
    fn part(&mut self, of: &str, size: u64) -> Option<Option<Place>> {
        let value = self.value();
        let index = self.offset / size;
        self.offset.is_multiple_of(size).then(|| Some(Place { text: format!("(({of} *)&{value})[{index}]"), of: TypeId::VOID }))
    }

    fn leaf(&mut self) -> Option<Place> {
        if self.offset != 0 {
            return None;
        }
        let of = self.program.unqualified(self.of);
        let text = if self.fixed {
            let pointer = self.declared.definitions.declare(of, "*").ok()?;
            let value = self.value();
            format!("*({pointer})&{value}")
        } else if self.arrow {
            format!("*{}", self.text)
        } else {
            self.text.clone()
        };
        Some(Place { text, of })
    }
}
