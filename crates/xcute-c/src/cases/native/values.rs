//! What variables held where an uninstrumented program failed: its debugging information says where they are, its report has the memory of the stack.
//!
//! In code that is compiled without optimisation, a variable has one place for as long as its block runs; of other code, which a user's build may have made, nothing
//! is shown. Memory that is not on the stack is not known, and what is declared later is not yet there.
//!
//! **Invariant.** Only what was read is shown. Odd debugging information costs values and nothing else; a value is a few levels deep and a line long.

use std::borrow::Cow;

use gimli::{AttributeValue as At, DwAt, EndianSlice, LittleEndian, Operation, Unit, UnitOffset};
use object::{Object as _, ObjectSection as _};
use xcute_trace::Held;

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Die<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

/// Reads memory of the stack; `None` where it is not known.
type Memory<'a> = &'a dyn Fn(u64, usize) -> Option<Vec<u8>>;

/// At most this many variables, elements of an array, and fields are shown.
const VARIABLES: usize = 40;
const ELEMENTS: u64 = 8;
const FIELDS: usize = 8;
/// A value inside of this many others is not shown.
const DEEP: u32 = 3;
/// The frame pointer, in the numbers of DWARF.
const RBP: u16 = 6;

/// The variables in scope at a place of an executable, with what they hold; `base` is the frame pointer of the function.
pub(super) fn held_at(exe: &[u8], pc: u64, line: u32, base: u64, memory: Memory<'_>) -> Vec<Held> {
    let Ok(file) = object::File::parse(exe) else { return Vec::new() };
    let section = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        Ok(file.section_by_name(id.name()).and_then(|section| section.uncompressed_data().ok()).unwrap_or_default())
    };
    let Ok(sections) = gimli::DwarfSections::load(section) else { return Vec::new() };
    let dwarf = sections.borrow(|bytes| EndianSlice::new(bytes, LittleEndian));
    find(&dwarf, &Place { pc, line, base }, memory).unwrap_or_default()
}

struct Place {
    pc: u64,
    line: u32,
    base: u64,
}

fn find(dwarf: &gimli::Dwarf<Slice<'_>>, place: &Place, memory: Memory<'_>) -> Result<Vec<Held>, gimli::Error> {
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let mut ranges = dwarf.unit_ranges(&unit)?;
        while let Some(range) = ranges.next()? {
            if (range.begin..range.end).contains(&place.pc) {
                return Frame { dwarf, unit: &unit, memory }.variables(place);
            }
        }
    }
    Ok(Vec::new())
}

struct Frame<'a, 'd> {
    dwarf: &'a gimli::Dwarf<Slice<'d>>,
    unit: &'a Unit<Slice<'d>>,
    memory: Memory<'a>,
}

