//! Builds the type table from the program's types.
//!
//! **Invariant.** A type gets its index before its parts are looked at, so recursive types end; equal types get equal indices.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xcute_trace::Limit;

use super::functions::candidates;
use super::{
    RootName, TypeTable, XC_PTR_FUNCTION, XC_PTR_NONNULL, XC_PTR_STRING, XC_SIGNED, XC_TY_ARRAY, XC_TY_BOOL, XC_TY_FLOAT, XC_TY_FUNCTION,
    XC_TY_INT, XC_TY_OPAQUE, XC_TY_POINTER, XC_TY_STRUCT, XC_TY_UNION, XcField, XcType,
};
use crate::types::dwarf::{Encoding, Member, Program, Record, Type, TypeId};

/// How many elements a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ArrayLength {
    /// This many.
    Fixed(u32),
    /// As many as this parameter says, at most [`Lengths::max`].
    Parameter(String),
}

/// The sizes of fresh objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lengths {
    /// `--array`: by the name of a parameter, a field or an input.
    pub arrays: BTreeMap<String, ArrayLength>,
    /// Elements of an array whose length is a parameter.
    pub max: u32,
    /// Characters of a string, the final NUL not counted.
    pub string: u32,
    /// Bytes behind a `void *`.
    pub opaque: u32,
}

impl Default for Lengths {
    fn default() -> Lengths {
        Lengths { arrays: BTreeMap::new(), max: 8, string: 8, opaque: 16 }
    }
}

impl Lengths {
    /// The arrays whose length is a parameter, and that parameter.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.arrays.iter().filter_map(|(array, length)| match length {
            ArrayLength::Parameter(name) => Some((array.as_str(), name.as_str())),
            ArrayLength::Fixed(_) => None,
        })
    }

    /// The elements that a pointer of this name has by option.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<u32> {
        self.arrays.get(name).map(|length| match length {
            ArrayLength::Fixed(n) => *n,
            ArrayLength::Parameter(_) => self.max,
        })
    }
}

/// A call of `xcute_input`.
#[derive(Clone, Copy, Debug)]
pub struct InputCall<'a> {
    /// The name it passes.
    pub name: &'a str,
    /// The function it stands in.
    pub function: &'a str,
    /// Its number.
    pub number: u32,
    /// Its line, which distinguishes inputs of the same name.
    pub line: u32,
}

/// Builds a [`TypeTable`].
#[derive(Debug)]
pub struct Builder<'a> {
    program: &'a Program,
    lengths: &'a Lengths,
    /// Functions that are not candidates for function pointers: the entry and the harness.
    excluded: &'a [&'a str],
    table: TypeTable,
    /// By type, length, and whether it is never NULL.
    known: FxHashMap<(TypeId, Option<u32>, bool), u32>,
    /// The names of [`Lengths::arrays`] that were met.
    met: BTreeSet<String>,
    open: Vec<(u32, TypeId)>,
}

