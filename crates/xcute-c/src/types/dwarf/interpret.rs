//! From the tree of debugging entries to types, functions, globals and input variables.
//!
//! Types refer to each other in circles, so an id is given when a type is first mentioned and its description is filled in from a work
//! list; there is no recursion over the input.
//!
//! **Invariant.** Every id that a description mentions is below `types.len()`.

use rustc_hash::FxHashMap;

use super::entries::{Entry, is_cxx};
use crate::names::MAIN;

use super::{Encoding, Function, Global, InputVariable, Member, Parameter, Program, Qualifier, Record, Type, TypeId};

/// A program without anything but `void`.
pub(super) fn empty() -> Program {
    Program { types: vec![Type::Void], ..Program::default() }
}

impl Program {
    /// The type of a byte, added if the program has none.
    pub(crate) fn byte(&mut self) -> TypeId {
        let byte = Type::Base { name: "unsigned char".to_owned(), size: 1, encoding: Encoding::Int { signed: false } };
        let known = self.types.iter().position(|of| *of == byte);
        let at = known.unwrap_or_else(|| {
            self.types.push(byte);
            self.types.len() - 1
        });
        TypeId(u32::try_from(at).unwrap_or(0))
    }
}

/// Adds what one file holds, the one at this position.
pub(super) fn add(program: &mut Program, entries: &[Entry], unit: usize) {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    for (index, entry) in entries.iter().enumerate() {
        if let Some(parent) = entry.parent {
            children[parent].push(index);
        }
    }
    let places: FxHashMap<usize, usize> = entries.iter().enumerate().map(|(index, entry)| (entry.at, index)).collect();
    let defines = |(index, entry): (usize, &Entry)| {
        let declared = entry.origin.filter(|_| entry.tag == gimli::DW_TAG_subprogram)?;
        Some((*places.get(&declared)?, index))
    };
    let definitions = entries.iter().enumerate().filter_map(defines).collect();
    let mut file = File { entries, children, places, definitions, ids: FxHashMap::default(), open: Vec::new(), types: &mut program.types };
    for (index, entry) in entries.iter().enumerate() {
        match entry.tag {
            gimli::DW_TAG_subprogram if !entry.declaration => program.functions.extend(file.function(index, unit)),
            gimli::DW_TAG_variable if entry.name.as_deref().is_some_and(|n| n.starts_with(INPUT)) => {
                program.inputs.extend(file.input(index))
            }
            gimli::DW_TAG_compile_unit => program.cxx |= entry.language.is_some_and(is_cxx),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => program.classes.extend(file.class(index)),
            gimli::DW_TAG_variable if !entry.declaration && file.at_top(index) => program.globals.extend(file.global(index)),
            _ => {}
        }
    }
    file.fill();
}

/// What the names of input variables start with; see `xcute.h`.
const INPUT: &str = "xcute_input_";

pub(super) struct File<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) children: Vec<Vec<usize>>,
    pub(super) places: FxHashMap<usize, usize>,
    /// For each declaration of a method the entry that defines it.
    pub(super) definitions: FxHashMap<usize, usize>,
    pub(super) ids: FxHashMap<usize, TypeId>,
    open: Vec<(usize, TypeId)>,
    types: &'a mut Vec<Type>,
}

impl<'a> File<'a> {
    /// The id of the type at a place; `void` for no place and for places that are not there.
    pub(super) fn id(&mut self, place: Option<usize>) -> TypeId {
        let Some(&index) = place.and_then(|p| self.places.get(&p)) else { return TypeId::VOID };
        self.id_of(index)
    }

    pub(super) fn id_of(&mut self, index: usize) -> TypeId {
        if let Some(&id) = self.ids.get(&index) {
            return id;
        }
        let id = self.push(Type::Void);
        self.ids.insert(index, id);
        self.open.push((index, id));
        id
    }

