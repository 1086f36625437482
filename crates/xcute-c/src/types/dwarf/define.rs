//! Types as C text that stands by itself: every definition that a declaration needs, and no header.
//!
//! The harness and the standalone test are files of their own, so that nothing in them meets the program's macros, and nothing of theirs
//! meets the program. What they need of its types is written here, from the debugging information; `layout` writes the members of records.
//!
//! **Invariant.** A type that is written has the size, the offsets and the calling convention of the program's own.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use super::declare::{Spelling, Undeclarable, integer, spelled};
use super::{Encoding, Program, Qualifier, Type, TypeId};

/// How deep records nest.
const DEPTH: usize = 64;

/// Definitions in the making.
#[derive(Debug)]
pub struct Definitions<'a> {
    pub(super) program: &'a Program,
    opaque: bool,
    text: String,
    /// Names of tags, and of everything else.
    tags: BTreeSet<String>,
    taken: BTreeSet<String>,
    /// What records, enumerations and typedefs are called here.
    names: FxHashMap<TypeId, String>,
    /// Records that are mentioned, and those whose members are written.
    mentioned: FxHashSet<TypeId>,
    defined: FxHashSet<TypeId>,
    /// Enumerators by the program's names.
    enumerators: FxHashMap<String, String>,
}

impl<'a> Definitions<'a> {
    /// Nothing is defined yet. The names in `taken` mean something else already.
    #[must_use]
    pub fn new(program: &'a Program, taken: BTreeSet<String>) -> Definitions<'a> {
        Definitions {
            program,
            opaque: false,
            text: String::new(),
            tags: BTreeSet::new(),
            taken,
            names: FxHashMap::default(),
            mentioned: FxHashSet::default(),
            defined: FxHashSet::default(),
            enumerators: FxHashMap::default(),
        }
    }

    /// The same where only size and calling convention count: every pointer is one to `void`, and nothing has a name but records.
    #[must_use]
    pub fn opaque(program: &'a Program) -> Definitions<'a> {
        Definitions { opaque: true, ..Definitions::new(program, BTreeSet::new()) }
    }

    /// The declaration of `name` with this type; a type name if `name` is empty. What it needs is defined before.
    ///
    /// # Errors
    /// If the type (or one inside it) is not known.
    pub fn declare(&mut self, of: TypeId, name: &str) -> Result<String, Undeclarable> {
        self.declare_at(of, name, 0)
    }

    /// Sees to it that the members of a type are known, if it has some.
    ///
    /// # Errors
    /// As [`Definitions::declare`].
    pub fn complete(&mut self, of: TypeId) -> Result<(), Undeclarable> {
        self.complete_at(of, 0)
    }

    /// All definitions so far, in the order in which they need each other.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What an enumerator of the program is called here, if its enumeration is defined.
    #[must_use]
    pub fn enumerator(&self, name: &str) -> Option<&str> {
        self.enumerators.get(name).map(String::as_str)
    }

    pub(super) fn declare_at(&mut self, of: TypeId, name: &str, depth: usize) -> Result<String, Undeclarable> {
        if depth > DEPTH {
            return Err(Undeclarable { what: "nested too deeply".to_owned() });
        }
        let program = self.program;
        spelled(program, self, of, name, true, depth)
    }

    pub(super) fn complete_at(&mut self, of: TypeId, depth: usize) -> Result<(), Undeclarable> {
        let mut id = self.program.strip(of);
        while let Type::Array { of, .. } = self.program.get(id) {
            id = self.program.strip(*of);
        }
        if let Type::Record(record) = self.program.get(id)
            && !record.incomplete
            && self.defined.insert(id)
        {
            if depth > DEPTH {
                return Err(Undeclarable { what: "nested too deeply".to_owned() });
            }
            let name = self.record_name(id, record.name.as_deref());
            let body = self.members(record, depth + 1)?;
            let _ = writeln!(self.text, "{} {name}{body};", keyword(record.union));
        }
        Ok(())
    }

    /// The tag of a record; an anonymous one gets the name of something that leads to it.
    pub(super) fn record_name(&mut self, id: TypeId, wanted: Option<&str>) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let name = unique(&mut self.tags, &identifier(wanted.unwrap_or("anonymous")));
        self.names.insert(id, name.clone());
        name
    }

    fn typedef(&mut self, id: TypeId, name: &str, to: TypeId, depth: usize) -> Result<String, Undeclarable> {
        if let Some(name) = self.names.get(&id) {
            return Ok(name.clone());
        }
        let own = unique(&mut self.taken, &identifier(name));
        self.names.insert(id, own.clone());
        let program = self.program;
        if let Type::Record(record) = program.get(program.strip(to)) {
            self.record_name(program.strip(to), Some(record.name.as_deref().unwrap_or(name)));
        }
        if depth > DEPTH {
            return Err(Undeclarable { what: "nested too deeply".to_owned() });
        }
        let declared = spelled(program, self, to, &own, false, depth + 1)?;
        let _ = writeln!(self.text, "typedef {declared};");
        Ok(own)
    }

    fn enumeration(&mut self, id: TypeId) -> String {
        let Type::Enum { name, size, signed, enumerators } = self.program.get(id) else { return "int".to_owned() };
        // Only an ordinary one has an integer that C chooses in the same way.
        let ordinary = *size == 4;
        let plain = integer(*size, *signed);
        if self.opaque || enumerators.is_empty() {
            return plain.to_owned();
        }
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let tag = unique(&mut self.tags, &identifier(name.as_deref().unwrap_or("anonymous")));
        let spelled = if ordinary { format!("enum {tag}") } else { plain.to_owned() };
        self.names.insert(id, spelled.clone());
        let mut values = Vec::new();
        for (name, value) in enumerators {
            let own = unique(&mut self.taken, &identifier(name));
            values.push(format!("{own} = {value}"));
            self.enumerators.insert(name.clone(), own);
        }
        let _ = writeln!(self.text, "enum {tag} {{ {} }};", values.join(", "));
        spelled
    }
}

impl Spelling for Definitions<'_> {
    fn base(&mut self, id: TypeId, complete: bool, depth: usize) -> Result<String, Undeclarable> {
        let program = self.program;
        Ok(match program.get(id) {
            Type::Void => "void".to_owned(),
            Type::Base { name, size, encoding } => number(name, *size, *encoding)?,
            Type::Typedef { name, to } => {
                let name = self.typedef(id, name, *to, depth)?;
                if complete {
                    self.complete_at(*to, depth)?;
                }
                name
            }
            Type::Enum { .. } => self.enumeration(id),
            Type::Vector { of, size } => format!("__attribute__((vector_size({size}))) {}", self.declare_at(*of, "", depth + 1)?),
            Type::Record(record) => {
                let name = self.record_name(id, record.name.as_deref());
                if complete {
                    self.complete_at(id, depth)?;
                }
                if self.mentioned.insert(id) && !self.defined.contains(&id) {
                    let _ = writeln!(self.text, "{} {name};", keyword(record.union));
                }
                format!("{} {name}", keyword(record.union))
            }
            Type::Unknown { what, .. } => return Err(Undeclarable { what: what.clone() }),
            Type::Pointer { .. } | Type::Reference { .. } | Type::Qualified { .. } | Type::Array { .. } | Type::Function { .. } => {
                unreachable!("taken apart before")
            }
        })
    }