impl<'d> Frame<'_, 'd> {
    /// The variables of the function and of the blocks around the place, the innermost one of each name.
    fn variables(&self, place: &Place) -> Result<Vec<Held>, gimli::Error> {
        let mut found: Vec<Held> = Vec::new();
        let mut cursor = self.unit.entries();
        // Depths of the function and of the blocks that the place is in.
        let mut around: Vec<isize> = Vec::new();
        while let Some(die) = cursor.next_dfs()? {
            let depth = die.depth();
            while around.last().is_some_and(|outer| *outer >= depth) {
                around.pop();
            }
            match die.tag() {
                gimli::DW_TAG_subprogram if self.covers(die, place.pc)? && self.is_plain(die) => around = vec![depth],
                gimli::DW_TAG_lexical_block if around.last() == Some(&(depth - 1)) && self.covers(die, place.pc)? => around.push(depth),
                gimli::DW_TAG_formal_parameter | gimli::DW_TAG_variable if around.last() == Some(&(depth - 1)) => {
                    let parameter = die.tag() == gimli::DW_TAG_formal_parameter;
                    let declared = die.attr_value(gimli::DW_AT_decl_line).and_then(|line| line.udata_value()).unwrap_or(0);
                    if (parameter || declared < u64::from(place.line))
                        && let Some(held) = self.held(die, place)
                    {
                        found.retain(|other| other.name != held.name);
                        found.push(held);
                    }
                }
                _ => {}
            }
        }
        found.truncate(VARIABLES);
        Ok(found)
    }

    fn covers(&self, die: &Die<'d>, pc: u64) -> Result<bool, gimli::Error> {
        let mut ranges = self.dwarf.die_ranges(self.unit, die)?;
        while let Some(range) = ranges.next()? {
            if (range.begin..range.end).contains(&pc) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the function is compiled without optimisation, and places of its variables are counted from the frame pointer. Of optimised functions, and only of
    /// these, clang says that all calls are described; before the fourth version of DWARF it had no word for that.
    fn is_plain(&self, die: &Die<'d>) -> bool {
        let optimised = [gimli::DW_AT_call_all_calls, gimli::DW_AT_call_all_tail_calls, gimli::DW_AT_GNU_all_call_sites];
        let only = self.only(die, gimli::DW_AT_frame_base);
        let framed = matches!(only, Some(Operation::Register { register }) if register == gimli::Register(RBP));
        framed && self.unit.encoding().version >= 4 && optimised.iter().all(|name| die.attr(*name).is_none())
    }

    /// The expression of an attribute, if it is of one operation.
    fn only(&self, die: &Die<'d>, name: DwAt) -> Option<Operation<Slice<'d>>> {
        let Some(At::Exprloc(expression)) = die.attr_value(name) else { return None };
        let mut operations = expression.operations(self.unit.encoding());
        let first = operations.next().ok()??;
        operations.next().ok()?.is_none().then_some(first)
    }

    fn held(&self, die: &Die<'d>, place: &Place) -> Option<Held> {
        let Some(Operation::FrameOffset { offset }) = self.only(die, gimli::DW_AT_location) else { return None };
        let name = self.name(die)?;
        let value = self.value(self.of(die)?, place.base.wrapping_add_signed(offset), 0)?;
        Some(Held { name, value })
    }

    fn name(&self, die: &Die<'d>) -> Option<String> {
        let text = self.dwarf.attr_string(self.unit, die.attr_value(gimli::DW_AT_name)?).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    fn of(&self, die: &Die<'d>) -> Option<UnitOffset> {
        match die.attr_value(gimli::DW_AT_type)? {
            At::UnitRef(offset) => Some(offset),
            _ => None,
        }
    }

    fn number(die: &Die<'d>, name: DwAt) -> Option<u64> {
        die.attr_value(name)?.udata_value()
    }

    /// The value of this type at an address, as C writes it.
    fn value(&self, of: UnitOffset, at: u64, depth: u32) -> Option<String> {
        let die = self.unit.entry(of).ok()?;
        let size = || usize::try_from(Self::number(&die, gimli::DW_AT_byte_size)?).ok();
        match die.tag() {
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_atomic_type
            | gimli::DW_TAG_restrict_type => self.value(self.of(&die)?, at, depth),
            gimli::DW_TAG_base_type => base(&die, &(self.memory)(at, size()?)?),
            gimli::DW_TAG_enumeration_type => self.enumerator(&die, word(&(self.memory)(at, size()?)?)?),
            // Where others point to differs from run to run.
            gimli::DW_TAG_pointer_type => (word(&(self.memory)(at, 8)?)? == 0).then(|| "NULL".to_owned()),
            gimli::DW_TAG_array_type if depth < DEEP => self.array(&die, at, depth),
            gimli::DW_TAG_structure_type | gimli::DW_TAG_union_type if depth < DEEP => self.record(&die, at, depth),
            _ => None,
        }
    }

    fn enumerator(&self, die: &Die<'d>, word: u64) -> Option<String> {
        let mut tree = self.unit.entries_tree(Some(die.offset())).ok()?;
        let mut inside = tree.root().ok()?.children();
        while let Some(child) = inside.next().ok()? {
            let value = child
                .entry()
                .attr_value(gimli::DW_AT_const_value)
                .and_then(|value| value.sdata_value().map(i64::cast_unsigned).or(value.udata_value()));
            if value == Some(word) {
                return self.name(child.entry());
            }
        }
        Some(word.to_string())
    }

    fn array(&self, die: &Die<'d>, at: u64, depth: u32) -> Option<String> {
        let mut counts = Vec::new();
        let mut tree = self.unit.entries_tree(Some(die.offset())).ok()?;
        let mut inside = tree.root().ok()?.children();
        while let Some(child) = inside.next().ok()? {
            counts.push(Self::number(child.entry(), gimli::DW_AT_count)?);
        }
        let [count] = counts[..] else { return None };
        let of = self.of(die)?;
        let size = self.size(of)?;
        let element = self.unit.entry(of).ok()?;
        let character = matches!(
            element.attr_value(gimli::DW_AT_encoding),
            Some(At::Encoding(gimli::DW_ATE_signed_char | gimli::DW_ATE_unsigned_char))
        );
        if character {
            return text(&(self.memory)(at, usize::try_from(count).ok()?.min(256))?);
        }
        let mut values: Vec<String> = (0..count.min(ELEMENTS)).map(|n| self.value(of, at + n * size, depth + 1)).collect::<Option<_>>()?;
        values.extend((count > ELEMENTS).then(|| "…".to_owned()));
        Some(format!("{{{}}}", values.join(", ")))
    }

    /// The size of a type, through its other names.
    fn size(&self, of: UnitOffset) -> Option<u64> {
        let die = self.unit.entry(of).ok()?;
        Self::number(&die, gimli::DW_AT_byte_size).or_else(|| match die.tag() {
            gimli::DW_TAG_pointer_type => Some(8),
            gimli::DW_TAG_array_type => None,
            _ => self.size(self.of(&die)?),
        })
    }

    fn record(&self, die: &Die<'d>, at: u64, depth: u32) -> Option<String> {
        let (mut values, mut more) = (Vec::new(), false);
        let mut tree = self.unit.entries_tree(Some(die.offset())).ok()?;
        let mut inside = tree.root().ok()?.children();
        while let Some(child) = inside.next().ok()? {
            let field = child.entry();
            if field.tag() != gimli::DW_TAG_member
                || field.attr(gimli::DW_AT_data_bit_offset).is_some()
                || field.attr(gimli::DW_AT_bit_size).is_some()
            {
                more |= field.tag() == gimli::DW_TAG_member || field.tag() == gimli::DW_TAG_inheritance;
                continue;
            }
            let offset = Self::number(field, gimli::DW_AT_data_member_location).unwrap_or(0);
            let value = self.of(field).and_then(|of| self.value(of, at + offset, depth + 1));
            match (self.name(field), value) {
                (Some(name), Some(value)) if values.len() < FIELDS => values.push(format!(".{name} = {value}")),
                _ => more = true,
            }
        }
        if values.is_empty() {
            return None;
        }
        values.extend(more.then(|| "…".to_owned()));
        Some(format!("{{{}}}", values.join(", ")))
    }
}

/// A number of at most eight bytes.
fn word(bytes: &[u8]) -> Option<u64> {
    let mut whole = [0; 8];
    whole.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(whole))
}

fn base(die: &Die<'_>, bytes: &[u8]) -> Option<String> {
    let Some(At::Encoding(encoding)) = die.attr_value(gimli::DW_AT_encoding) else { return None };
    let number = word(bytes)?;
    let bits = 64 - 8 * u32::try_from(bytes.len()).ok()?;
    let signed = (number << bits).cast_signed() >> bits;
    Some(match encoding {
        gimli::DW_ATE_signed => signed.to_string(),
        gimli::DW_ATE_unsigned => number.to_string(),
        gimli::DW_ATE_boolean => (number != 0).to_string(),
        gimli::DW_ATE_signed_char | gimli::DW_ATE_unsigned_char => {
            let letter = u8::try_from(number).ok().filter(|byte| (0x20..0x7f).contains(byte));
            let value = if encoding == gimli::DW_ATE_signed_char { signed.to_string() } else { number.to_string() };
            letter.map_or_else(|| value.clone(), |byte| format!("'{}'", char::from(byte)))
        }
        gimli::DW_ATE_float if bytes.len() == 4 => format!("{:?}", f32::from_bits(u32::try_from(number).ok()?)),
        gimli::DW_ATE_float if bytes.len() == 8 => format!("{:?}", f64::from_bits(number)),
        _ => return None,
    })
}

/// Characters up to the zero that ends them.
fn text(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some(format!("\"{}\"", bytes[..end].escape_ascii()))
}
