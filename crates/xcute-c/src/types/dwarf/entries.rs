//! From the bytes of an object file to a plain tree of debugging entries.
//!
//! Only the attributes that types and functions need are kept, already turned into numbers and strings, so that `interpret` never meets
//! a form, an offset table or a relocation.
//!
//! **Invariant.** `parent` of an entry is smaller than its own index; `at` is its place in `.debug_info`, and references are such places.

use std::borrow::Cow;
use std::path::Path;

use gimli::{AttributeValue as Value, DwAt, DwTag, EndianSlice, RunTimeEndian, UnitRef};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationKind, RelocationTarget};

use super::DwarfError;

/// A debugging entry.
#[derive(Debug)]
pub(super) struct Entry {
    pub tag: DwTag,
    pub at: usize,
    pub parent: Option<usize>,
    pub attributes: Attributes,
}

/// Whether a language of DWARF is C++.
pub(super) fn is_cxx(language: u16) -> bool {
    matches!(
        gimli::DwLang(language),
        gimli::DW_LANG_C_plus_plus
            | gimli::DW_LANG_C_plus_plus_03
            | gimli::DW_LANG_C_plus_plus_11
            | gimli::DW_LANG_C_plus_plus_14
            | gimli::DW_LANG_C_plus_plus_17
            | gimli::DW_LANG_C_plus_plus_20
    )
}

/// What it says about itself.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub name: Option<String>,
    pub linkage: Option<String>,
    pub of: Option<usize>,
    /// DW_AT_abstract_origin or DW_AT_specification.
    pub origin: Option<usize>,
    pub file: Option<String>,
    pub line: u32,
    pub size: Option<u64>,
    /// DW_AT_alignment: what the source asks for.
    pub alignment: Option<u64>,
    pub encoding: Option<u8>,
    pub count: Option<u64>,
    pub value: Option<i64>,
    pub location: Option<u64>,
    pub bit_size: Option<u64>,
    pub data_bit_offset: Option<u64>,
    /// DWARF 3's DW_AT_bit_offset: counted from the most significant bit.
    pub bit_offset: Option<u64>,
    /// DW_AT_accessibility: 1 is public.
    pub access: Option<u8>,
    /// DW_AT_virtuality: 2 is pure.
    pub virtuality: u8,
    /// DW_AT_language of a unit.
    pub language: Option<u16>,
    pub artificial: bool,
    pub deleted: bool,
    pub enum_class: bool,
    pub external: bool,
    pub declaration: bool,
    pub prototyped: bool,
    pub vector: bool,
}

impl std::ops::Deref for Entry {
    type Target = Attributes;

    fn deref(&self) -> &Attributes {
        &self.attributes
    }
}

/// Why a file cannot be read; [`Unreadable::at`] adds the name.
pub(super) enum Unreadable {
    Object(String),
    Dwarf(String),
}

impl Unreadable {
    pub(super) fn at(self, path: &Path) -> DwarfError {
        match self {
            Unreadable::Object(why) => DwarfError::Object { path: path.to_owned(), why },
            Unreadable::Dwarf(why) => DwarfError::Dwarf { path: path.to_owned(), why },
        }
    }
}

impl From<gimli::Error> for Unreadable {
    fn from(error: gimli::Error) -> Unreadable {
        Unreadable::Dwarf(error.to_string())
    }
}

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// Reads the entries of all units of a file, in order.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Entry>, Unreadable> {
    let file = object::File::parse(bytes).map_err(|e| Unreadable::Object(e.to_string()))?;
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let sections = gimli::DwarfSections::load(|id| section(&file, id.name()))?;
    let dwarf = sections.borrow(|bytes| EndianSlice::new(bytes, endian));
    let mut out = Vec::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        read_unit(&unit.unit_ref(&dwarf), &mut out)?;
    }
    if out.is_empty() { Err(Unreadable::Dwarf("there is none".to_owned())) } else { Ok(out) }
}

/// The bytes of a section, decompressed and with its relocations applied (objects have some, executables none).
fn section<'a>(file: &object::File<'a>, name: &str) -> Result<Cow<'a, [u8]>, Unreadable> {
    let Some(section) = file.section_by_name(name) else { return Ok(Cow::Borrowed(&[])) };
    let mut bytes = section.uncompressed_data().map_err(|e| Unreadable::Dwarf(format!("section {name}: {e}")))?;
    for (at, relocation) in section.relocations() {
        let target = match relocation.target() {
            RelocationTarget::Symbol(symbol) => file.symbol_by_index(symbol).map_or(0, |s| s.address()),
            _ => 0,
        };
        let (width, kind) = (usize::from(relocation.size() / 8), relocation.kind());
        let Some(place) = usize::try_from(at).ok().and_then(|at| at.checked_add(width).map(|end| at..end)) else { continue };
        if kind != RelocationKind::Absolute || place.end > bytes.len() || !file.is_little_endian() {
            continue; // relocations of code addresses relative to something do not matter here
        }
        let mut old = [0u8; 8];
        old[..width.min(8)].copy_from_slice(&bytes[place.start..place.start + width.min(8)]);
        let implicit = if relocation.has_implicit_addend() { u64::from_le_bytes(old) } else { 0 };
        let value = target.wrapping_add_signed(relocation.addend()).wrapping_add(implicit);
        bytes.to_mut()[place].copy_from_slice(&value.to_le_bytes()[..width.min(8)]);
    }
    Ok(bytes)
}

