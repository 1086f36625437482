//! What the source calls the memory at an address, for globals: `total`, `forks[2]`, `account.lock`.
//!
//! Where globals lie is in the executable, in the table that the runtime has of them; what they are made of is in the debugging information.
//!
//! **Invariant.** A name is that of the global which holds the address; what is not known of its parts is left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

use crate::instrument::compiled::ObjectName;
use crate::tools::demangle::demangled;
use crate::types::dwarf::{Encoding, Program, Type, TypeId};

/// The bits of a row's name that are not its number (`XC_ZONED`, `XC_EXPORTED`).
const MARKS: u32 = 0xc000_0000;
/// How deep types are looked into.
const DEPTH: u32 = 8;

/// How a value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Signed,
    Unsigned,
    Float,
    Pointer,
    Unknown,
}

/// What a type is made of, as far as names of parts go.
#[derive(Clone, Debug)]
enum Shape {
    Whole(Kind),
    Record(Vec<(u64, String, Shape)>),
    Array { element: u64, of: Box<Shape> },
}

/// The globals of one executable. Reads it when the first name is asked for.
#[derive(Clone, Debug)]
pub(super) struct Names {
    exe: PathBuf,
    shapes: BTreeMap<String, Shape>,
    /// Base, size and name, by base.
    globals: Option<Vec<(u64, u64, String)>>,
}

impl Names {
    pub(super) fn new(exe: &Path) -> Names {
        Names { exe: exe.to_owned(), shapes: BTreeMap::new(), globals: None }
    }

    /// Learns what the globals are made of.
    pub(super) fn describe(&mut self, program: &Program) {
        self.shapes = program.globals.iter().map(|global| (global.name.clone(), shape(program, global.of, DEPTH))).collect();
    }

    /// Takes over what another subject of the program learned.
    pub(super) fn share(&mut self, other: Names) {
        *self = Names { exe: std::mem::take(&mut self.exe), ..other };
    }

    /// The names of the same program in another executable.
    pub(super) fn of_executable(&self, exe: &Path) -> Names {
        Names { exe: exe.to_owned(), shapes: self.shapes.clone(), globals: None }
    }

    /// The name of what is at an address, if it is part of a global.
    pub(super) fn of(&mut self, address: u64, objects: &[ObjectName]) -> Option<String> {
        let (name, shape, offset) = self.find(address, objects)?;
        let path = shape.map_or_else(|| plain(offset), |shape| path(shape, offset).0);
        Some(format!("{name}{path}"))
    }

    /// How values are shown that are at an address.
    pub(super) fn kind(&mut self, address: u64, objects: &[ObjectName]) -> Kind {
        let found = self.find(address, objects);
        found.and_then(|(_, shape, offset)| Some(path(shape?, offset).1)).unwrap_or(Kind::Unknown)
    }

    /// The global that holds an address, what is known of its parts, and how far the address is from its beginning.
    fn find(&mut self, address: u64, objects: &[ObjectName]) -> Option<(&str, Option<&Shape>, u64)> {
        let globals = self.globals.get_or_insert_with(|| globals(&self.exe, objects).unwrap_or_default());
        let (base, size, name) = globals.get(globals.partition_point(|(base, ..)| *base <= address).checked_sub(1)?)?;
        let offset = (address - base < (*size).max(1)).then_some(address - base)?;
        Some((name, self.shapes.get(name), offset))
    }
}

/// The rows of `xc_globals`.
fn globals(exe: &Path, objects: &[ObjectName]) -> Option<Vec<(u64, u64, String)>> {
    let bytes = std::fs::read(exe).ok()?;
    let file = object::File::parse(bytes.as_slice()).ok()?;
    let data = |name: &str| {
        let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name))?;
        let section = file.section_by_index(symbol.section_index()?).ok()?;
        let from = usize::try_from(symbol.address().checked_sub(section.address())?).ok()?;
        section.data().ok()?.get(from..)
    };
    let count = u64::from_le_bytes(data("xc_n_globals")?.get(..8)?.try_into().ok()?);
    let row = |row: &[u8]| {
        let base = u64::from_le_bytes(row[..8].try_into().ok()?);
        let [size, name] = [&row[8..12], &row[12..16]].map(|word| word.try_into().map_or(0, u32::from_le_bytes));
        let name = source_name(&objects.get((name & !MARKS) as usize)?.name)?;
        Some((base, u64::from(size), name))
    };
    let mut all: Vec<_> = data("xc_globals")?.chunks_exact(16).take(usize::try_from(count).ok()?).filter_map(row).collect();
    all.sort();
    Some(all)
}