    fn push(&mut self, description: Type) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer than 2^32 types fit in memory"));
        self.types.push(description);
        id
    }

    fn fill(&mut self) {
        while let Some((index, id)) = self.open.pop() {
            let description = self.describe(index);
            self.types[id.0 as usize] = description;
        }
    }

    fn describe(&mut self, index: usize) -> Type {
        let entries = self.entries;
        let entry = &entries[index];
        let size = entry.size.unwrap_or(0);
        match entry.tag {
            gimli::DW_TAG_base_type => {
                Type::Base { name: entry.name.clone().unwrap_or_default(), size, encoding: encoding(entry.encoding.unwrap_or(0)) }
            }
            gimli::DW_TAG_unspecified_type => Type::Void,
            gimli::DW_TAG_enumeration_type => self.enumeration(index),
            gimli::DW_TAG_pointer_type => Type::Pointer { to: self.id(entry.of) },
            gimli::DW_TAG_reference_type => Type::Reference { to: self.id(entry.of), rvalue: false },
            gimli::DW_TAG_rvalue_reference_type => Type::Reference { to: self.id(entry.of), rvalue: true },
            gimli::DW_TAG_typedef => Type::Typedef { name: self.qualified(index).unwrap_or_default(), to: self.id(entry.of) },
            gimli::DW_TAG_const_type => Type::Qualified { by: Qualifier::Const, of: self.id(entry.of) },
            gimli::DW_TAG_volatile_type => Type::Qualified { by: Qualifier::Volatile, of: self.id(entry.of) },
            gimli::DW_TAG_restrict_type => Type::Qualified { by: Qualifier::Restrict, of: self.id(entry.of) },
            gimli::DW_TAG_atomic_type => Type::Qualified { by: Qualifier::Atomic, of: self.id(entry.of) },
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => self.record(index, false),
            gimli::DW_TAG_union_type => self.record(index, true),
            gimli::DW_TAG_array_type => self.array(index),
            gimli::DW_TAG_subroutine_type => Type::Function {
                result: self.id(entry.of),
                params: self.params(index).into_iter().map(|p| p.of).collect(),
                variadic: self.variadic(index),
                prototyped: entry.prototyped,
            },
            other => Type::Unknown { what: other.static_string().map_or_else(|| other.to_string(), str::to_owned), size },
        }
    }

    fn enumeration(&mut self, index: usize) -> Type {
        let entries = self.entries;
        let entry = &entries[index];
        let members = self.children[index].iter().map(|&c| &entries[c]).filter(|c| c.tag == gimli::DW_TAG_enumerator);
        let scope = if entry.enum_class { self.qualified(index).map(|name| name + "::") } else { Some(self.scope(index)) };
        let scope = scope.unwrap_or_default();
        let enumerators: Vec<_> =
            members.map(|m| (format!("{scope}{}", m.name.as_deref().unwrap_or_default()), m.value.unwrap_or(0))).collect();
        let underlying = entry.of.and_then(|p| self.places.get(&p)).map(|&i| encoding(entries[i].encoding.unwrap_or(0)));
        let signed = match underlying {
            Some(Encoding::Int { signed } | Encoding::Char { signed }) => signed,
            _ => enumerators.iter().any(|&(_, value)| value < 0),
        };
        Type::Enum { name: self.qualified(index), size: entry.size.unwrap_or(4), signed, enumerators }
    }

    fn record(&mut self, index: usize, union: bool) -> Type {
        let entries = self.entries;
        let entry = &entries[index];
        let mut members = Vec::new();
        for child in self.children[index].clone() {
            let member = &entries[child];
            let inherited = member.tag == gimli::DW_TAG_inheritance;
            if !(member.tag == gimli::DW_TAG_member || inherited) || member.external || member.declaration {
                continue; // static members of classes, nested types, methods
            }
            let (offset, bits) = place(member);
            members.push(Member { name: member.name.clone().filter(|n| !n.is_empty()), of: self.id(member.of), offset, bits });
        }
        Type::Record(Record {
            name: self.qualified(index),
            union,
            size: entry.size.unwrap_or(0),
            alignment: entry.alignment,
            incomplete: entry.declaration,
            members,
        })
    }

    /// An array of several dimensions becomes an array of arrays.
    fn array(&mut self, index: usize) -> Type {
        let entries = self.entries;
        let entry = &entries[index];
        let dimensions: Vec<Option<u64>> =
            self.children[index].iter().map(|&c| &entries[c]).filter(|c| c.tag == gimli::DW_TAG_subrange_type).map(|c| c.count).collect();
        let mut of = self.id(entry.of);
        if entry.vector {
            let count = dimensions.first().copied().flatten().unwrap_or(0);
            let lane = entry.of.and_then(|p| self.places.get(&p)).and_then(|&i| entries[i].size).unwrap_or(0);
            return Type::Vector { of, size: entry.size.unwrap_or(count.saturating_mul(lane)) };
        }
        for &count in dimensions.iter().skip(1).rev() {
            of = self.push(Type::Array { of, count });
        }
        Type::Array { of, count: dimensions.first().copied().flatten() }
    }

    pub(super) fn params(&mut self, index: usize) -> Vec<Parameter> {
        let entries = self.entries;
        let mut out = Vec::new();
        for child in self.children[index].clone() {
            let object = entries[child].artificial || self.through(child, |e| e.artificial.then_some(())).is_some();
            if entries[child].tag == gimli::DW_TAG_formal_parameter && !object {
                let (name, of) = (self.name(child).map(str::to_owned), self.type_of(child));
                out.push(Parameter { name, of });
            }
        }
        out
    }

    fn variadic(&self, index: usize) -> bool {
        self.children[index].iter().any(|&c| self.entries[c].tag == gimli::DW_TAG_unspecified_parameters)
    }

    /// An attribute of an entry or of the entry it is an instance of.
    pub(super) fn through<T>(&self, index: usize, attribute: impl Fn(&'a Entry) -> Option<T>) -> Option<T> {
        let mut index = index;
        for _ in 0..8 {
            let entry = &self.entries[index];
            if let Some(found) = attribute(entry) {
                return Some(found);
            }
            index = *self.places.get(&entry.origin?)?;
        }
        None
    }

    pub(super) fn name(&self, index: usize) -> Option<&'a str> {
        self.through(index, |e| e.name.as_deref())
    }

    pub(super) fn type_of(&mut self, index: usize) -> TypeId {
        let place = self.through(index, |e| e.of);
        self.id(place)
    }

    fn function(&mut self, index: usize, unit: usize) -> Option<Function> {
        self.name(index)?;
        let name = subject_name(self.qualified(index)?);
        // A definition that is an instance of an abstract one repeats it: the abstract one was or will be taken.
        if self.entries[index].origin.and_then(|p| self.places.get(&p)).is_some_and(|&o| !self.entries[o].declaration) {
            return None;
        }
        Some(Function {
            linkage: self.through(index, |e| e.linkage.clone()).unwrap_or_else(|| name.clone()),
            stands_for: None,
            class: self.class_of(index),
            public: self.is_public(index),
            name,
            file: self.through(index, |e| e.file.clone()).unwrap_or_default(),
            line: self.through(index, |e| (e.line != 0).then_some(e.line)).unwrap_or(0),
            params: self.params(index),
            result: self.type_of(index),
            variadic: self.variadic(index),
            external: self.through(index, |e| e.external.then_some(())).is_some(),
            prototyped: self.is_cxx(index) || self.through(index, |e| e.prototyped.then_some(())).is_some(),
            unit,
        })
    }

    /// The namespaces and classes around an entry, or around what it defines: `geo::Square::`. What is local to a function has none.
    fn scope(&self, index: usize) -> String {
        let mut index = index;
        while let Some(&declared) = self.entries[index].origin.and_then(|place| self.places.get(&place)) {
            index = declared;
        }
        let mut scope = String::new();
        let mut around = self.entries[index].parent;
        while let Some(outer) = around {
            let entry = &self.entries[outer];
            match (entry.tag, entry.name.as_deref()) {
                (
                    gimli::DW_TAG_namespace | gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type,
                    Some(name),
                ) => scope = format!("{name}::{scope}"),
                // Names in an anonymous namespace are seen without it.
                (gimli::DW_TAG_namespace | gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type, None) => {}
                _ => break,
            }
            around = entry.parent;
        }
        scope
    }

    /// The name of an entry with its scope.
    fn qualified(&self, index: usize) -> Option<String> {
        let name = self.name(index)?;
        Some(format!("{}{name}", self.scope(index)))
    }

    fn global(&mut self, index: usize) -> Option<Global> {
        Some(Global {
            name: self.name(index)?.to_owned(),
            of: self.type_of(index),
            file: self.through(index, |e| e.file.clone()).unwrap_or_default(),
            external: self.through(index, |e| e.external.then_some(())).is_some(),
        })
    }

    fn at_top(&self, index: usize) -> bool {
        let parent = self.entries[index].parent.map(|p| self.entries[p].tag);
        matches!(parent, Some(gimli::DW_TAG_compile_unit | gimli::DW_TAG_namespace))
    }

    fn input(&mut self, index: usize) -> Option<InputVariable> {
        let number = self.name(index)?.strip_prefix(INPUT)?.parse().ok()?;
        let entries = self.entries;
        let mut around = entries[index].parent;
        while let Some(outer) = around.filter(|&a| entries[a].tag != gimli::DW_TAG_subprogram) {
            around = entries[outer].parent;
        }
        let function = around?;
        let place = self.through(index, |e| e.of)?;
        // The variable's own type is a pointer, maybe below a qualifier or a typedef.
        let mut pointer = &entries[*self.places.get(&place)?];
        for _ in 0..8 {
            if pointer.tag == gimli::DW_TAG_pointer_type {
                let of = self.id(pointer.of);
                let linkage = self.through(function, |e| e.linkage.as_deref()).or_else(|| self.name(function))?;
                return Some(InputVariable { function: subject_name(linkage.to_owned()), number, of });
            }
            pointer = &entries[*self.places.get(&pointer.of?)?];
        }
        None
    }
}