fn read_unit(unit: &UnitRef<'_, Slice<'_>>, out: &mut Vec<Entry>) -> Result<(), Unreadable> {
    let mut cursor = unit.entries();
    // The entries that contain the current one: their depth and index.
    let mut around: Vec<(isize, usize)> = Vec::new();
    while let Some(die) = cursor.next_dfs()? {
        let depth = die.depth();
        while around.last().is_some_and(|&(d, _)| d >= depth) {
            around.pop();
        }
        let mut entry = Entry {
            tag: die.tag(),
            at: die.offset().to_unit_section_offset(&unit.header).0,
            parent: around.last().map(|&(_, index)| index),
            attributes: Attributes::default(),
        };
        for attribute in die.attrs() {
            set(&mut entry.attributes, unit, attribute.name(), attribute.value());
        }
        if die.has_children() {
            around.push((depth, out.len()));
        }
        out.push(entry);
    }
    Ok(())
}

fn set<'a>(entry: &mut Attributes, unit: &UnitRef<'_, Slice<'a>>, name: DwAt, value: Value<Slice<'a>>) {
    match name {
        gimli::DW_AT_name => entry.name = string(unit, value),
        gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => entry.linkage = string(unit, value),
        gimli::DW_AT_type => entry.of = reference(unit, &value),
        gimli::DW_AT_abstract_origin | gimli::DW_AT_specification => entry.origin = reference(unit, &value),
        gimli::DW_AT_decl_file => entry.file = file_name(unit, &value),
        gimli::DW_AT_decl_line => entry.line = value.udata_value().and_then(|l| u32::try_from(l).ok()).unwrap_or(0),
        gimli::DW_AT_byte_size => entry.size = value.udata_value(),
        gimli::DW_AT_alignment => entry.alignment = value.udata_value(),
        gimli::DW_AT_encoding => {
            entry.encoding = match value {
                Value::Encoding(encoding) => Some(encoding.0),
                other => other.u8_value(),
            }
        }
        gimli::DW_AT_count => entry.count = value.udata_value(),
        gimli::DW_AT_upper_bound => {
            // -1 is how some compilers write an array without elements.
            entry.count = entry.count.or(value.sdata_value().and_then(|bound| u64::try_from(bound.checked_add(1)?).ok()))
        }
        gimli::DW_AT_const_value => entry.value = value.sdata_value().or(value.udata_value().map(u64::cast_signed)),
        gimli::DW_AT_data_member_location => entry.location = value.udata_value(),
        gimli::DW_AT_bit_size => entry.bit_size = value.udata_value(),
        gimli::DW_AT_data_bit_offset => entry.data_bit_offset = value.udata_value(),
        gimli::DW_AT_bit_offset => entry.bit_offset = value.udata_value(),
        gimli::DW_AT_accessibility => {
            entry.access = match value {
                Value::Accessibility(access) => Some(access.0),
                other => other.u8_value(),
            }
        }
        gimli::DW_AT_virtuality => {
            entry.virtuality = match value {
                Value::Virtuality(virtuality) => virtuality.0,
                other => other.u8_value().unwrap_or(0),
            }
        }
        gimli::DW_AT_language => {
            entry.language = match value {
                Value::Language(language) => Some(language.0),
                other => other.u16_value(),
            }
        }
        gimli::DW_AT_artificial => entry.artificial = value == Value::Flag(true),
        gimli::DW_AT_deleted => entry.deleted = value == Value::Flag(true),
        gimli::DW_AT_enum_class => entry.enum_class = value == Value::Flag(true),
        gimli::DW_AT_external => entry.external = value == Value::Flag(true),
        gimli::DW_AT_declaration => entry.declaration = value == Value::Flag(true),
        gimli::DW_AT_prototyped => entry.prototyped = value == Value::Flag(true),
        gimli::DW_AT_GNU_vector => entry.vector = value == Value::Flag(true),
        _ => {}
    }
}

fn string<'a>(unit: &UnitRef<'_, Slice<'a>>, value: Value<Slice<'a>>) -> Option<String> {
    let text = unit.attr_string(value).ok()?;
    Some(text.to_string_lossy().into_owned())
}

fn reference(unit: &UnitRef<'_, Slice<'_>>, value: &Value<Slice<'_>>) -> Option<usize> {
    match value {
        Value::UnitRef(offset) => Some(offset.to_unit_section_offset(&unit.header).0),
        Value::DebugInfoRef(offset) => Some(offset.0),
        _ => None,
    }
}

fn file_name(unit: &UnitRef<'_, Slice<'_>>, value: &Value<Slice<'_>>) -> Option<String> {
    let index = match value {
        Value::FileIndex(index) => *index,
        other => other.udata_value()?,
    };
    let header = unit.line_program.as_ref()?.header();
    let file = header.file(index)?;
    let name = string(unit, file.path_name())?;
    if Path::new(&name).is_absolute() {
        return Some(name);
    }
    let mut path = unit.comp_dir.map_or_else(String::new, |dir| dir.to_string_lossy().into_owned());
    // Directory 0 is the unit's own directory, in every version.
    if let Some(directory) = (file.directory_index() != 0).then(|| file.directory(header)).flatten().and_then(|d| string(unit, d)) {
        path = Path::new(&path).join(directory).to_string_lossy().into_owned();
    }
    Some(Path::new(&path).join(name).to_string_lossy().into_owned())
}