    fn opaque(&self) -> bool {
        self.opaque
    }
}

impl Program {
    /// The alignment of a type, as far as the compiler chooses it.
    pub(super) fn alignment(&self, of: TypeId, depth: usize) -> u64 {
        let (mut id, mut atomic) = (of, false);
        loop {
            match self.get(id) {
                Type::Typedef { to, .. } => id = *to,
                Type::Qualified { by, of } => (id, atomic) = (*of, atomic || *by == Qualifier::Atomic),
                _ => break,
            }
        }
        let natural = match self.get(id) {
            Type::Base { size, encoding: Encoding::Other, .. } => (*size / 2).clamp(1, 16),
            Type::Base { size, .. } | Type::Enum { size, .. } => (*size).clamp(1, 16),
            Type::Vector { size, .. } => (*size).max(1),
            Type::Pointer { .. } | Type::Reference { .. } => 8,
            Type::Array { of, .. } if depth < DEPTH => self.alignment(*of, depth + 1),
            Type::Record(record) if depth < DEPTH => self.record_alignment(record, depth + 1),
            _ => 1,
        };
        let size = self.size(id);
        if atomic && size.is_power_of_two() && size <= 16 { natural.max(size) } else { natural }
    }
}

pub(super) fn keyword(union: bool) -> &'static str {
    if union { "union" } else { "struct" }
}

/// A number by the name that every compiler of C has for it.
fn number(name: &str, size: u64, encoding: Encoding) -> Result<String, Undeclarable> {
    Ok(match (encoding, size) {
        (Encoding::Bool, 1) => "_Bool",
        (Encoding::Char { .. }, 1) if name == "char" => "char",
        (Encoding::Int { .. } | Encoding::Char { .. }, 8) if name.contains("long long") => {
            if name.contains("unsigned") {
                "unsigned long long"
            } else {
                "long long"
            }
        }
        (Encoding::Int { signed } | Encoding::Char { signed }, 1 | 2 | 4 | 8 | 16) if !name.contains("_BitInt") => integer(size, signed),
        (Encoding::Bool, _) => integer(size, false),
        (Encoding::Float, 2) => "_Float16",
        (Encoding::Float, 4) => "float",
        (Encoding::Float, 8) => "double",
        (Encoding::Float, 16) if name.contains("128") => "__float128",
        (Encoding::Float, 16) => "long double",
        (Encoding::Other, 8) => "float _Complex",
        (Encoding::Other, 16) => "double _Complex",
        (Encoding::Other, 32) => "long double _Complex",
        _ if name.contains("_BitInt") => {
            return Err(Undeclarable {
                what: format!("{name}, whose width the debug information lacks (let the entry take another type),"),
            });
        }
        _ => return Err(Undeclarable { what: if name.is_empty() { format!("number of {size} bytes") } else { name.to_owned() } }),
    }
    .to_owned())
}

/// Words that mean something in C of every age, and what compilers define by themselves.
const WORDS: &str = "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict \
    return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof alignas alignof bool constexpr false \
    nullptr static_assert thread_local true typeof_unqual linux unix i386";

/// A name as C has them: `geo::Point<int>` is `geo_Point_int`, and a word of the language gets an underscore at its end.
#[must_use]
pub(crate) fn identifier(name: &str) -> String {
    let mut out = String::new();
    for part in name.split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '_' && c != '$').filter(|p| !p.is_empty()) {
        if !out.is_empty() {
            out.push('_');
        }
        out += part;
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    if WORDS.split_whitespace().any(|word| word == out) { out + "_" } else { out }
}

/// A name that is not taken, and is now.
pub(super) fn unique(taken: &mut BTreeSet<String>, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let mut n = 1;
    while !taken.insert(name.clone()) {
        n += 1;
        name = format!("{wanted}_{n}");
    }
    name
}