/// The name of a function in subjects: the runtime has a `main` of its own.
fn subject_name(name: String) -> String {
    if name == "main" { MAIN.to_owned() } else { name }
}

fn encoding(encoding: u8) -> Encoding {
    match gimli::DwAte(encoding) {
        gimli::DW_ATE_boolean => Encoding::Bool,
        gimli::DW_ATE_signed => Encoding::Int { signed: true },
        gimli::DW_ATE_unsigned => Encoding::Int { signed: false },
        gimli::DW_ATE_signed_char => Encoding::Char { signed: true },
        gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF | gimli::DW_ATE_ASCII | gimli::DW_ATE_UCS => Encoding::Char { signed: false },
        gimli::DW_ATE_float => Encoding::Float,
        _ => Encoding::Other,
    }
}

/// Where a member is: its byte, and for a bit-field its first bit there and its width (little-endian machines).
fn place(member: &Entry) -> (u64, Option<(u16, u16)>) {
    let byte = member.location.unwrap_or(0);
    let Some(width) = member.bit_size.and_then(|w| u16::try_from(w).ok()) else { return (byte, None) };
    let from_start = match (member.data_bit_offset, member.bit_offset) {
        (Some(bit), _) => Some(byte.saturating_mul(8).saturating_add(bit)),
        // DWARF 3 counts from the most significant bit of a unit of `size` bytes.
        (None, Some(bit)) => {
            let unit = member.size.unwrap_or(4).saturating_mul(8);
            unit.checked_sub(bit.saturating_add(u64::from(width))).map(|low| byte.saturating_mul(8).saturating_add(low))
        }
        (None, None) => Some(byte.saturating_mul(8)),
    };
    let bit = from_start.unwrap_or_else(|| byte.saturating_mul(8));
    (bit / 8, Some(((bit % 8) as u16, width)))
}