/// What the source calls a global: statics of functions are `function.name` to LLVM, and all may have a number at the end.
fn source_name(name: &str) -> Option<String> {
    let is_name = |part: &str| !part.is_empty() && !part.starts_with(|c: char| c.is_ascii_digit());
    let name = demangled(name);
    let mut parts = name.split('.').filter(|part| is_name(part));
    let first = parts.next().filter(|_| !name.starts_with('.'))?;
    Some(parts.next().unwrap_or(first).to_owned())
}

fn shape(program: &Program, of: TypeId, depth: u32) -> Shape {
    match program.get(program.strip(of)) {
        // What is in a lock is its own business.
        _ if depth == 0 || is_opaque(program, of) => Shape::Whole(Kind::Unknown),
        Type::Record(record) if !record.union => {
            let member = |m: &crate::types::dwarf::Member| Some((m.offset, m.name.clone()?, shape(program, m.of, depth - 1)));
            let members: Vec<_> = record.members.iter().filter_map(member).collect();
            // Members that nobody names are those of the library.
            if members.iter().any(|(_, name, _)| name.starts_with('_')) { Shape::Whole(Kind::Unknown) } else { Shape::Record(members) }
        }
        Type::Array { of, .. } => Shape::Array { element: program.size(*of).max(1), of: Box::new(shape(program, *of, depth - 1)) },
        other => Shape::Whole(kind(other)),
    }
}

fn kind(of: &Type) -> Kind {
    match of {
        Type::Base { encoding: Encoding::Int { signed: true } | Encoding::Char { signed: true }, .. } | Type::Enum { signed: true, .. } => {
            Kind::Signed
        }
        Type::Base { encoding: Encoding::Float, .. } => Kind::Float,
        Type::Base { .. } | Type::Enum { .. } => Kind::Unsigned,
        Type::Pointer { .. } | Type::Reference { .. } => Kind::Pointer,
        _ => Kind::Unknown,
    }
}

fn is_opaque(program: &Program, of: TypeId) -> bool {
    const OPAQUE: [&str; 5] = ["sem_t", "mtx_t", "cnd_t", "once_flag", "tss_t"];
    match program.get(of) {
        Type::Typedef { name, .. } if name.starts_with("pthread_") || OPAQUE.contains(&name.as_str()) => true,
        Type::Typedef { to, .. } => is_opaque(program, *to),
        Type::Qualified { of, .. } => is_opaque(program, *of),
        _ => false,
    }
}

/// The name of a part, and how its values are shown.
fn path(shape: &Shape, offset: u64) -> (String, Kind) {
    match shape {
        Shape::Whole(kind) => (String::new(), *kind),
        Shape::Array { element, of } => {
            let (rest, kind) = path(of, offset % element);
            (format!("[{}]{rest}", offset / element), kind)
        }
        Shape::Record(members) => match members.iter().rev().find(|(at, ..)| *at <= offset) {
            Some((at, name, of)) => {
                let (rest, kind) = path(of, offset - at);
                (format!(".{name}{rest}"), kind)
            }
            None => (String::new(), Kind::Unknown),
        },
    }
}

/// Where nothing is known of the parts.
fn plain(offset: u64) -> String {
    if offset == 0 { String::new() } else { format!("+{offset}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_source() {
        let named = ["total", "f.count", "total.1", ".str.4", "_ZN4bank5totalE"].map(source_name);
        assert_eq!(named.map(Option::unwrap_or_default), ["total", "count", "total", "", "bank::total"]);
    }

    #[test]
    fn parts_are_found_by_their_offset() {
        let members =
            [(0, "balance", Kind::Signed), (8, "lock", Kind::Unknown)].map(|(at, name, kind)| (at, name.into(), Shape::Whole(kind)));
        let all = Shape::Array { element: 48, of: Box::new(Shape::Record(members.into())) };
        assert_eq!([0, 8, 60, 100].map(|at| path(&all, at).0), ["[0].balance", "[0].lock", "[1].lock", "[2].balance"]);
        assert_eq!(path(&all, 96).1, Kind::Signed);
    }
}