impl<'a> Builder<'a> {
    /// A builder with nothing in it.
    #[must_use]
    pub fn new(program: &'a Program, lengths: &'a Lengths, excluded: &'a [&'a str]) -> Builder<'a> {
        Builder {
            program,
            lengths,
            excluded,
            table: TypeTable::default(),
            known: FxHashMap::default(),
            met: BTreeSet::new(),
            open: Vec::new(),
        }
    }

    /// Adds the next input (the next key).
    pub fn input(&mut self, call: InputCall<'_>, of: TypeId) {
        let (plain, array) = call.name.strip_suffix("[]").map_or((call.name, false), |plain| (plain, true));
        let index = self.named(of, Some(plain).filter(|_| !array), true);
        self.fill();
        self.table.inputs.push(index);
        let taken = |name: &str| self.table.roots.iter().any(|r| r.name == name);
        let mut unique = plain.to_owned();
        let mut line = call.line;
        while taken(&unique) {
            unique = format!("{plain}@{line}");
            line += 1;
        }
        let (function, passed) = (call.function.to_owned(), call.name.to_owned());
        self.table.roots.push(RootName { name: unique, array, function, number: call.number, passed });
    }

    /// A name of [`Lengths::arrays`] that no pointer has so far.
    #[must_use]
    pub fn unmet(&self) -> Option<&'a str> {
        self.lengths.arrays.keys().find(|name| !self.met.contains(*name)).map(String::as_str)
    }

    /// The table.
    #[must_use]
    pub fn finish(mut self) -> TypeTable {
        self.fill();
        self.table.lengths = self.lengths.parameters().map(|(array, length)| (array.to_owned(), length.to_owned())).collect();
        self.table
    }

    fn fill(&mut self) {
        while let Some((index, of)) = self.open.pop() {
            let description = self.describe(index, of);
            // The length of a pointer was set when it was mentioned, because it depends on the name.
            self.table.types[index as usize] = description;
        }
    }

    /// The index of a type; pointers may have a length by the name they are met under. An input that was said to point to an array is
    /// never NULL; a field may be, since otherwise a recursive structure would never end.
    fn named(&mut self, of: TypeId, name: Option<&str>, root: bool) -> u32 {
        let stripped = self.program.strip(of);
        let pointer = matches!(self.program.get(stripped), Type::Pointer { .. });
        let length = name.filter(|_| pointer).and_then(|n| self.lengths.of(n));
        if let Some(name) = name.filter(|_| length.is_some()) {
            self.met.insert(name.to_owned());
        }
        let nonnull = root && length.is_some();
        let key = (self.identity(stripped), length, nonnull);
        if let Some(&index) = self.known.get(&key) {
            return index;
        }
        let index = self.table.types.len() as u32;
        self.known.insert(key, index);
        let flags = if nonnull { XC_PTR_NONNULL } else { 0 };
        self.table.types.push(XcType { count: length.unwrap_or(0), flags, ..XcType::default() });
        self.table.origin.push(of);
        self.open.push((index, stripped));
        index
    }

    /// Pointers whose pointees differ only in typedefs and qualifiers are one type.
    fn identity(&self, of: TypeId) -> TypeId {
        // The first type of the program that means the same: looked for by structure one level down.
        let Type::Pointer { to } = self.program.get(of) else { return of };
        let pointee = self.program.strip(*to);
        let same = |id: &TypeId| matches!(self.program.get(*id), Type::Pointer { to } if self.program.strip(*to) == pointee);
        (0..of.0).map(TypeId).find(same).unwrap_or(of)
    }

    fn describe(&mut self, index: u32, of: TypeId) -> XcType {
        let program = self.program;
        let size = program.size(of);
        match program.get(of) {
            Type::Base { encoding, name, .. } => self.base(*encoding, size, name),
            Type::Enum { signed, .. } => int(size, *signed),
            Type::Pointer { to } | Type::Reference { to, .. } => {
                let XcType { count, flags, .. } = self.table.types[index as usize];
                let pointer = self.pointer(count, *to);
                XcType { flags: pointer.flags | flags, ..pointer }
            }
            // Bytes are not an object of a class with constructors.
            Type::Record(record) if record.incomplete || !program.is_plain(of) => opaque(0),
            Type::Record(record) => self.record(record),
            Type::Array { of, count } => {
                let elem = self.named(*of, None, false);
                self.array(elem, count.unwrap_or(0), size)
            }
            Type::Vector { of, size } => {
                let elem = self.named(*of, None, false);
                let lane = program.size(*of).max(1);
                self.array(elem, size / lane, *size)
            }
            Type::Function { .. } => self.function(of),
            Type::Void => opaque(u64::from(self.lengths.opaque)),
            Type::Unknown { what, size } => {
                self.limit(format!("a value of the type {what} is only bytes"), true);
                opaque(*size)
            }
            Type::Typedef { .. } | Type::Qualified { .. } => opaque(0),
        }
    }

    fn base(&mut self, encoding: Encoding, size: u64, name: &str) -> XcType {
        match encoding {
            Encoding::Int { signed } | Encoding::Char { signed } if size <= 8 => int(size, signed),
            Encoding::Int { .. } | Encoding::Char { .. } => {
                let word = self.anonymous(int(8, false));
                self.array(word, size / 8, size)
            }
            Encoding::Bool => XcType { kind: XC_TY_BOOL, size, ..XcType::default() },
            Encoding::Float => {
                if size != 4 && size != 8 {
                    self.limit(format!("inputs of type {name} stay zero"), true);
                }
                XcType { kind: XC_TY_FLOAT, size, ..XcType::default() }
            }
            Encoding::Other if size == 8 || size == 16 => {
                let part = self.anonymous(XcType { kind: XC_TY_FLOAT, size: size / 2, ..XcType::default() });
                self.array(part, 2, size)
            }
            Encoding::Other => {
                self.limit(format!("inputs of type {name} stay zero"), true);
                XcType { kind: XC_TY_FLOAT, size, ..XcType::default() }
            }
        }
    }

    /// A type that no type of the program stands for.
    fn anonymous(&mut self, description: XcType) -> u32 {
        let index = self.table.types.len() as u32;
        self.table.types.push(description);
        self.table.origin.push(TypeId::VOID);
        index
    }

    fn array(&mut self, elem: u32, count: u64, size: u64) -> XcType {
        XcType { kind: XC_TY_ARRAY, elem, count: u32::try_from(count).unwrap_or(u32::MAX), size, ..XcType::default() }
    }

    fn pointer(&mut self, length: u32, to: TypeId) -> XcType {
        let elem = self.named(to, None, false);
        let pointer = XcType { kind: XC_TY_POINTER, elem, size: 8, count: length.max(1), ..XcType::default() };
        match self.program.get(self.program.strip(to)) {
            Type::Function { .. } => XcType { flags: XC_PTR_FUNCTION, count: 1, ..pointer },
            Type::Base { encoding: Encoding::Char { .. }, size: 1, .. } if length == 0 => {
                XcType { flags: XC_PTR_STRING, count: self.lengths.string.saturating_add(1), ..pointer }
            }
            Type::Record(Record { incomplete: true, .. }) => {
                let name = self.program.type_name(to);
                self.limit(format!("pointers to {name} stay NULL: the type is incomplete"), true);
                pointer
            }
            Type::Record(_) if !self.program.is_plain(to) => {
                let name = self.program.type_name(to);
                self.limit(format!("pointers to {name} stay NULL: only constructors can build it"), true);
                pointer
            }
            _ => pointer,
        }
    }

    fn record(&mut self, record: &Record) -> XcType {
        let wanted: Vec<&Member> = if record.union {
            let size = |m: &&Member| self.program.size(m.of);
            // The first of the largest, as `max_by_key` would take the last.
            let largest = record.members.iter().map(|m| size(&m)).max().unwrap_or(0);
            let chosen = record.members.iter().find(|m| size(m) == largest);
            if let Some(member) = chosen.filter(|m| record.members.len() > 1 && self.has_pointer(m.of)) {
                let (name, member) = (record.name.as_deref().unwrap_or("(without a name)"), member.name.as_deref().unwrap_or("?"));
                self.limit(format!("a union {name} holds only what its member {member} can be, a pointer"), true);
            }
            chosen.into_iter().collect()
        } else {
            record.members.iter().filter(|m| m.bits.is_some() || self.program.size(m.of) > 0).collect()
        };
        let fields: Vec<(XcField, Option<String>)> = wanted
            .into_iter()
            .map(|m| {
                let (bit, bits) = m.bits.unwrap_or((0, 0));
                (XcField { offset: m.offset, of: self.named(m.of, m.name.as_deref(), false), bit, bits }, m.name.clone())
            })
            .collect();
        let kind = if record.union { XC_TY_UNION } else { XC_TY_STRUCT };
        self.with_fields(XcType { kind, size: record.size, ..XcType::default() }, fields)
    }

    /// Whether a value of this type holds a pointer: such values are NULL or objects, not any bits.
    fn has_pointer(&self, of: TypeId) -> bool {
        match self.program.get(self.program.strip(of)) {
            Type::Pointer { .. } => true,
            Type::Array { of, .. } => self.has_pointer(*of),
            Type::Record(record) => record.members.iter().any(|m| self.has_pointer(m.of)),
            _ => false,
        }
    }

    fn function(&mut self, of: TypeId) -> XcType {
        let names = candidates(self.program, of, self.excluded);
        if names.is_empty() {
            let name = self.program.type_name(of);
            self.limit(format!("pointers to functions {name} stay NULL: the program defines no such function"), true);
        }
        let fields = names.into_iter().map(|name| (XcField::default(), Some(name))).collect();
        self.with_fields(XcType { kind: XC_TY_FUNCTION, ..XcType::default() }, fields)
    }

    fn with_fields(&mut self, description: XcType, fields: Vec<(XcField, Option<String>)>) -> XcType {
        let first = self.table.fields.len() as u32;
        for (field, name) in fields {
            self.table.fields.push(field);
            self.table.field_names.push(name);
        }
        XcType { first, n: self.table.fields.len() as u32 - first, ..description }
    }

    fn limit(&mut self, what: String, incomplete: bool) {
        let limit = Limit { kind: "unsupported".to_owned(), what, incomplete };
        if !self.table.limits.contains(&limit) {
            self.table.limits.push(limit);
        }
    }
}

fn int(size: u64, signed: bool) -> XcType {
    XcType { kind: XC_TY_INT, size, flags: if signed { XC_SIGNED } else { 0 }, ..XcType::default() }
}

fn opaque(size: u64) -> XcType {
    XcType { kind: XC_TY_OPAQUE, size, ..XcType::default() }
}
